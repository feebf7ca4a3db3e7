"""Changing a setting of a workspace."""

from __future__ import annotations

from pathlib import Path

from memwiki.change.apply import apply
from memwiki.change.plan import Edit, Plan
from memwiki.config.edit import set_value
from memwiki.digest import digest_of
from memwiki.names import CONFIG_FILE, require_text


def change(root: Path, key: str, value: str) -> None:
    """Set one line of memwiki.toml; every other byte stays."""
    require_text("config set", key, value)
    path = root / CONFIG_FILE
    old = path.read_bytes() if path.exists() else b""
    new = set_value(old.decode("utf-8"), key, value).encode()
    expect = digest_of(old) if path.exists() else ""
    apply(root, Plan((Edit(CONFIG_FILE, expect, new, f"set {key}"),), f"set {key}"))
