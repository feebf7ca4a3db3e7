"""What recall found, as the numbered lines that a model answers from and cites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memwiki.answers.curation import Citation
from memwiki.curation.portions import fitting
from memwiki.curation.work import outgoing_files
from memwiki.errors import MemwikiError
from memwiki.nouns import Hit
from memwiki.proposals.evidence import AROUND
from memwiki.proposals.numbering import numbered, source_at
from memwiki.proposals.source import NumberedSource, SourceLine
from memwiki.secrets import without_secrets
from memwiki.sync.live import LiveIndex
from memwiki.text import tokens

_GAP = (SourceLine(""),) * AROUND  # so that no passage supports what another one is cited for


class ShownPassage(NamedTuple):
    """The lines of one hit, numbered from `first` on."""

    path: str
    title: str  # with its section, and the day it was written
    date: str
    first: int
    lines: Sequence[SourceLine]

    @property
    def text(self) -> str:
        """The lines as they are shown."""
        return f"{self.title}\n{numbered(self.lines, self.first)}"

    def cited(self, numbers: Iterable[int]) -> list[int]:
        """Which of these numbers are its lines, as places from 0 on."""
        places = (number - self.first for number in numbers)
        return [at for at in places if 0 <= at < len(self.lines)]


class ShownPassages:
    """The best hits whose lines fit into so many tokens, without what no model may be sent; `live`
    is the public view, and of that the hits are, too."""

    def __init__(self, live: LiveIndex, hits: Iterable[Hit], max_tokens: int) -> None:
        self._live, self._files, self._room = live, outgoing_files(live), max_tokens
        self._sources: dict[str, NumberedSource] = {}
        self._known: set[tuple[str, int]] = set()
        self.kept_back: dict[str, str] = {}
        self._passages: list[ShownPassage] = []
        for hit in hits:
            self._add(hit)

    @property
    def text(self) -> str:
        """All of it as it is shown."""
        return "\n\n".join(each.text for each in self._passages)

    def source_of(self, numbers: Sequence[int]) -> tuple[NumberedSource, tuple[int, ...]]:
        """The passages that these lines are of, apart from each other and each with its title as
        who speaks; and the numbers that the lines have there."""
        lines, cited, dates = list[SourceLine](), list[int](), list[str]()
        for each in self._passages:
            if places := each.cited(numbers):
                cited += [len(lines) + at + 1 for at in places]
                lines += [line._replace(speaker=line.speaker or each.title) for line in each.lines]
                lines += _GAP
                dates.append(each.date)
        return NumberedSource(lines, dates[0] if dates else ""), tuple(cited)

    def citations(self, numbers: Sequence[int]) -> Iterator[Citation]:
        """Where these lines are, those that follow each other as one."""
        for each in self._passages:
            last: Citation | None = None
            for at in sorted({*each.cited(numbers)}):
                line = each.lines[at]
                if last and not line.id and line.line == last.line_end + 1:
                    last = last._replace(line_end=line.line)
                    continue
                if last:
                    yield last
                last = Citation(each.path, line.line, line.line, line.id)
            if last:
                yield last

    def _add(self, hit: Hit) -> None:
        if why := self._files.why_kept(hit.path):
            self.kept_back[hit.path] = why
            return
        title = _title(hit, self._source(hit.path))
        lines = list(_that_fit(self._lines(hit), self._room - tokens(title)))
        if lines:
            first = sum(len(each.lines) for each in self._passages) + 1
            date = (lines[0].time or hit.updated)[:10]
            self._passages.append(ShownPassage(hit.path, title, date, first, lines))
            self._known |= {(hit.path, line.line) for line in lines}
            self._room -= tokens(self._passages[-1].text)

    def _lines(self, hit: Hit) -> list[SourceLine]:
        """The lines of a hit that are not shown yet; of a part of a message all of it."""
        lines = self._source(hit.path).lines
        before = [line for line in lines if line.id and 0 < line.line <= hit.line_start][-1:]
        within = [line for line in lines if hit.line_start <= line.line <= hit.line_end]
        return [e for e in within or before if (hit.path, e.line) not in self._known]

    def _source(self, path: str) -> NumberedSource:
        if path not in self._sources:
            try:
                found = source_at(self._live, path, for_answer=True)
            except MemwikiError:  # it went meanwhile
                found = NumberedSource(())
            self._sources[path] = found
        return self._sources[path]


def _that_fit(lines: Iterable[SourceLine], room: int) -> Iterator[SourceLine]:
    """The first lines that fit, one that is longer alone cut."""
    for line in lines:
        cut = fitting(line, max(room, 0))
        room -= tokens(numbered([cut])) + 1
        if room < 0 or not cut.text:
            return
        yield cut


def _title(hit: Hit, source: NumberedSource) -> str:
    """What a model is told of a hit: no path, which it has no use for, and no heading that the
    page does not show to everybody."""
    page = "\n".join(line.text for line in source.lines)
    headings = (each for each in hit.section.split(" > ") if each in page)
    names = " > ".join(dict.fromkeys(filter(None, (hit.title, *headings))))
    return f"[{' '.join(without_secrets(names).split())}] {hit.updated[:10]}".rstrip()
