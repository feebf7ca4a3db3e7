"""The facets of a workspace: what it can do, by noun, each made when it is asked for."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

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


class Facets(CurrentSettings):
    """What is done with a workspace; loads nothing before it is needed."""

    _graph_read: GraphRead | None
    _maps: KeptMaps

    @abstractmethod
    def public(self) -> Recalling:
        """The same as those see it who may not see what is private."""

    def _renewed(self) -> LiveIndex:
        self.reload()
        return self.live

    @property
    def pages(self) -> PagesFacet:
        """Reading, making and changing pages."""
        from memwiki.workspace.pages import PagesFacet

        return PagesFacet(self.live, self.environ)

    def folder(self, path: str, *, private: bool = True) -> FolderFacet:
        """Text files below a folder, which need not be there yet, byte for byte; "." is all.

        Without `private` as those see it who may not see what is private, and without the journal.
        """
        from memwiki.workspace.folder import FolderFacet

        return FolderFacet(self.live if private else self.public().live, path)

    @property
    def entries(self) -> EntriesFacet:
        """Memories: adding, finding, changing and retiring them."""
        from memwiki.workspace.entries import EntriesFacet

        return EntriesFacet(self.live, self.environ)

    @property
    def knowledge(self) -> KnowledgeFacet:
        """A graph of entities, observations and relations."""
        from memwiki.commit.knowledge import GraphRead
        from memwiki.workspace.knowledge import KnowledgeFacet

        self._graph_read = self._graph_read or GraphRead()
        return KnowledgeFacet(self.public().live, self._graph_read)

    @property
    def namespaces(self) -> NamespacesFacet:
        """Workspaces inside this one: what there are, and putting one away."""
        from memwiki.workspace.folder import NamespacesFacet

        return NamespacesFacet(self.live)

    @property
    def graph(self) -> GraphFacet:
        """Links, tags, and what is around a page."""
        from memwiki.workspace.graph import GraphFacet

        return GraphFacet(self.live, self._maps)

    @property
    def check(self) -> CheckFacet:
        """What is wrong with the pages."""
        from memwiki.workspace.check import CheckFacet

        return CheckFacet(self.live)

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

    @property
    def sessions(self) -> SessionsFacet:
        """Conversations: beginning, listing and importing them."""
        from memwiki.workspace.sessions import SessionsFacet

        return SessionsFacet(self.live)

    def session(self, id: str) -> SessionFacet:
        """One conversation by its id, which may not have begun yet."""
        from memwiki.workspace.sessions import SessionFacet

        return SessionFacet(self.live, id, self.environ)

    @property
    def upkeep(self) -> UpkeepFacet:
        """Keeping memories: joining what repeats, letting retire what nobody needs."""
        from memwiki.workspace.upkeep import UpkeepFacet

        return UpkeepFacet(self.live)

    @property
    def curation(self) -> CurationFacet:
        """What a model is asked of sessions, pages and texts."""
        from memwiki.workspace.curation import CurationFacet

        return CurationFacet(self.live, self.environ)

    @property
    def proposals(self) -> ProposalsFacet:
        """What a model or an agent proposes, reviewed before it is true."""
        from memwiki.workspace.proposals import ProposalsFacet

        return ProposalsFacet(self.live)

    @property
    def agents(self) -> AgentsFacet:
        """What programs of coding agents have of this workspace in their own files."""
        from memwiki.workspace.agents import AgentsFacet

        return AgentsFacet(self.live.context, self.environ)

    @property
    def journal(self) -> JournalFacet:
        """What was done, as the workspace notes it."""
        from memwiki.workspace.journal import JournalFacet

        return JournalFacet(self.live)

    @property
    def settings(self) -> SettingsFacet:
        """memwiki.toml and what goes before it."""
        from memwiki.workspace.settings import SettingsFacet

        return SettingsFacet(self.live.context, self.reload)

    @property
    def models(self) -> ModelsFacet:
        """Language models: which are set, may be asked, and what they were asked."""
        from memwiki.workspace.models import ModelsFacet

        return ModelsFacet(self.live, self.environ)

    @property
    def share(self) -> ShareFacet:
        """The shared index: feeding this workspace, and what is there."""
        from memwiki.workspace.share import ShareFacet

        return ShareFacet(self.live, self.environ)

    @property
    def index(self) -> IndexFacet:
        """The state of the index."""
        from memwiki.workspace.index import IndexFacet

        return IndexFacet(self.live, self.environ)
