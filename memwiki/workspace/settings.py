"""Showing and changing the settings of a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki import config
from memwiki.change.apply import apply
from memwiki.change.plan import Edit, Plan
from memwiki.config.edit import set_value
from memwiki.digest import digest_of
from memwiki.model import Setting, SettingList

if TYPE_CHECKING:
    from memwiki.workspace.workspace import Workspace


def show(workspace: Workspace) -> SettingList:
    """All settings with their values and where these come from."""
    return SettingList(tuple(config.settings(workspace.config)))


def change(workspace: Workspace, key: str, value: str) -> Setting:
    """Set one line of memwiki.toml; every other byte stays."""
    path = workspace.root / config.CONFIG_FILE
    old = path.read_bytes() if path.exists() else b""
    new = set_value(old.decode("utf-8"), key, value).encode()
    expect = digest_of(old) if path.exists() else ""
    edit = Edit(config.CONFIG_FILE, expect, new, f"set {key}")
    apply(workspace.root, Plan((edit,), f"set {key}"))
    workspace.reload()
    return next(s for s in config.settings(workspace.config) if s.key == key)
