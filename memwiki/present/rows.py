"""What an answer is made of: rows that a terminal prints, a tool fences and a page marks up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import singledispatch
from typing import NamedTuple, TypeAlias


class Text(str):
    """A cell that is shown whole, however long it is."""

    __slots__ = ()


class Place(NamedTuple):
    """Where in the workspace something is; lines count from 1, 0 is the whole file."""

    path: str = ""
    line: int = 0
    last: int = 0


class Words(NamedTuple):
    """A line of our own words, in which nothing stored is named."""

    text: str


class Heading(NamedTuple):
    """Over the rows that follow."""

    text: str


class Line(NamedTuple):
    """Cells on one line; `is_item` where it is one of those that are counted."""

    cells: tuple[str, ...]
    is_item: bool = True


class Passage(NamedTuple):
    """A stored text with its title: a page, an entry or a message, or some lines of it."""

    kind: str
    place: Place
    text: str
    title: str = ""
    facts: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()  # below the text


class Quote(NamedTuple):
    """A text that is given as it is, and what is known of it."""

    text: str
    place: Place = Place()
    facts: Mapping[str, str] = {}
    head: tuple[Words | Line, ...] = ()


Row: TypeAlias = Words | Heading | Line | Passage | Quote


@singledispatch
def rows_of(answer: object) -> Iterator[Row]:
    """The rows of an answer."""
    raise TypeError(f"{type(answer).__name__} has no rows")


def notes_of(notes: Iterable[str]) -> Iterator[Row]:
    """What should be known beside an answer."""
    return (Line((f"note: {note}",), is_item=False) for note in notes)
