"""A query -> the index terms to look for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt

from memwiki.index.keyword.backend import Snapshot
from memwiki.index.keyword.tokens import (
    count_terms,
    function_words,
    is_cjk,
    plain_words,
    query_terms,
    stem,
)
from memwiki.recall.query import Query

_EXPANSIONS = 32  # terms a prefix may stand for
_LONG = 12  # terms; a question of more is somebody's talk
_LIGHT_WEIGHT = 0.3  # of a term that says more of how is asked than of what
_KANA = frozenset(map(chr, range(0x3041, 0x3097)))  # a Japanese term of nothing else is grammar

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

# Of Chinese a term is a pair of characters: with one of these it is half of two words, as rare as
# it is meaningless.
_GRAMMAR = _FUNCTION - set("用意思來来会會") | set(
    "啊呀我你他她它们們想把被让讓就都也还還能可以些某跟而且并但不没沒很太最请請几從从到对對其之于"
)
# Words of which a sentence in another European language has one: to load the lists takes 4 ms.
_FOREIGN = frozenset(
    """
    das dem den der die ein eine einen ich ist kann man mit und wie wir zu au ce ces de des
    du est et je la le les ma mon que qui sur un une como con cual del el es esta las los mi
    para por puedo se una che come da del della di il per quando si ao em meu na no o os
    posso qual um uma een en het hoe ik kan mijn naar van wat voor hva hvordan jeg og pa hur
    jag och vad hvad bir nasil ne ve hogyan egy az mika miten on в для и из как какие когда
    мне можно на не о по с у что я
    """.split()
)
# Verbs and pronouns that nearly anything is asked with; as stems, as the index has them.
_LIGHT = frozenset(
    """
    abl alreadi also anybodi anyon anyth came come even everyon everyth gave get give given
    go goe gone got happen instead keep kept let like look lot made make need nobodi noth
    put realli said say somebodi someon someth still sure tell thing told tri want way well
    """.split()
)


def text_terms(query: Query) -> list[str]:
    """The terms of the words and phrases; question words only where nothing else is asked, or
    where a condition needs them."""
    words = [word for word in query.words if not is_asking(word.casefold())]
    foreign = foreign_asking(query.text)
    found = _terms([*words, *query.phrases])
    terms = [term for term in found if not is_asking(term) and term not in foreign]
    every = _terms([*query.words, *query.phrases])
    return every if query.condition else terms or every


def term_weights(query: Query, prefixed: Iterable[str] = ()) -> Mapping[str, float]:
    """The terms that are looked for, with their weights: in long talk the square root of how often
    each stands there, and single characters beside the pairs; light ones count less in a
    question that is a sentence: of keywords each is meant."""
    weights = dict.fromkeys((*text_terms(query), *prefixed), 1.0)
    for term, count in count_terms(query.text).items() if len(weights) > _LONG else ():
        if term in weights or (len(term) == 1 and is_cjk(term) and not is_asking(term)):
            weights[term] = sqrt(count)
    is_sentence = any(map(is_asking, query_terms(query.text)))
    return {t: w * _LIGHT_WEIGHT if _is_light(t, is_sentence) else w for t, w in weights.items()}


def _is_light(term: str, is_sentence: bool) -> bool:
    if _KANA.issuperset(term):
        return True
    return is_sentence and (term in _LIGHT or not _GRAMMAR.isdisjoint(term))


def is_asking(term: str) -> bool:
    """Whether a word or term, folded, is one that a question is asked with."""
    return term in ASKING or _FUNCTION.issuperset(term)


def foreign_asking(question: str) -> frozenset[str]:
    """The terms of the words that a question in a European language but English is asked with:
    where few pages are in it, `une` or `для` is as rare as what is asked for.

    The language is the one that most words are of, two at least; a word in capitals is a name.
    """
    words = [] if is_cjk(question) else plain_words(question)
    asked = {word.casefold() for word in words}
    english = max(len(asked & ASKING), 1)
    if 3 * english >= len(asked) or _FOREIGN.isdisjoint(asked):
        return frozenset()
    said = max((asked & each for each in function_words()), key=len)
    names = {word.casefold() for word in words[1:] if word.isupper()}
    return frozenset(query_terms(" ".join(said - names)) if len(said) > english else ())


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
