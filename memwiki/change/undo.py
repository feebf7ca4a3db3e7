"""Taking changes back: from the records on the stack to a plan, which only writes what changes
write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import TypeAlias

from memwiki.change.plan import Edit, Plan, edit_of, folders_above
from memwiki.change.record import (
    Inverse,
    TakenOut,
    UndoRecord,
    Window,
    change_of,
    take_out,
    title_of,
)
from memwiki.digest import digest_if_any
from memwiki.errors import ConflictError, UnreadableError, UnsafePathError
from memwiki.files.ignore import DOT_FILES, why_not_folder, why_not_name
from memwiki.files.records import Record
from memwiki.files.temporary import Attributes
from memwiki.names import COMPANION_SUFFIXES, CONFIG_FILE, is_companion_name, is_page_name
from memwiki.numbers import counted

_MAX_TITLES = 3  # of the changes of a file that are named
_MAY_READ_AND_WRITE = 0o666
Reader: TypeAlias = Callable[[str], bytes | None]  # the bytes of a file, None when there is none


def undo_plan(records: Sequence[Record], read: Reader, older: str = "") -> Plan:
    """The plan that takes back these changes, the newest first; `older` says how an older text is
    seen.

    Raises ConflictError, naming each file that is not as the changes left it, and UnsafePathError
    when a record wants more than changes of memwiki do.
    """
    changes = [change_of(record.fields) for record in records]
    for change in changes:
        _require_ours(change)
    files: dict[str, bytes | None] = {}
    first: dict[str, bytes | None] = {}
    strange: dict[str, str] = {}
    for change in changes:
        for path in (inverse.path for inverse in change.inverses if inverse.path not in files):
            files[path] = first[path] = read(path)
        strange |= {path: where for path, where in _taken_back(change, files) if where}
    if strange:
        raise _differs(records, changes, strange, read, older)
    edits = [
        edit_of(path, before, files[path], "undo")
        for path, before in first.items()
        if before != files[path]
    ]
    return Plan(
        tuple(_with_attributes(edits, changes)),
        f"undone: {'; '.join(title_of(record.fields) for record in records)}",
        "undo",
        undoes=tuple(each.offset for each in records),
        empties=tuple(folder for change in changes for folder in _emptied(change)),
    )


def _with_attributes(edits: list[Edit], changes: Sequence[UndoRecord]) -> Iterator[Edit]:
    """Files that come back first, those that go last; what one had, the records alone say."""
    had = {path: each for change in changes for path, each in change.attributes.items()}
    gone = {edit.path: edit for edit in edits if edit.data is None}
    locations = _locations(changes)
    for edit in edits:
        if not edit.expect:
            now = gone.get(locations.get(edit.path, ""))
            kept = _bounded(had.get(edit.path), now, edit.data)
            yield edit._replace(was=now.path if now else "", attributes=kept)
    for edit in edits:
        if edit.expect and edit.data is not None:  # another file may have come to its place
            yield edit._replace(attributes=_bounded(had.get(edit.path), None, edit.data))
    yield from gone.values()


def _locations(changes: Sequence[UndoRecord]) -> dict[str, str]:
    """Where the files are now that were moved, by the path they come back to."""
    locations: dict[str, str] = {}
    for change in changes:
        locations |= {old: locations.pop(new, new) for new, old in change.moved.items()}
    return locations


def _bounded(had: Attributes | None, now: Edit | None, data: bytes | None) -> Attributes | None:
    """No record makes a file executable; one that comes back whole from elsewhere may be so now."""
    if now and now.base == data:
        return had
    most = had or (Attributes(_MAY_READ_AND_WRITE) if now else None)
    return most and most._replace(mode=most.mode & _MAY_READ_AND_WRITE)


def _taken_back(change: UndoRecord, files: dict[str, bytes | None]) -> Iterator[tuple[str, str]]:
    """Take back what was done to each file, in `files`; give each path with where it
    conflicts, "" where it does not."""
    inverses = {inverse.path: inverse for inverse in change.inverses}
    spare = {old: files.get(new) for new, old in change.moved.items()}
    lost = {old: new for new, old in change.moved.items() if files.get(new) is None}
    for new, old in change.moved.items():
        if new in inverses and old in inverses and _is_moved_since(inverses[new], files):
            yield new, _moved_back(change, inverses.pop(new), inverses.pop(old), files)
    for path, inverse in inverses.items():
        found = _text_before(change, inverse, files[path], spare.get(path))
        if not found.where:
            files[path] = found.data
        # Of a file that was moved and is gone from there, that place is named.
        where = lost.get(found.where, found.where)
        told = f"{where} (not there any more)" if files.get(where, b"") is None else where
        yield (where if found.where in lost else path), told


def _text_before(
    change: UndoRecord, inverse: Inverse, now: bytes | None, spare: bytes | None
) -> TakenOut:
    """What a file becomes without the change; `spare` is what stands where it was moved to."""
    digest, meanwhile = digest_if_any(now), change.meanwhile.get(inverse.path)
    if digest == inverse.before:  # a change, or its undoing, that was cut short
        return TakenOut(now)
    is_moved_whole = now is None and not inverse.data
    if digest == inverse.after and is_moved_whole and digest_if_any(spare) == inverse.before:
        return TakenOut(spare)
    if now is not None and meanwhile and digest == meanwhile.digest:
        inverse = inverse._replace(after=digest, length=meanwhile.length)
    if digest == inverse.after and digest_if_any(data := _applied(inverse, now)) == inverse.before:
        return TakenOut(data)
    if now is None or inverse.path not in change.windows or not inverse.before:
        return TakenOut(None, inverse.path)
    return _merge(change.windows[inverse.path], inverse, inverse.data, now)


def _merge(window: Window, inverse: Inverse, kept: bytes, now: bytes) -> TakenOut:
    taken = take_out(window, kept, now)
    return taken._replace(where=f"{inverse.path}:{taken.where}") if taken.where else taken


def _is_moved_since(inverse: Inverse, files: Mapping[str, bytes | None]) -> bool:
    """Whether somebody changed a file where it was moved to."""
    now = files[inverse.path]
    return now is not None and digest_if_any(now) != inverse.after


def _moved_back(
    change: UndoRecord, new: Inverse, old: Inverse, files: dict[str, bytes | None]
) -> str:
    """Move a file back with what others changed in it since; where that conflicts, "" if not."""
    now, window = files[new.path] or b"", change.windows.get(new.path)
    if files[old.path] is not None:
        return old.path
    found = _merge(window, new, old.data, now) if window else TakenOut(now)
    if found.where or (old.data and not window):
        return found.where or new.path
    files[old.path], files[new.path] = found.data, None
    return ""


def _applied(inverse: Inverse, now: bytes | None) -> bytes | None:
    if not inverse.before:
        return None
    now = now or b""
    return now[: inverse.start] + inverse.data + now[inverse.start + inverse.length :]


def _differs(
    records: Sequence[Record],
    changes: Sequence[UndoRecord],
    strange: dict[str, str],
    read: Reader,
    older: str,
) -> ConflictError:
    """Name what conflicts, and say how many lines are in no file while nothing is undone."""
    made = [
        title_of(record.fields)
        for record, change in zip(records, changes, strict=True)
        if any(inverse.path in strange for inverse in change.inverses)
    ] or [title_of(record.fields) for record in records]
    titles = ", ".join(made[:_MAX_TITLES])
    titles += f" and {len(made) - _MAX_TITLES} more" if made[_MAX_TITLES:] else ""
    absent = len(_only_kept(changes, read))
    kept = f"; {counted(absent, 'line')} of it only in what is kept for undo" if absent else ""
    return ConflictError(
        f'{", ".join(strange.values())}: changed since "{titles}"; nothing was undone{kept}',
        hint="; ".join(filter(None, ("undo the later change by hand, then repeat it", older))),
        path=next(iter(strange)),
        candidates=tuple(strange),
    )


def _only_kept(changes: Sequence[UndoRecord], read: Reader) -> set[bytes]:
    """Lines that an undo would bring back and that no file of these changes has now."""
    inverses = [inverse for change in changes for inverse in change.inverses]
    present = {line.strip() for i in inverses for line in (read(i.path) or b"").splitlines()}
    return {line.strip() for i in inverses for line in i.data.splitlines()} - present - {b""}


def cut_short(records: Iterable[Record], read: Reader) -> Iterator[tuple[int, str]]:
    """The changes that reached some of their files and not others, as when their process was
    killed: how many undos lead there, and what each was called."""
    later: dict[str, str] = {}  # what a newer change found, by its digest
    for number, record in enumerate(records, 1):
        with suppress(UnreadableError, UnsafePathError):  # what cannot be read, undo itself says
            change = change_of(record.fields)
            _require_ours(change)
            if _is_cut_short(change, later, read):
                yield number, title_of(record.fields)
            later |= {inverse.path: inverse.before for inverse in change.inverses}


def _is_cut_short(change: UndoRecord, later: Mapping[str, str], read: Reader) -> bool:
    states = set[str]()
    for inverse in change.inverses:
        path = inverse.path
        digest = later[path] if path in later else digest_if_any(read(path))
        states.add({inverse.before: "before", inverse.after: "after"}.get(digest, ""))
        if path in change.meanwhile and digest == change.meanwhile[path].digest:
            return True
    return {"before", "after"} <= states


# --- what a record may ask for -------------------------------------------------------------------


def _require_ours(change: UndoRecord) -> None:
    """Refuse a record that wants what no change of memwiki does."""
    came = Counter(_kind(i.path, i.after) for i in change.inverses if not i.before)
    gone = Counter(_kind(i.path, i.before) for i in change.inverses if not i.after)
    moved = came & gone
    for inverse in change.inverses:
        is_moved = moved and moved[_kind(inverse.path, inverse.after or inverse.before)] > 0
        is_ours = _is_written(inverse) or _is_imported(inverse, change.op)
        if not (is_moved or is_ours or _is_deleted(inverse, change.op)):
            raise UnsafePathError(
                f"{inverse.path}: not a file that memwiki writes; nothing was undone",
                hint="the record was not made by memwiki; remove .memwiki/state if you do not "
                "know it",
                path=inverse.path,
            )


def _emptied(change: UndoRecord) -> Iterator[str]:
    """The folders that go with the change; a hidden one only where a file of the change came to
    it."""
    above = folders_above(each.path for each in change.inverses if not each.before)
    for folder in change.folders:
        if folder in above or not any(name.startswith(".") for name in folder.split("/")):
            yield folder


def _is_written(inverse: Inverse) -> bool:
    """Whether this is a page, or another file in which verbs change a line."""
    *folders, name = PurePosixPath(inverse.path).parts
    if any(map(why_not_folder, folders)):
        return False
    if is_page_name(name):
        return not why_not_name(name)
    is_text = inverse.path == CONFIG_FILE or is_companion_name(name)
    return is_text and bool(inverse.before and inverse.after)


def _is_deleted(inverse: Inverse, op: str) -> bool:
    """Whether this is a file that a person asked to delete: an image, a document; never a hidden
    one."""
    parts = PurePosixPath(inverse.path).parts
    is_open = not any(part.startswith(".") or why_not_folder(part) for part in parts)
    return op == "delete" and not inverse.after and is_open


def _is_imported(inverse: Inverse, op: str) -> bool:
    """Whether this is a file that an import may bring, a source or a text that is no page: any but
    hidden ones; an import brings what says what git and the index leave out, too."""
    *folders, name = PurePosixPath(inverse.path).parts
    is_open = not (any(map(why_not_folder, folders)) or name.startswith("."))
    is_import = op == "import"
    is_known = is_open or (is_import and name in DOT_FILES)
    return op in ("import", "ingest", "write") and is_known and bool(inverse.after)


def _kind(path: str, digest: str) -> tuple[str, str]:
    """Any file may move as it is; a hidden one, with the folder it lies in, keeps its name.

    A canvas or base that moves has its own links changed, and is known by its suffix alone.
    """
    name = PurePosixPath(path).name
    if name.startswith("."):
        return name, digest
    suffix = PurePosixPath(name).suffix.lower()
    return (suffix, "") if suffix in COMPANION_SUFFIXES else ("", digest)
