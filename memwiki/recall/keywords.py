"""A query -> the index terms to look for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt

from memwiki.index.keyword.backend import Snapshot
from memwiki.index.keyword.tokens import count_terms, is_cjk, query_terms, stem
from memwiki.recall.query import Query

_EXPANSIONS = 32  # terms a prefix may stand for
_LONG = 12  # terms; a question of more is somebody's talk
_KANA_WEIGHT = 0.3  # of a term of hiragana alone, which in Japanese is mostly grammar
_KANA = frozenset(map(chr, range(0x3041, 0x3097)))

# Words a question is asked with and not about. Only the question loses them: the index keeps all.
ASKING = frozenset(
    """
    a about after all am an and any are as at be been before being but by can could did do does
    doing for from get had has have having he her hers him his how i if in into is it its just
    me might my of off on or our ours out over she should so some such than that the their
    theirs them then there these they this those to too under until up us very was we were what
    when where which while who whom whose why will with would you your yours tell ever
    如何 哪些 是否 多少 可以 能否 请问
    """.split()
)
# Characters of 是什么, 什么意思, 怎么样, 为什么, 是谁: in a question a term of nothing but these
# says nothing, while 样本 or 行为 do.
_FUNCTION = frozenset("的了吗呢吧是在和与或有这那个什么甚麼嗎怎样樣哪谁誰为為何用意思來来会會")


def text_terms(query: Query) -> list[str]:
    """The terms of the words and phrases; question words only where nothing else is asked, or
    where a condition needs them."""
    words = [word for word in query.words if not is_asking(word.casefold())]
    terms = [t for t in _terms([*words, *query.phrases]) if not is_asking(t)]
    every = _terms([*query.words, *query.phrases])
    return every if query.condition else terms or every


def term_weights(query: Query, prefixed: Iterable[str] = ()) -> Mapping[str, float]:
    """The terms that are looked for, with their weights: in long talk the square root of how often
    each stands there, and single characters beside the pairs."""
    weights = dict.fromkeys((*text_terms(query), *prefixed), 1.0)
    for term, count in count_terms(query.text).items() if len(weights) > _LONG else ():
        if term in weights or (len(term) == 1 and is_cjk(term) and not is_asking(term)):
            weights[term] = sqrt(count)
    return {t: w * _KANA_WEIGHT if _KANA.issuperset(t) else w for t, w in weights.items()}


def is_asking(term: str) -> bool:
    """Whether a word or term, folded, is one that a question is asked with."""
    return term in ASKING or _FUNCTION.issuperset(term)


def prefix_terms(query: Query, snapshot: Snapshot) -> list[str]:
    """The terms that the prefixes stand for; a condition needs those of each."""
    if query.condition and len(query.prefixes) > 1:
        each = (Query(prefix, prefixes=(prefix,)) for prefix in query.prefixes)
        return [term for one in each for term in prefix_terms(one, snapshot)]
    found: dict[str, None] = {}
    for prefix in query.prefixes:
        # The index holds stems, so `configurat*` has to meet `configur` too.
        for start in dict.fromkeys((*query_terms(prefix)[-1:], stem(prefix.casefold()))):
            found.update(dict.fromkeys(snapshot.expand(start, _EXPANSIONS)))
    return list(found)[:_EXPANSIONS]


def _terms(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(term for text in texts for term in query_terms(text)))
