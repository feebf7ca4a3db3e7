"""What one entry says, as the policies judge it, and how alike two facts are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from memwiki.facts.identity import HAN, in_own_case, normal_form
from memwiki.index.keyword.tokens import query_terms
from memwiki.judgement.lexicon import (
    COUNTS,
    DATES,
    DEFAULT_RULES,
    ZH_COUNT,
    ConflictRules,
    Kind,
    Token,
    lexicon,
    tokens_of,
    with_words_apart,
)
from memwiki.judgement.statement import Statement
from memwiki.names import fold
from memwiki.records import NamedTuple
from memwiki.text import pattern

_STOP = frozenset(word for word, kind in lexicon().kinds.items() if kind is Kind.STOP) | {"doe"}
_MARKED = pattern(r"[\d+#@/\\$%&<>=^~.:_!-]")
_QUOTED = pattern(
    r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|「[^」\n]{1,200}」|《[^》\n]{1,200}》|`[^`\n]{1,200}`"
    r"|\[\[[^\[\]\n]{1,200}\]\]"
)
_CAPITALS = pattern(
    rf"(?:(?<=[^\s.!?:;*>-]\s)|(?<=[^\s.!?:;*>-]\s[\"'(\[])|(?<=[{HAN}]))[A-Z][^\W{HAN}]*"
    rf"|(?<![^\W{HAN}])[A-Za-z][a-z0-9_]{{0,30}}[A-Z][^\W{HAN}]*"
)
_MIN_WORDS = 3  # of a text that repeats another one in other words
# Before what holds in the place of something else: "No, sorry, the port is 8081".
_CORRECTING = pattern(
    r"\A\s*(?:(?:(?:no|nope|sorry|actually|oops|wait|correction|(?:that|this|it|i) (?:is|was) wrong"
    r"|my mistake)\b(?=[,!]|(?<!no)[:;]|\s[—–-]\s|\.\s(?!\d))|(?:不对|不對|不是|不"
    r"|说?错了|說?錯了|更正一?下?|纠正一?下?"
    r"|抱歉|对不起|其实)(?=[,，:：。;；、!！]))[,.:;!，：。；、！—– -]+)++",
    re.IGNORECASE,
)


class Fact(NamedTuple):
    """One memory to be compared with others; `key`, `subject`, `topic` and `object` are as
    written, "" when the entry has none."""

    text: str  # what the person reads: no marker, fields, id or strike-through; no last tags
    type: str = ""
    key: str = ""
    subject: str = ""
    topic: str = ""
    object: str = ""
    entities: tuple[str, ...] = ()  # names it says it is about
    created: str = ""  # ISO 8601, "" when unknown


class Verdict(StrEnum):
    SAME = "same"
    NEAR = "near"
    DIFFERENT = "different"


class Likeness(NamedTuple):
    """`score` from 0 to 1; `reason` is what makes texts different that are alike, else ""."""

    verdict: Verdict
    score: float
    reason: str = ""


class ReadFact(NamedTuple):
    """A fact with what judging needs of its text."""

    fact: Fact
    text: str  # normalised
    words: frozenset[str]
    tokens: tuple[Token, ...]
    subjects: frozenset[str] = frozenset()  # this and the next where conflicts are judged
    statements: tuple[Statement, ...] = ()
    kinds: frozenset[Kind] = frozenset()  # of the words


def words_of(text: str) -> frozenset[str]:
    """The index's terms of a text without stop words; Chinese in pairs of characters, its function
    words and negations alone."""
    return frozenset(query_terms(with_words_apart(text, lexicon()))) - _STOP


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """The share of the words of both that both have; 0 when neither has any."""
    both = len(a & b)
    return both / (len(a) + len(b) - both) if both else 0.0


def read(fact: Fact, rules: ConflictRules = DEFAULT_RULES) -> ReadFact:
    """The words of a fact, once for all it is compared with."""
    text = fact.text
    tokens = tuple(tokens_of(without_correction(text), lexicon(rules)))
    kinds = frozenset(token.kind for token in tokens)
    return ReadFact(fact, normal_form(text), words_of(text), tokens, kinds=kinds)


def without_correction(text: str) -> str:
    """A text without the words before it that only say that another one was wrong."""
    return _CORRECTING.sub("", text, count=1)


def judge_readings(old: ReadFact, new: ReadFact, *, near: float, same: float) -> Likeness:
    """Whether a new fact repeats a known one; both bounds are from 0 to 1.

    What repeats it adds no word: a longer text, or one in another order, is at most near.
    """
    is_identical = old.text == new.text
    score = 1.0 if is_identical else jaccard(old.words, new.words)
    if score < near:
        return Likeness(Verdict.DIFFERENT, score)
    if apart := differing_fields(old.fact, new.fact):
        return Likeness(Verdict.DIFFERENT, score, apart)
    if not is_identical and (apart := differing_words(old, new)):
        return Likeness(Verdict.DIFFERENT, score, apart)
    is_long = len(new.words) >= _MIN_WORDS  # "plan a" is not "plan"
    is_repeat = is_identical or (
        is_long and score >= same and _repeats(_content(old.tokens), _content(new.tokens), same)
    )
    is_same = is_repeat and in_own_case(old.fact.text) == in_own_case(new.fact.text)
    return Likeness(Verdict.SAME if is_same else Verdict.NEAR, score)


def differing_fields(old: Fact, new: Fact) -> str:
    """The first field that tells two facts apart. A key counts when the new fact has one."""
    if new.key and fold(new.key) != fold(old.key):
        return "key"
    for field in ("subject", "topic", "object"):
        one, other = getattr(old, field), getattr(new, field)
        if one and other and fold(one) != fold(other):
            return field
    if old.entities and new.entities and {*map(fold, old.entities)} != {*map(fold, new.entities)}:
        return "name"
    return "day" if old.type == new.type == "event" and _are_of_two_days(old, new) else ""


def _are_of_two_days(old: Fact, new: Fact) -> bool:
    """Whether two events were on different days: by when they were written, unless they say it."""
    from memwiki.times.days import says_year_and_month  # few facts are events

    days = {old.created[:10], new.created[:10]} - {""}
    return len(days) > 1 and not says_year_and_month(new.text)


def differing_words(old: ReadFact, new: ReadFact) -> str:
    """What two texts differ in that no likeness makes up for: number, date, negation, name."""
    only_one = _texts(old.tokens) ^ _texts(new.tokens)
    # Of two long texts a word or two: so most are told apart without looking at all of them.
    if any(map(_MARKED.search, only_one)) or _marked(old.tokens) != _marked(new.tokens):
        return "number"
    if _counted(old) != _counted(new):
        return "number or date"
    if _negations(old.tokens) != _negations(new.tokens):
        return "negation"
    if ("?" in _texts(old.tokens)) != ("?" in _texts(new.tokens)):
        return "question"
    return "name" if only_one & (_names_in(old.fact) | _names_in(new.fact)) else ""


def _texts(tokens: Iterable[Token]) -> set[str]:
    return {token.text for token in tokens}


def _content(tokens: Iterable[Token]) -> list[str]:
    return [token.text for token in tokens if token.kind is not Kind.STOP]


def _repeats(old: list[str], new: list[str], same: float) -> bool:
    """Whether all words of the new text stand in the old one in their order, and hardly others."""
    rest = iter(old)
    return len(new) >= same * len(old) and all(word in rest for word in new)


def _marked(tokens: Iterable[Token]) -> Counter[str]:
    """Words with figures and marks: numbers, versions, paths, C++."""
    return Counter(token.text for token in tokens if _MARKED.search(token.text))


def _counted(reading: ReadFact) -> Counter[str]:
    """Numbers and dates in words. A Chinese 一 alone is hardly ever a number."""
    said = [token.text for token in reading.tokens]
    found = Counter(word for word in said if word in COUNTS or word in DATES)
    if not reading.fact.text.isascii():
        found.update(ZH_COUNT.findall("".join(said)))
    return found


def _negations(tokens: Iterable[Token]) -> int:
    return sum(token.kind is Kind.NEGATION for token in tokens)


def name_terms(text: str) -> frozenset[str]:
    """The index's terms of its capitalised words within a sentence."""
    return frozenset(query_terms(" ".join(_CAPITALS.findall(text))))


def _names_in(fact: Fact) -> set[str]:
    """The words of quoted text, code, links, entities and capitalised words within a sentence."""
    found = [*_QUOTED.findall(fact.text), *_CAPITALS.findall(fact.text), *fact.entities]
    return _texts(tokens_of(" \n".join(found), lexicon())) if found else set()
