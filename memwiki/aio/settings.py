"""`AsyncWorkspace.settings`: memwiki.toml, and what goes before it."""

# Generated from memwiki/workspace/settings.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.settings import SettingsFacet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memwiki.answers.workspaces import Setting, SettingList


class AsyncSettingsFacet(Face[SettingsFacet]):
    """The settings of a workspace, which reads them anew when one is changed."""

    async def list(self, names: Sequence[str] = ()) -> SettingList:
        """The settings with their values and where these come from: all, or those of these keys
        and tables. Raises ConfigError for a name that is neither."""
        return await self._read(lambda it: it.list(names))

    async def set(self, key: str, value: str) -> Setting:
        """Set one line of memwiki.toml; every other byte stays."""
        return await self._write(lambda it: it.set(key, value))
