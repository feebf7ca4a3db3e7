"""Settings and caches, as answers."""

from __future__ import annotations

from typing import NamedTuple


class CacheEntry(NamedTuple):
    """One derived index in the user's cache folder."""

    workspace: str
    place: str
    bytes: int
    is_orphan: bool


class CacheList(NamedTuple):
    caches: tuple[CacheEntry, ...]
    removed: tuple[str, ...] = ()


class Setting(NamedTuple):
    key: str
    value: str
    origin: str  # default | file | environment
    help: str


class SettingList(NamedTuple):
    settings: tuple[Setting, ...]
