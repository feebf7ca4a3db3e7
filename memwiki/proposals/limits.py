"""Of how much a sentence says something: of all, with which exceptions, and in which unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from memwiki.index.keyword.tokens import normalise, stem
from memwiki.patterns import pattern
from memwiki.proposals.beside import Likest, clause_lines, content_of, in_words, sentences

_UNIVERSAL = pattern(
    r"\b(?:always|entirely|every\w*|exactly|identical(?:ly)?|completely|whatever)\b"
    "|完全|所有|全部|总是|一律",
    re.IGNORECASE,
)
_OF_ALL = pattern(
    rf"{_UNIVERSAL.pattern}|\b(?:all|any\w*|each|entire|exact|fully|in general|whole)\b"
    "|每|都|任何|全|完整",
    re.IGNORECASE,
)
_ALL = frozenset(map(stem, "all any each every entire whole always".split()))
_WHOLE_ZH = pattern("整个(.{2})")
_WHOLE = frozenset(map(stem, ("entire", "whole")))
_PASSED_OVER = frozenset("of the your our these those their its other such".split())
_MIN_LIKE = 0.6  # of the tokens of a sentence, that it is told after another one
# A limit of a clause, and what of a clause that is told after it says so; of their tokens.
_LIMITS = tuple(
    (pattern(rf"(?<!\S)(?:{limit})(?!\S)"), pattern(rf"(?<!\S)(?:{kept})(?!\S)"))
    for limit, kept in (
        (
            "(?<!read )onli|mere|sole|exclus|仅|只(?! 读)",
            "onli|mere|sole|exclus|just|alon|limit|restrict|unless|except|not|no"
            "|只(?! 读)|[仅限才除不非单]",
        ),
        (
            "except|unless|other than|apart from|除(?= .*外)|除 非",
            "except|unless|but|other|without|not|no|if|apart|[除仅只不非外若]",
        ),
        ("by default|默 认", "default|unless|usual|normal|默|缺 省|除 非"),
    )
)
_MIN_SAME = 0.75  # of the tokens of a clause, that it is another one told again
_CONDITIONAL = frozenset("if when whenever unless where while under with without 若 如 当".split())
_UNDER = pattern("\\A(?:在.{1,16}[下时中]|当.{1,30}时)\\Z")
_SENTENCE = pattern(r"[.!?;](?=\s|\Z)|[。；！？\n]")
_UNITS = (
    "ms millisecond milliseconds 毫秒",
    "s sec secs second seconds 秒",
    "min mins minute minutes 分钟",
    "h hr hrs hour hours 小时",
    "day days 天 日",
    "week weeks 周",
    "month months 月 个月",
    "year years 年",
    "bit bits 比特 位",
    "b byte bytes 字节",
    "kb kib",
    "mb mib",
    "gb gib",
    "tb tib",
    "% percent",
    "px pixel pixels 像素",
    "mm",
    "cm",
    "m metre metres meter meters 米",
    "km kilometre kilometres kilometer kilometers 公里",
    "g gram grams 克",
    "kg kilogram kilograms 公斤 千克",
)
_UNIT_OF = {word: row.split()[0] for row in _UNITS for word in row.split()}
_AMOUNT = pattern(
    r"(?<![\w.])([0-9][0-9.,]*)[ -]?("
    + "|".join(sorted(_UNIT_OF, key=len, reverse=True))
    + r")(?![a-z0-9])"
)


def over_general(text: str, told: str) -> str:
    """That something holds for all, where the lines say it of nothing as a whole."""
    said = _UNIVERSAL.search(text)
    if said is None or _OF_ALL.search(told):
        return ""
    return f"it says {said[0].lower()}, and no cited line does"


def generalised(text: str, told: str) -> str:
    """That something holds for all of what the lines say it of some."""
    known = [*sentences(told)]
    for tokens in sentences(text):
        for at, each in enumerate(tokens):
            if each in _ALL and (thing := _thing(tokens[at + 1 :])):
                places = [(s, n) for s in known for n, word in enumerate(s) if word == thing]
                is_all = any(_ALL & {*s[max(n - 4, 0) : n]} for s, n in places)
                if not is_all and (places or each in _WHOLE):
                    said = in_words(f"{each} {thing}", text)
                    return f"it says {said}, and no cited line does"
    whole = _WHOLE_ZH.search(text)
    return f"it says {whole[0]}, and no cited line does" if whole and whole[1] not in told else ""


def _thing(tokens: Sequence[str]) -> str:
    return next((each for each in tokens[:3] if each not in _PASSED_OVER), "")


def left_out(pairs: Sequence[Likest], text: str, told: str) -> str:
    """A limit of the clause that one is told after, which the text has not."""
    whole = " ".join(chain.from_iterable(sentences(text)))
    for pair in pairs:
        theirs = " ".join(pair.theirs)
        for limit, kept in _LIMITS if pair.like >= _MIN_LIKE else ():
            if (found := limit.search(theirs)) and not kept.search(whole):
                return f"it leaves out {in_words(found[0], told)}"
    return ""


def limited(pairs: Sequence[Likest], told: str) -> str:
    """That something is only so, where the sentence that one is told after says it plainly."""
    only, kept = _LIMITS[0]
    whole = " ".join(chain.from_iterable(sentences(told)))
    for pair in pairs:
        found = only.search(" ".join(pair.mine)) if pair.like >= _MIN_LIKE else None
        if found and not kept.search(whole):
            return "it says only, and no cited line does"
    return ""


def without_condition(pairs: Sequence[Likest], text: str, told: str) -> str:
    """A condition under which the lines say something, and the text says it as it is."""
    mine = frozenset(chain.from_iterable(sentences(text)))
    if mine & _CONDITIONAL:
        return ""
    for line in _SENTENCE.split(told):
        first, *rest = sentences(clause_lines(line)) or ((),)
        is_condition = first and (first[0] in _CONDITIONAL or _UNDER.search("".join(first)))
        is_told = any(pair.theirs in rest and pair.like >= _MIN_SAME for pair in pairs)
        if is_condition and is_told and mine.isdisjoint(content_of(first)):
            return "it leaves out a condition"
    return ""


def other_unit(text: str, told: str) -> str:
    """An amount in another unit than in the lines."""
    known = [*_amounts(told)]
    numbers = {number for number, _ in known}
    for number, unit in _amounts(text):
        if number in numbers and (number, unit) not in known:
            return f"it says {number} {unit}, and no cited line does"
    return ""


def _amounts(text: str) -> Iterator[tuple[str, str]]:
    for number, unit in _AMOUNT.findall(normalise(text).casefold()):
        yield number.rstrip(".,"), _UNIT_OF[unit]
