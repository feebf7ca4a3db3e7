"""The facets of a workspace: what it can do, by noun, each made when it is asked for."""

from __future__ import annotations

from abc import abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING, Any

from memwiki.sync.live import LiveIndex
from memwiki.workspace.current_settings import CurrentSettings

if TYPE_CHECKING:
    from memwiki.browse.graph import KeptMaps
    from memwiki.commit.knowledge import GraphRead
    from memwiki.workspace.agents import AgentsFacet
    from memwiki.workspace.carry import CarryFacet
    from memwiki.workspace.check import CatalogFacet, CheckFacet
    from memwiki.workspace.curation import CurationFacet
    from memwiki.workspace.entries import EntriesFacet
    from memwiki.workspace.folder import FolderFacet, NamespacesFacet
    from memwiki.workspace.graph import GraphFacet
    from memwiki.workspace.index import IndexFacet
    from memwiki.workspace.journal import JournalFacet
    from memwiki.workspace.knowledge import KnowledgeFacet
    from memwiki.workspace.models import ModelsFacet
    from memwiki.workspace.pages import PagesFacet
    from memwiki.workspace.proposals import ProposalsFacet
    from memwiki.workspace.recalling import Recalling
    from memwiki.workspace.sessions import SessionFacet, SessionsFacet
    from memwiki.workspace.settings import SettingsFacet
    from memwiki.workspace.share import ShareFacet
    from memwiki.workspace.upkeep import UpkeepFacet


def _facet(kind: str, about: str, home: str = "") -> Any:  # noqa: ANN401 - as declared beside it
    """A part of a workspace, whose module is loaded when it is asked for."""
    name = kind.removesuffix("Facet").lower()

    def facet(space: Facets) -> object:
        made = getattr(import_module(f"memwiki.workspace.{home or name}"), kind)
        return made(space.live, space.environ)

    facet.__name__, facet.__doc__, facet.__annotations__["return"] = name, about, kind
    return property(facet)


class Facets(CurrentSettings):
    """What is done with a workspace; loads nothing before it is needed."""

    _graph_read: GraphRead | None
    _maps: KeptMaps

    pages: PagesFacet = _facet("PagesFacet", "Reading, making and changing pages.")
    entries: EntriesFacet = _facet(
        "EntriesFacet", "Memories: adding, finding, changing and retiring them."
    )
    namespaces: NamespacesFacet = _facet(
        "NamespacesFacet",
        "Workspaces inside this one: what there are, and putting one away.",
        home="folder",
    )
    check: CheckFacet = _facet("CheckFacet", "What is wrong with the pages.")
    sessions: SessionsFacet = _facet(
        "SessionsFacet", "Conversations: beginning, listing and importing them."
    )
    upkeep: UpkeepFacet = _facet(
        "UpkeepFacet", "Keeping memories: joining what repeats, letting retire what nobody needs."
    )
    curation: CurationFacet = _facet(
        "CurationFacet", "What a model is asked of sessions, pages and texts."
    )
    proposals: ProposalsFacet = _facet(
        "ProposalsFacet", "What a model or an agent proposes, reviewed before it is true."
    )
    journal: JournalFacet = _facet("JournalFacet", "What was done, as the workspace notes it.")
    models: ModelsFacet = _facet(
        "ModelsFacet", "Language models: which are set, may be asked, and what they were asked."
    )
    share: ShareFacet = _facet(
        "ShareFacet", "The shared index: feeding this workspace, and what is there."
    )
    index: IndexFacet = _facet("IndexFacet", "The state of the index.")

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
        from memwiki.commit.knowledge import GraphRead
        from memwiki.workspace.knowledge import KnowledgeFacet

        self._graph_read = self._graph_read or GraphRead()
        return KnowledgeFacet(self.public().live, self._graph_read)

    @property
    def graph(self) -> GraphFacet:
        """Links, tags, and what is around a page."""
        from memwiki.workspace.graph import GraphFacet

        return GraphFacet(self.live, self._maps)

    @property
    def carry(self) -> CarryFacet:
        """Taking everything elsewhere, and taking in what was kept elsewhere."""
        from memwiki.workspace.carry import CarryFacet

        return CarryFacet(self.live, self._renewed)

    @property
    def catalog(self) -> CatalogFacet:
        """The index.md files of the folders."""
        from memwiki.workspace.check import CatalogFacet

        return CatalogFacet(self.public().live)

    def session(self, id: str) -> SessionFacet:
        """One conversation by its id, which may not have begun yet."""
        from memwiki.workspace.sessions import SessionFacet

        return SessionFacet(self.live, id, self.environ)

    @property
    def agents(self) -> AgentsFacet:
        """What programs of coding agents have of this workspace in their own files."""
        from memwiki.workspace.agents import AgentsFacet

        return AgentsFacet(self.live.context, self.environ)

    @property
    def settings(self) -> SettingsFacet:
        """memwiki.toml and what goes before it."""
        from memwiki.workspace.settings import SettingsFacet

        return SettingsFacet(self.live.context, self.reload)
