"""`AsyncWorkspace.namespaces`: what namespaces there are, and putting one away."""

# Generated from memwiki/workspace/namespaces.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.namespaces import NamespacesFacet

if TYPE_CHECKING:
    from memwiki.answers.workspaces import NamespaceList, Purged


class AsyncNamespacesFacet(Face[NamespacesFacet]):
    """All namespaces of the workspace, whichever it was opened with."""

    async def list(self) -> NamespaceList:
        """Each namespace with its pages, entries, bytes and newest change."""
        return await self._read(lambda it: it.list())

    async def require_own(self, path: str) -> None:
        """Refuse a path outside of the namespace that is worked in with NotEditableError."""
        return await self._read(lambda it: it.require_own(path))

    async def purge(self, name: str, *, hard: bool = False, dry_run: bool = False) -> Purged:
        """Move all files of a namespace into the archive; `hard` deletes them and their usage.

        Raises ConfigError where there is no archive, NotFoundError where there is no such
        namespace.
        """
        return await self._write(lambda it: it.purge(name, hard=hard, dry_run=dry_run))
