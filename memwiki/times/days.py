"""The days that a question names: as numbers, with the name of a month, or in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta

from memwiki.dates import MONTHS, named_day
from memwiki.records import NamedTuple
from memwiki.text import pattern
from memwiki.times.chinese import COUNT, chinese_times, number_of
from memwiki.times.english import english_times
from memwiki.times.periods import FoundTime, Period, in_units

_YEAR = pattern(r"[12]\d{3}")  # in all that is written
# No amount: `1999 EUR`, `2000 requests` (but `2024 goals`, and `in 1848 troops came`).
_AMOUNT = (
    r"\d{4} ?(?:EUR|USD|GBP|CHF|k?cal|k?m|k?g|m[gl])\b|(?:1[0-8]\d\d|2000|2[1-9]\d\d) [a-z]+s\b"
)
_NUMBERS = pattern(
    rf"(?<![\w$€£¥-])(?:(?<=[Ii]n )|(?<=[Oo]f )|(?<=[Ss]ince )|(?!{_AMOUNT}))"
    r"[12]\d{3}(?:-\d{1,2}){0,2}(?![\w%€£-])"
)
_CHINESE = pattern(r"(?<!\d)([12]\d{3})年(?:(1[0-2]|0?[1-9])月(?:份|(\d{1,2})[日号])?)?")
_MONTH = "|".join(f"{name}|{name[:3]}" for name in MONTHS)
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_ENGLISH = pattern(
    rf"\b(?:{_DAY} (?:of )?)?({_MONTH}|sept)\.?(?: {_DAY})?,? (?:of )?([12]\d{{3}})(?![\w-])",
    re.IGNORECASE,
)
# A day of a month without its year; of `may` and `march`, which are verbs, too, only with `3rd`.
_NO_YEAR = pattern(
    rf"(?<![\w.:/])(\d{{1,2}})((?:st|nd|rd|th)?)(?: of)? ({_MONTH}|sept)\b"
    rf"|\b({_MONTH}|sept)\b\.? (?:the )?(\d{{1,2}})((?:st|nd|rd|th)?)(?![\w:%]|[.,]\d)",
    re.IGNORECASE,
)
_IN_CJK = pattern(rf"(?<![\d年每])({COUNT}) ?[月월] ?({COUNT}) ?[日号號일]")
_VERBS = ("may", "mar", "march")
# A month alone, of `may` and `march`, which are verbs, too, with a capital, and behind a word that
# a person of that name seldom has; of `12月龄`, `9月以前`, `近6月` and `周一月度` nothing.
_MONTH_ALONE = pattern(
    r"\b(?i:in|during|this|last|since|early|late|mid|(?:end|start|beginning|middle) of)[ -]"
    rf"(March|May|(?i:{'|'.join(each for each in MONTHS if each not in ('March', 'May'))}))"
    r"\b(?!\.? (?:the )?\d)"
)
_CJK_MONTH = pattern(
    r"(?<![\d年每/近去-])(1[0-2]|[1-9]) ?"
    r"(?:月(?:份|[初底末]|[上中下]旬)?(?![龄齡前后後以之饼餅度])|월(?!요일))"
    r"|(?<![每年同])(十[一二]?|[一二三四五六七八九])月(?:份|[初底末]|[上中下]旬)"
)
_LEAP_YEARS = 9  # years to go back to a 29 February


# Words of Japanese and Korean, each row from so many units back. They are read and never rewritten:
# a wrong one falsifies nothing that is stored.
_EASTERN = {
    word: (count, unit)
    for unit, first, words in (
        ("day", -2, "그저께 어제 오늘 내일 모레"),
        ("week", -2, "先々週 先週 今週 来週 再来週"),
        ("week", -1, "지난주 이번주 다음주"),
        ("month", -2, "先々月 先月 今月 来月 再来月"),
        ("month", -1, "지난달 이번달 다음달"),
        ("year", -2, "一昨年 昨年"),
        ("year", -1, "작년 올해 내년"),
        ("year", 1, "来年 再来年"),
    )
    for count, word in enumerate(words.split(), first)
}
# Behind a Korean one stands a particle at most: 다음 주에, and no 다음 주문.
_IN_EASTERN = pattern(
    r"(?:先々|再来|[先今来])[週月]|(?:一昨|昨|再来|来)年(?!度)"
    r"|(?<![가-힣])(?:그저께|어제|오늘|내일|모레|작년|올해|내년|(?:지난|이번|다음) ?[주달])"
    r"(?=[에의은는도부까](?!사)|[^가-힣]|\Z)"
)
_KANA_OR_HANGUL = pattern("[\u3041-\u3096\u30a1-\u30fa가-힣]")


_SINCE = pattern(r"\b(?:since|after(?! tomorrow))\b|以来|以后|之后|至今|[从自].*起")
_FROM_TO = pattern(r"\b(?:from|between)\b|从|到|至")
_BEFORE = pattern(r"\b(?:before(?! yesterday)|until|till)\b|以前|之前")


class Days(NamedTuple):
    """The first and the last day of a time."""

    first: date
    last: date

    def end(self, today: date) -> date:
        """The last of these days where they are over, else the end of all days."""
        return self.last if self.last < today else date.max

    def distance(self, day: date) -> int:
        """Days from a day to the nearest one of these."""
        return max((self.first - day).days, (day - self.last).days, 0)


def days_in(text: str, today: date) -> tuple[Days, ...]:
    """The times that a text names, in whole days; times in words are counted from today."""
    return tuple(dict.fromkeys(filter(None, _find(text, today))))


def asked_of(text: str, days: Sequence[Days], today: date) -> Days:
    """The days of which a question asks that names these: in them, since or before; else today."""
    if not days:
        return Days(today, today)
    first, last = days[0]
    if len(days) > 1 and _FROM_TO.search(text):
        return Days(min(each.first for each in days), max(each.last for each in days))
    if _SINCE.search(text):
        return Days(first, max(last, today))
    return Days(date.min, first - timedelta(days=1)) if _BEFORE.search(text) else days[0]


def has_days(text: str, today: date) -> bool:
    """Whether a text names any time."""
    return any(_find(text, today))


def says_year_and_month(text: str) -> bool:
    """Whether a text names a time so that it is the same whenever it is read."""
    if not _YEAR.search(text):
        return False
    chinese = (match[2] for match in _CHINESE.finditer(text))
    numbers = ("-" in number for number in _NUMBERS.findall(text))
    return bool(_ENGLISH.search(text)) or any(chinese) or any(numbers)


def _find(text: str, today: date) -> Iterator[Days | None]:
    yield from _written_days(text, today)
    # The end of the day: what is hours ago is today's.
    now = datetime.combine(today, time(23, 59))
    yield from (_of_period(each.period) for each in _in_words(text, now))


def _in_words(text: str, now: datetime) -> Iterator[FoundTime]:
    yield from chinese_times(text, now)
    yield from english_times(text, now)
    if text.isascii() or not (_KANA_OR_HANGUL.search(text) or _IN_EASTERN.fullmatch(text)):
        return
    for match in _IN_EASTERN.finditer(text):
        with suppress(OverflowError):
            period = in_units(now, *_EASTERN[match[0].replace(" ", "")])
            yield FoundTime(*match.span(), period)


def without_days(text: str, today: date) -> str:
    """What a text says beside such times."""
    now = datetime.combine(today, time(23, 59))
    for each in tuple(_in_words(text, now)):
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    for written in (_CHINESE, _ENGLISH, _NUMBERS, _NO_YEAR, _IN_CJK, _MONTH_ALONE, _CJK_MONTH):
        text = written.sub(" ", text)
    return text


def _written_days(text: str, today: date) -> Iterator[Days | None]:
    """What is said without today; a month or day of a year takes the year along."""
    if not _YEAR.search(text):
        return
    for match in _CHINESE.finditer(text):
        yield _of_numbers(*match.groups())
    rest = _CHINESE.sub(" ", text)
    for match in _ENGLISH.finditer(rest):
        before, name, behind, year = match.groups()
        yield _of_numbers(year, str(month_of(name)), before or behind)
    for number in _NUMBERS.findall(_ENGLISH.sub(" ", rest)):
        first = named_day(number, today, is_end=False)
        last = named_day(number, today, is_end=True)
        yield Days(first, last) if first and last else None


def days_of_no_year(text: str, today: date) -> tuple[Days, ...]:
    """The days that a text names by month and day alone, else its months without a day: of each the
    last one, today included."""
    found = list[Days | None]()
    if "月" in text or "월" in text:
        for match in _IN_CJK.finditer(text):
            found.append(_nearest(number_of(match[1]), number_of(match[2]), today))
    if any(map(str.isdecimal, text)):
        for before, nth, of, name, behind, th in _NO_YEAR.findall(text):
            if nth or th or (of or name) not in _VERBS:
                found.append(_nearest(month_of(of or name), int(before or behind), today))
    return tuple(dict.fromkeys(filter(None, found or _months_alone(text, today))))


def _months_alone(text: str, today: date) -> Iterator[Days | None]:
    numbers = [month_of(name) for name in _MONTH_ALONE.findall(text)]
    if "月" in text or "월" in text:
        numbers += (number_of(digits or name) for digits, name in _CJK_MONTH.findall(text))
    for number in numbers:
        yield _of_numbers(str(today.year - (number > today.month)), str(number), None)


def month_of(name: str) -> int:
    """The number of a month, by its name or how that begins."""
    return [each[:3].lower() for each in MONTHS].index(name[:3].lower()) + 1


def _nearest(month: int, day: int, today: date) -> Days | None:
    for year in range(today.year, max(today.year - _LEAP_YEARS, 0), -1):
        with suppress(ValueError):
            if (found := date(year, month, day)) <= today:
                return Days(found, found)
    return None


def _of_numbers(year: str, month: str | None, day: str | None) -> Days | None:
    try:
        first = date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return None
    if day:
        return Days(first, first)
    return _of_period(Period(first, "month" if month else "year"))


def _of_period(period: Period) -> Days | None:
    """A week begins on Monday; None for what ends beyond the calendar."""
    day, unit = period.day, period.unit
    try:
        if unit == "month":
            end = named_day(day.isoformat()[:7], day, is_end=True)
            return Days(day.replace(day=1), end or day)
        if unit == "year":
            return Days(date(day.year, 1, 1), date(day.year, 12, 31))
        if unit in ("week", "weekend"):
            monday = day - timedelta(days=day.weekday())
            first = 5 if unit == "weekend" else 0
            return Days(monday + timedelta(days=first), monday + timedelta(days=6))
    except OverflowError:
        return None
    return Days(day, day)
