"""The memories that may answer though pages have more of the words, or they say it in other words:
who asks for a boss was told of a manager."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache, reduce
from itertools import chain, islice
from operator import itemgetter
from pkgutil import get_data

from memwiki.index.keyword.backend import Snapshot
from memwiki.index.keyword.tokens import query_terms
from memwiki.nouns import UnitKind
from memwiki.recall.bm25 import Said, idf
from memwiki.recall.channels import AnswerIndex, RankedUnit
from memwiki.recall.parse import Question
from memwiki.recall.query import is_asking
from memwiki.recall.words import WordsChannel
from memwiki.records import NamedTuple
from memwiki.text import is_cjk, simplified

_MEMORIES = 20  # that are looked at in any case, however many pages have the words
_MAX_MEMORIES = 5_000  # of a workspace: to score more takes longer than the rest of an answer
_SAID_FOR = 0.5  # of a word of the question: for another one that may be said for it
_ABSENT = 0.75  # of a word that stands nowhere
_MAX_TERMS = 5  # terms: in a question of more its own words tell
_LONG = 40  # terms: of more nothing else is asked for
_BESIDE = frozenset("我你您他她它们咱叫有没吗")  # stand beside a word of one character
_BEGINNING = 3  # letters that a word and its stem have in common
_KEPT = 2_000  # beginnings
IN_OTHER_WORDS = "in other words"


def crowded_out(
    index: AnswerIndex, words: WordsChannel, found: Sequence[RankedUnit]
) -> Iterator[RankedUnit]:
    """The best memories besides those that were found, where pages have taken their places."""
    if sum(row.key.kind is UnitKind.ENTRY for row in found) < _MEMORIES:
        known = {row.key.hit for row in found}
        best = words.best_of(_on_few_pages(index) or (), 4 * _MEMORIES)
        yield from islice(_entries(best.best(besides=known, reach=words.reach)), _MEMORIES)


def in_other_words(
    index: AnswerIndex,
    words: WordsChannel,
    said: Sequence[Said],
    found: Sequence[RankedUnit],
    reach: float,
) -> list[RankedUnit]:
    """The same with the best memories by these words, which are those of the question, that could
    give so much, and what is said for them."""
    best = words.with_others(said, _on_few_pages(index), 4 * _MEMORIES).best(reach=reach)
    known = {row.key: row for row in found}
    for key, score, _ in islice(_entries(best), _MEMORIES):
        before = known.get(key, RankedUnit(key, 0.0, IN_OTHER_WORDS))
        known[key] = before._replace(score=max(before.score, min(score, 1.0)))
    return [*known.values()]


def _on_few_pages(index: AnswerIndex) -> Sequence[int] | None:
    """The units on pages with memories; None where these are very many."""
    pages = index.cards.with_entries()
    return index.snapshot.documents_of(pages) if sum(pages.values()) <= _MAX_MEMORIES else None


def _entries(rows: Iterable[RankedUnit]) -> Iterator[RankedUnit]:
    return (row for row in rows if row.key.kind is UnitKind.ENTRY)


# --- what is said for a word -------------------------------------------------------------------


class _Sense(NamedTuple):
    """A word that a question has, what it counts, and what may be said for it."""

    word: str
    weight: float
    others: str


def other_words(
    question: Question, terms: Mapping[str, float], snapshot: Snapshot
) -> Sequence[Said]:
    """What may be said for words of a question, given with its terms: most counts what stands for
    a word that is nowhere, and none more than the word itself. What is quoted is meant so, and of
    a long text all is said."""
    if len(terms) > _LONG:
        return ()
    quoted = {term for phrase in question.phrases for term in query_terms(phrase)}
    asked = {term: weight for term, weight in terms.items() if term not in quoted}
    plain = reduce(lambda text, phrase: text.replace(phrase, " "), question.phrases, question.text)
    meant = [*_senses(simplified(plain).casefold(), asked)]
    said = [_terms_of(sense.others) for sense in meant]
    snapshot.prefetch({*terms, *chain.from_iterable(said)})
    share = min(1.0, _MAX_TERMS / max(len(terms), 1))
    best: dict[str, Said] = {}
    for sense, others in zip(meant, said, strict=True):
        for each in _counted_terms(sense, others - terms.keys(), snapshot):
            counted = each._replace(weight=share * each.weight)
            best[each.term] = max(counted, best.get(each.term, counted), key=itemgetter(2))
    return [*best.values()]


def _counted_terms(sense: _Sense, others: Set[str], snapshot: Snapshot) -> Iterator[Said]:
    own, units = tuple(query_terms(sense.word)), snapshot.unit_count
    rarity = idf(units, min(map(snapshot.frequency, own)))
    share = sense.weight * (_SAID_FOR if all(map(snapshot.frequency, own)) else _ABSENT)
    for term in others:
        if frequency := snapshot.frequency(term):
            yield Said(own, term, share * min(1.0, rarity / idf(units, frequency)))


def _terms_of(words: str) -> set[str]:
    """The terms of some words: of Chinese ones no single character, which stands in others."""
    return {term for term in query_terms(words) if len(term) > 1 or not is_cjk(term)}


def _senses(question: str, terms: Mapping[str, float]) -> Iterator[_Sense]:
    """What is meant by a question: by its words, and by Chinese ones, whose pairs of characters are
    terms, as they stand, the longest first."""
    for term, weight in terms.items():
        for sense in _beginning_with(term[:_BEGINNING]) if term.isascii() else ():
            if query_terms(sense.word) == [term]:
                yield sense._replace(weight=weight)
    at = 0
    while at < len(question):
        found = [*_standing(question, at)] if is_cjk(question[at]) else []
        longest = max((len(sense.word) for sense in found), default=1)
        yield from (sense for sense in found if len(sense.word) == longest)
        at += longest


def _standing(question: str, at: int) -> Iterator[_Sense]:
    """The words of the table that stand there; one of a single character by itself alone."""
    for sense in _beginning_with(question[at]):
        around = question[at - 1 : at] + question[at + 1 : at + 2]
        is_alone = all(not is_cjk(each) or is_asking(each) or each in _BESIDE for each in around)
        if question.startswith(sense.word, at) and (len(sense.word) > 1 or is_alone):
            yield sense


@lru_cache(maxsize=_KEPT)
def _beginning_with(letters: str) -> Sequence[_Sense]:
    """The words of the table that begin so and are no mere kinds; they are sought in its text, as
    a mapping of all of them takes longer than a question."""
    table, found = _table(), list[_Sense]()
    at = table.find(f" {letters}")
    while at >= 0:
        start = table.rfind("\n", 0, at) + 1
        heads, _, kinds = table[start : table.find("\n", at)].partition(":")
        if at - start < len(heads):
            word = heads[at - start :].split(maxsplit=1)[0]
            found.append(_Sense(word, 1.0, f"{heads} {kinds}"))
        at = table.find(f" {letters}", at + 1)
    return found


@cache
def _table() -> str:
    """The lines of `senses.txt`, with a blank before each word."""
    rows = (get_data(__package__, "senses.txt") or b"").decode().splitlines()
    return "".join(f" {row}\n" for row in rows if not row.startswith("#"))
