"""Filters -> which pages and units may be found."""

from __future__ import annotations

import json
import re
import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import translate
from typing import NamedTuple, TypeVar

from memwiki.clock import day_of
from memwiki.index.cards.lookup import written_date
from memwiki.index.cards.rows import field_number
from memwiki.index.graph import Graph
from memwiki.index.projection import page_of
from memwiki.model import Layers, UnitKind
from memwiki.names import fold
from memwiki.recall.query import Filter, FilterKind, Query

T = TypeVar("T")

_OWN_DATES = ("updated", "created", "time", "valid_from")  # of an entry or message, best first


def path_matcher(glob: str) -> Callable[[str], bool]:
    """Whether a path fits a glob, in any case; a folder's name fits all that lies below it."""
    glob = glob.strip("/")
    below = "" if any(c in glob for c in "*?[") else f"|{translate(f'{glob}/*')}"
    fits = re.compile(f"{translate(glob)}{below}", re.IGNORECASE).match
    return lambda path: fits(path) is not None


class Allowed(NamedTuple):
    """What one filter lets through: whole pages, single units, and units kept out all the same."""

    pages: frozenset[int]
    units: frozenset[bytes] = frozenset()
    barred: frozenset[bytes] = frozenset()

    def passes(self, page: int, unit: bytes) -> bool:
        """Whether a unit of a page may be found; an empty unit asks about the page itself."""
        return unit in self.units or (page in self.pages and unit not in self.barred)


class Undated(NamedTuple):
    """What says no date of its own, so that filters go by the time of its file."""

    pages: frozenset[int]
    dated: frozenset[bytes]  # units that say one all the same

    def holds(self, key: bytes) -> bool:
        """Whether a unit, or a page by the first bytes of its keys, is judged by the file."""
        return page_of(key) in self.pages and key not in self.dated


class Conditions(NamedTuple):
    """All filters of a query together; `undated` where one of them asks for a date."""

    wanted: tuple[Allowed, ...] = ()
    unwanted: tuple[Allowed, ...] = ()
    undated: Undated | None = None

    def passes(self, page: int, unit: bytes) -> bool:
        """Whether every filter lets a unit through."""
        return all(a.passes(page, unit) for a in self.wanted) and not any(
            a.passes(page, unit) for a in self.unwanted
        )

    def dated_first(self, rows: Iterable[T], key: Callable[[T], bytes]) -> Iterator[T]:
        """The rows in their order, but those that are judged by the time of a file at the end."""
        last = []
        for row in rows:
            if self.undated and self.undated.holds(key(row)):
                last.append(row)
            else:
                yield row
        yield from last

    def undated_in(self, keys: Iterable[bytes]) -> int:
        """How many of these are judged by the time of a file."""
        return sum(map(self.undated.holds, keys)) if self.undated else 0


class Narrowing:
    """Works filters out against the cards."""

    def __init__(self, db: sqlite3.Connection, graph: Graph, layers: Layers) -> None:
        self._db, self._graph, self._layers = db, graph, layers

    def conditions(self, query: Query) -> Conditions:
        """What the query's filters, and the layers out of default search, let through."""
        wanted = [self._allowed(f) for f in query.filters if not f.is_excluded]
        unwanted = [self._allowed(f) for f in query.filters if f.is_excluded]
        unwanted += [
            Allowed(self._pages("path glob ?", f"{layer}/*"))
            for layer in (self._layers.archive, self._layers.namespaces)
            if layer and not any(_names(f, layer) for f in query.filters)
        ]
        is_dated = any(f.kind in (FilterKind.SINCE, FilterKind.UNTIL) for f in query.filters)
        return Conditions(
            tuple(wanted), tuple(unwanted), self._without_dates() if is_dated else None
        )

    def is_field(self, name: str) -> bool:
        """Whether any page or entry has a field of this name."""
        row = self._db.execute("select 1 from field where number=? limit 1", (field_number(name),))
        return row.fetchone() is not None

    def _allowed(self, condition: Filter) -> Allowed:
        rules: dict[FilterKind, Callable[[str], Allowed]] = {
            FilterKind.TAG: self._tagged,
            FilterKind.TYPE: self._typed,
            FilterKind.PATH: self._at,
            FilterKind.TITLE: self._titled,
            FilterKind.SECTION: self._headed,
            FilterKind.SINCE: lambda day: self._dated(lambda d: d[: len(day)] >= day),
            FilterKind.UNTIL: lambda day: self._dated(lambda d: d[: len(day)] <= day),
            FilterKind.IS: lambda state: self._entries() if state == "entry" else self._orphans(),
        }
        rule = rules.get(condition.kind)
        return rule(condition.value) if rule else self._field(condition.name, condition.value)

    def _tagged(self, tag: str) -> Allowed:
        folded = fold(tag.lstrip("#"))
        below = (folded, f"{folded}/", f"{folded}0")  # "0" is the character after "/"
        pages = self._db.execute(
            "select number from tag join page on id=page"
            " where own=1 and (folded=? or (folded>? and folded<?))",
            below,
        )
        return Allowed(_first(pages), self._units("#", folded))

    def _typed(self, name: str) -> Allowed:
        pages = frozenset(
            number
            for number, kind in self._db.execute("select number, type from page where hidden=0")
            if fold(kind or "") == fold(name)
        )
        return Allowed(pages, self._units("type", name))

    def _at(self, glob: str) -> Allowed:
        is_at = path_matcher(glob)
        rows = self._db.execute("select number, path from page where hidden=0")
        return Allowed(frozenset(number for number, path in rows if is_at(path)))

    def _titled(self, text: str) -> Allowed:
        rows = self._db.execute("select number, title from page where hidden=0")
        return Allowed(frozenset(n for n, title in rows if fold(text) in fold(title or "")))

    def _headed(self, text: str) -> Allowed:
        wanted = fold(text)
        ranges: dict[int, list[tuple[int, int]]] = {}
        rows = self._db.execute("select page, start, stop, title from section order by page, start")
        for page, start, stop, title in rows:
            if wanted in fold(title):
                _widen(ranges.setdefault(page, []), start, stop)
        found = {key for page in ranges for key in self._overlapping(page, ranges[page])}
        trails = self._db.execute("select key, section from unit where section<>''")
        found |= {key for key, trail in trails if wanted in fold(trail)}
        return Allowed(frozenset(), frozenset(found))

    def _overlapping(self, page: int, ranges: Sequence[tuple[int, int]]) -> Iterator[bytes]:
        """The units of a page that share a line with any of these ranges, which lie apart in order."""
        stops = [stop for _, stop in ranges]
        rows = self._db.execute("select key, start, stop from unit where page=?", (page,))
        for key, start, stop in rows:
            place = bisect_left(stops, start)
            if place < len(ranges) and ranges[place][0] <= stop:
                yield key

    def _dated(self, is_in: Callable[[str], bool]) -> Allowed:
        dates = self._dates()
        pages = frozenset(n for n, day, ns in dates if is_in(day or day_of(ns).isoformat()))
        own = dict(self._own_dates())
        units = frozenset(unit for unit, day in own.items() if is_in(day))
        return Allowed(pages, units, frozenset(own) - units)

    def _dates(self) -> Iterator[tuple[int, str, int]]:
        """Each page with its written date, "" for none, and the time of its file."""
        sql = "select number, path, created, updated, mtime_ns from page where hidden=0"
        for number, path, created, updated, ns in self._db.execute(sql):
            yield number, written_date(path, created or "", updated or ""), ns

    def _without_dates(self) -> Undated:
        pages = frozenset(number for number, day, _ in self._dates() if not day)
        return Undated(pages, frozenset(unit for unit, _ in self._own_dates()))

    def _own_dates(self) -> Iterator[tuple[bytes, str]]:
        for key, text in self._db.execute("select key, fields from unit where fields<>''"):
            fields = json.loads(text)
            day = next((fields[name] for name in _OWN_DATES if fields.get(name)), "")
            if day:
                yield key, day

    def _entries(self) -> Allowed:
        units = self._db.execute("select key from unit where kind=?", (UnitKind.ENTRY,))
        return Allowed(frozenset(), _first(units))

    def _orphans(self) -> Allowed:
        orphans = self._graph.orphans()
        rows = self._db.execute("select path, number from page where hidden=0")
        return Allowed(frozenset(number for path, number in rows if path in orphans))

    def _field(self, name: str, value: str) -> Allowed:
        pages = self._db.execute(
            "select page.number from field join page on id=page where field.number=? and unit=x''",
            (field_number(name, value),),
        )
        return Allowed(_first(pages), self._units(name, value))

    def _pages(self, where: str, *values: str) -> frozenset[int]:
        return _first(self._db.execute(f"select number from page where {where}", values))

    def _units(self, name: str, value: str) -> frozenset[bytes]:
        sql = "select unit from field where number=? and unit<>x''"
        return _first(self._db.execute(sql, (field_number(name, value),)))


def _first(rows: Iterable[Sequence[object]]) -> frozenset:  # type: ignore[type-arg]
    return frozenset(row[0] for row in rows)


def _names(condition: Filter, layer: str) -> bool:
    """Whether a path filter asks for a layer by its name."""
    is_path = condition.kind is FilterKind.PATH and not condition.is_excluded
    return is_path and fold(condition.value.strip("/").split("/")[0]) == fold(layer)


def _widen(ranges: list[tuple[int, int]], start: int, stop: int) -> None:
    """Add a range to ranges in order; one that overlaps the last becomes part of it."""
    if ranges and start <= ranges[-1][1]:
        ranges[-1] = (ranges[-1][0], max(stop, ranges[-1][1]))
    else:
        ranges.append((start, stop))
