"""Numbers, dates and times of day in a text, in figures or in words."""

from __future__ import annotations

import re

from memwiki.facts.identity import ZH_DIGITS

COUNTS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred "
    "thousand million billion dozen half once twice single double triple first second third fourth "
    "fifth sixth seventh eighth ninth tenth last".split()
)
MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
DATES = MONTHS | frozenset(
    "monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow tonight "
    "morning noon afternoon evening night am pm weekday weekdays weekend weekends".split()
)
ZH_COUNT = re.compile(
    f"(?:[周週]|星期|礼拜)[{ZH_DIGITS}日天末]|[{ZH_DIGITS}]{{2,}}|[{ZH_DIGITS.replace('一', '')}]"
    "|[今明昨前后去]天|[今明去前]年|[上本下]周|[上下][个個]?月|[上下中]午|早上|晚上"
)
THOUSAND = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_HALF_DAY = 720
_CLOCK = re.compile(
    r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?(?: ?(?P<half>[ap])\.?m\b\.?| ?o clock\b)?"
    r"(?: (?:utc|gmt|cet)\b)?"
)
_CLOCK_ZH = re.compile(
    rf"(?:凌晨|早上|上午|中午|下午|晚上|傍晚)?(?P<hour>\d{{1,2}}|[{ZH_DIGITS}]{{1,3}})[点點时]钟?"
    rf"(?:(?P<half>半)|(?P<quarter>一刻)|(?P<minute>\d{{1,2}}|[{ZH_DIGITS}]{{1,3}})分?)?整?"
)
_NOON = re.compile(r"\bnoon\b|正午")
_COUNTED_ZH = re.compile(rf"[{ZH_DIGITS[:13]}]{{1,3}}(?=[月日号楼层岁])")
_ZH_VALUES = {digit: at for at, digit in enumerate("零一二三四五六七八九十")} | {"两": 2, "〇": 0}


def with_plain_numbers(text: str) -> str:
    """A normalised text with times of day as minutes of half a day (`9 am`, `9:00`, 上午九点), and
    numbers in one form: `1,200`, 三月."""
    text = _NOON.sub("12:00", THOUSAND.sub("", text))
    text = _CLOCK_ZH.sub(_plain_time_zh, _CLOCK.sub(_plain_time, text))
    return _COUNTED_ZH.sub(lambda match: str(_number(match[0])), text)


def _plain_time(match: re.Match[str]) -> str:
    if not (match["minute"] or match[0] != match["hour"]):
        return match[0]
    minutes = int(match["hour"]) * 60 + int(match["minute"] or 0)
    return f"{minutes % _HALF_DAY}m"


def _plain_time_zh(match: re.Match[str]) -> str:
    minute = 30 if match["half"] else 15 if match["quarter"] else _number(match["minute"] or "0")
    return f"{(_number(match['hour']) * 60 + minute) % _HALF_DAY}m"


def _number(text: str) -> int:
    """The value of figures, or of Chinese ones up to 99."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    value = _ZH_VALUES.get(ones, 0)
    return value + 10 * (_ZH_VALUES.get(tens, 1) if ten else 0)
