"""A slot is what has one value at a time, such as where somebody lives; two values of one may
contradict each other."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import takewhile
from typing import NamedTuple

from memwiki.facts.identity import ZH_DIGITS
from memwiki.memory.judgement.slot_words import TOOLS, WIDE_PLACES


class Sort(StrEnum):
    """What a value is; values of two sorts are rarely of one slot."""

    NUMBER = "number"
    CLOCK = "clock"
    DAY = "day"
    DATE = "date"
    NAME = "name"
    WORD = "word"
    THING = "thing"  # "the side entrance": another one of the kind is the main entrance
    STATE = "state"
    DESCRIPTION = "description"


TIMES = (Sort.CLOCK, Sort.DAY, Sort.DATE)
_NAMING = {Sort.NAME, Sort.WORD}
_MOST_WORDS = 8  # of a value; a Chinese character is one
# What these bring in belongs to one of two values alone: it may hold there and not elsewhere.
_SCOPES = frozenset(
    "for with without during by as to from because on in at under over per between than".split()
)
_PLACES = frozenset("in at on near under opposite behind from".split())
_FEWEST_LETTERS = 4  # of a name that is the start of another one: postgres, postgresql
_HALF_DAY = 720
_CLOCK = re.compile(
    r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?(?: ?(?P<half>[ap])\.?m\b\.?| ?o clock\b)?"
)
_CLOCK_ZH = re.compile(
    rf"(?:凌晨|早上|上午|中午|下午|晚上|傍晚)?(?P<hour>\d{{1,2}}|[{ZH_DIGITS}]{{1,3}})[点點时]钟?"
    rf"(?:(?P<half>半)|(?P<quarter>一刻)|(?P<minute>\d{{1,2}}|[{ZH_DIGITS}]{{1,3}})分?)?整?"
)
_NOON = re.compile(r"\bnoon\b|正午")
THOUSAND = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_COUNTED_ZH = re.compile(rf"[{ZH_DIGITS[:13]}]{{1,3}}(?=[月日号楼层岁])")
_ZH_VALUES = {digit: at for at, digit in enumerate("零一二三四五六七八九十")} | {"两": 2, "〇": 0}


class Slot(NamedTuple):
    """The value a slot has by a text; `relation` may be a preposition of the value."""

    key: str  # whose, and what of it
    value: tuple[str, ...]
    sort: Sort
    relation: str = ""


def is_other_value(one: Slot, other: Slot) -> bool:
    """Whether two values of one slot cannot both be meant: of one sort, and neither says more."""
    if one.sort is Sort.STATE or other.sort is Sort.STATE:
        return one.sort is other.sort and one.value != other.value
    if Sort.DESCRIPTION in (one.sort, other.sort) or not _are_of_one_sort(one, other):
        return False
    mine, theirs = _differing(one.value, other.value)
    if not (mine and theirs) or max(len(mine), len(theirs)) > _MOST_WORDS:
        return False
    shares_words = one.sort in _NAMING and bool({*mine} & {*theirs})
    if shares_words or _SCOPES & {*mine, *theirs}:
        return False
    return not (_is_one_name(mine, theirs) or _are_of_two_kinds(one.value, other.value))


def _are_of_one_sort(one: Slot, other: Slot) -> bool:
    relations = {one.relation, other.relation}
    if len(relations) > 1 and relations <= _PLACES and one.sort not in TIMES:
        return False
    if one.sort is Sort.THING is other.sort:
        return one.value[-1] == other.value[-1]
    if one.sort is Sort.NUMBER is other.sort:
        return _unit(one.value) == _unit(other.value)
    return one.sort is other.sort or {one.sort, other.sort} <= _NAMING


def _unit(value: tuple[str, ...]) -> set[str]:
    return {word for word in value if not has_number(word)}


def has_number(word: str) -> bool:
    """Whether a word has a figure, or is a Chinese one."""
    return any(map(str.isdecimal, word)) or word in ZH_DIGITS


def _differing(
    one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is left of two values without the words both begin and end with."""
    start = sum(1 for _ in takewhile(_is_pair, zip(one, other, strict=False)))
    one, other = one[start:], other[start:]
    end = sum(1 for _ in takewhile(_is_pair, zip(one[::-1], other[::-1], strict=False)))
    return one[: len(one) - end], other[: len(other) - end]


def _is_pair(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


def _is_one_name(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether one is a short form of the other: Postgres, NYC, the start of a name."""
    short, long = sorted(("".join(one), "".join(other)), key=len)
    if long.startswith(short) and (len(short) >= _FEWEST_LETTERS or not short.isascii()):
        return True
    few, many = sorted((one, other), key=len)
    initials = "".join(word[0] for word in many)
    is_single = len(few) == 1 < len(many) and few[0].isascii()
    return is_single and len(few[0]) <= _FEWEST_LETTERS and few[0].startswith(initials)


def _are_of_two_kinds(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether a country meets a town, or a language a database."""
    texts = [_joined(value) for value in (one, other)]
    if len({text in WIDE_PLACES for text in texts}) > 1:
        return True
    kinds = {TOOLS.get(text, TOOLS.get(text.split()[0])) for text in texts}
    return len(kinds) > 1 and None not in kinds


def _joined(value: tuple[str, ...]) -> str:
    return " ".join(value) if value and value[0].isascii() else "".join(value)


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
