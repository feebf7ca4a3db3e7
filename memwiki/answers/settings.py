"""Settings, as answers."""

from __future__ import annotations

from typing import NamedTuple


class Setting(NamedTuple):
    key: str
    value: str
    origin: str  # default | file | environment
    help: str


class SettingList(NamedTuple):
    settings: tuple[Setting, ...]
