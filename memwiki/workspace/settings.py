"""`Workspace.settings`: memwiki.toml, and what goes before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from memwiki.answers.workspaces import Setting, SettingList
from memwiki.config import Config, settings
from memwiki.sync.context import Context


class SettingsFacet:
    """The settings of a workspace, which reads them anew when one is changed."""

    def __init__(self, context: Context, reload: Callable[[], Config]) -> None:
        self._root, self._config, self._reload = context.root, context.config, reload

    def list(self, names: Sequence[str] = ()) -> SettingList:
        """The settings with their values and where these come from: all, or those of these keys
        and tables. Raises ConfigError for a name that is neither."""
        from memwiki.config.edit import refuse_key

        each_known = settings(self._config)
        for name in names:
            if not any(_is_of(each, (name,)) for each in each_known):
                refuse_key(name)
        return SettingList(tuple(each for each in each_known if not names or _is_of(each, names)))

    def set(self, key: str, value: str) -> Setting:
        """Set one line of memwiki.toml; every other byte stays."""
        _write(self._root, key, value)
        self._config = self._reload()
        return next(each for each in settings(self._config) if each.key == key)


def _is_of(setting: Setting, names: Sequence[str]) -> bool:
    return any(setting.key == name or setting.key.startswith(f"{name}.") for name in names)


def _write(root: Path, key: str, value: str) -> None:
    from memwiki.change.apply import apply  # none of this to list them
    from memwiki.change.plan import Edit, Plan
    from memwiki.config.edit import set_value
    from memwiki.digest import digest_of
    from memwiki.names import CONFIG_FILE, require_text

    require_text("config set", key, value)
    if key == "check.ignore":
        from memwiki.check.run import ignored_codes

        ignored_codes([each.strip() for each in value.split(",") if each.strip()])
    path = root / CONFIG_FILE
    old = path.read_bytes() if path.exists() else b""
    new = set_value(old.decode("utf-8"), key, value).encode()
    expect = digest_of(old) if path.exists() else ""
    apply(root, Plan((Edit(CONFIG_FILE, expect, new, f"set {key}"),), f"set {key}"))
