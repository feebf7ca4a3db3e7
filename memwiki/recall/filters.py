"""Filters of a query, worked out against the cards: which pages and units may be found."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from datetime import date
from fnmatch import translate
from itertools import chain
from math import isfinite, nan
from typing import Any, Protocol, TypeAlias, TypeVar

from memwiki.clock import local_day
from memwiki.dates import day_here, iso_date, named_day
from memwiki.index.cards.filters import Filters, is_page_date
from memwiki.index.units import UnitKey, hit_of, page_of
from memwiki.names import SCHEMA_FILES, fold, normalised, stem_of
from memwiki.nouns import UnitKind
from memwiki.options import RecallOptions, RecallSource
from memwiki.recall.query import Condition, Filter, FilterKind, Joined, Joint, Query, Term, take
from memwiki.records import FrozenRecord, NamedTuple
from memwiki.scope import Scope, layers_below

# Whether a unit of a page may be found; an empty unit asks about the page itself.
Passing: TypeAlias = Callable[[int, bytes], bool]


class Matches(FrozenRecord):
    """What one filter lets through: whole pages, single units, and units kept out all the same."""

    pages: frozenset[int] = frozenset()
    units: frozenset[bytes] = frozenset()
    excluded: frozenset[bytes] = frozenset()

    def __call__(self, page: int, unit: bytes) -> bool:
        """Whether a unit of a page may be found."""
        return unit in self.units or (page in self.pages and unit not in self.excluded)


_JOINTS: Mapping[Joint, Callable[[Iterable[bool]], bool]] = {
    Joint.ALL: all,
    Joint.ANY: any,
    Joint.NONE: lambda values: not any(values),
}


def joined(steps: Iterable[Passing | Joined]) -> Passing:
    """What a condition in postfix order lets through."""
    known = tuple(steps)

    def passes(page: int, unit: bytes) -> bool:
        values: list[bool] = []
        for step in known:
            if isinstance(step, Joined):
                values.append(_JOINTS[step.joint](take(values, step.parts)))
            else:
                values.append(step(page, unit))
        return values[-1]

    return passes


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
    superseded_pages: frozenset[int] = frozenset()
    schema: frozenset[int] = frozenset()  # pages that come after all others
    ranked_last: int = 0  # hits that may come after all that answers, whatever their score

    @property
    def are_none(self) -> bool:
        """Whether everything passes."""
        return not (self.wanted or self.unwanted or self.excluded)

    def holds_no_longer(self, key: bytes) -> bool:
        """Whether a hit is superseded, or of a page that is."""
        return key in self.superseded or page_of(key) in self.superseded_pages

    def passes(self, key: bytes) -> bool:
        """Whether a unit may be found."""
        if hit_of(key) in self.excluded:
            return False
        page = page_of(key)
        return all(passes(page, key) for passes in self.wanted) and not any(
            passes(page, key) for passes in self.unwanted
        )

    def passes_page(self, number: int) -> bool:
        """Whether a page as a whole may be found."""
        return self.passes(UnitKey.of_page(number))

    def in_order(self, rows: Iterable[R]) -> Iterator[R]:
        """The rows in their order, but at the end those that are judged by the time of a file, then
        those that hold no longer, then what tells agents how to work."""
        later: tuple[list[R], ...] = ([], [], [])
        for row in rows:
            if page_of(row.key) in self.schema:
                later[2].append(row)
            elif row.key in self.superseded:
                later[1].append(row)
            elif self.undated and self.undated.holds(row.key):
                later[0].append(row)
            else:
                yield row
        yield from chain(*later)

    def undated_in(self, keys: Iterable[bytes]) -> int:
        """How many of these are judged by the time of a file."""
        return sum(map(self.undated.holds, keys)) if self.undated else 0


HELP = "help"  # the type of a page that explains
_KINDS = {
    RecallSource.PAGES: (UnitKind.BLOCK,),
    RecallSource.ENTRIES: (UnitKind.ENTRY,),
    RecallSource.SESSIONS: (UnitKind.MESSAGE, UnitKind.PART),
}
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_MAX_CHARACTERS = 40  # characters of a number or date; longer ones are text


def path_matcher(glob: str, base: str = "") -> Callable[[str], bool]:
    """Whether a path fits a glob, in any case and Unicode form; a folder's name fits all below it.
    In the folder of a namespace the rest of the path may fit, too."""
    is_at = _path_matcher(normalised("NFC", glob.strip("/")))
    start = f"{base}/" if base else ""
    return lambda path: is_at(path) or (bool(start) and is_at(path.removeprefix(start)))


def _path_matcher(glob: str) -> Callable[[str], bool]:
    below = "" if any(c in glob for c in "*?[") else f"|{translate(f'{glob}/*')}"
    fits = re.compile(f"{translate(glob)}{below}", re.IGNORECASE).match
    return lambda path: fits(normalised("NFC", path)) is not None


class FilterEvaluator:
    """Works filters out against the cards."""

    def __init__(
        self, cards: Filters, orphans: Callable[[], Collection[str]], scope: Scope
    ) -> None:
        self._cards, self._orphans, self._scope = cards, orphans, scope

    def conditions(self, query: Query) -> Conditions:
        """What the query's filters, and the layers out of default search, let through."""
        wanted: list[Passing] = [self._matches(f) for f in query.filters if not f.is_excluded]
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
        superseded, schema = self._cards.superseded(), self._schema_pages()
        return Conditions(
            tuple(wanted),
            tuple(unwanted),
            undated,
            superseded=superseded,
            superseded_pages=self._cards.superseded_pages(),
            schema=schema,
            ranked_last=len(superseded) + len(schema) + self._cards.units_on(schema),
        )

    def of_recall(self, query: Query, options: RecallOptions, guides: frozenset[int]) -> Conditions:
        """The same without guides, and with what the options ask for that no query can."""
        found = self.conditions(query)
        wanted, unwanted = list(found.wanted), list(found.unwanted)
        if options.types:
            typed = [self._of_type(name) for name in options.types]
            pages = frozenset[int]().union(*(each.pages for each in typed))
            wanted.append(Matches(pages, frozenset().union(*(each.units for each in typed))))
        if options.channel in _KINDS:
            kinds = _KINDS[RecallSource(options.channel)]
            wanted.append(lambda _, unit: UnitKey(unit).kind in kinds)
        if options.session:
            unwanted.append(Matches(self._other_sessions(options.session)))
        if guides:
            unwanted.append(Matches(guides))
        return found._replace(wanted=tuple(wanted), unwanted=tuple(unwanted))

    def guides(self, query: Query, options: RecallOptions) -> frozenset[int]:
        """The pages that tell how a memory is used, and are no part of what it knows: pages of
        help, unless that type is asked for, what agents' programs read, what a template wrote."""
        filters = (f for f in query.every_filter if f.kind is FilterKind.TYPE and not f.is_excluded)
        is_wanted = HELP in map(fold, (*options.types, *(f.value for f in filters)))
        helping = frozenset[int]() if is_wanted else self._cards.having("type", HELP)
        return self._schema_pages() | helping | frozenset(self._pages_of_templates())

    def _schema_pages(self) -> frozenset[int]:
        """What agents' programs read by themselves, such as AGENTS.md."""
        return self._cards.with_file_names(SCHEMA_FILES)

    def _pages_of_templates(self) -> Iterator[int]:
        from memwiki.markdown.entries import is_template_page, template_paths

        for path in template_paths():
            found = self._cards.digest_at(path)
            if found and is_template_page(path, found[1]):
                yield found[0]

    def _other_sessions(self, session: str) -> frozenset[int]:
        layer = layers_below(self._scope.layers, self._scope.base).sessions
        below = self._cards.in_folder(layer) if layer else frozenset()
        others = self._cards.of_type("session") | below
        return others - self._cards.at(lambda path: is_session_named(path, session))

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
        return joined(steps)

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
        pages = (n for n, day, _ in self._cards.dates() if first <= day_here(day) <= last)
        units = frozenset(unit for unit, day in own.items() if first <= day_here(day) <= last)
        return Matches(frozenset(pages), units, frozenset(own) - units)

    def _matches(self, condition: Filter) -> Matches:
        base, cards = self._scope.base, self._cards
        rules: dict[FilterKind, Callable[[str], Matches]] = {
            FilterKind.TAG: lambda tag: Matches(
                cards.tagged(tag), cards.units_having("#", tag.lstrip("#"))
            ),
            FilterKind.TYPE: self._of_type,
            FilterKind.PATH: lambda glob: Matches(cards.at(path_matcher(glob, base))),
            FilterKind.TITLE: lambda text: Matches(cards.titled(text)),
            FilterKind.SECTION: lambda text: Matches(units=cards.below_headings(text)),
            FilterKind.SINCE: lambda day: self._dated(lambda d: d[: len(day)] >= day),
            FilterKind.UNTIL: lambda day: self._dated(lambda d: d[: len(day)] <= day),
            FilterKind.HAS: lambda name: Matches(cards.having(name), cards.units_having(name)),
            FilterKind.IS: lambda state: (
                Matches(units=cards.entries())
                if state == "entry"
                else Matches(cards.at(self._orphans().__contains__))
            ),
        }
        rule = rules.get(condition.kind)
        return rule(condition.value) if rule else self._field(condition)

    def _of_type(self, name: str) -> Matches:
        return Matches(self._cards.of_type(name), self._cards.units_having("type", name))

    def _field(self, condition: Filter) -> Matches:
        name, value, cards = condition.name, condition.value, self._cards
        if condition.sign:
            fits = comparing(condition.sign, value)
            return Matches(cards.comparing(name, fits), cards.units_comparing(name, fits))
        if is_page_date(name) and (asked := iso_date(value)):

            def is_then(text: str) -> bool:
                read = iso_date(text)
                return asked in (read, day_here(read))

            return Matches(cards.comparing(name, is_then), cards.units_comparing(name, is_then))
        return Matches(cards.having(name, value), cards.units_having(name, value))

    def _dated(self, is_in: Callable[[str], bool]) -> Matches:
        dates = self._cards.dates()
        said = ((n, day_here(day) or local_day(ns).isoformat()) for n, day, ns in dates)
        pages = frozenset(number for number, day in said if is_in(day))
        own = dict(self._cards.unit_dates())
        units = frozenset(unit for unit, day in own.items() if is_in(day_here(day)))
        # Of other entries neither they nor their page say a day, whatever their file's time is.
        undated = filter(self._without_dates().holds, self._cards.entries())
        return Matches(pages, units, frozenset(own).union(undated) - units)

    def _without_dates(self) -> Undated:
        pages = frozenset(number for number, day, _ in self._cards.dates() if not day)
        return Undated(pages, frozenset(unit for unit, _ in self._cards.unit_dates()))


def _names(condition: Filter, layer: str) -> bool:
    """Whether a path filter asks for a layer by its name."""
    is_path = condition.kind is FilterKind.PATH and not condition.is_excluded
    return is_path and f"{fold(condition.value.strip('/'))}/".startswith(f"{fold(layer)}/")


def is_session_named(path: str, session: str) -> bool:
    """Whether a page is the session of this name: its path, or its file name."""
    return fold(session) in (fold(path), fold(stem_of(path)))


def filters_of(options: RecallOptions, today: date) -> Iterator[Filter]:
    """The options that can stand in a question, too, as its filters; UsageError for what is no
    day."""
    yield from (Filter(FilterKind.TAG, tag.lstrip("#")) for tag in options.tags)
    if options.since or options.until:
        from memwiki.times.asked import day_bound  # few questions have bounds

        for kind, text in ((FilterKind.SINCE, options.since), (FilterKind.UNTIL, options.until)):
            if day := day_bound(kind, text, today):
                yield Filter(kind, day)
    if options.subject:
        yield Filter(FilterKind.FIELD, options.subject, name="subject")


# --- comparing ---


def comparing(sign: str, text: str) -> Callable[[str], bool]:
    """Whether the value of a field fits: `< 2024` is before the year, `> 2024` after its end,
    `<= 2024` to its end. What is neither a number nor a date fits no number or date."""
    compare, wanted, folded = _ORDERS[sign], _number(text), fold(text.strip())
    bound = _day(text, is_end=sign in (">", "<="))

    def fits(value: str) -> bool:
        number = _number(value)
        if wanted is not None and number is not None:
            return compare(number, wanted)
        if bound:
            day = _day(value, is_end=False)
            return day is not None and compare(day, bound)
        return wanted is None and compare(fold(value.strip()), folded)

    return fits


def _number(text: str) -> float | None:
    try:
        number = float(text) if len(text) <= _MAX_CHARACTERS else nan
    except ValueError:
        return None
    return number if isfinite(number) else None


def _day(text: str, *, is_end: bool) -> date | None:
    """The first or last day of a date, a month or a year."""
    written = day_here(iso_date(text)) if len(text) <= _MAX_CHARACTERS else ""
    return named_day(written, date.min, is_end=is_end)
