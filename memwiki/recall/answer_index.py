"""One generation of the index, opened for one question, and asked again while pages change."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, TypeVar

from memwiki.clock import day_of
from memwiki.index.cards.filters import Filters
from memwiki.recall.filters import FilterEvaluator
from memwiki.recall.texts import PageTexts
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Freshness, Reading

if TYPE_CHECKING:
    from memwiki.answers.recall import Recall
    from memwiki.answers.search import SearchAnswer
    from memwiki.index.graph import LinkGraph

A = TypeVar("A", "SearchAnswer", "Recall")
_ATTEMPTS = 3


class AnswerIndex:
    """What all stages and channels of one answer ask."""

    def __init__(self, live: LiveIndex, view: Reading) -> None:
        self.context, self.view = live.context, view
        self.lookup, self.stores = view.lookup, view.stores
        self.snapshot = live.snapshot(view.stores, must_agree=view.freshness.is_swept)
        self.cards = Filters(view.stores.cards.db)
        self.filters = FilterEvaluator(self.cards, self._orphans, view.scope)
        self.texts = PageTexts(self.context.root, self.context.max_bytes)
        self.vectors = live.vectors
        self.today = day_of(self.context.clock())

    @property
    def graph(self) -> LinkGraph:
        """What links mean."""
        return self.view.graph

    def _orphans(self) -> Collection[str]:
        return self.graph.orphans()


def while_pages_change(ask: Callable[[], tuple[A, Freshness, int]], verb: str) -> A:
    """An answer, asked for again while pages changed as it was made: `ask` says how many did.

    After three times the last one is given as one that is not fresh.
    """
    for _ in range(_ATTEMPTS):
        answer, state, changed = ask()
        if not (state.fresh and changed):
            return answer._replace(**state._asdict())
    reason = f"pages change while they are {verb}"
    return answer._replace(fresh=False, pending=changed, reason=reason)
