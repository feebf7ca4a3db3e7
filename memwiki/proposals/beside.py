"""A sentence beside the cited one that is most like it: what stands in the place of what, what
changed places, and what it leaves out or says of more."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import filterfalse, product
from typing import NamedTuple

from memwiki.index.keyword.tokens import normalise, stem
from memwiki.judgement.lexicon import spelled_out
from memwiki.proposals.claims import VALUES, numbers_in
from memwiki.text import CJK, is_cjk, pattern

_MARKS = pattern(r"\]\([^)\n]*\)|[\[\]`\"“”‹›]|(?<!\.)\*+|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)")
SENTENCE_END = pattern(r"[.!?;:](?=\s|\Z)|[。；！？：]|\n")
_TOKEN = pattern(rf"[^\W{CJK}]+(?:[-.:/'+][^\W{CJK}]+)*|[{CJK}]|(?<!\w)[-_+/](?!\w)")
COMMA = pattern(r"[，,](?=\D)")
CLAUSE = pattern(
    r"[,，;；。:：!?！？\n]+|\.(?=\s|\Z)|\b(?:and|but|while|whereas|though|although)\b",
    re.IGNORECASE,
)
_ASIDE = pattern(r"(?<!\])[(（](?!only|except|unless|[仅只除])(?:[^()（）\n]|\]\([^()\n]*\))*[)）]")
DIRECTIONS = frozenset("to into from toward than befor after over under via onto 到 成".split())
FUNCTION = DIRECTIONS | frozenset(  # stems
    "a an the both must each up out off away more veri just them we us our is are am be been "
    "was were and or of in on at for with by as it this that these those there then if when "
    "you your can may will do doe has have had so which who also not no their they still now onli "
    "such 的 了 在 是 和 与 或 及 为 于 对 把 被 将 有 中 以 会 可 能 该 此 其 这 那 个 时 "
    "则".split()
)
PREPOSITIONS = DIRECTIONS | frozenset("in on at for with by as 从 由 被 比 向 给 将 把".split())
_WEAK = frozenset(  # that stand for nothing in particular
    map(stem, "other some certain specific given same following different one several".split())
)
_NUMBER_STEMS = {stem(word): word for word in VALUES}
_MIN_LIKE = 0.6  # of the tokens of a sentence, that it is told after another one
_MIN_FORM = 3  # letters that forms of a word begin with
_MAX_TOKENS = 300  # of a sentence
_MAX_PLACE = 3  # tokens in one place
_MAX_OTHER = 6  # tokens that these stand for

Tokens = tuple[str, ...]


class Likest(NamedTuple):
    """A sentence and the cited one that is most like it: stems of words and single Chinese
    characters of each, and what part of the first stands in the other in its order."""

    mine: Tokens
    theirs: Tokens
    like: float


@lru_cache(maxsize=64)  # a text and its lines, and each by clauses, are looked at by each rule
def sentences(text: str) -> tuple[Tokens, ...]:
    """The tokens of each sentence of a text; of a very long one the first."""
    parts = SENTENCE_END.split(_MARKS.sub(" ", spelled_out(text)))
    found = (_tokens(normalise(part).casefold())[:_MAX_TOKENS] for part in parts)
    return tuple(tokens for tokens in found if tokens)


def _tokens(plain: str) -> Tokens:
    return tuple(stem(each) for each in _TOKEN.findall(plain))


def in_words(stems: str, text: str) -> str:
    """Stems as a text has the words of them."""
    words = {stem(each): each for each in _TOKEN.findall(normalise(text).casefold())}
    return " ".join(words.get(each, each.replace("_", " ")) for each in stems.split())


def clause_lines(text: str) -> str:
    """A text with a line for each clause, without what it has in parentheses."""
    return COMMA.sub("\n", _ASIDE.sub(" ", text))


@lru_cache(maxsize=16)
def beside(claimed: str, told: str) -> tuple[Likest, ...]:
    """Each sentence of a text with the one of the lines that is most like it."""
    others = tuple(dict.fromkeys(sentences(told)))
    pairs = ([likest(mine, each) for each in others] for mine in sentences(claimed))
    nearest = (max(each, key=lambda pair: (pair.like, -len(pair.theirs))) for each in pairs if each)
    return tuple(nearest)


def likest(mine: Tokens, theirs: Tokens) -> Likest:
    """How like one sentence is to another."""
    blocks = _matcher(mine, theirs).get_matching_blocks()
    return Likest(mine, theirs, sum(block.size for block in blocks) / len(mine))


def _matcher(mine: Tokens, theirs: Tokens) -> SequenceMatcher[str]:
    return SequenceMatcher(None, mine, theirs, autojunk=False)


def _content(tokens: Collection[str]) -> list[str]:
    """What a place is about; of Chinese with other words among it these alone, as a character by
    itself stands in too many words."""
    passed = FUNCTION | _WEAK
    telling = [each for each in tokens if each not in passed and not is_cjk(each)]
    return [each for each in telling if len(each) > 1 or each.isdigit()]


def content_of(tokens: Collection[str]) -> list[str]:
    """The tokens that say something."""
    return [each for each in tokens if each not in FUNCTION]


def other_word(
    pairs: Sequence[Likest], told: str, page: Callable[[], frozenset[str]]
) -> tuple[str, str]:
    """What is said in the place of what, where a page, whose tokens `page` returns, says the
    former of something else than the lines that are told; two empty ones where there is none."""
    known = {token for tokens in sentences(told) for token in tokens}
    for pair in pairs:
        for mine, theirs in replaced_tokens(pair) if pair.like >= _MIN_LIKE else ():
            one, other = _content(mine), _content(theirs)
            if not one or not other or not _are_apart(one, other, pair):
                continue
            if _number(one) & _number(other):
                continue
            words = {*filterfalse(str.isdigit, one)}
            if page() - known.difference(pair.theirs) >= words:
                return " ".join(one), " ".join(other)
    return "", ""


def _are_apart(one: Sequence[str], other: Sequence[str], pair: Likest) -> bool:
    """Whether neither sentence has the other's words, too; of two that have one word oftener."""
    mine, theirs = Counter(pair.mine), Counter(pair.theirs)
    if len(one) == len(other) == 1:
        is_more = (mine - theirs)[one[0]] or not mine[other[0]]
        return one != other and bool(is_more and (theirs - mine)[other[0]])
    if any(each[:_MIN_FORM] == told[:_MIN_FORM] for each, told in product(one, other)):
        return False  # "own" and "ownership"
    is_alike = len(other) <= 2 * len(one)  # more words are said in other ones
    return is_alike and {*one}.isdisjoint(theirs) and {*other}.isdisjoint(mine)


def _number(stems: Sequence[str]) -> frozenset[str]:
    """The number that these are, in figures or words; none where one of them is another word."""
    words = [_NUMBER_STEMS.get(each, each) for part in stems for each in part.split("-")]
    is_number = all(each.isdigit() or each in VALUES for each in words)
    return numbers_in(" ".join(words)) if is_number else frozenset()


def replaced_tokens(pair: Likest) -> Iterator[tuple[Tokens, Tokens]]:
    """The few tokens of each sentence that stand in the place of others."""
    for tag, start, end, other, last in _matcher(pair.mine, pair.theirs).get_opcodes():
        if tag == "replace" and end - start <= _MAX_PLACE and last - other <= _MAX_OTHER:
            yield pair.mine[start:end], pair.theirs[other:last]
