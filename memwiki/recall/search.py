"""Searching a workspace."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.search import SearchAnswer
from memwiki.clock import day_of
from memwiki.index.cards.filters import Filters
from memwiki.index.fill import Progress
from memwiki.names import require_text
from memwiki.recall.filters import FilterEvaluator
from memwiki.recall.query import Query, parse_query
from memwiki.recall.run import Search, SearchResult
from memwiki.recall.texts import PageTexts
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Freshness, reading

_ATTEMPTS = 3  # an answer while whose making pages changed is asked for again


def search(
    live: LiveIndex, text: str, *, limit: int | None, explain: bool, progress: Progress | None
) -> SearchAnswer:
    """The best hits for a query."""
    require_text("search", text)
    query = parse_query(text, day_of(live.context.clock()))
    most = limit or live.context.config.recall.max_results
    for _ in range(_ATTEMPTS):
        found, state = _ask(live, query, most, progress, explain=explain)
        changed = found.changed_meanwhile if state.fresh else 0
        if not changed:
            break
    if changed:
        reason = "pages change while they are searched"
        state = Freshness(fresh=False, pending=changed, reason=reason)
    return SearchAnswer(
        text,
        state.fresh,
        state.pending,
        found.total,
        found.fallback,
        found.hits,
        state.reason,
        tuple(_notes(found)),
    )


def _notes(found: SearchResult) -> Iterator[str]:
    yield from found.notes
    if found.undated:
        yield (
            f"{found.undated} of {found.total} hits have no date:"
            " they come last, ordered by file time"
        )


def _ask(
    live: LiveIndex, query: Query, limit: int, progress: Progress | None, *, explain: bool
) -> tuple[SearchResult, Freshness]:
    """The answer, and how fresh the index was."""
    context = live.context
    with reading(live, progress) as view:
        snapshot = live.snapshot(view.stores, must_agree=view.freshness.fresh)
        filters = FilterEvaluator(Filters(view.stores.cards.db), view.graph, context.layers)
        texts = PageTexts(context.root, context.max_bytes)
        asked = Search(view.lookup, snapshot, filters, texts, explain=explain)
        return asked.run(query, limit), view.freshness
