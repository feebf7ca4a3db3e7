"""What undoes a change: kept on a stack before the change is made, worked out as a plan when asked."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_of
from memwiki.errors import ConflictError, UnreadableError
from memwiki.files.records import Record, Records

MAX_BYTES = 32_000_000
Reader: TypeAlias = Callable[[str], bytes | None]  # the bytes of a file, None when there is none


class Inverse(NamedTuple):
    """How one file becomes what it was: `length` bytes at `start` are replaced by `data`."""

    path: str
    after: str  # digest the change left, "" when it deleted the file
    before: str  # digest to get back to, "" when there was no file
    start: int
    length: int
    data: bytes


def stack_of(root: Path) -> Records:
    """The changes of this workspace that can be undone, made on this machine."""
    return Records(root, "undo", max_bytes=MAX_BYTES)


def as_record(plan: Plan, inverses: Iterable[Inverse], at: str) -> dict[str, Any]:
    """A change as one line of the stack."""
    return {
        "at": at,
        "op": plan.op,
        "title": plan.title,
        "files": [[*each[:-1], _packed(each.data)] for each in inverses],
    }


def inverse_of(path: str, before: bytes | None, after: bytes | None) -> Inverse:
    """What turns `after` into `before`, as short as one range of bytes can say it."""
    old, new = before or b"", after or b""
    start = _common(old, new)
    tail = _common(old[start:][::-1], new[start:][::-1])
    return Inverse(
        path, _digest(after), _digest(before), start, len(new) - tail - start,
        old[start : len(old) - tail],
    )  # fmt: skip


def undo_plan(records: list[Record], read: Reader) -> Plan:
    """The plan that takes back these changes, the newest first.

    Raises ConflictError, naming each file that is not as the changes left it.
    """
    held: dict[str, bytes | None] = {}
    first: dict[str, bytes | None] = {}
    strange: list[str] = []
    for record in records:
        for inverse in _inverses(record):
            if inverse.path not in held:
                held[inverse.path] = first[inverse.path] = read(inverse.path)
            if not _take_back(inverse, held):
                strange.append(inverse.path)
    if strange:
        raise _differs(records, tuple(dict.fromkeys(strange)))
    modes = _modes(records)
    edits = [
        Edit(path, _digest(before), held[path], "undo", before, mode=modes.get(path))
        for path, before in first.items()
        if before != held[path]
    ]
    titles = "; ".join(str(record.fields.get("title", "")) for record in records)
    return Plan(
        _as_moves(edits), f"undo: {titles}", "undo", undoes=tuple(each.offset for each in records),
        empties=tuple(_folders(records)),
    )  # fmt: skip


def _modes(records: list[Record]) -> dict[str, int]:
    """The permissions of files that come back, as they were before the oldest change."""
    found = (record.fields.get("modes") for record in records)
    held = (each.items() for each in found if isinstance(each, dict))
    return {path: mode for each in held for path, mode in each if isinstance(mode, int)}


def _folders(records: list[Record]) -> Iterator[str]:
    """The folders that these changes made, the inner ones first."""
    for record in records:
        folders = record.fields.get("folders")
        if isinstance(folders, list):
            yield from (each for each in folders if isinstance(each, str))


def _as_moves(edits: list[Edit]) -> tuple[Edit, ...]:
    """Files that come back first, those that go last; a file that was moved is moved back."""
    back = [edit for edit in edits if not edit.expect]
    gone = [edit for edit in edits if edit.data is None]
    if len(back) == len(gone):
        back = [new._replace(was=old.path) for new, old in zip(back, gone, strict=True)]
    return (*back, *(edit for edit in edits if edit.expect and edit.data is not None), *gone)


def _take_back(inverse: Inverse, held: dict[str, bytes | None]) -> bool:
    now = held[inverse.path]
    if _digest(now) == inverse.before:  # a change, or its undoing, that was cut short
        return True
    if _digest(now) != inverse.after:
        return False
    held[inverse.path] = _applied(inverse, now)
    return _digest(held[inverse.path]) == inverse.before


def _applied(inverse: Inverse, now: bytes | None) -> bytes | None:
    if not inverse.before:
        return None
    now = now or b""
    return now[: inverse.start] + inverse.data + now[inverse.start + inverse.length :]


def _differs(records: list[Record], paths: tuple[str, ...]) -> ConflictError:
    titles = ", ".join(str(record.fields.get("title", "")) for record in records)
    return ConflictError(
        f"{', '.join(paths)}: changed since `{titles}`; nothing was undone",
        hint="undo the later change by hand, or take the old text from `memwiki show NAME --at DATE`",
        path=paths[0],
        candidates=paths,
    )


def cut_short(record: Record, read: Reader) -> bool:
    """Whether a change reached some of its files and not others, as when its process was killed."""
    states = {_state(inverse, read(inverse.path)) for inverse in _inverses(record)}
    return states == {"before", "after"}


def _state(inverse: Inverse, now: bytes | None) -> str:
    digest = _digest(now)
    return {inverse.before: "before", inverse.after: "after"}.get(digest, "changed since")


def without(fields: Mapping[str, Any], paths: set[str]) -> dict[str, Any] | None:
    """A record that keeps nothing of these files; None when nothing else was in it.

    Records are given newest first: names that these files had before a move are added to `paths`.
    """
    files = fields.get("files", ())
    made = [path for path, _, before, *_ in files if not before]
    gone = [path for path, after, *_ in files if not after]
    if len(made) == len(gone):
        paths |= {old for new, old in zip(made, gone, strict=True) if new in paths}
    kept = [each for each in files if each[0] not in paths]
    modes = {
        path: mode for path, mode in dict(fields.get("modes", ())).items() if path not in paths
    }
    return {**fields, "files": kept, "modes": modes} if kept else None


def _inverses(record: Record) -> list[Inverse]:
    try:
        return [
            Inverse(path, after, before, start, length, _unpacked(data))
            for path, after, before, start, length, data in record.fields["files"]
        ]
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise UnreadableError(
            f"undo: the record of {record.fields.get('at', 'a change')} cannot be read",
            hint="memwiki show NAME --at DATE gives an older text, where there is git",
        ) from error


def _digest(data: bytes | None) -> str:
    return "" if data is None else digest_of(data)


def _packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 1)).decode("ascii") if data else ""


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text)) if text else b""


def _common(one: bytes, other: bytes) -> int:
    """How many bytes two texts begin with alike, found by halving: slices compare in C."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
