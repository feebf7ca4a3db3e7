"""Taking changes back: from the records on the stack to a plan, which only writes what changes
write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from memwiki.change.plan import Edit, Plan
from memwiki.change.record import Inverse, UndoRecord, change_of, title_of
from memwiki.digest import digest_if_any
from memwiki.errors import ConflictError, UnsafePathError
from memwiki.files.attributes import Attributes
from memwiki.files.ignore import DOT_FILES, why_not_folder, why_not_name
from memwiki.files.records import Record, Records
from memwiki.names import COMPANION_SUFFIXES, CONFIG_FILE, is_page_name

MAX_BYTES = 32_000_000
_MAY_READ_AND_WRITE = 0o666
Reader: TypeAlias = Callable[[str], bytes | None]  # the bytes of a file, None when there is none


def stack_of(root: Path, of: str = "") -> Records:
    """The changes of this workspace that can be undone, made on this machine or a named one."""
    return Records(root, "undo", max_bytes=MAX_BYTES, of=of)


def undo_plan(records: Sequence[Record], read: Reader) -> Plan:
    """The plan that takes back these changes, the newest first.

    Raises ConflictError, naming each file that is not as the changes left it, and UnsafePathError
    when a record wants more than changes of memwiki do.
    """
    changes = [change_of(record.fields) for record in records]
    for change in changes:
        _require_ours(change)
    held: dict[str, bytes | None] = {}
    first: dict[str, bytes | None] = {}
    strange: list[str] = []
    for change in changes:
        for path in (inverse.path for inverse in change.inverses if inverse.path not in held):
            held[path] = first[path] = read(path)
        spare = {old: held.get(new) for new, old in change.moved.items()}
        strange += [i.path for i in change.inverses if not _take_back(i, held, spare.get(i.path))]
    if strange:
        raise _differs(records, tuple(dict.fromkeys(strange)))
    edits = [
        Edit(path, digest_if_any(before), held[path], "undo", before)
        for path, before in first.items()
        if before != held[path]
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


def _take_back(inverse: Inverse, held: dict[str, bytes | None], spare: bytes | None) -> bool:
    """Take back what was done to one file; `spare` is what stands where it was moved to."""
    now = held[inverse.path]
    if digest_if_any(now) == inverse.before:  # a change, or its undoing, that was cut short
        return True
    if digest_if_any(now) != inverse.after:
        return False
    if now is None and not inverse.data and digest_if_any(spare) == inverse.before:
        held[inverse.path] = spare
    else:
        held[inverse.path] = _applied(inverse, now)
    return digest_if_any(held[inverse.path]) == inverse.before


def _applied(inverse: Inverse, now: bytes | None) -> bytes | None:
    if not inverse.before:
        return None
    now = now or b""
    return now[: inverse.start] + inverse.data + now[inverse.start + inverse.length :]


def _differs(records: Sequence[Record], paths: tuple[str, ...]) -> ConflictError:
    titles = ", ".join(title_of(record.fields) for record in records)
    return ConflictError(
        f'{", ".join(paths)}: changed since "{titles}"; nothing was undone',
        hint="undo the later change by hand; memwiki show NAME --at DATE gives the old text",
        path=paths[0],
        candidates=paths,
    )


def cut_short(record: Record, read: Reader) -> bool:
    """Whether a change reached some of its files and not others, as when its process was killed."""
    change = change_of(record.fields)
    _require_ours(change)
    states = {_state(inverse, read(inverse.path)) for inverse in change.inverses}
    return states == {"before", "after"}


def _state(inverse: Inverse, now: bytes | None) -> str:
    digest = digest_if_any(now)
    return {inverse.before: "before", inverse.after: "after"}.get(digest, "changed since")


# --- what a record may ask for -------------------------------------------------------------------


def _require_ours(change: UndoRecord) -> None:
    """Refuse a record that wants what no change of memwiki does."""
    came = Counter(_kind(i.path, i.after) for i in change.inverses if not i.before)
    gone = Counter(_kind(i.path, i.before) for i in change.inverses if not i.after)
    moved = came & gone
    for inverse in change.inverses:
        is_moved = moved[_kind(inverse.path, inverse.after or inverse.before)] > 0
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
    came = (PurePosixPath(i.path) for i in change.inverses if not i.before)
    above = {str(folder) for path in came for folder in path.parents}
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
    is_text = inverse.path == CONFIG_FILE or name.lower().endswith(COMPANION_SUFFIXES)
    return is_text and bool(inverse.before and inverse.after)


def _is_deleted(inverse: Inverse, op: str) -> bool:
    """Whether this is a file that a person asked to delete: an image, a document; never a hidden
    one."""
    parts = PurePosixPath(inverse.path).parts
    is_open = not any(part.startswith(".") or why_not_folder(part) for part in parts)
    return op == "delete" and not inverse.after and is_open


def _is_imported(inverse: Inverse, op: str) -> bool:
    """Whether this is a file that an import may bring, or a text that is no page: any but hidden
    ones; an import brings what says what git and the index leave out, too."""
    *folders, name = PurePosixPath(inverse.path).parts
    is_open = not (any(map(why_not_folder, folders)) or name.startswith("."))
    is_import = op == "import"
    is_known = is_open or (is_import and name in DOT_FILES)
    return (is_import or op == "write") and is_known and bool(inverse.after)


def _kind(path: str, digest: str) -> tuple[str, str]:
    """Any file may move as it is; a hidden one, with the folder it lies in, keeps its name.

    A canvas or base that moves has its own links changed, and is known by its suffix alone.
    """
    name = PurePosixPath(path).name
    if name.startswith("."):
        return name, digest
    suffix = PurePosixPath(name).suffix.lower()
    return (suffix, "") if suffix in COMPANION_SUFFIXES else ("", digest)
