"""Dates as people and tools write them and ask for them, read into ISO 8601."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from memwiki.text import pattern

_MAX_CHARACTERS = 200
_KNOWN_DATES = 1_000  # that are kept, as pages of one day have the same
_YEAR_OR_MONTH = pattern(r"\d{4}(?:-(?:0[1-9]|1[0-2]))?\Z")
_EPOCH = pattern(r"\d{9,10}\Z|\d{12,13}\Z")
_NAME_DATE = pattern(r"(?<!\d)([12]\d{3})[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)")
_NAME_IN_CJK = pattern(
    r"([12]\d{3}) ?[年년] ?(1[0-2]|0?[1-9]) ?[月월] ?(3[01]|[12]\d|0?[1-9]) ?[日일]"
)
_ASKED_FOR = pattern(r"([0-9]{4})(?:-([0-9]{1,2}))?")
_AGO = pattern(r"([0-9]+)([dwmy])", re.IGNORECASE)
ISO = "%Y-%m-%d"  # how days are written where nothing else is said
MONTHS = (
    "January February March April May June July August September October November December"
).split()
_MONTH = rf"({'|'.join(month[:3] for month in MONTHS)})[a-z]{{0,6}}\.?,?"
_WEEKDAY = r"(?![오上下午])(?:[^\W\d_]{1,3}|[A-Za-z]{3,6}day)"  # no half of a day
_CLOCK = (
    rf"(?:,? ?\(?{_WEEKDAY}\)?)?"
    r"(?:(?:T|[ _,]{1,3})(\d{1,2})(:\d\d(?::\d\d(?:\.\d{1,20})?)?)(?: ?([ap])\.?m\.?)?"
    r" ?(?:(?:UTC|GMT)(?=[+-]))?(z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?"
    r"(?: ?[(\[][^()\[\]]{1,60}[)\]])?)?\Z"
)
# A day in words may have its weekday before it.
_IN_WORDS = rf"(?:{_WEEKDAY}\.?,? )?"
_FORMS = tuple(
    (order, pattern(day + _CLOCK, re.IGNORECASE))
    for order, day in (
        ("ymd", r"(\d{4})[-/. 年년] ?(\d{1,2})[-/. 月월] ?(\d{1,2})[.日일]?"),
        ("ymd", r"(\d{4})(\d\d)(\d\d)"),
        # 25/12/2024 can only be day first; everything else is read the American way.
        ("mdy", r"(0?\d|1[0-2])/(\d{1,2})/(\d{4})"),
        ("dmy", r"(\d{1,2})/(\d{1,2})/(\d{4})"),
        ("dmy", r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})"),
        ("dmy", r"(1[3-9]|2\d|3[01])-(\d{1,2})-(\d{4})"),
        ("dmy", rf"{_IN_WORDS}(\d{{1,2}})(?:st|nd|rd|th|\.)? {_MONTH} (\d{{4}})"),
        ("mdy", rf"{_IN_WORDS}{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})"),
    )
)
_IDENTIFIER = pattern(  # of a note in a Zettelkasten, by the minute or second; of templates
    r"([12]\d{3}(-?)(?:0[1-9]|1[0-2])\2(?:0[1-9]|[12]\d|3[01]))[ T]?"
    r"([01]\d|2[0-3])([0-5]\d)([0-5]\d)?\Z"
)
_LINKED = pattern(r"\[\[(?:[^\[\]|]*/)?([^\[\]|/]*)(?:\|[^\[\]]*)?\]\]\Z")


def date_in(name: str) -> str:
    """The first date in a file name, `2026-11-21`, `2026_11_21`, `20261121` or 2026年11月21日, as
    an ISO date."""
    found = _NAME_DATE.search(name) or (not name.isascii() and _NAME_IN_CJK.search(name))
    return "{}-{:0>2}-{:0>2}".format(*found.groups()) if found else ""


def iso_date(text: str) -> str:
    """The ISO form of a written date or time (aware ones in UTC), "" when it cannot be read."""
    return _read(text) if 0 < len(text) <= _MAX_CHARACTERS else ""


def day_here(written: str) -> str:
    """The day of an ISO date; of a moment in UTC the one that it has where the person is."""
    if not written.endswith("Z"):
        return written[:10]
    try:
        return datetime.fromisoformat(written).astimezone().date().isoformat()
    except (ValueError, OverflowError, OSError):
        return written[:10]


@lru_cache(_KNOWN_DATES)
def _read(text: str) -> str:
    text = text.strip(" \t\n\r'\"<>")
    if text.startswith("[["):
        text = _LINKED.sub(r"\1", text)
    if _YEAR_OR_MONTH.match(text):
        return text
    if match := _IDENTIFIER.match(text):
        text = f"{match[1]} {match[3]}:{match[4]}:{match[5] or '00'}"
    try:
        return _moment(text) or _epoch(text)
    except (ValueError, OverflowError, OSError):
        return ""


def _moment(text: str) -> str:
    found = next(((order, m) for order, form in _FORMS if (m := form.match(text))), None)
    if found is None:
        return ""
    order, match = found
    *parts, hour, minutes, half, zone = match.groups()
    day = _day(**dict(zip(order, parts, strict=True)))
    if not hour:
        return day
    if half:
        hour = f"{int(hour) % 12 + 12 * (half in 'pP')}"
    zone = "Z" if zone and zone.isalpha() else zone or ""
    moment = datetime.fromisoformat(f"{day}T{hour:>02}{minutes}{zone}")
    return _in_utc(moment) if moment.tzinfo else moment.isoformat(timespec="seconds")


def _day(y: str, m: str, d: str) -> str:
    if not m.isdecimal():
        m = f"{[month[:3] for month in MONTHS].index(m.title()) + 1}"
    return date(int(y), int(m), int(d)).isoformat()


def _epoch(text: str) -> str:
    if not _EPOCH.match(text):
        return ""
    seconds = int(text) / (1000 if len(text) > 10 else 1)
    return _in_utc(datetime.fromtimestamp(seconds, UTC))


def _in_utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def in_words(text: str) -> str:
    """An ISO date as people ask for it, such as `8 May 2023`; "" for anything else."""
    match = re.match(r"(\d{4})-(\d\d)-(\d\d)", text)
    if not match or not 1 <= int(match[2]) <= 12:
        return ""
    return f"{int(match[3])} {MONTHS[int(match[2]) - 1]} {match[1]}"


def named_day(text: str, today: date, *, is_end: bool) -> date | None:
    """A day, a month, a year or an age such as `2w`; None when it is none of these."""
    try:
        if match := _AGO.fullmatch(text):
            return _back(today, int(match[1]), match[2].lower())
        if match := _ASKED_FOR.fullmatch(text):
            return _edge(int(match[1]), int(match[2] or 0), is_end=is_end)
        return date.fromisoformat(text.partition("T")[0])
    except (ValueError, OverflowError):
        return None


def _back(today: date, count: int, unit: str) -> date:
    if unit in "dw":
        return today - timedelta(days=count * (7 if unit == "w" else 1))
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "y" else 1)
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(today.day, _last_day(year, month)))


def _edge(year: int, month: int, *, is_end: bool) -> date:
    """First or last day of a year, or of a month."""
    if not is_end:
        return date(year, month or 1, 1)
    return date(year, month or 12, _last_day(year, month or 12))


def _last_day(year: int, month: int) -> int:
    if not (date.min.year <= year <= date.max.year and 1 <= month <= 12):
        raise ValueError(year, month)
    from calendar import monthrange  # brings the locales along, and few questions name a month

    return monthrange(year, month)[1]
