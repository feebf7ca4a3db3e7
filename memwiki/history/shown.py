"""Old versions of a page as those see them who may not see what is private.

What is private now was often written before it was marked. So of an old version those lines are
empty that its own marks hide, that today's private lines repeat or took the place of, and that
marks on these would hide, too. Where that cannot be told apart, more is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeAlias

from memwiki.change.merge import hunks
from memwiki.errors import MemwikiError
from memwiki.files.read import current_bytes
from memwiki.markdown.describe import is_journal
from memwiki.markdown.outline import outline_of
from memwiki.markdown.private import hidden_lines, public_bytes
from memwiki.markdown.syntax import CATALOG_BEGIN
from memwiki.nouns import Layers
from memwiki.sync.live import LiveIndex

Shown: TypeAlias = Callable[[str, bytes], bytes | None]  # of what a page was called, and its bytes

_MARK = b" [private:: true]"
# Of the line itself, and not of one that it names.
_ID = re.compile(rb"(?:^|\s)\^(m-[0-9a-z]+)(?:\s+[\[(].*)?\s*$")
_FENCE = re.compile(rb"\s*(?:```|~~~|---\s*$)")
# What a line says does not depend on these: the mark itself, ids, and signs at its margin.
_NOISE = re.compile(
    rb"[\[(]?[ \t]*private[ \t]*::[^\])]*[\])]?|\^[\w-]+|^[\s>#*+-]+|^\s*\d+[.)]\s|[`|]",
    re.IGNORECASE,
)
_LEAST = 8  # characters of a line that is known again on another page


class _Now(NamedTuple):
    """What is private today, and the page of which old versions are asked for."""

    ids: frozenset[bytes]
    texts: frozenset[bytes]  # of lines of any page
    own: frozenset[bytes]  # of lines of this page
    shown: frozenset[bytes]  # of lines of this page that are not private
    lines: Sequence[bytes] = ()
    private: frozenset[int] = frozenset()


def shown_by(live: LiveIndex, path: str) -> Shown | None:
    """What is shown of old versions of a page; None where everything is."""
    if not live.context.is_public:
        return None
    layers, root = live.context.layers, Path(live.context.root)
    now = _now(live, root, path)

    def shown(then: str, data: bytes) -> bytes | None:
        if _names_others(then, data, layers):
            return None
        left = public_bytes(then, data, layers)
        return left and _without(then, left, _repeating(left.split(b"\n"), now), layers)

    return shown


def _names_others(path: str, data: bytes, layers: Layers) -> bool:
    """Whether it is a journal or a catalog, which name pages whatever became of them."""
    is_marked = CATALOG_BEGIN.encode() in data
    return is_journal(path, layers) or (is_marked and outline_of(path, data, layers).is_catalog)


def _now(live: LiveIndex, root: Path, path: str) -> _Now:
    private = [line for name in live.private_pages() for line in _private_lines(live, root, name)]
    ids = frozenset(found[1] for line in private if (found := _ID.search(line)))
    texts = frozenset(text for line in private if len(text := _text(line)) >= _LEAST)
    data = current_bytes(root, path) or b""
    lines = data.split(b"\n")
    hidden = frozenset(_numbers(hidden_lines(path, data, live.context.layers)))
    own = {_text(line) for number, line in enumerate(lines) if number in hidden}
    shown = {_text(line) for number, line in enumerate(lines) if number not in hidden}
    return _Now(ids, texts, frozenset(own - {b""}), frozenset(shown), lines, hidden)


def _private_lines(live: LiveIndex, root: Path, path: str) -> Iterator[bytes]:
    data = b""
    with suppress(MemwikiError):  # it cannot be read
        data = current_bytes(root, path) or b""
    lines = data.split(b"\n")
    yield from (lines[at] for at in _numbers(hidden_lines(path, data, live.context.layers)))


def _numbers(runs: Iterable[range]) -> Iterator[int]:
    """The lines of runs, from 0."""
    return (number - 1 for run in runs for number in run)


def _repeating(lines: list[bytes], now: _Now) -> set[int]:
    """The lines that say what is private now, or that it took the place of."""
    same = {at for at, line in enumerate(lines) if _is_private_now(line, now)}
    return same | {at for at in _replaced(lines, now) if _text(lines[at]) not in now.shown}


def _is_private_now(line: bytes, now: _Now) -> bool:
    if (found := _ID.search(line)) and found[1] in now.ids:
        return True
    text = _text(line)
    return text not in now.shown and (text in now.own or text in now.texts)


def _replaced(lines: list[bytes], now: _Now) -> Iterator[int]:
    """The lines in whose place private ones are today."""
    moved = 0  # by how many lines what follows is further down today
    for hunk in hunks(lines, list(now.lines)) if now.private else ():
        begin = hunk.start + moved
        if not now.private.isdisjoint(range(begin, begin + len(hunk.lines))):
            yield from range(hunk.start, hunk.stop)
        moved += len(hunk.lines) - (hunk.stop - hunk.start)


def _text(line: bytes) -> bytes:
    return b" ".join(_NOISE.sub(b" ", line).split()).lower()


def _without(path: str, data: bytes, private: set[int], layers: Layers) -> bytes | None:
    """The bytes without lines, and without what a mark on each of them would hide."""
    if not private:
        return data
    lines = data.split(b"\n")
    marked = [
        line.rstrip(b"\r") + _MARK if at in private and line.strip() and not _FENCE.match(line)
        else line
        for at, line in enumerate(lines)
    ]  # fmt: skip
    hidden = private.union(_numbers(hidden_lines(path, b"\n".join(marked), layers)))
    left = (_emptied(line) if at in hidden else line for at, line in enumerate(lines))
    return public_bytes(path, b"\n".join(left), layers)


def _emptied(line: bytes) -> bytes:
    return b"\r" if line.endswith(b"\r") else b""
