"""The journal and the usage when they travel: united, and without what is private."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from memwiki.change.journal import read_entries
from memwiki.files.usage_log import Subject, Sum, Tally, UsageLog, bytes_from, tally_of, usage_files
from memwiki.markdown.source import UTF16_CODECS


def usage_now(root: Path) -> Tally:
    """What was recalled in a workspace, on all machines."""
    whole = Tally()
    for file in usage_files(root):
        part = tally_of(bytes_from(file, 0))
        for subject, each in part.sums.items():
            whole.add(subject, each)
        whole.trails += part.trails
    return whole


def told_lines(usage: Tally, may_tell: Callable[[Subject], bool]) -> Iterator[bytes]:
    """Usage as lines, without what may not be told and the queries that found it."""
    public = Tally()
    public.sums = {subject: each for subject, each in usage.sums.items() if may_tell(subject)}
    public.trails = [each for each in usage.trails if all(map(may_tell, each.subjects))]
    yield from public.lines()


def take_in(root: Path, lines: Iterable[bytes]) -> int | None:
    """Add what is lacking of the usage of another workspace; give the number of subjects and
    queries, None where nothing can be written."""
    theirs = tally_of(b"".join(lines))
    added: list[bytes] = []

    def lacking() -> bytes:
        added[:] = _lacking(usage_now(root), theirs)
        return b"".join(added)

    return len(added) if UsageLog(root).append_made(lacking) else None


def _lacking(ours: Tally, theirs: Tally) -> Iterator[bytes]:
    """The larger of both counts a subject: what was imported once adds nothing again."""
    lacking = Tally()
    for subject, other in theirs.sums.items():
        own = ours.sums.get(subject, Sum())
        more = Sum(max(other.recalls - own.recalls, 0), max(other.score - own.score, 0), other.at)
        if more.recalls or more.score or other.at > own.at:
            lacking.sums[subject] = more
    known = set(ours.trails)
    lacking.trails = [each for each in dict.fromkeys(theirs.trails) if each not in known]
    yield from lacking.lines()


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
