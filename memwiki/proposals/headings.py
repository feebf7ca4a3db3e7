"""The headings that a line of a file stands below: what a sentence there leaves unsaid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memwiki.patterns import pattern
from memwiki.proposals.source import SourceLine

_HEADING = pattern(r"(?:[-*+] )?(#{1,6}) \S")  # in an outline each is an item


def headings_over(lines: Sequence[SourceLine], number: int) -> Iterator[int]:
    """The numbers of the headings over a line, the nearest first; a conversation has none."""
    lowest = 7
    for at in range(number, 0, -1):
        line = lines[at - 1]
        found = None if line.role or line.speaker else _HEADING.match(line.text)
        if found and len(found[1]) < lowest:
            lowest = len(found[1])
            yield at
