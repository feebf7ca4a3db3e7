"""Days, weeks, months and years counted from a moment, and clock times within a part of a day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from types import MappingProxyType

from memwiki.records import NamedTuple

_TO_END = timedelta(hours=23, minutes=59)  # of a day
Hours = tuple[int, int]  # the first and the last hour of a part of the day


class Period(NamedTuple):
    """A day, or the week, weekend, month or year that it lies in."""

    day: date
    unit: str = "day"
    rest: str = ""  # of a day: the clock time, or the part of it in words


class FoundTime(NamedTuple):
    """Where a text says a time in words, and which one it means."""

    start: int
    end: int
    period: Period
    forms: Mapping[str, str] = MappingProxyType({})  # how a unit is written, where it has words


def in_units(now: datetime, count: int, unit: str) -> Period:
    """The period that lies so many units ahead, or back; OverflowError beyond the calendar.

    Midnight to the second stands for a day whose hour nobody told: hours ago is that day, too.
    """
    if unit in ("hour", "minute"):
        moment = now + timedelta(**{f"{unit}s": count})
        if now.time() == time.min:
            return Period((moment + _TO_END if count < 0 else moment).date())
        return Period(moment.date(), rest=f"{moment:%H:%M}")
    if unit in ("day", "week"):
        return Period(now.date() + timedelta(**{f"{unit}s": count}), unit)
    months = now.year * 12 + now.month - 1 + count * (12 if unit == "year" else 1)
    year = months // 12
    if not date.min.year <= year <= date.max.year:
        raise OverflowError(year)
    return Period(date(year, months % 12 + 1, 1), unit)


def calendar_week(now: datetime, count: int, unit: str = "week") -> Period:
    """A week that begins on Monday, or its weekend: 0 is this one, 1 the next."""
    weekday = 5 if unit == "weekend" else 0
    return Period(weekday_of(now, count, weekday).day, unit)


def weekday_of(now: datetime, weeks: int, weekday: int) -> Period:
    """A day, Monday is 0, of a calendar week."""
    return Period(now.date() + timedelta(days=7 * weeks + weekday - now.weekday()))


def nearest_weekday(now: datetime, weekday: int, *, is_past: bool) -> Period:
    """The last such day before today, or the first after it."""
    step = -1 if is_past else 1
    days = step * (weekday - now.weekday()) % 7 or 7
    return Period(now.date() + timedelta(days=step * days))


def clock_time(hour: int, minute: int, hours: Hours | None) -> str:
    """A clock time within a part of the day, as `20:00`; "" when it can be none of these hours."""
    if hour < 0 or not 0 <= minute <= 59:
        return ""
    meant = (hour, hour + 12, hour - 12 if hour == 12 else 24)
    least, most = hours or (0, 23)
    fitting = next((each for each in meant if least <= each <= most), 24)
    return f"{fitting:02}:{minute:02}" if fitting < 24 else ""


def write_period(period: Period, forms: Mapping[str, str]) -> str:
    """A period as it is written into a text."""
    first = period.day.weekday() if period.unit == "week" else 0
    day = (period.day - timedelta(days=first)).isoformat()
    plain = {"month": day[:7], "year": day[:4]}.get(period.unit, day)
    text = forms.get(period.unit, "{}").format(plain)
    return f"{text} {period.rest}".rstrip()
