"""Which settings there are, with their defaults and what they are for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from memwiki.model import Layers

VARIABLES = {
    "MEMWIKI_WORKSPACE": "the workspace where none is found from the current folder upwards",
    "MEMWIKI_CACHE_DIR": "where the derived index lives, instead of the user's cache folder",
}  # each setting has one, too: MEMWIKI_<TABLE>_<KEY>

Value: TypeAlias = bool | int | str


class FilesConfig(NamedTuple):
    """[files]"""

    gitignore: bool = False
    max_bytes: int = 10_000_000


class CatalogConfig(NamedTuple):
    """[catalog]"""

    enabled: bool = False


class RecallConfig(NamedTuple):
    """[recall]"""

    max_results: int = 20


class IndexConfig(NamedTuple):
    """[index]"""

    workers: int = 0


class Config(NamedTuple):
    """All settings of one workspace; `origins` says which do not have their default."""

    files: FilesConfig = FilesConfig()
    layers: Layers = Layers()
    catalog: CatalogConfig = CatalogConfig()
    recall: RecallConfig = RecallConfig()
    indexing: IndexConfig = IndexConfig()
    cache_dir: str = ""
    workspace: str = ""
    origins: Mapping[str, str] = MappingProxyType({})


TABLES: Mapping[str, Any] = {
    "files": FilesConfig,
    "layers": Layers,
    "catalog": CatalogConfig,
    "recall": RecallConfig,
    "index": IndexConfig,
}
_HELP = {
    "files.gitignore": "also leave out what the root's .gitignore names",
    "files.max_bytes": "of a larger file only the title and the head are indexed",
    "catalog.enabled": "keep index.md up to date when pages change",
    "recall.max_results": "number of hits in an answer",
    "index.workers": "processes that read pages when many are new: 0 is one a core, 8 at most",
    "layers.memory": "memory file",
    "layers.learnings": "learnings file",
    "layers.daily": "folder of daily notes",
    "layers.sessions": "folder of conversations",
    "layers.wiki": "folder of pages",
    "layers.raw": "folder of sources, which are never changed and rank lower",
    "layers.inbox": "inbox, for what is not reviewed yet",
    "layers.staging": "folder of entries that wait for a decision",
    "layers.archive": "archive, found only by its path",
    "layers.namespaces": "folder of workspaces inside this one, out of default search",
    "layers.log": "journal file",
}
_MINIMUM = {"files.max_bytes": 1, "recall.max_results": 1}
# What later features are set by: no mistake in a file that was written for them, and no effect.
RESERVED: Mapping[str, frozenset[str]] = {
    "memory": frozenset(
        {
            *("preset", "decay", "half_life_days", "near_threshold", "same_threshold", "max_tags"),
            *("conflict_threshold", "conflict_mode", "hygiene_enabled", "snapshot_enabled"),
            *("conversation_retention_days", "daily_retention_days", "auto_hydrate"),
            *("min_retention_floor", "daily_retention_floor", "conversation_retention_floor"),
        }
    ),
    "consolidation": frozenset(
        {"interval_hours", "batch_size", "promote_at", "discover_relations", "detect_conflicts"}
    ),
    "recall": frozenset(
        {"mode", "weights", "min_score", "depth", "inject_limit", "core_in_prompt", "budget_tokens"}
    ),
    "session": frozenset(
        {
            *("strategy", "max_turns", "max_messages"),
            *("context_window", "reserved_tokens", "keep_recent"),
        }
    ),
}


def attribute(table: str) -> str:
    """The attribute of Config that holds a table: `index` is a method of every tuple."""
    return "indexing" if table == "index" else table


class Key(NamedTuple):
    """One setting as declared."""

    table: str
    name: str
    default: Value
    help: str
    minimum: int

    def __str__(self) -> str:
        return f"{self.table}.{self.name}"

    @property
    def variable(self) -> str:
        """The environment variable that overrides it."""
        return f"MEMWIKI_{self.table}_{self.name}".upper()


def declared() -> dict[str, Key]:
    """Give every setting by its dotted name."""
    found = {}
    for table, kind in TABLES.items():
        for name, default in kind._field_defaults.items():
            dotted = f"{table}.{name}"
            found[dotted] = Key(table, name, default, _HELP[dotted], _MINIMUM.get(dotted, 0))
    return found


def reserved_names() -> list[str]:
    """Give the dotted names of the settings of later features."""
    return [f"{table}.{name}" for table, names in RESERVED.items() for name in names]
