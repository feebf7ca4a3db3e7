"""What an answer is made of: rows that a terminal prints, a tool fences and a page marks up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import singledispatch
from typing import TypeAlias

from memwiki.nouns import Problem
from memwiki.records import NamedTuple

NO_FACTS: Mapping[str, str] = {}

SHOWN_PATHS = 20  # of many


class NameCell(str):
    """What a line is about."""

    __slots__ = ()


class AsideCell(str):
    """What is secondary."""

    __slots__ = ()


class PathCell(str):
    """A path, or a name that is one, as it is, to be copied."""

    __slots__ = ()


class NamedPathCell(NameCell, PathCell):
    """The path that a line is about."""

    __slots__ = ()


class PlaceCell(AsideCell, PathCell):
    """Where something is, beside it."""

    __slots__ = ()


class TextCell(str):
    """A text that is never cut."""

    __slots__ = ()


class BriefCell(str):
    """What says less than the cells around it."""

    __slots__ = ()


Cell: TypeAlias = "str | tuple[str, ...]"  # several texts are one cell, a blank between them


class Place(NamedTuple):
    """Where in the workspace something is; lines count from 1, 0 is the whole file."""

    path: str = ""
    line: int = 0
    last: int = 0


class Words(NamedTuple):
    """A line of our own words, in which nothing stored is named."""

    text: str


class TitleRow(NamedTuple):
    """Over the rows that follow."""

    text: str


class Line(NamedTuple):
    """Cells on one line."""

    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()  # below it
    depth: int = 0  # how far it is indented
    is_item: bool = False  # one of those that an answer counts
    marked: str = ""  # a text in its cells that was looked for


class CellTable(NamedTuple):
    """Rows of cells in columns; `whole` are never cut, `paths` are paths."""

    cells: Sequence[Sequence[str]]
    whole: tuple[int, ...] = ()
    paths: tuple[int, ...] = ()
    depth: int = 0


class LinkEdge(NamedTuple):
    """A link from a line of a page to a target."""

    place: Place
    relation: str
    target: str
    status: str
    is_found: bool


class BarChart(NamedTuple):
    """Counts, a bar each; over time the labels are the first days of `unit`s that follow."""

    title: str
    labels: tuple[str, ...]
    counts: tuple[int, ...]
    unit: str = ""

    @property
    def cells(self) -> Sequence[Sequence[str]]:
        """The same as rows of a table."""
        return [(self.title,), *zip(self.labels, map("{:,}".format, self.counts), strict=True)]


class FoundProblem(NamedTuple):
    """A problem of a page."""

    problem: Problem


class PassageForm(StrEnum):
    """How much of a passage a list shows."""

    EXCERPT = "excerpt"  # some lines below its place
    WHOLE = "whole"
    BRIEF = "brief"  # on one line


class StoredPassage(NamedTuple):
    """A stored text: a page, an entry or a message, or some lines of it."""

    kind: str
    place: Place
    text: str
    title: str = ""
    facts: Mapping[str, str] = NO_FACTS  # date, id, score ...
    head: tuple[Cell, ...] = ()  # for people, who need no facts
    notes: tuple[str, ...] = ()  # why it was found
    tags: tuple[str, ...] = ()
    form: PassageForm = PassageForm.WHOLE
    depth: int = 0
    words: tuple[str, ...] = ()  # that were looked for
    is_part: bool = False  # whether these are parts of words


class Quote(NamedTuple):
    """A text that is given as it is; `head` is what is known of it."""

    text: str
    place: Place = Place()
    facts: Mapping[str, str] = NO_FACTS
    head: tuple[Words | Line, ...] = ()


Row: TypeAlias = (
    Words | TitleRow | Line | CellTable | BarChart | LinkEdge | FoundProblem | StoredPassage | Quote
)
Rows: TypeAlias = Iterable[Row]


@singledispatch
def rows_of(answer: object) -> Rows:
    """The rows of an answer."""
    raise TypeError(f"{type(answer).__name__} has no rows")


def one_a_line(cells: Iterable[Cell], *, depth: int = 0) -> Iterator[Line]:
    """One cell a line."""
    return (Line((each,), depth=depth) for each in cells)


def and_more(count: int) -> Iterator[Line]:
    """That so many more are not listed."""
    if count > 0:
        yield Line((AsideCell(f"… and {count} more"),), depth=1)


def size(count: int) -> str:
    """A number of bytes as people read it."""
    if count < 1_000_000:
        return f"{count / 1000:.0f} kB"
    return f"{count / 1_000_000:.1f} MB"
