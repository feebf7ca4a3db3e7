"""Searching a workspace."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.search import SearchAnswer, said
from memwiki.clock import day_of
from memwiki.errors import UsageError
from memwiki.index.cards.filters import Filters
from memwiki.index.fill import Progress
from memwiki.names import require_text
from memwiki.recall.filters import FilterEvaluator
from memwiki.recall.parse import first_unreadable, parse_query
from memwiki.recall.pieces import Item
from memwiki.recall.query import Query
from memwiki.recall.run import Search, SearchResult, Shown
from memwiki.recall.texts import PageTexts
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Freshness, linked_reading, reading

_TAKES = {
    "since": "a day, a month, a year, or an age such as 7d, 2w, 3m, 1y",
    "is": "is:orphan or is:entry",
    "tag": "the name of a tag",
    "has": "the name of a field",
}
_ATTEMPTS = 3  # an answer while whose making pages changed is asked for again


def search(
    live: LiveIndex,
    text: str,
    *,
    limit: int | None,
    explain: bool,
    count: bool,
    progress: Progress | None,
) -> SearchAnswer:
    """The best hits for a query, and with `count` how many there are at all."""
    require_text("search", text)
    if not text.strip():
        hint = "give words, or a filter such as type:note; memwiki list shows all pages"
        raise UsageError("search: nothing to look for", hint=hint)
    today = day_of(live.context.clock())
    if unreadable := first_unreadable(text, today):
        raise _bad_filter(unreadable)
    query = parse_query(text, today)
    shown = Shown(
        limit or live.context.config.recall.max_results, explain=explain, is_counted=count
    )
    for _ in range(_ATTEMPTS):
        found, state = _ask(live, query, shown, progress)
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
        found.total.hits,
        found.fallback,
        found.hits,
        state.reason,
        (*query.notes, *_notes(found)),
        found.total.is_exact,
        found.words,
    )


def _bad_filter(item: Item) -> UsageError:
    takes = _TAKES.get(item.key.lower(), _TAKES["since"])
    return UsageError(
        f"search: {item.as_typed}: not a value of {item.key}:",
        hint=f"{takes}; in quotation marks it is text",
    )


def _notes(found: SearchResult) -> Iterator[str]:
    yield from found.notes
    if found.undated:
        total = said(found.total.hits, is_exact=found.total.is_exact)
        yield (
            f"{found.undated} of {total} hits have no date: they come last, ordered by file time"
        )


def _ask(
    live: LiveIndex, query: Query, shown: Shown, progress: Progress | None
) -> tuple[SearchResult, Freshness]:
    """The answer, and how fresh the index was."""
    context = live.context
    opened = linked_reading if query.is_about_links else reading
    with opened(live, progress) as view:
        snapshot = live.snapshot(view.stores, must_agree=view.freshness.fresh)
        filters = FilterEvaluator(Filters(view.stores.cards.db), view.graph, view.scope)
        texts = PageTexts(context.root, context.max_bytes)
        return Search(view.lookup, snapshot, filters, texts, shown).run(query), view.freshness
