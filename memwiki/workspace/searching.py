"""Searching a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.clock import day_of
from memwiki.model import SearchAnswer
from memwiki.recall.narrow import Narrowing
from memwiki.recall.pages import PageTexts
from memwiki.recall.query import Query, parse_query
from memwiki.recall.run import Found, Search
from memwiki.workspace.freshness import Reading, reading
from memwiki.workspace.sync import Progress

if TYPE_CHECKING:
    from memwiki.workspace.workspace import Workspace


def search(
    workspace: Workspace, text: str, *, limit: int | None, explain: bool, progress: Progress | None
) -> SearchAnswer:
    """The best hits for a query."""
    query = parse_query(text, day_of(workspace.clock()))
    most = limit or workspace.config.recall.max_results
    found, view = _ask(workspace, query, most, progress, explain=explain)
    state = view.freshness
    return SearchAnswer(
        text, state.fresh, state.pending, found.total, found.fallback, found.hits, state.reason
    )


def _ask(
    workspace: Workspace, query: Query, limit: int, progress: Progress | None, *, explain: bool
) -> tuple[Found, Reading]:
    layers = workspace.config.layers
    with reading(workspace, progress) as view:
        snapshot = workspace.keeper.snapshot(view.stores, must_agree=view.freshness.fresh)
        narrowing = Narrowing(view.stores.cards.db, view.graph, layers)
        texts = PageTexts(workspace.root, workspace.config.files.max_bytes)
        run = Search(view.lookup, snapshot, narrowing, texts, layers, explain=explain)
        return run.run(query, limit), view
