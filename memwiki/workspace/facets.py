"""The facets of a workspace: what it can do, by noun, each made when it is asked for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from memwiki.sync.live import LiveIndex
from memwiki.sync.opened import OpenFolder

if TYPE_CHECKING:
    from memwiki.browse.graph import GraphFacet, KeptMaps
    from memwiki.commit.catalogs import CatalogFacet
    from memwiki.commit.knowledge import GraphRead, KnowledgeFacet
    from memwiki.history.journal import JournalFacet
    from memwiki.setup.agents import AgentsFacet
    from memwiki.workspace.carry import CarryFacet
    from memwiki.workspace.check import CheckFacet
    from memwiki.workspace.curation import CurationFacet
    from memwiki.workspace.entries import EntriesFacet
    from memwiki.workspace.folder import FolderFacet, NamespacesFacet
    from memwiki.workspace.index import IndexFacet
    from memwiki.workspace.models import ModelsFacet
    from memwiki.workspace.pages import PagesFacet
    from memwiki.workspace.proposals import ProposalsFacet
    from memwiki.workspace.recalling import Recalling
    from memwiki.workspace.sessions import SessionFacet, SessionsFacet
    from memwiki.workspace.settings import SettingsFacet
    from memwiki.workspace.share import ShareFacet
    from memwiki.workspace.upkeep import UpkeepFacet


class FacetProperty(property):
    """A part of a workspace, of the class that its annotation names, imported on need."""

    name: str
    kind: str

    def __init__(self, about: str, make: Callable[[FacetProperty, Any], object]) -> None:
        super().__init__(lambda space: make(self, space))
        self.__doc__ = about

    def __set_name__(self, owner: type, name: str) -> None:
        self.name, self.kind = name, owner.__annotations__[name]


def _facet(about: str, home: str = "") -> Any:  # noqa: ANN401 - of the class declared beside it
    """A facet, whose module is loaded when it is asked for."""

    def made(part: FacetProperty, space: Facets) -> object:
        facet = getattr(import_module(f"memwiki.{home or f'workspace.{part.name}'}"), part.kind)
        return facet(space.live, space.environ)

    return FacetProperty(about, made)


class Facets(OpenFolder):
    """What is done with a workspace; loads nothing before it is needed."""

    _graph_read: GraphRead | None
    _maps: KeptMaps

    pages: PagesFacet = _facet("Reading, making and changing pages.")
    entries: EntriesFacet = _facet("Memories: adding, finding, changing and retiring them.")
    namespaces: NamespacesFacet = _facet(
        "Workspaces inside this one: what there are, and putting one away.", home="workspace.folder"
    )
    check: CheckFacet = _facet("What is wrong with the pages.")
    sessions: SessionsFacet = _facet("Conversations: beginning, listing and importing them.")
    upkeep: UpkeepFacet = _facet(
        "Keeping memories: joining what repeats, letting retire what nobody needs."
    )
    curation: CurationFacet = _facet("What a model is asked of sessions, pages and texts.")
    proposals: ProposalsFacet = _facet(
        "What a model or an agent proposes, reviewed before it is true."
    )
    journal: JournalFacet = _facet("What was done, as the workspace notes it.", "history.journal")
    models: ModelsFacet = _facet(
        "Language models: which are set, may be asked, and what they were asked."
    )
    share: ShareFacet = _facet("The shared index: feeding this workspace, and what is there.")
    index: IndexFacet = _facet("The state of the index.")

    @abstractmethod
    def public(self) -> Recalling:
        """The same as those see it who may not see what is private."""

    def _renewed(self) -> LiveIndex:
        self.reload()
        return self.live

    def folder(self, path: str, *, private: bool = True) -> FolderFacet:
        """Text files below a folder, which need not be there yet, byte for byte; "." is all.

        Without `private` as those see it who may not see what is private, and without the journal.
        """
        from memwiki.workspace.folder import FolderFacet

        return FolderFacet(self.live if private else self.public().live, path)

    @property
    def knowledge(self) -> KnowledgeFacet:
        """A graph of entities, observations and relations."""
        from memwiki.commit.knowledge import GraphRead, KnowledgeFacet

        self._graph_read = self._graph_read or GraphRead()
        return KnowledgeFacet(self.public().live, self._graph_read)

    @property
    def graph(self) -> GraphFacet:
        """Links, tags, and what is around a page."""
        from memwiki.browse.graph import GraphFacet

        return GraphFacet(self.live, self._maps)

    @property
    def carry(self) -> CarryFacet:
        """Taking everything elsewhere, and taking in what was kept elsewhere."""
        from memwiki.workspace.carry import CarryFacet

        return CarryFacet(self.live, self._renewed)

    @property
    def catalog(self) -> CatalogFacet:
        """The index.md files of the folders."""
        from memwiki.commit.catalogs import CatalogFacet

        return CatalogFacet(self.public().live)

    def session(self, id: str) -> SessionFacet:
        """One conversation by its id, which may not have begun yet."""
        from memwiki.workspace.sessions import SessionFacet

        return SessionFacet(self.live, id, self.environ)

    @property
    def agents(self) -> AgentsFacet:
        """What programs of coding agents have of this workspace in their own files."""
        from memwiki.setup.agents import AgentsFacet

        return AgentsFacet(self.live.context, self.environ)

    @property
    def settings(self) -> SettingsFacet:
        """memwiki.toml and what goes before it."""
        from memwiki.workspace.settings import SettingsFacet

        return SettingsFacet(self.live.context, self.reload)
