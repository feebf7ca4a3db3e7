"""A time that is asked for as a person or a model tells it: 2026-11, 2w, yesterday, 上周, the last
three days, Monday, November."""

from __future__ import annotations

import re
from datetime import date, timedelta

from memwiki.dates import MONTHS, iso_date, named_day
from memwiki.errors import ArgumentError
from memwiki.text import pattern, simplified

_MAX_CHARACTERS = 60
_AROUND = pattern(
    r"(?:(?:since|from|on|until|till|by|in(?= the | \w+$)) |[从從自])?(?:the )?"
    r"(.*?)(?:以[来來]|至今|起|份)?[ .,。，]*\Z",
    re.IGNORECASE,
)
_SPAN = pattern(
    r"(?:(last|past|previous) )?([0-9]{1,4} ?|[a-z]{1,9} )?"
    r"(h|hours?|d|days?|w|weeks?|m|months?|y|years?)(?: ago)?",
    re.IGNORECASE,
)
_CHINESE_SPAN = pattern(
    r"(最近|过去|近)?这?([0-9]{1,3} ?|[一二两三四五六七八九十]{1,3})"
    r"(个月|个?(?:小时|天|周|星期|年))[之以]?[前内]?"
)
_UNITS = dict(zip("小天周星月年", "hdwwmy", strict=True))
_WEEKDAY = pattern(
    r"(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?|(?:周|星期|礼拜)([一二三四五六日天])",
    re.IGNORECASE,
)
_DAYS = "montuewedthufrisatsun"
_MONTH = pattern(r"(last )?([a-z]{3,9})|([0-9一二三四五六七八九十]{1,2})月", re.IGNORECASE)


def day_bound(name: str, text: str, today: date) -> str:
    """The day that `since` or `until` means, "" for none; ArgumentError when it is no day."""
    if not text:
        return ""
    day = asked_day(text, today, is_end=name == "until")
    if day is None:
        hint = f"for example {{{name}:2026-09-01}}, {{{name}:2w}} or {{{name}:yesterday}}"
        raise ArgumentError(name, text, "not a day", hint)
    return day.isoformat()


def asked_day(text: str, today: date, *, is_end: bool) -> date | None:
    """The first or the last day of a time; None when it is none."""
    text = " ".join(text.split()) if len(text) <= _MAX_CHARACTERS else ""
    if found := named_day(text, today, is_end=is_end):
        return found
    if written := iso_date(text)[:10]:
        return named_day(written, today, is_end=is_end)
    said = _AROUND.sub(r"\1", text)
    told = simplified(said)
    if told.lower() in ("now", "现在"):
        return today
    return (
        _span(told, today, is_end=is_end)
        or _weekday(told, today)
        or _month(told, today, is_end=is_end)
        or _in_words(told, today, is_end=is_end)
        or _in_words(said, today, is_end=is_end)  # Japanese ones have no other characters: 先週
    )


def _span(text: str, today: date, *, is_end: bool) -> date | None:
    """So long ago; what the last days are ends today. Last week is one of the calendar."""
    match = _SPAN.fullmatch(text) or _CHINESE_SPAN.fullmatch(text)
    if match is None or not (match[2] or (match[1] or "").lower() == "past"):
        return None
    count, first = _count(match[2] or "1"), match[3].removeprefix("个")[0].lower()
    unit = _UNITS.get(first, first)
    if unit == "h":
        count, unit = (count + 23) // 24, "d"
    ago = named_day(f"{count}{unit}", today, is_end=False) if count > 0 else None
    return today if ago and is_end and match[1] else ago


def _count(text: str) -> int:
    from memwiki.times.chinese import number_of
    from memwiki.times.english import NUMBERS

    said = text.strip().lower()
    return NUMBERS.get(said) or number_of(said)


def _weekday(text: str, today: date) -> date | None:
    """The last such day, today included."""
    match = _WEEKDAY.fullmatch(text)
    if match is None:
        return None
    english, chinese = match.groups()
    number = _DAYS.index(english.lower()) // 3 if english else "一二三四五六日".find(chinese)
    return today - timedelta(days=(today.weekday() - number) % 7)


def _month(text: str, today: date, *, is_end: bool) -> date | None:
    """The last such month, the one of today included where it is not called the last."""
    match = _MONTH.fullmatch(text)
    if match is None:
        return None
    last, name, number = match.groups()
    named = (at for at, each in enumerate(MONTHS, 1) if each.lower().startswith(name.lower()))
    month = _count(number) if number else next(named, 0)
    if not 1 <= month <= 12:
        return None
    is_earlier = month > today.month or (last and month == today.month)
    return named_day(f"{today.year - bool(is_earlier):04}-{month:02}", today, is_end=is_end)


def _in_words(text: str, today: date, *, is_end: bool) -> date | None:
    """A time that is nothing else than one that a question may name."""
    from memwiki.times.days import days_in, days_of_no_year, without_days

    # With a capital, as `may` and `march` are no verbs here.
    days = days_in(text, today) or days_of_no_year(text.title(), today)
    if len(days) != 1 or re.search(r"\w", without_days(text, today)):
        return None
    return days[0].last if is_end else days[0].first
