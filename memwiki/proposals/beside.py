"""A sentence beside the cited one that is most like it: what stands in the place of what, what
changed places, and what it leaves out or says of more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import filterfalse, pairwise, product
from typing import NamedTuple

from memwiki.index.keyword.tokens import is_cjk, normalise, stem
from memwiki.judgement.lexicon import spelled_out
from memwiki.patterns import pattern
from memwiki.text import CJK

_MARKS = pattern(r"\]\([^)\n]*\)|[\[\]`\"“”‹›]|(?<!\.)\*+|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)")
_SENTENCE_END = pattern(r"[.!?;:](?=\s|\Z)|[。；！？：]|\n")
_TOKEN = pattern(rf"[^\W{CJK}]+(?:[-.:/'+][^\W{CJK}]+)*|[{CJK}]|(?<!\w)[-_+/](?!\w)")
_COMMA = pattern(r"[，,](?=\D)")
_ASIDE = pattern(r"(?<!\])[(（](?!only|except|unless|[仅只除])(?:[^()（）\n]|\]\([^()\n]*\))*[)）]")
_DIRECTIONS = frozenset(
    "to into from toward towards than before after over under via onto 到 成".split()
)
_FUNCTION = _DIRECTIONS | frozenset(
    "a an the both must each up out off away more very just them we us our is are am be been being "
    "was were and or of in on at for with by as it its this that these those there then if when "
    "you your can may will do does has have had so which who also not no their they still now only "
    "such 的 了 在 是 和 与 或 及 为 于 对 把 被 将 有 中 以 会 可 能 该 此 其 这 那 个 时 "
    "则".split()
)
_PREPOSITIONS = _DIRECTIONS | frozenset("in on at for with by as 从 由 被 比 向 给 将 把".split())
_ARTICLES = frozenset("a an the".split())
_ZH_ANCHORS = frozenset("超高低大小多少早晚依取替包属调覆导引迁转换到成")
_WEAK = frozenset(  # that stand for nothing in particular
    map(stem, "other some certain specific given same following different one several".split())
)
_MIN_LIKE = 0.6  # of the tokens of a sentence, that it is told after another one
_MIN_SHARED = 0.5  # of the words of a sentence, where the order is looked at
_MAX_TOKENS = 300  # of a sentence
_MAX_PLACE = 3  # tokens in one place
_MAX_OTHER = 6  # tokens that these stand for
_NEAR = 8  # tokens on each side of a word that both sentences share

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
    parts = _SENTENCE_END.split(_MARKS.sub(" ", spelled_out(text)))
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
    return _COMMA.sub("\n", _ASIDE.sub(" ", text))


def beside(claimed: str, told: str) -> list[Likest]:
    """Each sentence of a text with the one of the lines that is most like it."""
    others = sentences(told)
    pairs = ([_likest(mine, each) for each in others] for mine in sentences(claimed))
    return [max(each, key=lambda pair: (pair.like, -len(pair.theirs))) for each in pairs if each]


def _likest(mine: Tokens, theirs: Tokens) -> Likest:
    blocks = _matcher(mine, theirs).get_matching_blocks()
    return Likest(mine, theirs, sum(block.size for block in blocks) / len(mine))


def _matcher(mine: Tokens, theirs: Tokens) -> SequenceMatcher[str]:
    return SequenceMatcher(None, mine, theirs, autojunk=False)


def _content(tokens: Collection[str]) -> list[str]:
    """What a place is about; of Chinese with other words among it these alone, as a character by
    itself stands in too many words."""
    passed = _FUNCTION | _WEAK
    telling = [each for each in tokens if each not in passed and not is_cjk(each)]
    return [each for each in telling if len(each) > 1 or each.isdigit()]


def content_of(tokens: Collection[str]) -> list[str]:
    """The tokens that say something."""
    return [each for each in tokens if each not in _FUNCTION]


def other_word(
    pairs: Sequence[Likest], told: str, page: Callable[[], frozenset[str]]
) -> tuple[str, str]:
    """What is said in the place of what, where a page, whose tokens `page` returns, says the
    former of something else than the lines that are told; two empty ones where there is none."""
    known = {token for tokens in sentences(told) for token in tokens}
    for pair in pairs:
        for mine, theirs in _replaced(pair) if pair.like >= _MIN_LIKE else ():
            one, other = _content(mine), _content(theirs)
            if not one or not other or not _are_apart(one, other, pair):
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
    is_alike = len(other) <= 2 * len(one)  # more words are said in other ones
    return is_alike and {*one}.isdisjoint(theirs) and {*other}.isdisjoint(mine)


def _replaced(pair: Likest) -> Iterator[tuple[Tokens, Tokens]]:
    for tag, start, end, other, last in _matcher(pair.mine, pair.theirs).get_opcodes():
        if tag == "replace" and end - start <= _MAX_PLACE and last - other <= _MAX_OTHER:
            yield pair.mine[start:end], pair.theirs[other:last]


def swapped(pairs: Sequence[Likest]) -> str:
    """Two words that changed places around one that both sentences have; "" where none did."""
    for pair in pairs:
        here, there = _places(pair.mine), _places(pair.theirs)
        content = _content(here)
        if len(here.keys() & there & {*content}) < _MIN_SHARED * len(content):
            continue
        for anchor in here:
            if anchor not in there or not _is_anchor(anchor, pair, here, there):
                continue
            before, behind = _around(here, anchor)
            first, last = _around(there, anchor)
            ones, others = sorted(before & last), sorted(behind & first)
            words = [_chinese_word(each, pair.mine) for each in (ones, others)]
            if anchor in _ZH_ANCHORS and all(words):
                return " ".join(words)
            for one, other in product(ones, others):
                if is_cjk(one + other):
                    continue
                if _are_swapped(one, other, pair) or _are_swapped(other, one, pair):
                    return " and ".join(sorted((one, other)))
    return ""


def _chinese_word(characters: Sequence[str], tokens: Tokens) -> str:
    """Two of these characters that stand side by side."""
    pairs = (one + other for one, other in pairwise(tokens) if {one, other} <= {*characters})
    return next(filter(is_cjk, pairs), "")


def _are_swapped(one: str, other: str, pair: Likest) -> bool:
    """Whether a preposition of the one governs the other instead."""
    preposition = _preposition(one, pair.mine)
    return preposition != "" and preposition == _preposition(other, pair.theirs)


def _preposition(word: str, tokens: Tokens) -> str:
    """The one that stands before a word, or before articles and one more word before it."""
    before = [each for each in tokens[: tokens.index(word)] if each not in _ARTICLES]
    before = before[-4:] if before and is_cjk(before[-1]) else before[-2:]
    return next((each for each in reversed(before) if each in _PREPOSITIONS), "")


def _is_anchor(anchor: str, pair: Likest, here: dict[str, int], there: dict[str, int]) -> bool:
    """Whether a word tells what stands before it from what follows: a direction, or one that the
    same word follows."""
    if anchor in _DIRECTIONS:
        return True
    after = [
        tokens[places[anchor] + 1 : places[anchor] + 2]
        for tokens, places in ((pair.mine, here), (pair.theirs, there))
    ]
    return anchor not in _FUNCTION and bool(after[0]) and after[0] == after[1]


def _places(tokens: Tokens) -> dict[str, int]:
    """Where the tokens stand that stand once."""
    counts = Counter(tokens)
    return {each: at for at, each in enumerate(tokens) if counts[each] == 1}


def _around(places: dict[str, int], anchor: str) -> tuple[set[str], set[str]]:
    at = places[anchor]
    near = {
        each: place - at
        for each, place in places.items()
        if 0 < abs(place - at) <= _NEAR and each not in _FUNCTION
    }
    return {each for each in near if near[each] < 0}, {each for each in near if near[each] > 0}
