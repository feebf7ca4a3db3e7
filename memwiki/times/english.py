"""English words for times: what each means, counted from now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime

from memwiki.text import CJK, has_chinese, pattern
from memwiki.times.periods import (
    FoundTime,
    Hours,
    Period,
    calendar_week,
    clock_time,
    in_units,
    nearest_weekday,
    weekday_of,
)

FORMS = {"week": "the week of {}", "weekend": "the weekend of {}"}

_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1, "tonight": 0, "last night": -1}
_BEYOND = {"before yesterday": -2, "after tomorrow": 2}
_WHICH = {"last": -1, "this": 0, "next": 1}
_WEEKDAY_NAMES = (
    "monday mon|tuesday tues tue|wednesday weds wed|thursday thurs thu|friday fri|saturday sat"
    "|sunday sun"
)
_WEEKDAYS = {
    name: number for number, names in enumerate(_WEEKDAY_NAMES.split("|")) for name in names.split()
}
_ALSO_WORDS = frozenset({"wed", "sat", "sun"})  # these are days when they begin with a capital
_PARTS: dict[str, Hours] = {
    "morning": (1, 11),
    "afternoon": (12, 19),
    "evening": (16, 23),
    "night": (18, 23),
}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SMALL = (
    "a one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
NUMBERS = {word: max(1, number) for number, word in enumerate(_SMALL)} | {"an": 1}
NUMBERS |= {tens: 20 + 10 * number for number, tens in enumerate(_TENS)}

_GAP = r"[ \t]{1,3}"


def _any(words: list[str]) -> str:
    return "|".join(sorted((word.replace(" ", _GAP) for word in words), key=len, reverse=True))


_WEEKDAY = _any(list(_WEEKDAYS))
_COUNT = rf"\d{{1,3}}|(?:{_any(_TENS)})[- ](?:{_any(_SMALL[1:10])})|{_any(list(NUMBERS))}"
_COARSE = r"days?|weeks?|months?|years?"
_CLOCK = (
    r"(?P<{0}at>at[ \t]{{1,3}})?(?:(?P<{0}hour>\d{{1,2}})(?::(?P<{0}minute>\d\d))?"
    r"(?:[ \t]?(?P<{0}half>[ap])(?:m|\.m\.)|(?P<{0}full>[ \t]?o['’]clock))?|(?P<{0}noon>noon))"
)
_NOT_BEFORE = rf"(?<![^\W{CJK}])(?<![/\\.$#@^&%=+\[~-])"
_NOT_BEHIND = (
    rf"(?![^\W{CJK}]|::|[/\\$@=~\u0300-\u036f-]|[.:]\w|['’](?!s(?![\w\u0300-\u036f]))\w"
    rf"|{_GAP}of(?!\w)|{_GAP}or{_GAP}(?:two|so|more|less)(?!\w)|{_GAP}but{_GAP}one(?!\w)"
    rf"|{_GAP}week(?![\w'’])|(?<=sunday){_GAP}(?:school|times))"
)
_NOT_IN_NUMBER = r"(?<!:)(?<!\d[,’' –—~])"  # 1,500 years ago
_NO_RANGE = rf"(?![\w%]|[.:]\w|{_GAP}(?:to|until|till){_GAP}|[ \t]?[-–—][ \t]?\d)"
_TIME = pattern(
    rf"{_NOT_BEFORE}(?:(?P<first>{_CLOCK.format('a_')}(?:,?{_GAP})(?:on{_GAP})?))?"
    rf"(?P<day>(?:the{_GAP})?day{_GAP}(?P<beyond>before{_GAP}yesterday|after{_GAP}tomorrow)"
    rf"|(?P<near>{_any(list(_DAYS))})"
    rf"|this{_GAP}(?P<this_part>morning|afternoon|evening)"
    rf"|(?:the{_GAP}|this{_GAP})?(?P<nearest>past|coming){_GAP}(?P<nearest_day>{_WEEKDAY})"
    rf"|(?P<which>last|this|next){_GAP}(?:(?P<unit>weekend|week|month|year)|(?P<weekday>{_WEEKDAY}))"
    rf"|(?P<day_of_week>{_WEEKDAY}),?{_GAP}(?:of{_GAP})?(?P<week>last|this|next){_GAP}week"
    rf"|{_NOT_IN_NUMBER}(?P<ago>{_COUNT}){_GAP}(?P<ago_unit>hours?|minutes?|{_COARSE}){_GAP}ago"
    rf"(?!{_GAP}(?:{_any(list(_DAYS))}))"
    rf"|in{_GAP}(?P<in>{_COUNT}){_GAP}(?P<in_unit>{_COARSE})(?P<own>['’]s?{_GAP}time)?"
    rf"|{_NOT_IN_NUMBER}(?P<from>{_COUNT}){_GAP}(?P<from_unit>{_COARSE}){_GAP}from{_GAP}(?:now|today))"
    rf"(?P<in_part>{_GAP}(?:in{_GAP}the{_GAP})?(?P<part>morning|afternoon|evening|night)(?!\w))?"
    rf"(?P<then>,?{_GAP}{_CLOCK.format('b_')}{_NO_RANGE})?{_NOT_BEHIND}",
    re.IGNORECASE,
)
# One of these is in every time; compiling what finds them takes 10 ms (2026-11-22).
_HINT = pattern(
    r"day|night|morrow|morning|noon|evening|week|month|year|hour|minute"
    r"|(?:last|this|next|past|coming)[ \t]{1,3}(?:mon|tue|wed|thu|fri|sat|sun)",
    re.IGNORECASE,
)
# What stands in front and makes another thing of it: "half a year ago", "from 8 to 9 tomorrow".
_LARGER = pattern(r"(?<![A-Za-z0-9])(?:half|and|or|to|than|hundred|thousand)[ \t]+$", re.IGNORECASE)
_SPAN = pattern(r"(?<![A-Za-z0-9])the[ \t]+$", re.IGNORECASE)
_RANGE = pattern(r"(?:[-–—]|(?<![A-Za-z0-9])(?:to|and|until|till)[ \t])[ \t]*$", re.IGNORECASE)
# USA Today, the song Yesterday
_NAME = pattern(r"(?:(?<![A-Za-z0-9])[A-Z][A-Za-z0-9]*|[a-z0-9])[ \t]$")
# No day at all: the youth of today, a better tomorrow, here today and gone tomorrow. What else is
# of a day is of that one: the report of yesterday.
_NO_DAY_BEFORE = pattern(
    r"(?<![A-Za-z0-9])(?:(?:world|youth|society|generations?|leaders?|children|kids|teen(?:ager)?s)"
    r"[ \t]of[ \t]+(?:yesterday|today|tomorrow)|(?:(?:promises?|hopes?|dreams?|house|home|city"
    r"|cities|schools?|workplace|cars?|technolog(?:y|ies)|(?:wo)?men|people|citizens|heroes|stars"
    r"|doctors|engineers|scientists|teachers)[ \t]of|(?:an?|the|our|your|my|their)[ \t]"
    r"(?:better|brighter)|no|today,?[ \t](?:and[ \t])?gone)[ \t]+tomorrow)$",
    re.IGNORECASE,
)
_NO_DAY_BEHIND = pattern(
    r",?[ \t](?:and[ \t])?gone[ \t]tomorrow|[ \t](?:never[ \t](?:comes|dies|ends|knows)"
    r"|is[ \t](?:another[ \t]day|an?[ \t](?:song|film|movie|novel|book|album|play)))(?!\w)"
    r"|(?-i:[ \t]Shows?|(?<=Yesterday)[ \t](?:Once|once)[ \t](?:More|more))(?!\w)"
    r"|['’]s[ \t](?:youth|world|society|generations?|age|era|times|standards|technology"
    r"|teen(?:age)?s|kids)(?!\w)",
    re.IGNORECASE,
)
# How long something took or takes, and how often it is: "learned it in 3 days".
_LASTING_WORDS = (
    "done took take takes built wrote made did won ran read learnt grew lost had was were can "
    "could per each every usually always often once twice times only"
).split()
_LASTING = pattern(
    r"(?P<end>[.;:!?](?!\S)|\n)|(?<![A-Za-z0-9])(?!wed(?![a-z]))"
    rf"(?:[A-Za-z]{{1,20}}ed|{_any(_LASTING_WORDS)})(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_ANNIVERSARY = pattern(r"(?<![A-Za-z0-9])ago[ \t]+$", re.IGNORECASE)  # a year ago today
_STANDS = pattern(
    r"(?<![a-z])(?:about|after|before|by|during|for|from|in|into|of|on|since|through|till|to|until"
    r"|with|within|cover(?:s|ed)?|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6})"
    r"[ \t]+$",
    re.IGNORECASE,
)
_BEFORE = 80


class _Clauses:
    """Whether the clauses of a text say how long or how often, asked for in order."""

    def __init__(self, text: str) -> None:
        self._marks = _LASTING.finditer(text)
        self._mark = next(self._marks, None)
        self._is_lasting = False

    def is_lasting(self, at: int) -> bool:
        """Whether the clause says so before this place."""
        while self._mark and self._mark.start() < at:
            self._is_lasting = not self._mark["end"]
            self._mark = next(self._marks, None)
        return self._is_lasting


def may_say_times(text: str) -> bool:
    """Whether a text, or a part of it, may say a time in words; cheap."""
    return _HINT.search(text) is not None or has_chinese(text)


def english_times(text: str, now: datetime) -> Iterator[FoundTime]:
    """The times that a text says in English words, in order."""
    if not _HINT.search(text):
        return
    clauses, done, at = _Clauses(text), 0, 0
    while match := _TIME.search(text, at):
        start, at = match.span("day")
        before = text[max(done, start - _BEFORE) : start]
        if match["in"] and not match["own"] and clauses.is_lasting(start):
            continue
        period = None
        if _is_time(match, before):
            with suppress(OverflowError):
                period = _counted_period(match, now) or _named_period(match, now)
        if period:
            found = _find(match, period, before)
            yield found
            done = at = found.end


def _find(match: re.Match[str], period: Period, before: str) -> FoundTime:
    start, end = match.span("day")
    if period.unit != "day":
        return FoundTime(start, end, period, _forms(match, before))
    night = "night" if (match["near"] or "").lower().endswith("night") else ""
    part = (match["part"] or match["this_part"] or night).lower()
    end = max(end, match.end("in_part"))
    clock = _clock(match, "b_", part)
    if clock:
        end = match.end("then")
    elif clock := _first_clock(match, part):
        start = match.start("first")
    return FoundTime(start, end, period._replace(rest=clock or part or period.rest), FORMS)


def _forms(match: re.Match[str], before: str) -> Mapping[str, str]:
    """How a time longer than a day is written: "in five years" is "in 2030", and so is "next year"
    where nothing in front or behind says how it stands."""
    text, (start, end) = match.string, match.span("day")
    is_told = text.startswith(("'", "’"), end) or end - start == len(text) or _STANDS.search(before)
    if not match["in"] and (is_told or not match["which"]):
        return FORMS
    word = "In" if match["day"][0].isupper() else "in"
    return FORMS | dict.fromkeys(("month", "year"), f"{word} {{}}")


def _is_time(match: re.Match[str], before: str) -> bool:
    if match["near"]:
        is_name = match["near"][0].isupper() and _NAME.search(before)
        is_none = _NO_DAY_BEHIND.match(match.string, end := match.end("near"))
        if not match.string.startswith(("'s", "’s"), end):
            is_none = is_none or _NO_DAY_BEFORE.search(before + match["near"])
        if is_name or is_none or _ANNIVERSARY.search(before):
            return False
    weekday = match["weekday"] or match["nearest_day"] or match["day_of_week"]
    words = match["day"].removeprefix("the ")
    # Last Week Tonight, This Week in Rust, The Day After Tomorrow; days have capitals anyway.
    if " " in words and words.istitle() and (not weekday or _NAME.search(before)):
        return False
    if weekday in _ALSO_WORDS or (match["which"] and _SPAN.search(before)):
        return False
    return not ((match["ago"] or match["from"]) and _LARGER.search(before))


def _counted_period(match: re.Match[str], now: datetime) -> Period | None:
    for group, sign in (("ago", -1), ("in", 1), ("from", 1)):
        if match[group]:
            unit = match[f"{group}_unit"].lower().removesuffix("s")
            return in_units(now, sign * _number(match[group]), unit)
    return None


def _named_period(match: re.Match[str], now: datetime) -> Period:
    if days := match["near"] or match["beyond"]:
        return in_units(now, (_DAYS | _BEYOND)[" ".join(days.lower().split())], "day")
    if match["nearest"]:
        is_past = match["nearest"].lower() == "past"
        return nearest_weekday(now, _WEEKDAYS[match["nearest_day"].lower()], is_past=is_past)
    if match["week"]:
        weekday = _WEEKDAYS[match["day_of_week"].lower()]
        return weekday_of(now, _WHICH[match["week"].lower()], weekday)
    if match["which"]:
        return _which(match, now, _WHICH[match["which"].lower()])
    return Period(now.date())


def _which(match: re.Match[str], now: datetime, count: int) -> Period:
    if match["unit"]:
        unit = match["unit"].lower()
        is_week = unit in ("week", "weekend")
        return calendar_week(now, count, unit) if is_week else in_units(now, count, unit)
    weekday = _WEEKDAYS[match["weekday"].lower()]
    # "Last" is the one just past; "next" is not "this", but the one of the week after.
    if count < 0:
        return nearest_weekday(now, weekday, is_past=True)
    return weekday_of(now, count, weekday)


def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    return sum(NUMBERS[word] for word in text.lower().replace("-", " ").split())


def _first_clock(match: re.Match[str], part: str) -> str:
    before = match.string[max(0, match.start() - _BEFORE) : match.start()]
    return "" if _RANGE.search(before) else _clock(match, "a_", part)


def _clock(match: re.Match[str], prefix: str, part: str) -> str:
    """The clock time of one place; "" where it may be in the morning or in the evening."""
    if match[f"{prefix}noon"]:
        return "12:00" if match[f"{prefix}at"] else ""
    if not match[f"{prefix}hour"]:
        return ""
    hour, minute = int(match[f"{prefix}hour"]), match[f"{prefix}minute"]
    if half := match[f"{prefix}half"]:
        if part == "night" and half.lower() == "a":
            return ""  # of that day, or of the next
        hours = (12, 23) if half.lower() == "p" else (0, 11)
        return clock_time(hour, int(minute or 0), hours) if 1 <= hour <= 12 else ""
    if not minute and not (part and (match[f"{prefix}at"] or match[f"{prefix}full"])):
        return ""
    return clock_time(hour, int(minute or 0), _PARTS.get(part))
