"""Which settings there are, with their defaults and what they are for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias, cast

from memwiki.model import Layers

CONFIG_FILE = "memwiki.toml"
VARIABLES = {
    "MEMWIKI_WORKSPACE": "the workspace where none is found from the current folder upwards",
    "MEMWIKI_CACHE_DIR": "where the derived index lives, instead of the user's cache folder",
}  # each setting has one, too: MEMWIKI_<TABLE>_<KEY>

Value: TypeAlias = bool | int | str


def _setting(default: Value, text: str, *, minimum: int = 0) -> Any:  # noqa: ANN401 - as field()
    """Declare a setting: its default, its help and the least it may be."""
    return field(default=default, metadata={"help": text, "minimum": minimum})


@dataclass(frozen=True, slots=True)
class FilesConfig:
    gitignore: bool = _setting(False, "leave out what the root's .gitignore names, too")
    max_bytes: int = _setting(
        10_000_000, "of a larger file only the title and the head are indexed", minimum=1
    )


@dataclass(frozen=True, slots=True)
class CatalogConfig:
    enabled: bool = _setting(False, "keep index.md up to date when pages change")


@dataclass(frozen=True, slots=True)
class RecallConfig:
    max_results: int = _setting(20, "how many hits an answer holds", minimum=1)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of one workspace; `origins` says which do not have their default."""

    files: FilesConfig = field(default_factory=FilesConfig)
    layers: Layers = field(default_factory=Layers)
    catalog: CatalogConfig = field(default_factory=CatalogConfig)
    recall: RecallConfig = field(default_factory=RecallConfig)
    cache_dir: str = ""
    workspace: str = ""
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)


TABLES: Mapping[str, type] = {
    "files": FilesConfig,
    "layers": Layers,
    "catalog": CatalogConfig,
    "recall": RecallConfig,
}
_LAYER_HELP = {
    "memory": "the file of what is known",
    "learnings": "the file of what was learned",
    "daily": "the folder of daily notes",
    "sessions": "the folder of conversations",
    "wiki": "the folder of pages",
    "raw": "the folder of sources, which are never changed and rank lower",
    "inbox": "the folder of what nobody has reviewed yet",
    "staging": "the folder of entries that wait for a decision",
    "archive": "the folder of what was retired, found only by its path",
    "namespaces": "the folder of workspaces inside this one, out of default search",
    "log": "the file that changes are noted in",
}
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


@dataclass(frozen=True, slots=True)
class Key:
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
        for each in fields(kind):
            text = each.metadata.get("help") or _LAYER_HELP[each.name]
            minimum = each.metadata.get("minimum", 0)
            key = Key(table, each.name, cast("Value", each.default), text, minimum)
            found[str(key)] = key
    return found


def reserved_names() -> list[str]:
    """Give the dotted names of the settings of later features."""
    return [f"{table}.{name}" for table, names in RESERVED.items() for name in names]
