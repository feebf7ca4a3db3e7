"""What newer memories say of the best that were found, in whatever words: who asks where somebody
lives is to hear of the move, too."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from memwiki.index.units import UnitKey
from memwiki.judgement.conflicts import weighted_words, words_beside
from memwiki.judgement.similarity import name_terms, words_of
from memwiki.recall.bm25 import memories_like
from memwiki.recall.channels import AnswerIndex, Passage, passages_of
from memwiki.recall.filters import Conditions
from memwiki.recall.order import is_contradicted, is_newer, statement_of
from memwiki.records import NamedTuple

_MAX_COMPARED = 12  # memories that share most words with an answer
_MAX_CHAIN = 8  # values, each newer than the one before it, of which none speaks of the first
_RARE = 8  # units that hold a name, at most: of what all of a memory is about most is no news


class News(NamedTuple):
    """A newer memory about what an answer is about; `is_rival` says that it contradicts it."""

    passage: Passage
    of: Passage
    is_rival: bool


def news_of(
    index: AnswerIndex,
    conditions: Conditions,
    answers: Sequence[Passage],
    terms: Collection[str],
    is_news: Callable[[Passage], bool],
) -> list[News]:
    """For each of the answers to a question of these terms, of what is news, the newest memory that
    contradicts it, and the newest that has a rare name of it; none for what says no day."""
    found: dict[UnitKey, News] = {}
    for answer in answers:
        for each in _news(index, conditions, answer, terms, is_news):
            found.setdefault(each.passage.key, each)
    return [*found.values()]


def _news(
    index: AnswerIndex,
    conditions: Conditions,
    answer: Passage,
    terms: Collection[str],
    is_news: Callable[[Passage], bool],
    steps: int = _MAX_CHAIN,
) -> Iterator[News]:
    read = statement_of(answer)
    words = weighted_words(read.words, words_beside(read))
    keys = map(UnitKey, memories_like(index.snapshot, words, conditions.passes, _MAX_COMPARED))
    others = passages_of(keys, index.lookup, index.texts).values()
    newer = [each for each in others if is_newer(each, answer) and is_news(each)]
    newer.sort(key=lambda each: (each.date, each.location.line_start), reverse=True)
    rival = next((x for x in newer if is_contradicted(read, statement_of(x), terms)), None)
    if rival:
        yield News(rival, answer, is_rival=True)
        later = _news(index, conditions, rival, terms, is_news, steps - 1) if steps else ()
        yield from (each for each in later if each.is_rival)
    names = {name for name in name_terms(answer.body) if index.snapshot.frequency(name) <= _RARE}
    named = next((x for x in newer if names & words_of(x.body)), None) if names else None
    if named:
        yield News(named, answer, is_rival=False)
