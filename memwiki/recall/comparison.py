"""Comparing the value of a field with one that is asked for, as numbers, dates or text."""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import date
from math import isfinite, nan
from typing import Any, NamedTuple

from memwiki.dates import iso_date, named_day
from memwiki.names import fold

_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_LONGEST = 40  # characters of a number or date; longer ones are text


class Comparison(NamedTuple):
    """A sign and a value: `< 2024` is before the year, `> 2024` after its end, `<= 2024` to its
    end. What is neither a number nor a date fits no number or date."""

    sign: str
    text: str
    number: float | None
    first: date | None
    last: date | None

    def fits(self, value: str) -> bool:
        """Whether a value of the field fits."""
        compare = _ORDERS[self.sign]
        number = _number(value)
        if self.number is not None and number is not None:
            return compare(number, self.number)
        bound = self.last if self.sign in (">", "<=") else self.first
        if bound:
            day = _day(value, is_end=False)
            return day is not None and compare(day, bound)
        return self.number is None and compare(fold(value.strip()), fold(self.text))


def comparison(sign: str, text: str) -> Comparison:
    """What a value is compared with, read once."""
    days = (_day(text, is_end=is_end) for is_end in (False, True))
    return Comparison(sign, text.strip(), _number(text), *days)


def _number(text: str) -> float | None:
    try:
        number = float(text) if len(text) <= _LONGEST else nan
    except ValueError:
        return None
    return number if isfinite(number) else None


def _day(text: str, *, is_end: bool) -> date | None:
    """The first or last day of a date, a month or a year."""
    written = iso_date(text)[:10] if len(text) <= _LONGEST else ""
    return named_day(written, date.min, is_end=is_end)
