"""`AsyncWorkspace`: one folder of markdown, opened, with its facets."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from memwiki.aio.face import WorkspaceFace, reads, writes
from memwiki.workspace import Workspace

if TYPE_CHECKING:
    from memwiki.aio.facets import (
        AsyncCarryFacet,
        AsyncCatalogFacet,
        AsyncCurationFacet,
        AsyncFolderFacet,
        AsyncIndexFacet,
        AsyncJournalFacet,
        AsyncModelsFacet,
        AsyncPagesFacet,
        AsyncProposalsFacet,
        AsyncSessionFacet,
        AsyncSessionsFacet,
        AsyncSettingsFacet,
    )
    from memwiki.aio.memories import (
        AsyncAgentsFacet,
        AsyncCheckFacet,
        AsyncEntriesFacet,
        AsyncGraphFacet,
        AsyncKnowledgeFacet,
        AsyncNamespacesFacet,
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
        return await kind._made(lambda: make(*args, **kwargs))

    return classmethod(opened)


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

    def by(self, actor: str) -> AsyncWorkspace:
        """The same workspace for what somebody does, as `Workspace.by` is; "" is nobody."""
        return self._view(lambda it: it.by(actor))

    def public(self) -> AsyncWorkspace:
        """The same workspace as those see it who may not see what is private, at each call."""
        return self._view(lambda it: it.public())

    @property
    def pages(self) -> AsyncPagesFacet:
        """Reading, making and changing pages."""
        from memwiki.aio.facets import AsyncPagesFacet

        return AsyncPagesFacet(self._workers, lambda: self._find().pages)

    def folder(self, path: str, *, private: bool = True) -> AsyncFolderFacet:
        """Text files below a folder, which need not be there yet, byte for byte; "." is all.

        Without `private` as those see it who may not see what is private, and without the journal.
        """
        from memwiki.aio.facets import AsyncFolderFacet

        return AsyncFolderFacet(self._workers, lambda: self._find().folder(path, private=private))

    @property
    def entries(self) -> AsyncEntriesFacet:
        """Memories: adding, finding, changing and retiring them."""
        from memwiki.aio.memories import AsyncEntriesFacet

        return AsyncEntriesFacet(self._workers, lambda: self._find().entries)

    @property
    def knowledge(self) -> AsyncKnowledgeFacet:
        """A graph of entities, observations and relations."""
        from memwiki.aio.memories import AsyncKnowledgeFacet

        return AsyncKnowledgeFacet(self._workers, lambda: self._find().knowledge)

    @property
    def namespaces(self) -> AsyncNamespacesFacet:
        """Workspaces inside this one: what there are, and putting one away."""
        from memwiki.aio.memories import AsyncNamespacesFacet

        return AsyncNamespacesFacet(self._workers, lambda: self._find().namespaces)

    @property
    def graph(self) -> AsyncGraphFacet:
        """Links, tags, and what is around a page."""
        from memwiki.aio.memories import AsyncGraphFacet

        return AsyncGraphFacet(self._workers, lambda: self._find().graph)

    @property
    def check(self) -> AsyncCheckFacet:
        """What is wrong with the pages."""
        from memwiki.aio.memories import AsyncCheckFacet

        return AsyncCheckFacet(self._workers, lambda: self._find().check)

    @property
    def carry(self) -> AsyncCarryFacet:
        """Taking everything elsewhere, and taking in what was kept elsewhere."""
        from memwiki.aio.facets import AsyncCarryFacet

        return AsyncCarryFacet(self._workers, lambda: self._find().carry)

    @property
    def catalog(self) -> AsyncCatalogFacet:
        """The index.md files of the folders."""
        from memwiki.aio.facets import AsyncCatalogFacet

        return AsyncCatalogFacet(self._workers, lambda: self._find().catalog)

    @property
    def sessions(self) -> AsyncSessionsFacet:
        """Conversations: beginning, listing and importing them."""
        from memwiki.aio.facets import AsyncSessionsFacet

        return AsyncSessionsFacet(self._workers, lambda: self._find().sessions)

    def session(self, id: str) -> AsyncSessionFacet:
        """One conversation by its id, which may not have begun yet."""
        from memwiki.aio.facets import AsyncSessionFacet

        return AsyncSessionFacet(self._workers, lambda: self._find().session(id))

    @property
    def upkeep(self) -> AsyncUpkeepFacet:
        """Keeping memories: joining what repeats, letting retire what nobody needs."""
        from memwiki.aio.memories import AsyncUpkeepFacet

        return AsyncUpkeepFacet(self._workers, lambda: self._find().upkeep)

    @property
    def curation(self) -> AsyncCurationFacet:
        """What a model is asked of sessions, pages and texts."""
        from memwiki.aio.facets import AsyncCurationFacet

        return AsyncCurationFacet(self._workers, lambda: self._find().curation)

    @property
    def proposals(self) -> AsyncProposalsFacet:
        """What a model or an agent proposes, reviewed before it is true."""
        from memwiki.aio.facets import AsyncProposalsFacet

        return AsyncProposalsFacet(self._workers, lambda: self._find().proposals)

    @property
    def agents(self) -> AsyncAgentsFacet:
        """What programs of coding agents have of this workspace in their own files."""
        from memwiki.aio.memories import AsyncAgentsFacet

        return AsyncAgentsFacet(self._workers, lambda: self._find().agents)

    @property
    def journal(self) -> AsyncJournalFacet:
        """What was done, as the workspace notes it."""
        from memwiki.aio.facets import AsyncJournalFacet

        return AsyncJournalFacet(self._workers, lambda: self._find().journal)

    @property
    def settings(self) -> AsyncSettingsFacet:
        """memwiki.toml and what goes before it."""
        from memwiki.aio.facets import AsyncSettingsFacet

        return AsyncSettingsFacet(self._workers, lambda: self._find().settings)

    @property
    def models(self) -> AsyncModelsFacet:
        """Language models: which are set, may be asked, and what they were asked."""
        from memwiki.aio.facets import AsyncModelsFacet

        return AsyncModelsFacet(self._workers, lambda: self._find().models)

    @property
    def share(self) -> AsyncShareFacet:
        """The shared index: feeding this workspace, and what is there."""
        from memwiki.aio.memories import AsyncShareFacet

        return AsyncShareFacet(self._workers, lambda: self._find().share)

    @property
    def index(self) -> AsyncIndexFacet:
        """The state of the index."""
        from memwiki.aio.facets import AsyncIndexFacet

        return AsyncIndexFacet(self._workers, lambda: self._find().index)
