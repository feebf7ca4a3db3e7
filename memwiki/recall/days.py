"""The channel of time: what was written in the days that a question names, and how long ago."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import islice
from math import inf

from memwiki.dates import named_day
from memwiki.index.units import UnitKey, hits_of
from memwiki.recall.channels import LOOKED_AT, AnswerIndex, Scores
from memwiki.recall.filters import Conditions
from memwiki.times.days import Days

_MAX_DAYS = 3  # times that a question names


class DaysChannel:
    """What was written in these days may answer whatever it says."""

    def __init__(self, index: AnswerIndex, days: tuple[Days, ...], conditions: Conditions) -> None:
        self._index, self._days, self._conditions = index, days, conditions

    @property
    def is_asked(self) -> bool:
        """Whether the question names days, and these count beside its words."""
        return bool(self._days)

    def find(self, found: Scores) -> Scores:
        """The first units of these days besides those of the hits that were found."""
        known = hits_of(found)
        added: dict[bytes, UnitKey] = {}
        for days in self._days[:_MAX_DAYS]:
            for key in self._written_in(days):
                if key.hit not in known and self._conditions.passes(key):
                    added.setdefault(key.hit, key)
        return dict.fromkeys(islice(added.values(), LOOKED_AT), 1.0)

    def distance(self, written: str) -> float:
        """The days since it was written, or to the nearest day that the question names; endless
        for what says no day."""
        today = self._index.today
        day: date | None = named_day(written[:10], today, is_end=False)
        if day is None:
            return inf
        return min((days.distance(day) for days in self._days), default=(today - day).days)

    def _written_in(self, days: Days) -> Iterator[UnitKey]:
        first, last = days.first.isoformat(), days.last.isoformat()
        found = self._index.filters.written_within(first, last)
        for page in sorted(found.pages)[:LOOKED_AT]:
            keys = self._index.lookup.unit_keys(page)
            yield from (key for key in keys if key not in found.excluded)
        yield from map(UnitKey, sorted(found.units)[:LOOKED_AT])
