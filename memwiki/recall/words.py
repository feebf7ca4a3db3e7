"""The channel of words: the units that hold terms of a question, scored by BM25."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from heapq import nlargest
from itertools import compress
from typing import TYPE_CHECKING

from memwiki.index.keyword.backend import Snapshot
from memwiki.index.keyword.tokens import other_forms, other_spelling, query_terms
from memwiki.index.units import are_of, hits_of
from memwiki.recall.bm25 import BM25, Said, Uncounted, idf
from memwiki.recall.channels import AnswerIndex, Candidates, HitCount, Scores, best_by_hit
from memwiki.recall.filters import Conditions
from memwiki.recall.query import Query

if TYPE_CHECKING:
    from memwiki.recall.conversation import ConversationChannel

_AT_ONCE = 1_400  # units whose hits are counted together
_RAW = 0.8  # sources rank a little lower than what was made of them


class WordsChannel:
    """The units that hold words of one question: what is asked of a unit besides, and what of all
    of them is worth being looked at."""

    def __init__(
        self,
        index: AnswerIndex,
        terms: Mapping[str, float],
        conditions: Conditions,
        uncounted: Collection[int] = (),
        *,
        limit: int = 0,
        named: Collection[int] = (),
        question: str = "",
    ) -> None:
        """`terms` have their weights. `uncounted` are pages that no word is rarer or commoner by;
        of `named` ones all units are found, whatever their score. A `question` is answered by
        replies, too."""
        self._snapshot, self._limit, self._named = index.snapshot, limit, named
        self._lookup, self._question = index.lookup, question
        living = sum(len(index.lookup.stored_keys(page)) for page in uncounted)
        documents = frozenset(self._snapshot.documents_of(uncounted) if uncounted else ())
        self._scoring = BM25(self._snapshot, terms, Uncounted(living, documents), terms)
        self._sources, self._conditions = index.filters.raw_pages(), conditions

    @cached_property
    def _conversation(self) -> ConversationChannel | None:
        """What makes the score of a message depend on others, where there are any in sessions."""
        if not (self._snapshot.has_messages and self._lookup.has_sessions()):
            return None
        from memwiki.recall.conversation import ConversationChannel

        return ConversationChannel(self._lookup, self._question)

    @property
    def reach(self) -> float:
        """The most that the words of this question could give a unit, at least 1."""
        return self._scoring.reach or 1.0

    def find(self, found: Scores) -> Candidates:  # noqa: ARG002 - words are the first to be asked
        """The units that hold a term, as far as they may be among the best `limit` hits besides the
        named pages; of these all."""
        if self._conditions.undated or self._conversation:
            return self.holding(())
        wanted = self._limit + len(self._named)
        kept = self._snapshot.documents_of(self._named) if self._named else ()
        return self._candidates(self._scoring.best(partial(self._least, wanted), kept))

    def holding(self, phrases: Sequence[str]) -> Candidates:
        """All units that hold a term and all words of each phrase."""
        required = None
        if phrases:
            from memwiki.recall.phrases import holding_phrases  # few questions have any

            required = holding_phrases(self._snapshot, phrases)
        if required is not None and not self._conversation:
            return self._candidates(self._scoring.of(required))
        scores = self._scoring.every()
        if not self._conversation:
            return self._candidates(scores)
        raised = self._conversation.find(self._by_key(scores))
        if required is not None:
            holding = set(self._snapshot.keys(required))
            raised = {key: score for key, score in raised.items() if key in holding}
        return self._candidates_under(raised)

    def of(self, documents: Collection[int]) -> Candidates:
        """Those of these units that hold a term."""
        return self._candidates(self._scoring.of(documents))

    def best_of(self, documents: Collection[int], most: int) -> Candidates:
        """So many of these units that hold a term, the best ones, and those as good."""
        return self._best(self._scoring.of(documents), most)

    def with_others(
        self, said: Sequence[Said], documents: Collection[int] | None, most: int
    ) -> Candidates:
        """The same of all units where `documents` is None, and with what is `said` for words."""
        if documents is None:
            documents = self._scoring.best(partial(self._least, self._limit))
        return self._best(self._scoring.with_others(documents, said), most)

    def _best(self, scored: Mapping[int, float], most: int) -> Candidates:
        least = min(nlargest(most, scored.values()), default=0.0)
        return self._candidates({unit: score for unit, score in scored.items() if score >= least})

    def on_pages(self, pages: Collection[int], conditions: Conditions) -> Candidates:
        """The units on some pages that hold a term, under conditions of their own."""
        scored = self._scoring.of(self._snapshot.documents_of(pages))
        return self._candidates_under(self._by_key(scored), conditions)

    def count(self, besides: Collection[bytes], most: int | None) -> HitCount:
        """How many hits hold a term or are among those `besides`, counted up to `most`."""
        hits, known = set(besides), set[int]()
        for documents in self._scoring.holders():
            fresh = list(set(documents) - known) if known else documents
            step = max(1, len(fresh) // _AT_ONCE)  # units of one page are neighbours
            for start in range(step):
                keys = self._snapshot.keys(fresh[start::step])
                hits |= hits_of(_passing(keys, self._conditions))
                if most is not None and len(hits) > most:
                    return HitCount(most, is_exact=False)
            known.update(fresh)
        return HitCount(len(hits))

    def _least(self, wanted: int, scores: Mapping[int, float]) -> float:
        """A score that so many hits reach at least, 0 when it is not easily said."""
        for most in (2 * wanted + 8, 16 * wanted + 64):
            top = nlargest(most, scores.values())
            low = top[-1] if top else 0.0
            units = {unit: score for unit, score in scores.items() if score >= low}
            found = best_by_hit(self._candidates(units)).values()
            if len(found) >= wanted:
                return nlargest(wanted, found)[-1]
            if len(units) == len(scores):
                break
        return 0.0

    def _by_key(self, scored: Mapping[int, float]) -> dict[bytes, float]:
        return dict(zip(self._snapshot.keys(scored), scored.values(), strict=True))

    def _candidates(self, scored: Mapping[int, float]) -> Candidates:
        return self._candidates_under(self._by_key(scored))

    def _candidates_under(self, scored: Scores, conditions: Conditions | None = None) -> Candidates:
        asked = self._conditions if conditions is None else conditions
        found, keys = dict(scored), list(scored)
        for key in compress(keys, are_of(keys, self._sources)) if self._sources else ():
            found[key] *= _RAW
        highest = max(found.values(), default=0.0) or 1.0
        return Candidates({key: found[key] for key in _passing(keys, asked)}, highest)


def with_other_spellings(
    weights: Mapping[str, float], query: Query, snapshot: Snapshot
) -> Mapping[str, float]:
    """The same with words that the pages spell otherwise, `ue` for `ü`, or have in another form,
    `bought` for `buy`: instead of what stands nowhere, else beside it and as common."""
    found, absent = dict(weights), set[str]()
    for own, other in _spelled_otherwise(query, weights):
        if own not in weights or other in found or not snapshot.frequency(other):
            continue
        found[other] = weights[own]
        if common := snapshot.frequency(own):
            every, rarity = snapshot.unit_count, idf(snapshot.unit_count, common)
            found[other] *= min(rarity / idf(every, snapshot.frequency(other)), 1.0)
        else:
            absent.add(own)
    return {term: weight for term, weight in found.items() if term not in absent}


def _spelled_otherwise(query: Query, terms: Iterable[str]) -> Iterator[tuple[str, str]]:
    for word in query.words:
        if others := query_terms(other_spelling(word)):
            yield from zip(query_terms(word), others, strict=False)
    yield from ((term, other) for term in terms for other in other_forms(term))


def _passing(keys: list[bytes], conditions: Conditions) -> Iterable[bytes]:
    return keys if conditions.are_none else filter(conditions.passes, keys)
