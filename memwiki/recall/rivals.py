"""What newer memories say of the best that were found, in whatever words: who asks where somebody
lives is to hear of the move, too."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from memwiki.index.units import UnitKey
from memwiki.judgement.conflicts import weighted_words, words_beside
from memwiki.recall.bm25 import memories_like
from memwiki.recall.channels import AnswerIndex, Passage, passages_of
from memwiki.recall.filters import Conditions
from memwiki.recall.order import is_contradicted, is_newer, statement_of

_MAX_COMPARED = 12  # memories that share most words with an answer
_MAX_CHAIN = 8  # values, each newer than the one before it, of which none speaks of the first


def news_of(
    index: AnswerIndex,
    conditions: Conditions,
    answers: Sequence[Passage],
    terms: Collection[str],
    is_news: Callable[[Passage], bool],
) -> list[Passage]:
    """For each of the answers to a question of these terms, of what is news, the newest memory that
    contradicts it, and what contradicts that in turn; none for what says no day."""
    found: dict[UnitKey, Passage] = {}
    for answer in answers:
        for each in _news(index, conditions, answer, terms, is_news):
            found.setdefault(each.key, each)
    return [*found.values()]


def _news(
    index: AnswerIndex,
    conditions: Conditions,
    answer: Passage,
    terms: Collection[str],
    is_news: Callable[[Passage], bool],
    steps: int = _MAX_CHAIN,
) -> Iterator[Passage]:
    read = statement_of(answer)
    words = weighted_words(read.words, words_beside(read))
    keys = map(UnitKey, memories_like(index.snapshot, words, conditions.passes, _MAX_COMPARED))
    others = passages_of(keys, index.lookup, index.texts).values()
    newer = [each for each in others if is_newer(each, answer) and is_news(each)]
    newer.sort(key=lambda each: (each.date, each.location.line_start), reverse=True)
    rival = next((x for x in newer if is_contradicted(read, statement_of(x), terms)), None)
    if rival:
        yield rival
        if steps:
            yield from _news(index, conditions, rival, terms, is_news, steps - 1)
