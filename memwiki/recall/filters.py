"""Filters -> which pages and units may be found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from fnmatch import translate
from typing import NamedTuple, Protocol, TypeVar

from memwiki.clock import day_of
from memwiki.index.cards.filters import Filters, is_page_date
from memwiki.index.graph import Graph
from memwiki.index.unit_key import UnitKey, hit_of, page_of
from memwiki.names import fold
from memwiki.recall.comparison import comparison
from memwiki.recall.guides import schema_pages
from memwiki.recall.query import Condition, Filter, FilterKind, Joined, Joint, Query, Term, take
from memwiki.scope import Scope, layers_below


def path_matcher(glob: str, base: str = "") -> Callable[[str], bool]:
    """Whether a path fits a glob, in any case; a folder's name fits all that lies below it. In the
    folder of a namespace the rest of the path may fit, too."""
    is_at = _path_matcher(glob.strip("/"))
    start = f"{base}/" if base else ""
    return lambda path: is_at(path) or (bool(start) and is_at(path.removeprefix(start)))


def _path_matcher(glob: str) -> Callable[[str], bool]:
    below = "" if any(c in glob for c in "*?[") else f"|{translate(f'{glob}/*')}"
    fits = re.compile(f"{translate(glob)}{below}", re.IGNORECASE).match
    return lambda path: fits(path) is not None


class Matches(NamedTuple):
    """What one filter lets through: whole pages, single units, and units kept out all the same."""

    pages: frozenset[int] = frozenset()
    units: frozenset[bytes] = frozenset()
    excluded: frozenset[bytes] = frozenset()

    def passes(self, page: int, unit: bytes) -> bool:
        """Whether a unit of a page may be found; an empty unit asks about the page itself."""
        return unit in self.units or (page in self.pages and unit not in self.excluded)


class Hits(NamedTuple):
    """Lets these hits through with all their units."""

    hits: AbstractSet[bytes]

    def passes(self, _page: int, unit: bytes) -> bool:
        """Whether a unit is of one of them."""
        return hit_of(unit) in self.hits


class Passing(Protocol):
    """What lets units through or not."""

    def passes(self, page: int, unit: bytes, /) -> bool:
        """Whether a unit of a page may be found; an empty unit asks about the page itself."""


_JOINTS: Mapping[Joint, Callable[[Iterable[bool]], bool]] = {
    Joint.ALL: all,
    Joint.ANY: any,
    Joint.NONE: lambda values: not any(values),
}


class JoinedMatches(NamedTuple):
    """What a condition in postfix order lets through."""

    steps: tuple[Passing | Joined, ...]

    def passes(self, page: int, unit: bytes) -> bool:
        """Whether a unit of a page may be found."""
        values: list[bool] = []
        for step in self.steps:
            if isinstance(step, Joined):
                values.append(_JOINTS[step.joint](take(values, step.parts)))
            else:
                values.append(step.passes(page, unit))
        return values[-1]


class Undated(NamedTuple):
    """What says no date of its own, so that filters go by the time of its file."""

    pages: frozenset[int]
    dated: frozenset[bytes]  # units that say one all the same

    def holds(self, key: bytes) -> bool:
        """Whether a unit, or a page by the first bytes of its keys, is judged by the file."""
        return page_of(key) in self.pages and key not in self.dated


class HasKey(Protocol):
    """What is found in a unit, or in a page as a whole."""

    @property
    def key(self) -> UnitKey:
        """Where it is found."""
        ...


R = TypeVar("R", bound=HasKey)


class Conditions(NamedTuple):
    """All filters of a query together; `undated` where one of them asks for a date."""

    wanted: tuple[Passing, ...] = ()
    unwanted: tuple[Passing, ...] = ()
    undated: Undated | None = None
    excluded: AbstractSet[bytes] = frozenset()  # hits that hold an excluded word
    superseded: AbstractSet[bytes] = frozenset()  # hits that hold no longer: they come last
    schema: frozenset[int] = frozenset()  # pages that come after all others
    ranked_last: int = 0  # hits that may come after all that answers, whatever their score

    @property
    def are_none(self) -> bool:
        """Whether everything passes."""
        return not (self.wanted or self.unwanted or self.excluded)

    def passes(self, key: bytes) -> bool:
        """Whether a unit may be found."""
        if hit_of(key) in self.excluded:
            return False
        page = page_of(key)
        return all(a.passes(page, key) for a in self.wanted) and not any(
            a.passes(page, key) for a in self.unwanted
        )

    def passes_page(self, number: int) -> bool:
        """Whether a page as a whole may be found."""
        return self.passes(UnitKey.of_page(number))

    def in_order(self, rows: Iterable[R]) -> Iterator[R]:
        """The rows in their order, but at the end those that are judged by the time of a file, then
        those that hold no longer, then what tells agents how to work."""
        last: list[R] = []
        over: list[R] = []
        schema: list[R] = []
        for row in rows:
            if page_of(row.key) in self.schema:
                schema.append(row)
            elif row.key in self.superseded:
                over.append(row)
            elif self.undated and self.undated.holds(row.key):
                last.append(row)
            else:
                yield row
        yield from last
        yield from over
        yield from schema

    def undated_in(self, keys: Iterable[bytes]) -> int:
        """How many of these are judged by the time of a file."""
        return sum(map(self.undated.holds, keys)) if self.undated else 0


class FilterEvaluator:
    """Works filters out against the cards."""

    def __init__(self, cards: Filters, graph: Graph, scope: Scope) -> None:
        self._cards, self._graph, self._scope = cards, graph, scope

    def conditions(self, query: Query) -> Conditions:
        """What the query's filters, and the layers out of default search, let through."""
        wanted = [self._matches(f) for f in query.filters if not f.is_excluded]
        unwanted: list[Passing] = [self._matches(f) for f in query.filters if f.is_excluded]
        hidden = (
            self._cards.in_folder(layer)
            for layer in self._scope.hidden
            if not any(_names(f, layer) for f in query.every_filter)
        )
        if self._scope.base:
            wanted.append(Matches(self._cards.in_folder(self._scope.base)))
        unwanted += [Matches(pages) for pages in hidden if pages]  # else all would be looked at
        is_dated = any(f.kind in (FilterKind.SINCE, FilterKind.UNTIL) for f in query.every_filter)
        undated = self._without_dates() if is_dated else None
        superseded, schema = self._cards.superseded(), schema_pages(self._cards)
        return Conditions(
            tuple(wanted),
            tuple(unwanted),
            undated,
            superseded=superseded,
            schema=schema,
            ranked_last=len(superseded) + len(schema) + self._cards.units_on(schema),
        )

    def is_known(self, condition: Filter) -> bool:
        """Whether it is a filter: of a field, where any page or entry has one of this name."""
        is_date = bool(condition.sign) and is_page_date(condition.name)
        if condition.kind is not FilterKind.FIELD or is_date:
            return True
        return self._cards.has_field(condition.name, self._scope.sees)

    def joined(self, condition: Condition, holding: Callable[[Term], Passing]) -> Passing:
        """What a condition lets through, given what holds its words and phrases."""
        steps = list[Passing | Joined]()
        for step in condition:
            if isinstance(step, Joined):
                steps.append(step)
                continue
            steps.append(holding(step) if isinstance(step, Term) else self._matches(step))
            if step.is_excluded:
                steps.append(Joined(Joint.NONE, 1))
        return JoinedMatches(tuple(steps))

    def archived_pages(self) -> frozenset[int]:
        """What was retired."""
        layer = layers_below(self._scope.layers, self._scope.base).archive
        return self._cards.in_folder(layer) if layer else frozenset()

    def raw_pages(self) -> frozenset[int]:
        """The sources as they came."""
        layers = self._scope.layers
        raw = {layers.raw, layers_below(layers, self._scope.base).raw} - {""}
        return frozenset[int]().union(*map(self._cards.in_folder, raw))

    def written_within(self, first: str, last: str) -> Matches:
        """What says a date of its own in these days, both ends included; files do not."""
        own = dict(self._cards.unit_dates())
        pages = (n for n, day, _ in self._cards.dates() if first <= day[:10] <= last)
        units = frozenset(unit for unit, day in own.items() if first <= day[:10] <= last)
        return Matches(frozenset(pages), units, frozenset(own) - units)

    def _matches(self, condition: Filter) -> Matches:
        base = self._scope.base
        rules: dict[FilterKind, Callable[[str], Matches]] = {
            FilterKind.TAG: self._tagged,
            FilterKind.TYPE: self._typed,
            FilterKind.PATH: lambda glob: Matches(self._cards.at(path_matcher(glob, base))),
            FilterKind.TITLE: lambda text: Matches(self._cards.titled(text)),
            FilterKind.SECTION: lambda text: Matches(units=self._cards.below_headings(text)),
            FilterKind.SINCE: lambda day: self._dated(lambda d: d[: len(day)] >= day),
            FilterKind.UNTIL: lambda day: self._dated(lambda d: d[: len(day)] <= day),
            FilterKind.HAS: self._having_any,
            FilterKind.IS: lambda state: self._entries() if state == "entry" else self._orphans(),
        }
        rule = rules.get(condition.kind)
        return rule(condition.value) if rule else self._field(condition)

    def _tagged(self, tag: str) -> Matches:
        return Matches(self._cards.tagged(tag), self._cards.units_tagged(tag))

    def _typed(self, name: str) -> Matches:
        return Matches(self._cards.of_type(name), self._cards.units_having("type", name))

    def _field(self, condition: Filter) -> Matches:
        name, value, cards = condition.name, condition.value, self._cards
        if condition.sign:
            fits = comparison(condition.sign, value).fits
            return Matches(cards.comparing(name, fits), cards.units_comparing(name, fits))
        return Matches(cards.having(name, value), cards.units_having(name, value))

    def _having_any(self, name: str) -> Matches:
        return Matches(self._cards.with_field(name), self._cards.units_with_field(name))

    def _entries(self) -> Matches:
        return Matches(units=self._cards.entries())

    def _orphans(self) -> Matches:
        return Matches(self._cards.at(self._graph.orphans().__contains__))

    def _dated(self, is_in: Callable[[str], bool]) -> Matches:
        dates = self._cards.dates()
        pages = frozenset(n for n, day, ns in dates if is_in(day or day_of(ns).isoformat()))
        own = dict(self._cards.unit_dates())
        units = frozenset(unit for unit, day in own.items() if is_in(day))
        return Matches(pages, units, (frozenset(own) | self._undated_entries()) - units)

    def _undated_entries(self) -> frozenset[bytes]:
        """Those of which neither they nor their page say a day, whatever their file's time is."""
        undated = self._without_dates()
        return frozenset(filter(undated.holds, self._cards.entries()))

    def _without_dates(self) -> Undated:
        pages = frozenset(number for number, day, _ in self._cards.dates() if not day)
        return Undated(pages, frozenset(unit for unit, _ in self._cards.unit_dates()))


def _names(condition: Filter, layer: str) -> bool:
    """Whether a path filter asks for a layer by its name."""
    is_path = condition.kind is FilterKind.PATH and not condition.is_excluded
    return is_path and f"{fold(condition.value.strip('/'))}/".startswith(f"{fold(layer)}/")
