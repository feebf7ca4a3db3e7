"""The journal when it travels: two of them united, and one without what must not be told."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import NamedTuple

from memwiki.change.journal import read_entries
from memwiki.markdown.source import UTF16_CODECS


class _Cut(NamedTuple):
    """A journal as its head and its entries, each with its day and its bytes."""

    head: str
    days: Sequence[str]
    texts: Sequence[str]


def united(ours: bytes, theirs: bytes) -> bytes | None:
    """One journal with the entries of both, by day and none twice; None where that cannot be
    said."""
    if ours == theirs or not theirs:
        return ours
    if {ours[:2], theirs[:2]} & set(UTF16_CODECS):
        return None
    mine, other = _cut(ours), _cut(theirs)
    new = _missing(other, mine)
    if not new:
        return ours
    if not _missing(mine, other) and mine.head.strip() in ("", other.head.strip()):
        return theirs
    return _joined(mine, new, "\r\n" if b"\r\n" in ours else "\n")


def without(data: bytes, marks: Iterable[str]) -> bytes:
    """A journal without the entries that name one of these."""
    if data[:2] in UTF16_CODECS:
        return b""
    cut, marks = _cut(data), [*marks]
    kept = (text for text in cut.texts if not any(mark in text for mark in marks))
    return "".join([cut.head, *kept]).encode("utf-8", "surrogateescape")


def _cut(data: bytes) -> _Cut:
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    text = [f"{line}\n" for line in lines[:-1]] + lines[-1:]
    entries = list(read_entries(lines))
    bounds = [0, *(entry.line - 1 for entry in entries), len(text)]
    head, *texts = ["".join(text[start:stop]) for start, stop in pairwise(bounds)]
    return _Cut(head, [entry.day for entry in entries], texts)


def _missing(those: _Cut, here: _Cut) -> list[tuple[str, str]]:
    """What of those entries is not here, each as often as it is missing."""
    counts = Counter(map(_plain, here.texts))
    missing = []
    for day, text in zip(those.days, map(_plain, those.texts), strict=True):
        counts[text] -= 1
        if counts[text] < 0:
            missing.append((day, text))
    return missing


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _joined(mine: _Cut, new: Iterable[tuple[str, str]], end: str) -> bytes:
    """Our entries as they stand, and new ones behind all that are not later."""
    days = list(accumulate(mine.days, max))
    behind: dict[int, list[str]] = {}
    for day, text in sorted(new, key=itemgetter(0)):
        behind.setdefault(bisect_right(days, day), []).append(text.replace("\n", end))
    parts = [mine.head]
    for at in range(len(mine.texts) + 1):
        for text in behind.get(at, ()):
            parts.append(_gap(parts[-1], end) + text + end * (1 + (at < len(mine.texts))))
        parts += mine.texts[at : at + 1]
    return "".join(parts).encode("utf-8", "surrogateescape")


def _gap(before: str, end: str) -> str:
    """What is missing between a text and an entry below it: a blank line."""
    plain = before.replace("\r\n", "\n")
    return end * max(0, 2 - (len(plain) - len(plain.rstrip("\n")))) if plain.strip() else ""
