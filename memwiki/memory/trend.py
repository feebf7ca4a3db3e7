"""How the memory grew: what was made and recalled week by week, and which types and tags it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from memwiki.answers.entries import Trend, TrendPeriod
from memwiki.clock import local_day
from memwiki.dates import date_in, day_here, iso_date, named_day
from memwiki.errors import UsageError
from memwiki.files.usage_log import MAX_TRAILS
from memwiki.index.cards.entries import EntryCard, EntryCards
from memwiki.index.cards.lookup import Card
from memwiki.index.graph import tag_counts
from memwiki.memory.listing import EntryFilter, passes
from memwiki.memory.usage import recall_days
from memwiki.names import stem_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import used_reading

UNITS = {"week": 26, "month": 24, "year": 20}  # how many of each are shown at most
_MIN_PERIODS = 8
_MAX_NAMES = 12
_NO_TYPE = "no type"


def trend(live: LiveIndex, unit: str = "") -> Trend:
    """What was made and recalled in each unit of time; without one the smallest that reaches back
    to the first page or memory. Raises UsageError for a word that is none."""
    if unit and unit not in UNITS:
        raise UsageError(f"{unit}: is no unit of time", f"one of {', '.join(UNITS)}")
    with used_reading(live) as view:
        recalls = recall_days(live, view)
        sees, lookup = view.scope.sees, view.lookup
        # Only so many are kept; how many of those are not shown is said to nobody.
        is_part = live.context.is_public or bool(view.scope.layers.namespaces)
        is_all = len(recalls) < MAX_TRAILS and not is_part
        cards = EntryCards(view.stores.cards.db)
        seen = (each for each in cards.groups() if passes(each.card, EntryFilter(), view.scope))
        return _trend(
            [card for card in lookup.cards() if sees(card.path)],
            [group.card for group in seen for _ in range(cards.count([group]))],
            recalls,
            {row.tag: row.count for row in tag_counts(x for x in lookup.all_tags() if sees(x[0]))},
            local_day(live.context.clock()),
            unit,
        )._replace(
            recalls_since="" if is_all or not recalls else min(recalls).isoformat(),
            fresh=view.freshness.fresh,
        )


def _trend(
    cards: Sequence[Card],
    memories: Sequence[EntryCard],
    recalls: Sequence[date],
    tags: Mapping[str, int],
    today: date,
    unit: str,
) -> Trend:
    said = {card.path: _day(card.created or card.written, card.path, today) for card in cards}
    pages = [said[card.path] or local_day(card.mtime_ns) for card in cards]
    dated = [day for each in memories if (day := _day_made(each, today) or said.get(each.path))]
    first = min((*pages, *dated, *recalls), default=today)
    unit = unit or next((each for each in UNITS if first >= _starts(each, today)[0]), "year")
    periods = _periods(unit, today, pages, dated, recalls)
    start = date.fromisoformat(periods[0].start)
    return Trend(
        unit=unit,
        periods=periods,
        earlier_pages=sum(day < start for day in pages),
        earlier_memories=sum(day < start for day in dated),
        pages_by_file_time=sum(day is None for day in said.values()),
        undated_memories=len(memories) - len(dated),
        recalls_since="",
        page_types=_commonest(Counter(card.type or _NO_TYPE for card in cards)),
        memory_types=_commonest(Counter(each.type or _NO_TYPE for each in memories)),
        tags=_commonest(tags),
    )


def _day_made(memory: EntryCard, today: date) -> date | None:
    fields = memory.fields
    return _day(fields.get("created") or fields.get("updated", ""), memory.path, today)


def _day(text: str, path: str, today: date) -> date | None:
    """The day that a text says, else the name of a page; of one to come it is today."""
    day = named_day(day_here(iso_date(text)) or date_in(stem_of(path)), today, is_end=False)
    return day and min(day, today)


def _periods(unit: str, today: date, *days: Sequence[date]) -> tuple[TrendPeriod, ...]:
    """The periods up to today, without empty ones before the first, unless there were too few."""
    counts = [Counter(_start(unit, day) for day in each) for each in days]
    starts = _starts(unit, today)
    first = next((at for at, day in enumerate(starts) if any(each[day] for each in counts)), 99)
    shown = starts[min(first, len(starts) - _MIN_PERIODS) :]
    return tuple(TrendPeriod(day.isoformat(), *(each[day] for each in counts)) for day in shown)


def _starts(unit: str, today: date) -> list[date]:
    starts = [_start(unit, today)]
    while len(starts) < UNITS[unit]:
        starts.append(_start(unit, starts[-1] - timedelta(days=1)))
    return starts[::-1]


def _start(unit: str, day: date) -> date:
    """The first day of the week, month or year in which a day is."""
    if unit == "week":
        return date.fromordinal(max(day.toordinal() - day.weekday(), 1))
    return day.replace(day=1, month=day.month if unit == "month" else 1)


def _commonest(counts: Mapping[str, int]) -> Mapping[str, int]:
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return dict(rows[:_MAX_NAMES])
