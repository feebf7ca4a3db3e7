"""`AsyncWorkspace`: one folder of markdown, opened, with its facets."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, ParamSpec

from memwiki.aio.face import WorkspaceFace, reads, writes
from memwiki.workspace import Workspace
from memwiki.workspace.facets import FacetProperty

if TYPE_CHECKING:
    from memwiki.aio.facets import (
        AsyncAgentsFacet,
        AsyncCarryFacet,
        AsyncCatalogFacet,
        AsyncCheckFacet,
        AsyncCurationFacet,
        AsyncEntriesFacet,
        AsyncFolderFacet,
        AsyncGraphFacet,
        AsyncIndexFacet,
        AsyncJournalFacet,
        AsyncKnowledgeFacet,
        AsyncModelsFacet,
        AsyncNamespacesFacet,
        AsyncPagesFacet,
        AsyncProposalsFacet,
        AsyncSessionFacet,
        AsyncSessionsFacet,
        AsyncSettingsFacet,
        AsyncShareFacet,
        AsyncUpkeepFacet,
    )

P = ParamSpec("P")


def _opening(
    make: Callable[P, Workspace],
) -> classmethod[AsyncWorkspace, P, Coroutine[Any, Any, AsyncWorkspace]]:
    """A way to open a workspace, awaited."""

    @wraps(make)
    async def opened(
        kind: type[AsyncWorkspace], /, *args: P.args, **kwargs: P.kwargs
    ) -> AsyncWorkspace:
        return await kind._make(lambda: make(*args, **kwargs))

    return classmethod(opened)


def _facet(plain: object) -> Any:  # noqa: ANN401 - of the class declared beside it
    """A facet of the workspace, whose calls are awaited; imported when it is asked for."""

    def made(part: FacetProperty, face: AsyncWorkspace) -> object:
        facet = getattr(import_module("memwiki.aio.facets"), part.kind)
        return facet(face._workers, lambda: getattr(face._find(), part.name))

    return FacetProperty(plain.__doc__ or "", made)


class AsyncWorkspace(WorkspaceFace):
    """A `Workspace` whose calls are awaited; each is done in a thread beside the event loop.

    Names, arguments and answers are those of `Workspace`. Of calls that are cancelled one that has
    not begun never begins, one that reads ends at its next step, and one that writes completes.
    Functions that are handed over are called in the thread of the call.
    """

    open = _opening(Workspace.open)
    init = _opening(Workspace.init)
    adopt = _opening(Workspace.adopt)
    private_pages = reads(Workspace.private_pages)
    take_warnings = reads(Workspace.take_warnings)
    reload = writes(Workspace.reload)
    search = reads(Workspace.search, has_progress=True)
    suggest = reads(Workspace.suggest)
    browse = reads(Workspace.browse)
    recall = reads(Workspace.recall, has_progress=True)
    ask = reads(Workspace.ask, is_long=True)
    bench = reads(Workspace.bench, is_long=True, has_progress=True)
    bench_vault = reads(Workspace.bench_vault, is_long=True, has_progress=True)
    prompt = reads(Workspace.prompt)
    note_recall = writes(Workspace.note_recall)
    inject = reads(Workspace.inject)
    sync = writes(Workspace.sync)
    undo = writes(Workspace.undo)

    pages: AsyncPagesFacet = _facet(Workspace.pages)
    entries: AsyncEntriesFacet = _facet(Workspace.entries)
    knowledge: AsyncKnowledgeFacet = _facet(Workspace.knowledge)
    namespaces: AsyncNamespacesFacet = _facet(Workspace.namespaces)
    graph: AsyncGraphFacet = _facet(Workspace.graph)
    check: AsyncCheckFacet = _facet(Workspace.check)
    carry: AsyncCarryFacet = _facet(Workspace.carry)
    catalog: AsyncCatalogFacet = _facet(Workspace.catalog)
    sessions: AsyncSessionsFacet = _facet(Workspace.sessions)
    upkeep: AsyncUpkeepFacet = _facet(Workspace.upkeep)
    curation: AsyncCurationFacet = _facet(Workspace.curation)
    proposals: AsyncProposalsFacet = _facet(Workspace.proposals)
    agents: AsyncAgentsFacet = _facet(Workspace.agents)
    journal: AsyncJournalFacet = _facet(Workspace.journal)
    settings: AsyncSettingsFacet = _facet(Workspace.settings)
    models: AsyncModelsFacet = _facet(Workspace.models)
    share: AsyncShareFacet = _facet(Workspace.share)
    index: AsyncIndexFacet = _facet(Workspace.index)

    def by(self, actor: str) -> AsyncWorkspace:
        """The same workspace for what somebody does, as `Workspace.by` is; "" is nobody."""
        return self._view(lambda it: it.by(actor))

    def public(self) -> AsyncWorkspace:
        """The same workspace as those see it who may not see what is private, at each call."""
        return self._view(lambda it: it.public())

    def folder(self, path: str, *, private: bool = True) -> AsyncFolderFacet:
        """Text files below a folder, which need not be there yet, byte for byte; "." is all.

        Without `private` as those see it who may not see what is private, and without the journal.
        """
        from memwiki.aio.facets import AsyncFolderFacet

        return AsyncFolderFacet(self._workers, lambda: self._find().folder(path, private=private))

    def session(self, id: str) -> AsyncSessionFacet:
        """One conversation by its id, which may not have begun yet."""
        from memwiki.aio.facets import AsyncSessionFacet

        return AsyncSessionFacet(self._workers, lambda: self._find().session(id))
