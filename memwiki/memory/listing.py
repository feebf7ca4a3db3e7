"""Entries by what is known of them: of all, only those that are shown are read; and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from math import ceil

from memwiki.answers.entries import EntryList, Metrics
from memwiki.clock import local_day
from memwiki.dates import date_in, day_here
from memwiki.errors import ArgumentError
from memwiki.facts.value import CORE, category_of, status_of, validity
from memwiki.files.usage_log import timings_of
from memwiki.index.cards.entries import EntryCard, EntryCards, EntryGroup
from memwiki.markdown.entries import is_template_text
from memwiki.markdown.tags import with_parents
from memwiki.memory.addresses import PageOutlines
from memwiki.memory.view import entities_of, entry_name, views_of
from memwiki.names import fold, normalised, require_text, stem_of
from memwiki.records import NamedTuple, grouped
from memwiki.scope import Scope
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading, used_reading

_STATUSES = ("", "active", "staged", "superseded")


class EntryFilter(NamedTuple):
    """Which entries are meant; what is empty is not asked for."""

    types: Sequence[str] = ()
    category: str = ""
    tags: Sequence[str] = ()
    key_prefix: str = ""
    status: str = ""  # active, staged, superseded; "" for all but superseded
    fields: Mapping[str, str] = {}  # by their names in files; "" for any value
    since: str = ""
    until: str = ""


def list_entries(live: LiveIndex, wanted: EntryFilter, limit: int | None) -> EntryList:
    """The entries that a filter lets through, newest first; UsageError for a day that is none."""
    require_text(
        "entry list", *wanted.types, *wanted.tags, wanted.key_prefix, *wanted.fields.values()
    )
    context = live.context
    today = local_day(context.clock())
    bounds = "", ""
    if wanted.since or wanted.until:
        from memwiki.times.asked import day_bound  # what is known is listed without

        bounds = day_bound("since", wanted.since, today), day_bound("until", wanted.until, today)
    with used_reading(live) as view:
        cards = EntryCards(view.stores.cards.db)
        groups = [
            group for group in cards.groups() if passes(group.card, wanted, view.scope, bounds)
        ]
        if wanted.status not in _STATUSES and not groups:
            hint = "use {status:active}, {status:staged} or {status:superseded}"
            raise ArgumentError("status", wanted.status, "no entry has this status", hint)
        views = views_of(context, view.stores)
        pages = PageOutlines(context)
        located = filter(None, map(pages.of, _newest(cards, groups, limit)))
        shown = tuple(map(views.of, located))
        return EntryList(shown, cards.count(groups), view.freshness.fresh)


def _newest(
    cards: EntryCards, groups: Sequence[EntryGroup], limit: int | None
) -> Iterator[EntryCard]:
    """The entries, newest first, those of one date by path and line."""

    def date(group: EntryGroup) -> str:
        return date_of_card(group.card)

    whole, left, last = list[EntryGroup](), limit, list[EntryGroup]()
    for _, same in groupby(sorted(groups, key=date, reverse=True), key=date):
        last = [*same]
        if left is not None and left < (count := cards.count(last)):
            break
        left = None if left is None else left - count
        whole += last
    else:
        last = []
    yield from sorted(cards.located(whole), key=date_of_card, reverse=True)
    yield from islice(cards.located(last, is_begun=True), left)


def _begins(key: str, start: str) -> bool:
    return not start or normalised("NFC", key).startswith(normalised("NFC", start))


def passes(
    card: EntryCard, wanted: EntryFilter, scope: Scope, bounds: tuple[str, str] = ("", "")
) -> bool:
    """Whether a filter lets an entry through."""
    status = status_of(card.fields, is_struck=False)
    since, until = bounds
    day = day_here(date_of_card(card))
    tags = {fold(part) for tag in card.tags for part in with_parents(tag)} if wanted.tags else set()
    return (
        scope.sees(card.path)
        and (not wanted.types or card.type in map(fold, wanted.types))
        and {fold(tag.lstrip("#")) for tag in wanted.tags} <= tags
        and _begins(card.fields.get("key", ""), wanted.key_prefix)
        and (status == wanted.status if wanted.status else status != "superseded")
        and all(value in ("", card.fields.get(name, "")) for name, value in wanted.fields.items())
        and wanted.category in ("", category_of(card.path, scope.layers, card.page_type))
        and (not since or (bool(day) and day >= since))
        and (not until or (bool(day) and day <= until))
    )


def date_of_card(card: EntryCard) -> str:
    """The date that an entry says, else the one of its page's name; "" for none."""
    fields = card.fields
    return fields.get("updated") or fields.get("created") or date_in(stem_of(card.path))


def core_entries(live: LiveIndex, limit: int | None) -> EntryList:
    """The entries of memory and learnings that hold, the most important first; without examples
    that a template wrote."""
    found = list_entries(live, EntryFilter(category=CORE), None)
    today = local_day(live.context.clock())
    own = [
        each
        for each in found.entries
        if not (is_template_text(each.text) or validity(each.fields, today, today))
    ]
    own.sort(key=lambda each: (-each.importance, -each.value))
    return EntryList(tuple(own[:limit]), len(own), found.fresh)


def tags_with_entries(live: LiveIndex, prefix: str) -> list[tuple[str, tuple[str, ...]]]:
    """The tags of entries that begin so, each with the ids of its entries (`path:line` of those
    without one)."""
    start = fold(prefix.lstrip("#"))
    tagged = ((tag, card) for tag, card in _tagged(live) if fold(tag).startswith(start))
    found = grouped((tag, entry_name(card.path, card)) for tag, card in tagged)
    return sorted((tag, tuple(ids)) for tag, ids in found.items())


def entity_counts(live: LiveIndex) -> dict[str, int]:
    """How many entities the entries with each tag name."""
    attributes = live.context.config.memory.entity_attributes
    found: dict[str, set[str]] = {}
    for tag, card in _tagged(live):
        found.setdefault(tag, set()).update(map(fold, entities_of("", card.fields, attributes)))
    return {tag: len(entities) for tag, entities in sorted(found.items())}


def _tagged(live: LiveIndex) -> list[tuple[str, EntryCard]]:
    """Each tag of each entry in force."""
    with reading(live) as view:
        cards = EntryCards(view.stores.cards.db).all()
        seen = (card for card in cards if passes(card, EntryFilter(), view.scope))
        return [(tag, card) for card in seen for tag in card.tags]


def metrics(live: LiveIndex) -> Metrics:
    """The memories in force, and the last recalls of all processes."""
    found = list_entries(live, EntryFilter(), None)
    timings = timings_of(live.context.root)
    times = sorted(each.ms for each in timings)
    return Metrics(
        memories=dict(Counter(each.type for each in found).most_common()),
        average_importance=_average([each.importance for each in found]),
        never_recalled=_average([not each.recalls for each in found]),
        recalls=len(times),
        p50_ms=percentile(times, 50),
        p99_ms=percentile(times, 99),
        cache_hit_rate=_average([each.is_cached for each in timings]),
        fresh=found.fresh,
    )


def percentile(rising: Sequence[float], percent: int) -> float | None:
    """The least of the values that so many percent do not exceed; None of none."""
    return rising[max(ceil(len(rising) * percent / 100), 1) - 1] if rising else None


def _average(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
