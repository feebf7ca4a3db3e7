"""A long source in portions that a model can be shown, each with a little of the one before."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from memwiki.digest import text_hash
from memwiki.proposals.numbering import NumberedSource, SourceLine, numbered
from memwiki.text import tokens

_OVERLAP = 2  # lines of the portion before
_KEY_BYTES = 16
_KEYED = 200  # characters of a line, of which a long one may be cut to fit


class Portion(NamedTuple):
    """Neighbouring lines of a source; they keep their numbers."""

    first: int  # number of the first line, from 1
    lines: Sequence[SourceLine]

    def line(self, number: int) -> SourceLine | None:
        """The line of this number, None where it is in another portion."""
        at = number - self.first
        return self.lines[at] if 0 <= at < len(self.lines) else None

    @property
    def text(self) -> str:
        """The lines as they are shown."""
        return numbered(self.lines, self.first)

    @property
    def halves(self) -> tuple[Portion, ...]:
        """The same lines in two portions; none of a line alone."""
        middle = len(self.lines) // 2
        if not middle:
            return ()
        start = max(middle - _OVERLAP, 1)
        return (
            Portion(self.first, self.lines[:middle]),
            Portion(self.first + start, self.lines[start:]),
        )

    def unanswered(self, answered: Container[str]) -> tuple[Portion, ...]:
        """What of it is left to ask: all, nothing, or a half where the other was answered."""
        if self.key in answered:
            return ()
        left = tuple(each for each in self.halves if each.key not in answered)
        return left if len(left) < len(self.halves) else (self,)

    @property
    def key(self) -> str:
        """What tells whether the same lines were shown before."""
        begun = [line._replace(text=line.text[:_KEYED]) for line in self.lines]
        return text_hash(numbered(begun, self.first), _KEY_BYTES).hex()


def portions(source: NumberedSource, max_tokens: int) -> Iterator[Portion]:
    """All lines in portions of at most so many tokens; a line that is longer alone is cut."""
    at, lines = 0, [fitting(each, max_tokens) for each in source.lines]
    while at < len(lines):
        start, size = max(at - _OVERLAP, 0) if at else 0, 0
        stop = start
        while stop < len(lines):
            size += tokens(numbered([lines[stop]], stop + 1)) + 1
            if size > max_tokens and stop > at:
                break
            stop += 1
        yield Portion(start + 1, lines[start:stop])
        at = stop


def fitting(line: SourceLine, max_tokens: int) -> SourceLine:
    """A line that fits into a portion together with two others."""
    room = max_tokens // (_OVERLAP + 1)
    text = line.text
    while text and tokens(text) > room:
        text = text[: int(len(text) * room / tokens(text))]
    return line if text == line.text else line._replace(text=text)
