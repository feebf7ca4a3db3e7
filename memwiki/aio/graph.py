"""`AsyncWorkspace.graph`: links, tags, and what is around a page."""

# Generated from memwiki/workspace/graph.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.graph import GraphFacet

if TYPE_CHECKING:
    from memwiki.answers.graph import (
        BacklinkList,
        GraphAnswer,
        GraphMap,
        LikeList,
        LinkList,
        MentionList,
        TagList,
    )


class AsyncGraphFacet(Face[GraphFacet]):
    """Questions about links; `relation` narrows them to the links of one type."""

    async def links(self, name: str, direction: str = "both") -> LinkList:
        """The links of a page: `in`, `out` or `both`; of another file or a name without a page
        those to it."""
        return await self._read(lambda it: it.links(name, direction))

    async def backlinks(self, name: str, *, limit: int | None = None) -> BacklinkList:
        """The pages that link to a page, those first that do it most, each with the lines on which
        it does."""
        return await self._read(lambda it: it.backlinks(name, limit=limit))

    async def unlinked(self, name: str, *, limit: int | None = None) -> MentionList:
        """Where other pages name a page by title, file name or alias and do not link to it."""
        return await self._read(lambda it: it.unlinked(name, limit=limit))

    async def like(self, name: str, *, limit: int = 10) -> LikeList:
        """Pages that are like one, by meaning where a model is set, else by their words."""
        return await self._write(lambda it: it.like(name, limit=limit))

    async def unresolved(self, name: str = "") -> LinkList:
        """Links that are wanted, broken or ambiguous, of one page or of all."""
        return await self._read(lambda it: it.unresolved(name))

    async def tags(self, prefix: str = "") -> TagList:
        """Tags with the number of pages that carry each or one below it."""
        return await self._read(lambda it: it.tags(prefix))

    async def around(
        self, name: str, depth: int = 1, *, relation: str = "", limit: int | None = None
    ) -> GraphAnswer:
        """A page or entry, and the pages and entries at most so many links away from it; with
        `limit` the nearest, those first that much links to, and the links among them too."""
        return await self._read(lambda it: it.around(name, depth, relation=relation, limit=limit))

    async def path(self, start: str, end: str, *, relation: str = "") -> GraphAnswer:
        """The shortest way from a page or entry to another; NotFoundError when none leads there."""
        return await self._read(lambda it: it.path(start, end, relation=relation))

    async def ranked(self, *, relation: str = "") -> GraphAnswer:
        """All pages, those first that much links to."""
        return await self._read(lambda it: it.ranked(relation=relation))

    async def map(self) -> GraphMap:
        """All pages with what a picture of them shows, catalogs and journal too, and all links as
        arrays of numbers; kept until a page changes."""
        return await self._read(lambda it: it.map())
