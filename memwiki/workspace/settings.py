"""`Workspace.settings`: memwiki.toml, and what goes before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memwiki.answers.workspaces import Setting, SettingList
from memwiki.config import Config, settings
from memwiki.names import texts
from memwiki.sync.context import Context


class SettingsFacet:
    """The settings of a workspace, which reads them anew when one is changed."""

    def __init__(self, context: Context, reload: Callable[[], Config]) -> None:
        self._root, self._config, self._reload = context.root, context.config, reload

    def list(self, names: Sequence[str] = ()) -> SettingList:
        """The settings with their values and where these come from: all, or those of these keys
        and tables. Raises ConfigError for a name that is neither."""
        from memwiki.config.edit import settings_of

        return SettingList(settings_of(self._config, texts(names)))

    def set(self, key: str, value: str) -> Setting:
        """Set one line of memwiki.toml; every other byte stays."""
        from memwiki.setup.named import set_setting

        set_setting(self._root, key, value)
        self._config = self._reload()
        return next(each for each in settings(self._config) if each.key == key)
