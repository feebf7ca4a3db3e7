"""Databases in an export of Notion: their rows, and which page each of them is."""

from __future__ import annotations

import csv
import io
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

_MOST_COMPARED = 50  # pages of one title that are compared with a row


class Table(NamedTuple):
    """The rows of a database, each as long as its columns."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class RowPage(NamedTuple):
    """A page in the folder of a database: how it is called, and its properties."""

    path: str
    names: tuple[str, ...]
    fields: Mapping[str, str]


class Row(NamedTuple):
    """A row with its page; "" where it has none."""

    name: str
    path: str
    values: Mapping[str, str]  # of all other columns than that of the name


def read_table(data: bytes) -> Table | None:
    """The table of a CSV file; None when it is no such table."""
    try:
        text = data.decode("utf-8-sig")
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error):
        return None
    if not lines or not lines[0]:
        return None
    columns = tuple(name.strip() for name in lines[0])
    width = len(columns)
    rows = (tuple([*line, *[""] * width][:width]) for line in lines[1:] if any(line))
    return Table(columns, tuple(rows))


def matched(table: Table, pages: Sequence[RowPage]) -> Iterator[Row]:
    """The rows with their pages, then the pages that no row is."""
    at, taken = _title_column(table, pages), set[str]()
    waiting: dict[str, deque[RowPage]] = defaultdict(deque)
    for page in pages:
        waiting[_plain(page.names[0])].append(page)
    for page in pages:
        for name in page.names[1:]:
            waiting[_plain(name)].append(page)
    for cells in table.rows:
        pairs = zip(table.columns, cells, strict=True)
        values = {key: value for i, (key, value) in enumerate(pairs) if i != at}
        own = _page_of(cells[at], values, waiting, taken)
        taken.add(own.path if own else "")
        yield Row(cells[at], own.path if own else "", values)
    for page in pages:
        if page.path not in taken:
            yield Row(page.names[0], page.path, {})


def _title_column(table: Table, pages: Sequence[RowPage]) -> int:
    """The column that names the pages: that with most of their titles, else the first."""
    titles = {_plain(name) for page in pages for name in page.names}
    counts = [
        sum(_plain(cells[i]) in titles for cells in table.rows) for i in range(len(table.columns))
    ]
    return max(range(len(counts)), key=lambda i: (counts[i], -i))


def _page_of(
    name: str, values: Mapping[str, str], waiting: Mapping[str, deque[RowPage]], taken: set[str]
) -> RowPage | None:
    """The page of this title that says most of what the row says."""
    held = waiting.get(_plain(name))
    while held and held[0].path in taken:
        held.popleft()
    if not held:
        return None
    likely = [each for each, _ in zip(held, range(_MOST_COMPARED), strict=False)]
    free = [each for each in likely if each.path not in taken]
    return max(free, key=lambda page: _agreement(page, values))


def _agreement(page: RowPage, values: Mapping[str, str]) -> int:
    return sum(values.get(key) == value for key, value in page.fields.items())


def _plain(name: str) -> str:
    return " ".join(name.split())
