"""`AsyncWorkspace.catalog`: the index.md files of the folders."""

# Generated from memwiki/workspace/catalog.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.catalog import CatalogFacet

if TYPE_CHECKING:
    from memwiki.answers.pages import CatalogReport


class AsyncCatalogFacet(Face[CatalogFacet]):
    """The index.md files that list the pages of each folder; ConfigError where they are not
    enabled."""

    async def update(self, *, adopt: bool = False) -> CatalogReport:
        """Write those that are not up to date.

        `adopt` puts the block of entries into index files that people wrote themselves.
        """
        return await self._write(lambda it: it.update(adopt=adopt))

    async def check(self) -> CatalogReport:
        """Say which are stale, and write nothing."""
        return await self._read(lambda it: it.check())
