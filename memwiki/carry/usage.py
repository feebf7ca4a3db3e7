"""Usage that travels: the sum of a workspace, and what of another one it lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from memwiki.files.usage_log import Subject, Sum, Tally, UsageLog, bytes_from, tally_of, usage_files


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
