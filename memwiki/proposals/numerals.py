"""The numbers that a text says, in figures and in words, in one form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

from memwiki.facts.identity import ZH_DIGITS
from memwiki.index.keyword.tokens import normalise
from memwiki.judgement.lexicon import THOUSAND, ZH_VALUES, any_of
from memwiki.patterns import pattern
from memwiki.times.english import NUMBERS

_ORDINALS = "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "k": 1000}
_ZH_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}
_VALUES = (
    {word: number for word, number in NUMBERS.items() if word not in ("a", "an")}
    | {word: number for number, word in enumerate(_ORDINALS, 3)}
    | {"first": 1, "second": 2, "twice": 2, "dozen": 12}
    | _SCALES
)
_WORD = any_of(word for word in _VALUES if word != "k")
_SPOKEN = pattern(
    rf"(?<![a-z])(?:{_WORD})(?:(?:[ -]|(?<=hundred) and )(?:{_WORD})){{0,9}}(?![a-z])"
)
_FIGURES = pattern(
    rf"([0-9]+(?:\.[0-9]+)*)(?:[ -]?({any_of(_SCALES)})(?![a-z])|([十百千万亿]{{1,3}}))?"
)
_CHINESE = pattern(f"[{ZH_DIGITS}]{{1,20}}")
# Words that hold a number and say none: 一起, 十分, "one of them".
_NO_NUMBER = pattern(
    r"(?<![a-z-])(?:one|first)(?![a-z]| (?:hundred|[mb]illion|thousand))"
    r"|百分之|千万|万一|万分|百般|再三|一一|四[处周面]|十分(?![钟之])"
    rf"|(?<![{ZH_DIGITS}0-9])一(?![{ZH_DIGITS}])"
)


def numbers_in(text: str) -> frozenset[str]:
    """All numbers of a text, `2500` for 2,500, "two thousand five hundred" and 两千五百."""
    plain = THOUSAND.sub("", normalise(text).lower())
    found = set(_in_figures(plain))
    words = _FIGURES.sub(" ", plain)
    for run in _SPOKEN.findall(words):
        found.update(map(str, _spoken(re.findall(r"[a-z]+", run.replace(" and ", " ")))))
    if not words.isascii():
        found.update(map(_chinese, _CHINESE.findall(words)))
    return frozenset(found)


def stated_numbers(text: str) -> frozenset[str]:
    """The numbers that a text states, without words that only look like one."""
    return numbers_in(_NO_NUMBER.sub(" ", normalise(text).lower()))


def _in_figures(plain: str) -> Iterator[str]:
    for figures, scale, chinese in _FIGURES.findall(plain):
        whole, *rest = figures.split(".")
        number = ".".join([whole.lstrip("0") or "0", *rest])
        if len(rest) == 1:
            number = number.rstrip("0").rstrip(".")
        yield _scaled(number, [scale, *chinese]) if len(rest) < 2 else number


def _scaled(number: str, scales: Iterable[str]) -> str:
    known = _SCALES | _ZH_SCALES
    factors = [known[scale] for scale in scales if scale]
    if not factors:
        return number
    value = Decimal(number)
    for factor in factors:
        value *= factor
    return f"{value.normalize():f}"


def _spoken(words: Iterable[str]) -> Iterator[int]:
    """The numbers of a run of words: one for "two hundred five", two for "two three"."""
    whole = part = 0
    for value in map(_VALUES.__getitem__, words):
        if value >= 1000:
            whole, part = whole + max(part, 1) * value, 0
        elif value == 100:
            part = max(part, 1) * value
        elif part and not _follows(part, value):
            yield whole + part
            whole, part = 0, value
        else:
            part += value
    yield whole + part


def _follows(part: int, value: int) -> bool:
    """Whether a number is the rest of one that began: twenty-one, a hundred twelve."""
    return part % 100 == 0 or (value < 10 and part % 10 == 0 and part % 100 >= 20)


def _chinese(run: str) -> str:
    """两千三百五 is 2350, 二〇二三 is 2023."""
    if not set(run) & _ZH_SCALES.keys():
        return "".join(str(ZH_VALUES[sign]) for sign in run).lstrip("0") or "0"
    whole = section = digit = 0
    scale = 1
    for sign in run:
        if sign not in _ZH_SCALES:
            digit, scale = ZH_VALUES[sign], scale if ZH_VALUES[sign] else 1
            continue
        scale = _ZH_SCALES[sign]
        if scale >= 10_000:
            whole, section, digit = (whole + section + digit or 1) * scale, 0, 0
        else:
            section, digit = section + (digit or 1) * scale, 0
    return str(whole + section + digit * max(scale // 10, 1))
