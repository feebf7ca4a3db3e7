"""`Workspace.graph`: links, tags, and what is around a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.answers.graph import (
    BacklinkList,
    GraphAnswer,
    GraphMap,
    LikeList,
    LinkList,
    MentionList,
    TagList,
)
from memwiki.browse import graph
from memwiki.numbers import count_of, limit_of
from memwiki.sync.live import LiveIndex
from memwiki.workspace.asking import Facing, rebuilding_verbs

if TYPE_CHECKING:
    from memwiki.browse.graph import KeptMaps


@rebuilding_verbs
class GraphFacet(Facing):
    """Questions about links; `relation` narrows them to the links of one type."""

    def __init__(self, live: LiveIndex, maps: KeptMaps) -> None:
        super().__init__(live)
        self._maps = maps

    def links(self, name: str, direction: str = "both") -> LinkList:
        """The links of a page: `in`, `out` or `both`; of another file or a name without a page
        those to it."""
        return graph.links(self.live, name, direction)

    def backlinks(self, name: str, *, limit: int | None = None) -> BacklinkList:
        """The pages that link to a page, those first that do it most, each with the lines on which
        it does."""
        from memwiki.browse.neighbours import backlinks

        return backlinks(self.live, name, limit_of(limit))

    def unlinked(self, name: str, *, limit: int | None = None) -> MentionList:
        """Where other pages name a page by title, file name or alias and do not link to it."""
        from memwiki.browse.neighbours import unlinked

        return unlinked(self.live, name, limit_of(limit))

    def like(self, name: str, *, limit: int = 10) -> LikeList:
        """Pages that are like one, by meaning where a model is set, else by their words."""
        from memwiki.browse.neighbours import like

        return like(self.live, name, count_of("limit", limit))

    def unresolved(self, name: str = "") -> LinkList:
        """Links that are wanted, broken or ambiguous, of one page or of all."""
        return graph.unresolved(self.live, name)

    def tags(self, prefix: str = "") -> TagList:
        """Tags with the number of pages that carry each or one below it."""
        return graph.tags(self.live, prefix)

    def around(
        self, name: str, depth: int = 1, *, relation: str = "", limit: int | None = None
    ) -> GraphAnswer:
        """A page or entry, and the pages and entries at most so many links away from it; with
        `limit` the nearest, those first that much links to, and the links among them too."""
        steps = count_of("depth", depth, least=0)
        return graph.around(self.live, name, steps, relation, limit_of(limit))

    def path(self, start: str, end: str, *, relation: str = "") -> GraphAnswer:
        """The shortest way from a page or entry to another; NotFoundError when none leads there."""
        return graph.path(self.live, start, end, relation)

    def ranked(self, *, relation: str = "") -> GraphAnswer:
        """All pages, those first that much links to."""
        return graph.ranked(self.live, relation)

    def map(self) -> GraphMap:
        """All pages with what a picture of them shows, catalogs and journal too, and all links as
        arrays of numbers; kept until a page changes."""
        from memwiki.browse.graph import graph_map

        return graph_map(self.live, self._maps)
