"""Of how much a sentence says something: of all, with which exceptions, and in which unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from memwiki.index.keyword.tokens import normalise, stem
from memwiki.proposals.beside import (
    Likest,
    Tokens,
    clause_lines,
    content_of,
    in_words,
    likest,
    replaced_tokens,
    sentences,
)
from memwiki.text import is_cjk, pattern

_UNIVERSAL = pattern(
    r"\b(?:always|entirely|every\w*|exactly|identical(?:ly)?|completely|whatever|invariably"
    r"|in (?:all|any|every|each) cases?)\b|完全|所有|全部|总是|一律|任何情况|无论如何",
    re.IGNORECASE,
)
_OF_ALL = pattern(
    rf"{_UNIVERSAL.pattern}|\b(?:all|any\w*|each|entire|exact|fully|in general|whole)\b"
    "|每|都|任何|全|完整",
    re.IGNORECASE,
)
_CERTAIN = pattern(
    r"\b(?:certainly|definitely|guarantee[sd]?|undoubtedly|without (?:fail|doubt))\b"
    "|一定(?!的|程)|必然|必定|肯定|毫无疑问",
    re.IGNORECASE,
)
_AS_CERTAIN = pattern(
    rf"{_CERTAIN.pattern}|\b(?:always|certain|ensur\w+|sure|surely|must|never|promise\w*)\b"
    "|总|必|保证|确保|绝|务必",
    re.IGNORECASE,
)
_MUST = pattern(r"\b(?:must|required|mandatory)\b|必须|必需|务必", re.IGNORECASE)
_AS_MUST = pattern(
    rf"{_MUST.pattern}|\b(?:needs?|needed|ha(?:s|ve) to|requires?|requirements?|should|shall|only|"
    r"necessary|ensure|make sure|be sure|always|never|unless|cannot|can't|error|fails?|illegal|"
    r"invalid|without|imperative|essential|obligat\w+)\b|[必须需要应得只仅]|否则|无法|不能|错",
    re.IGNORECASE,
)
_RAISED = ((_UNIVERSAL, _OF_ALL), (_CERTAIN, _AS_CERTAIN), (_MUST, _AS_MUST))
_ALL = frozenset(map(stem, "all any each every entire whole always".split()))
_WHOLE_ZH = pattern("整个(.{2})")
_WHOLE = frozenset(map(stem, ("entire", "whole")))
_PASSED_OVER = frozenset("of the your our these those their its other such".split())
_MIN_LIKE = 0.6  # of the tokens of a sentence, that it is told after another one
_MIN_HEDGED = 0.5  # the same where the word that a hedge stands before is said
# A limit of a clause, and what of a clause that is told after it says so; of their tokens.
_LIMITS = tuple(
    (pattern(rf"(?<!\S)(?:{limit})(?!\S)"), pattern(rf"(?<!\S)(?:{kept})(?!\S)"))
    for limit, kept in (
        (
            "(?<!read )onli|mere|sole|exclus|仅|只(?! [读是])",
            "onli|mere|sole|exclus|just|alon|limit|restrict|unless|except|not|no"
            "|只(?! 读)|(?<!删 )除|[仅限才不非单]",
        ),
        (
            "except|unless|other than|apart from|除(?= .*外)|除 非",
            "except|unless|but|other|without|not|no|if|apart|[除仅只不非外若]",
        ),
        ("by default|默 认", "default|unless|usual|normal|默|缺 省|除 非"),
    )
)
# What says that something is not always, or not surely so, and what of a text says so, too.
_HEDGES = tuple(
    (frozenset(hedge.split()), pattern(rf"(?<!\S)(?:{kept})(?!\S)"))
    for hedge, kept in (
        (
            "may might could perhap possibl probabl 可_能 也_许 或_许",
            "may|might|can|could|perhap|possibl|potenti|probabl|like|sometim|if|risk|chanc|would"
            "|seem|allow|permit|abl|option|let|choos|可|能|或|也 许|险|易|有 时",
        ),
        (
            "usual typic often general mostli sometim almost partli partial"
            " some_case certain_case 通_常 一_般 往_往 有_时 大_多 几_乎 某_些 有_些 个_别",
            "usual|typic|often|general|most|mostli|sometim|almost|near|partli|partial|common|normal"
            "|mani|main|may|can|might|could|some|certain|tend|unless|but|except"
            "|[常般往时多几某些可能个]|部 分|除 非|默 认",
        ),
    )
)
_NOT_ONLY = pattern("not onli|不 [仅但只]")
_MAX_CONDITIONS = 40
_UNDER_ONE = 4  # clauses that a condition holds for
_MIN_TOLD = 2  # tokens, of less than more nothing is said
_MIN_SAME = 0.75  # of the tokens of a clause, that it is another one told again
_ONE_FOR_BOTH = (  # "a or b" may be told as "a and b"
    (frozenset("either or 或".split()), frozenset("both and 和 与 且 及 并".split())),
    (frozenset(("both", "都")), frozenset("either or 或".split())),
)
_AND = frozenset(("and", "且"))
_CONDITIONAL = frozenset("if when whenever unless where while under with without 若 如 当".split())
_IF = pattern(r"(?<=\w)(?<!even) (?:only )?(?:if|when|whenever|as long as)\b", re.IGNORECASE)
_SAID_IF = _CONDITIONAL | frozenset("时后下才")
_UNDER = pattern("\\A(?:除非.{1,30}|在.{1,16}[下时中]|.{2,30}(?<![同暂及随当小平])时)\\Z")
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
    """That something holds for all, has to be or is certain, where the lines say nothing so."""
    for said, kept in _RAISED:
        if (found := said.search(text)) and not kept.search(told):
            return f"it says {found[0].lower()}, and no cited line does"
    return ""


def why_generalised(text: str, told: str) -> str:
    """That something holds for all of what the lines say it of some."""
    known = [*sentences(told)]
    for tokens in sentences(text):
        for at, each in enumerate(tokens):
            thing = _thing(tokens[at + 1 :]) if each in _ALL else ""
            if thing and _is_of_some(each, thing, known):
                return f"it says {in_words(f'{each} {thing}', text)}, and no cited line does"
    whole = _WHOLE_ZH.search(text)
    return f"it says {whole[0]}, and no cited line does" if whole and whole[1] not in told else ""


def _is_of_some(word: str, thing: str, known: Iterable[Tokens]) -> bool:
    """Whether the lines say nothing of all of a thing, though they name it or `word` is strong."""
    places = [(s, n) for s in known for n, each in enumerate(s) if each == thing]
    is_all = any(_ALL & {*s[max(n - 4, 0) : n]} for s, n in places)
    return not is_all and (bool(places) or word in _WHOLE)


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


def why_hedged(pairs: Sequence[Likest], text: str, told: str) -> str:
    """A word that says that something is only possible or usual, which the text leaves out."""
    whole = " ".join(chain.from_iterable(sentences(text)))
    for pair in pairs:
        for hedges, kept in _HEDGES if pair.like >= _MIN_HEDGED and pair.theirs else ():
            for at, size in _hedges(pair.theirs, hedges):
                if _next(pair.theirs[at + size :]) in f" {whole} " and not kept.search(whole):
                    return f"it leaves out {in_words(' '.join(pair.theirs[at : at + size]), told)}"
    return ""


def _hedges(tokens: Sequence[str], hedges: frozenset[str]) -> Iterator[tuple[int, int]]:
    for at in range(len(tokens)):
        yield from ((at, size) for size in (1, 2) if "_".join(tokens[at : at + size]) in hedges)


def _next(tokens: Sequence[str]) -> str:
    """The word that others are said of, as a text of tokens has it: two Chinese characters."""
    said = content_of(tokens)
    size = 2 if said and is_cjk(said[0]) else 1
    return f" {' '.join(said[:size])} " if said else "\n"


def why_limited(pairs: Sequence[Likest], told: str) -> str:
    """That something is only so, where the sentence that one is told after says it plainly."""
    only, kept = _LIMITS[0]
    whole = _NOT_ONLY.sub(" ", " ".join(chain.from_iterable(sentences(told))))
    for pair in pairs:
        found = only.search(" ".join(pair.mine)) if pair.like >= _MIN_LIKE else None
        if found and not kept.search(whole):
            return "it says only, and no cited line does"
    return ""


def without_condition(text: str, told: str) -> str:
    """A condition under which the lines say something, and the text says it as it is, or one of
    two that have to be met."""
    mine = frozenset(chain.from_iterable(sentences(text)))
    for condition, clauses in islice(_conditions(told), _MAX_CONDITIONS):
        if _is_left_out(condition, mine) and any(_is_told(each, text) for each in clauses):
            return "it leaves out a condition"
    return ""


def _conditions(told: str) -> Iterator[tuple[Tokens, Sequence[Tokens]]]:
    """Each condition of the lines with what holds under it."""
    for line in _SENTENCE.split(told):
        clauses = sentences(clause_lines(line))
        for at, each in enumerate(clauses):
            if each[0] in _CONDITIONAL or _UNDER.search("".join(each)):
                yield each, clauses[at + 1 : at + 1 + _UNDER_ONE]
        head, *tail = _IF.split(line, maxsplit=1)
        if tail:
            clause = clause_lines(head).rpartition("\n")[2]
            yield tuple(chain(*sentences(tail[0]))), sentences(clause)


def _is_told(clause: Tokens, text: str) -> bool:
    """Whether a text says a clause."""
    return len(clause) >= _MIN_TOLD and any(
        likest(clause, each).like >= _MIN_SAME for each in sentences(text)
    )


def _is_left_out(condition: Sequence[str], mine: frozenset[str]) -> bool:
    words = frozenset(content_of(condition))
    if not mine & _SAID_IF:
        return 2 * len(words & mine) < len(words)
    halves = [frozenset(content_of(half)) for half in _halves(condition)]
    return (
        len(halves) > 1
        and any(map(mine.isdisjoint, halves))
        and not all(map(mine.isdisjoint, halves))
    )


def _halves(condition: Sequence[str]) -> Iterator[list[str]]:
    """The parts of a condition that all have to be met."""
    part = list[str]()
    for each in condition:
        if each in _AND and part:
            yield part
            part = []
        part.append(each)
    yield part


def one_for_both(pairs: Sequence[Likest]) -> str:
    """That one of two will do where the lines name both, or the other way round."""
    for pair in pairs:
        for mine, theirs in replaced_tokens(pair) if pair.like >= _MIN_LIKE else ():
            for one, other in _ONE_FOR_BOTH:
                said, instead = one.intersection(mine), other.intersection(theirs)
                if said and instead:
                    return f"it says {min(said)}, where the cited lines say {min(instead)}"
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
