"""The lines around a change, as digests: by them it is taken out of a text that changed since."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from typing import Any, NamedTuple

from memwiki.change.merge import merge
from memwiki.digest import blake2b
from memwiki.names import shared_ends

_AROUND = 16  # lines above a change and below it
_TOKEN_BYTES = 6
_TOP, _END = bytes(_TOKEN_BYTES), b"\xff" * _TOKEN_BYTES  # the first and the last of every file


class Window(NamedTuple):
    """A change by its lines: which of those that are kept come back, and the digests of the lines
    above it, of what it made, and of those below."""

    first: int
    length: int
    above: list[bytes]
    made: list[bytes]
    below: list[bytes]


class TakenOut(NamedTuple):
    """A text without a change; None where others changed the same, from this line to that one."""

    data: bytes | None
    first: int = 0
    last: int = 0


def lines_of(data: bytes) -> list[bytes]:
    """The lines with their ends; only a line feed ends one."""
    return BytesIO(data).readlines()


def window_of(before: bytes, after: bytes, *, is_whole: bool) -> Window:
    """Where a change was made; `is_whole` where all old lines are kept, and not only those that
    changed."""
    old, new = lines_of(before), lines_of(after)
    head, tail = shared_ends(old, new)
    stop = len(new) - tail
    above = ([_TOP] if head < _AROUND else []) + list(
        map(_token, new[max(head - _AROUND, 0) : head])
    )
    below = list(map(_token, new[stop : stop + _AROUND])) + ([_END] if tail < _AROUND else [])
    count = len(old) - head - tail
    return Window(head if is_whole else 0, count, above, list(map(_token, new[head:stop])), below)


def take_out(window: Window, kept: bytes, now: bytes) -> TakenOut:
    """Take a change out of a text: a three-way merge of what is around it."""
    lines = lines_of(now)
    tokens = [_TOP, *map(_token, lines), _END]
    counts = Counter(tokens)
    once = {token: at for at, token in enumerate(tokens) if counts[token] == 1}
    above = _from_first(window.above, once)
    below = _from_first(window.below[::-1], once)[::-1]
    if not (above and below) or once[above[0]] >= once[below[-1]]:
        return TakenOut(None, 1, len(lines))
    back = lines_of(kept)[window.first : window.first + window.length]
    known = {_token(line): line for line in (*lines, *back)} | {_TOP: b"", _END: b""}
    start, stop = max(once[above[0]] - 1, 0), once[below[-1]]
    base = [*above, *window.made, *below]
    mine = _text(above, known) + b"".join(back) + _text(below, known)
    merged = merge(_text(base, known), b"".join(lines[start:stop]), mine)
    if merged is None:
        return _meeting(base, tokens[once[above[0]] : stop + 1], once[above[0]])
    return TakenOut(b"".join(lines[:start]) + merged + b"".join(lines[stop:]))


def _meeting(base: list[bytes], now: list[bytes], first: int) -> TakenOut:
    """The lines that are not as the change left them."""
    head, tail = shared_ends(base, now)
    begins = max(first + head, 1)
    return TakenOut(None, begins, max(first + len(now) - tail - 1, begins))


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


def packed(window: Window) -> list[Any]:
    """A window as a record keeps it."""
    tokens = b"".join([*window.above, *window.made, *window.below])
    sizes = [window.first, window.length, len(window.above), len(window.made)]
    return [*sizes, b64encode(tokens).decode("ascii")]


def unpacked(fields: Any) -> Window:  # noqa: ANN401 - what anybody wrote
    """The window of a record; TypeError or ValueError for what is none."""
    *sizes, text = fields
    start, count, above, made = sizes
    if not all(isinstance(size, int) and 0 <= size < 2**63 for size in sizes):
        raise TypeError
    data = b64decode(text, validate=True)
    each = [data[at : at + _TOKEN_BYTES] for at in range(0, len(data), _TOKEN_BYTES)]
    split = above + made
    return Window(start, count, each[:above], each[above:split], each[split:])
