"""The memories that may answer though pages have more of the words, or they say it in other words:
who asks for a boss was told of a manager."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, islice
from pathlib import Path

from memwiki.index.keyword.backend import Snapshot
from memwiki.index.keyword.tokens import query_terms
from memwiki.nouns import UnitKind
from memwiki.recall.channels import AnswerIndex, Candidates, RankedUnit
from memwiki.recall.words import WordsChannel
from memwiki.records import NamedTuple
from memwiki.text import is_cjk, simplified

_MEMORIES = 20  # that are looked at in any case, however many pages have the words
_MAX_MEMORIES = 5_000  # of a workspace: to score more takes longer than the rest of an answer
_SAID_FOR = 0.5  # of a word of the question: for another one that may be said for it
_ABSENT = 0.75  # of a word that stands nowhere
_KIND = 0.6  # of that, where the question has what is of a kind, and the other says the kind
_FEW = 5  # terms: in a question of more its own words tell
_BEGINNING = 3  # letters that a word and its stem have in common
_MAX_WORD = 40  # characters of a word of the table
_KEPT = 2_000  # beginnings
IN_OTHER_WORDS = "in other words"


def crowded_out(
    index: AnswerIndex, words: WordsChannel, found: Sequence[RankedUnit]
) -> Iterator[RankedUnit]:
    """The best memories besides those that were found, where pages have taken their places."""
    if sum(row.key.kind is UnitKind.ENTRY for row in found) < _MEMORIES:
        known = {row.key.hit for row in found}
        best = _of_memories(index, words) or Candidates({}, 1.0)
        yield from islice(_entries(best.best(besides=known, reach=words.reach)), _MEMORIES)


def in_other_words(
    index: AnswerIndex, words: WordsChannel, reach: float, found: Sequence[RankedUnit]
) -> list[RankedUnit]:
    """The same with the best memories by these words, which are those of the question, that could
    give so much, and what may be said for them."""
    every = _of_memories(index, words)
    best = (words.find({}) if every is None else every).best(reach=reach)
    known = {row.key: row for row in found}
    for key, score, _ in islice(_entries(best), _MEMORIES):
        before = known.get(key, RankedUnit(key, 0.0))
        if before.score < score:
            known[key] = RankedUnit(key, min(score, 1.0), before.reason or IN_OTHER_WORDS)
    return [*known.values()]


def _of_memories(index: AnswerIndex, words: WordsChannel) -> Candidates | None:
    """The best of what is on pages with memories; None where these are very many."""
    pages = index.cards.with_entries()
    if sum(pages.values()) > _MAX_MEMORIES:
        return None
    return words.best_of(index.snapshot.documents_of(pages), 4 * _MEMORIES)


def _entries(rows: Iterable[RankedUnit]) -> Iterator[RankedUnit]:
    return (row for row in rows if row.key.kind is UnitKind.ENTRY)


# --- what is said for a word -------------------------------------------------------------------


class _Sense(NamedTuple):
    """A word that a question has, what it counts, and what may be said for it."""

    word: str
    weight: float
    others: str


def other_words(question: str, terms: Mapping[str, float], snapshot: Snapshot) -> dict[str, float]:
    """The terms of what may be said for words of a question, given with its terms, and what each
    counts; most for words that stand nowhere."""
    meant = [*_meant(simplified(question).casefold(), terms)]
    said = [query_terms(sense.others) for sense in meant]
    snapshot.prefetch({*terms, *chain.from_iterable(said)})
    share = min(1.0, _FEW / len(terms)) if terms else 0.0
    found: dict[str, float] = {}
    for sense, others in zip(meant, said, strict=True):
        is_known = any(map(snapshot.frequency, query_terms(sense.word)))
        counted = share * sense.weight * (_SAID_FOR if is_known else _ABSENT)
        for term in set(others) - terms.keys():
            found[term] = max(counted, found.get(term, 0.0))
    return {term: weight for term, weight in found.items() if snapshot.frequency(term)}


def _meant(question: str, terms: Mapping[str, float]) -> Iterator[_Sense]:
    """What is meant by a question: Chinese words, whose pairs of characters are terms, as they
    stand."""
    for term, weight in terms.items():
        for sense in _beginning_with(term[:_BEGINNING]) if term.isascii() else ():
            if query_terms(sense.word) == [term]:
                yield sense._replace(weight=weight * sense.weight)
    for at, character in enumerate(question):
        for sense in _beginning_with(character) if is_cjk(character) else ():
            if question.startswith(sense.word, at):
                yield sense


@lru_cache(maxsize=_KEPT)
def _beginning_with(letters: str) -> Sequence[_Sense]:
    """The words of the table that begin so; they are sought in its text, as a mapping of all of
    them takes longer than a question."""
    table, found = _table(), list[_Sense]()
    at = table.find(f" {letters}")
    while at >= 0:
        start = table.rfind("\n", 0, at) + 1
        heads, _, kinds = table[start : table.find("\n", at)].partition(":")
        is_kind = at - start >= len(heads)
        word = table[at + 1 : at + _MAX_WORD].replace(":", " ").split(maxsplit=1)[0]
        others = heads if is_kind else f"{heads} {kinds}"
        found.append(_Sense(word, _KIND if is_kind else 1.0, others))
        at = table.find(f" {letters}", at + 1)
    return found


@cache
def _table() -> str:
    """The lines of `senses.txt`, with a blank before each word."""
    rows = Path(__file__).with_name("senses.txt").read_text("utf-8").splitlines()
    return "".join(f" {row}\n" for row in rows if not row.startswith("#"))
