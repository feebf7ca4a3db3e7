"""The channel of days: what was written in the days that a question names, or names one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import cached_property
from itertools import chain, islice
from math import inf

from memwiki.dates import day_here, named_day
from memwiki.index.keyword.tokens import query_terms
from memwiki.index.units import UnitKey, hits_of
from memwiki.markdown.entries import FIELD
from memwiki.recall.bm25 import holding_all
from memwiki.recall.channels import (
    LOOKED_AT,
    AnswerIndex,
    Passage,
    RankedUnit,
    Scores,
    passages_of,
)
from memwiki.recall.filters import Conditions
from memwiki.times.days import Days

_MAX_CHARACTERS = 800  # characters of a memory in which a day is looked for
_MAX_DAYS = 3  # times that a question names
_MAX_READ = 1_000  # units that have the numbers of a day, which is looked for in their text
_WEEK, _MONTH = 7, 31  # days
_NAMED_NOW, _WRITTEN_NOW = 0.25, 0.1  # of what days tell where it is asked what to do in them


class DaysChannel:
    """What was written in these days, or names one of them, may answer whatever it says."""

    def __init__(
        self,
        index: AnswerIndex,
        days: tuple[Days, ...],
        conditions: Conditions,
        *,
        is_of_now: bool = False,
    ) -> None:
        self._index, self._days, self._conditions = index, days, conditions
        self._is_of_now = is_of_now
        self._named = [day.isoformat() for each in days for day in _each_day(each)]

    @property
    def is_asked(self) -> bool:
        """Whether the question names days, and these count beside its words."""
        return bool(self._days)

    @property
    def terms(self) -> list[str]:
        """By which a line that names one of the days is known, as a heading of a diary."""
        return query_terms(" ".join(self._named[:_MAX_DAYS]))

    def weight(self, *, names_one: bool) -> float:
        """How much it tells of a text that one of the days is named in it, or that it was written
        then: of a year little, as of the days in which something is to be done."""
        if self._is_of_now:
            return _NAMED_NOW if names_one else _WRITTEN_NOW
        longest = max(((days.last - days.first).days for days in self._days), default=0)
        return 1.0 if names_one else min(1.0, _MONTH / max(longest, 1))

    def at_their_days(self, rows: Iterable[RankedUnit]) -> Iterator[RankedUnit]:
        """The units, of a page that names one of the days the part in which it does: a diary in one
        page has a heading for each."""
        naming = {key.hit: key for key in self._naming if key.is_block}
        for row in rows:
            yield row._replace(key=naming.get(row.key.hit, row.key)) if row.key.is_block else row

    def find(self, found: Scores) -> Scores:
        """The first units of these days besides those of the hits that were found."""
        known = hits_of(found)
        added: dict[bytes, UnitKey] = {}
        written = (self._written_in(days) for days in self._days[:_MAX_DAYS])
        for key in chain(self._naming, *written):
            if key.hit not in known and self._conditions.passes(key):
                added.setdefault(key.hit, key)
        return dict.fromkeys(islice(added.values(), LOOKED_AT), 1.0)

    def distance(self, written: str) -> float:
        """The days since it was written, or to the nearest day that the question names; endless
        for what says no day."""
        today = self._index.today
        day: date | None = named_day(day_here(written), today, is_end=False)
        if day is None:
            return inf
        return min((days.distance(day) for days in self._days), default=(today - day).days)

    def are_named_in(self, passage: Passage) -> bool:
        """Whether a text names one of these days, as `add` writes them."""
        most = None if passage.key.is_block else _MAX_CHARACTERS  # a diary has a heading for each
        said = FIELD.sub("", passage.said[:most]) if self._named else ""
        return any(day in said for day in self._named)

    @cached_property
    def _naming(self) -> Sequence[UnitKey]:
        """The units that name one of the days."""
        snapshot = self._index.snapshot
        held = (holding_all(snapshot, day.split("-")) for day in self._named)
        keys = islice(map(UnitKey, snapshot.keys(set[int]().union(*held))), _MAX_READ)
        read = passages_of(keys, self._index.lookup, self._index.texts)
        naming = (key for key, passage in read.items() if self.are_named_in(passage))
        return [*islice(naming, LOOKED_AT)]

    def _written_in(self, days: Days) -> Iterator[UnitKey]:
        first, last = days.first.isoformat(), days.last.isoformat()
        found = self._index.filters.written_within(first, last)
        for page in sorted(found.pages)[:LOOKED_AT]:
            keys = self._index.lookup.unit_keys(page)
            yield from (key for key in keys if key not in found.excluded)
        yield from map(UnitKey, sorted(found.units)[:LOOKED_AT])


def _each_day(days: Days) -> Iterator[date]:
    """The days of a week or less; a longer time is named by no day of it."""
    count = (days.last - days.first).days + 1
    return (days.first + timedelta(at) for at in range(count if count <= _WEEK else 0))
