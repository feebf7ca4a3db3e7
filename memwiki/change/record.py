"""What undoes one change, as a line of the stack; read as something that anybody may have
written.

The lines around a change are in it as digests: by them it is taken out of a text that changed
since.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, TypeGuard

from memwiki.change.merge import merge
from memwiki.change.order import Order
from memwiki.change.plan import Edit, Plan, actor_of
from memwiki.digest import blake2b, digest_if_any
from memwiki.errors import UnreadableError
from memwiki.files.paths import is_below
from memwiki.files.records import Fields, Records
from memwiki.files.temporary import Attributes, can_be_kept
from memwiki.records import NamedTuple
from memwiki.sequences import shared_ends

STACK_BYTES = 32_000_000
_AROUND = 16  # lines above a change and below it
_TOKEN_BYTES = 6
_TOP, _END = bytes(_TOKEN_BYTES), b"\xff" * _TOKEN_BYTES  # the first and the last of every file
# A line of zeros becomes a thousandth of its size: what unpacks to more than so much was not packed
# here.
_MAX_TIMES = 16
_MAX_BYTES = 64_000_000
_FEW_BYTES = 4096
_OWNERS = 2**32 - 1
_SEAL = "seal"


def stack_of(root: Path, of: str = "") -> Records:
    """The changes of this workspace that can be undone, made on this machine or a named one."""
    return Records(root, "undo", max_bytes=STACK_BYTES, of=of)


class Window(NamedTuple):
    """A change by its lines: which of those that are kept come back, and the digests of the lines
    above it, of what it made, and of those below."""

    first: int
    length: int
    above: list[bytes]
    made: list[bytes]
    below: list[bytes]


class TakenOut(NamedTuple):
    """A file without a change, None for none; or where others changed the same, "" for nowhere."""

    data: bytes | None
    where: str = ""


def lines_of(data: bytes) -> list[bytes]:
    """The lines with their ends; only a line feed ends one."""
    return BytesIO(data).readlines()


class Change(NamedTuple):
    """The lines of two texts around where they differ: at which byte they begin, and how many at
    their beginning and end are alike."""

    near: int
    old: list[bytes]
    new: list[bytes]
    head: int
    tail: int


def change_between(before: bytes, after: bytes) -> Change:
    """Where two texts differ."""
    near, old, new = _lines_near(before, after)
    return Change(near, old, new, *shared_ends(old, new))


def window_of(before: bytes, change: Change, *, is_whole: bool) -> Window:
    """Where a change was made; `is_whole` where all old lines are kept, and not only those that
    changed."""
    near, old, new, head, tail = change
    stop = len(new) - tail
    above = ([_TOP] if head < _AROUND else []) + list(
        map(_token, new[max(head - _AROUND, 0) : head])
    )
    below = list(map(_token, new[stop : stop + _AROUND])) + ([_END] if tail < _AROUND else [])
    count = len(old) - head - tail
    first = before.count(b"\n", 0, near) + head if is_whole else 0
    return Window(first, count, above, list(map(_token, new[head:stop])), below)


def _lines_near(before: bytes, after: bytes) -> tuple[int, list[bytes], list[bytes]]:
    """The lines of two texts where they differ, with more than are kept around a change, and at
    which byte they begin: no others of a long page are looked at."""
    start, tail = shared_ends(before, after)
    stop = len(before) - tail
    for _ in range(_AROUND + 1):
        start = max(before.rfind(b"\n", 0, start), 0)
        stop = before.find(b"\n", stop) + 1 or len(before)
    start += start > 0
    grown = len(after) - len(before)
    return start, lines_of(before[start:stop]), lines_of(after[start : stop + grown])


def take_out(window: Window, kept: bytes, now: bytes) -> TakenOut:
    """Take a change out of a text: a three-way merge of what is around it."""
    lines = lines_of(now)
    tokens = [_TOP, *map(_token, lines), _END]
    counts = Counter(tokens)
    once = {token: at for at, token in enumerate(tokens) if counts[token] == 1}
    above = _from_first(window.above, once)
    below = _from_first(window.below[::-1], once)[::-1]
    if not (above and below) or once[above[0]] >= once[below[-1]]:
        return _meeting(1, len(lines))
    back = lines_of(kept)[window.first : window.first + window.length]
    known = {_token(line): line for line in (*lines, *back)} | {_TOP: b"", _END: b""}
    start, stop = max(once[above[0]] - 1, 0), once[below[-1]]
    base = [*above, *window.made, *below]
    mine = _text(above, known) + b"".join(back) + _text(below, known)
    merged = merge(_text(base, known), b"".join(lines[start:stop]), mine)
    if merged is None:
        now_there, first = tokens[once[above[0]] : stop + 1], once[above[0]]
        head, tail = shared_ends(base, now_there)
        return _meeting(max(first + head, 1), first + len(now_there) - tail - 1)
    return TakenOut(b"".join(lines[:start]) + merged + b"".join(lines[stop:]))


def _meeting(first: int, last: int) -> TakenOut:
    """Conflicting lines: those that are not as the change left them."""
    return TakenOut(None, f"{first}" if first >= last else f"{first}-{last}")


def _from_first(tokens: Sequence[bytes], once: dict[bytes, int]) -> list[bytes]:
    """What follows the first line that is there once, with it."""
    found = (at for at, token in enumerate(tokens) if token in once)
    return list(tokens[next(found, len(tokens)) :])


def _text(tokens: Sequence[bytes], known: dict[bytes, bytes]) -> bytes:
    """The lines; such as are no longer there become lines that are in no other text."""
    return b"".join(known.get(token, b"\0" + token.hex().encode() + b"\n") for token in tokens)


def _token(line: bytes) -> bytes:
    return blake2b(line, digest_size=_TOKEN_BYTES).digest()


# --- in a record ---------------------------------------------------------------------------------


def pack_window(window: Window) -> list[Any]:
    """A window as a record keeps it."""
    tokens = b"".join([*window.above, *window.made, *window.below])
    sizes = [window.first, window.length, len(window.above), len(window.made)]
    return [*sizes, b64encode(tokens).decode("ascii")]


def unpack_window(fields: Sequence[Any]) -> Window:
    """The window of a record; TypeError or ValueError for what is none."""
    *sizes, text = fields
    start, count, above, made = sizes
    if not all(isinstance(size, int) and 0 <= size < 2**63 for size in sizes):
        raise TypeError
    data = b64decode(text, validate=True)
    each = [data[at : at + _TOKEN_BYTES] for at in range(0, len(data), _TOKEN_BYTES)]
    split = above + made
    return Window(start, count, each[:above], each[above:split], each[split:])


class Inverse(NamedTuple):
    """How one file becomes what it was: `length` bytes at `start` are replaced by `data`."""

    path: str
    after: str  # digest the change left, "" when it deleted the file
    before: str  # digest to get back to, "" when there was no file
    start: int
    length: int
    data: bytes


class Meanwhile(NamedTuple):
    """What a file is after the first of two writes: by its digest, and how many bytes are then in
    the place of those that come back."""

    digest: str
    length: int


class UndoRecord(NamedTuple):
    """One change that can be undone."""

    title: str
    op: str  # what was done: create, update, move, delete ...
    inverses: tuple[Inverse, ...]
    attributes: Mapping[str, Attributes]  # of the files that the change took away
    folders: tuple[str, ...]  # those that it made, the inner ones first
    moved: Mapping[str, str]  # {where a file is now: where it was}
    windows: Mapping[str, Window] = {}  # what is around the change of each file
    meanwhile: Mapping[str, Meanwhile] = {}  # of files that are written twice


def title_of(fields: Fields) -> str:
    """What a change was called."""
    title = fields.get("title")
    return title if isinstance(title, str) else ""


def by_of(fields: Fields) -> str:
    """Who made a change, "" where nobody said so."""
    by = fields.get("by")
    return actor_of(by) if isinstance(by, str) else ""


def is_of_running(fields: Fields) -> bool:
    """Whether another process made a change, and still runs; on Windows nobody can ask."""
    pid = fields.get("pid")
    if type(pid) is not int or pid <= 0 or pid == os.getpid() or sys.platform == "win32":
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):  # or no number of a process
        return False
    except PermissionError:  # of another user
        return True
    return True


# --- writing -------------------------------------------------------------------------------------


def as_record(plan: Plan, edits: Iterable[Edit], at: str, order: Order) -> dict[str, Any]:
    """A change as one line of the stack; a file that only moves is kept at its new place."""
    edits = list(edits)
    made = {edit.was: edit for edit in edits if edit.was}
    bases = {edit.path: edit.base for edit in edits}
    inverses, windows = [], {}
    for edit in edits:
        change = change_between(edit.base or b"", edit.data or b"")
        inverse = _inverse_by(change, edit.path, edit.base, edit.data)
        inverses.append(_stripped(inverse, edit, made.get(edit.path)))
        before = bases.get(edit.was) if edit.was else edit.base
        if before is None or edit.data is None or before == edit.data:
            continue
        moved = change_between(before, edit.data) if edit.was else change
        windows[edit.path] = pack_window(window_of(before, moved, is_whole=bool(edit.was)))
    return {
        "at": at,
        "op": plan.op,
        "title": plan.title,
        "files": [[*each[:-1], _pack(each.data)] for each in inverses],
        "moved": {edit.path: edit.was for edit in edits if edit.was},
        "windows": windows,
        "meanwhile": dict(_meanwhile(order, bases)),
    } | ({"by": plan.by, "pid": os.getpid()} if plan.by else {})


def _meanwhile(
    order: Order, bases: Mapping[str, bytes | None]
) -> Iterator[tuple[str, tuple[str, int]]]:
    """Of each file that is written twice."""
    for edit in order.giving:
        before, both = bases.get(edit.path), edit.base or b""
        if before is not None and before != both:
            kept = inverse_of(edit.path, before, edit.data)
            yield edit.path, (edit.expect, len(both) - len(before) + len(kept.data))


def inverse_of(path: str, before: bytes | None, after: bytes | None) -> Inverse:
    """What turns `after` into `before`, as short as one range of lines can say it."""
    return _inverse_by(change_between(before or b"", after or b""), path, before, after)


def _inverse_by(change: Change, path: str, before: bytes | None, after: bytes | None) -> Inverse:
    near, old, new, head, tail = change
    data = b"".join(old[head : len(old) - tail])
    length = len(b"".join(new[head : len(new) - tail]))
    start = near + len(b"".join(new[:head]))
    return Inverse(path, digest_if_any(after), digest_if_any(before), start, length, data)


def packed_attributes(found: Attributes | None) -> list[Any] | None:
    """What a file has, as a record keeps it."""
    if found is None:
        return None
    kept = {name: value for name, value in found.extended.items() if can_be_kept(name)}
    packed = {name: b64encode(value).decode("ascii") for name, value in kept.items()}
    return [found.mode, *(found.owner or (-1, -1)), packed]


def without(fields: Fields, paths: set[str]) -> dict[str, Any] | None:
    """A record that keeps nothing of these files; None when nothing else was in it.

    Records are given newest first: names that these files had before a move are added to `paths`.
    What cannot be read may hold anything, so it goes.
    """
    try:
        change = change_of(fields)
    except UnreadableError:
        return None
    paths |= {old for new, old in change.moved.items() if new in paths}
    kept = [each for each in fields["files"] if each[0] not in paths]
    words = {name: fields[name] for name in ("at", "op", "by") if isinstance(fields.get(name), str)}
    beside = {
        name: {path: each for path, each in (fields.get(name) or {}).items() if path not in paths}
        for name in ("attributes", "modes", "moved", "windows", "meanwhile")
    }
    record = {
        **words,
        "title": change.title,
        "files": kept,
        "folders": list(change.folders),
        **beside,
    }
    return record if kept else None


def _stripped(inverse: Inverse, gone: Edit, made: Edit | None) -> Inverse:
    is_there = made is not None and gone.data is None and made.data == gone.base
    return inverse._replace(data=b"") if is_there else inverse


def _pack(data: bytes) -> str:
    packed = zlib.compress(data, 1) if data else b""
    if len(data) > max(_FEW_BYTES, len(packed) * _MAX_TIMES):
        packed = zlib.compress(data, 0)
    return b64encode(packed).decode("ascii")


# --- reading -------------------------------------------------------------------------------------


def change_of(fields: Fields) -> UndoRecord:
    """What a record says; UnreadableError when it says nothing that a change could have left."""
    try:
        files = fields["files"]
        room = _RoomLeft(sum(len(each[5]) for each in files))
        return UndoRecord(
            title_of(fields),
            str(fields.get("op", "")),
            tuple(_inverse(each, room) for each in files),
            {path: _attributes(each) for path, each in _had(fields) if each is not None},
            tuple(map(_below, _list(fields.get("folders") or []))),
            {_below(new): _below(old) for new, old in (fields.get("moved") or {}).items()},
            {path: unpack_window(each) for path, each in (fields.get("windows") or {}).items()},
            {path: _between(each) for path, each in (fields.get("meanwhile") or {}).items()},
        )
    except (LookupError, TypeError, ValueError, AttributeError, zlib.error) as error:
        at = fields.get("at")
        raise UnreadableError(
            f"undo: the record of {at if isinstance(at, str) else 'a change'} cannot be read",
            hint="memwiki show NAME --at DATE gives an older text, where there is git",
        ) from error


def _inverse(each: Any, room: _RoomLeft) -> Inverse:  # noqa: ANN401 - what anybody wrote
    path, after, before, start, length, data = each
    if not all(isinstance(text, str) for text in (after, before, data)):
        raise TypeError
    if not (_is_count(start) and _is_count(length)):
        raise TypeError
    return Inverse(_below(path), after, before, start, length, room.unpacked(data))


def _between(each: Any) -> Meanwhile:  # noqa: ANN401 - what anybody wrote
    digest, length = each
    if not (isinstance(digest, str) and _is_count(length)):
        raise TypeError
    return Meanwhile(digest, length)


def _had(fields: Fields) -> list[tuple[str, Any]]:
    """What files that went had; records of version 0.1.0 know their modes alone."""
    modes = [(path, [mode, -1, -1, {}]) for path, mode in (fields.get("modes") or {}).items()]
    return [*modes, *(fields.get("attributes") or {}).items()]


def _attributes(each: Any) -> Attributes:  # noqa: ANN401 - what anybody wrote
    mode, user, group, extended = each
    if not _is_count(mode):
        raise TypeError
    is_owned = all(_is_count(number) and number < _OWNERS for number in (user, group))
    kept = {name: b64decode(value) for name, value in extended.items() if can_be_kept(name)}
    return Attributes(mode & 0o777, (user, group) if is_owned else None, kept)


def _below(path: object) -> str:
    if not (isinstance(path, str) and is_below(path)):
        raise ValueError
    return path


def _list(each: object) -> list[Any]:
    if not isinstance(each, list):
        raise TypeError
    return each


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


class _RoomLeft:
    """How much the data of one record may unpack to, so that a small one cannot fill the memory."""

    def __init__(self, packed: int) -> None:
        self._left = max(_MAX_BYTES, packed * _MAX_TIMES)

    def unpacked(self, text: str) -> bytes:
        """The bytes that were packed."""
        if not text:
            return b""
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(b64decode(text, validate=True), self._left + 1)
        self._left -= len(data)
        if self._left < 0 or not unpacking.eof:
            raise ValueError
        return data


def seal_fields(fields: Mapping[str, Any], key: bytes) -> dict[str, Any]:
    """The fields with the seal of this key; without one where there is no key."""
    plain = {name: value for name, value in fields.items() if name != _SEAL}
    return plain | {_SEAL: _seal(plain, key)} if key else plain


def is_sealed(fields: Mapping[str, Any], key: bytes) -> bool:
    """Whether fields are as they were when they were sealed with this key."""
    seal = fields.get(_SEAL)
    if not (key and isinstance(seal, str)):
        return False
    import hmac  # OpenSSL with it

    plain = {name: value for name, value in fields.items() if name != _SEAL}
    try:
        return hmac.compare_digest(_seal(plain, key).encode(), seal.encode("utf-8", "replace"))
    except RecursionError:
        return False


def seal_again(before: Fields, after: dict[str, Any] | None, key: bytes) -> dict[str, Any] | None:
    """A record that was shortened, sealed again if it was sealed."""
    return seal_fields(after, key) if after and is_sealed(before, key) else after


def _seal(fields: Mapping[str, Any], key: bytes) -> str:
    text = json.dumps(fields, sort_keys=True)  # in ASCII: half a character cannot be encoded
    return blake2b(text.encode(), digest_size=16, key=key).hexdigest()
