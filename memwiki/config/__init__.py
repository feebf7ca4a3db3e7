"""Settings: memwiki.toml and the environment, which nothing else reads."""

from memwiki.config.dialects.programs import (
    FOLDERS_OF_OTHERS,
    MARKS,
    SETTINGS_OF_OTHERS,
    program_of,
)
from memwiki.config.load import (
    SettingsSeen,
    environment,
    is_debugging,
    load,
    settings,
    settings_seen,
)
from memwiki.config.locations import (
    cache_root,
    find_workspace,
    folder_meant,
    is_about_settings,
    is_workspace,
    key_folders,
    located,
    names_embedder,
    passed_over,
    require_workspace,
    workspaces_from,
)
from memwiki.config.pages import PagesConfig
from memwiki.config.schema import (
    VARIABLES,
    CatalogConfig,
    Config,
    ConsolidationConfig,
    DoorsConfig,
    EntitiesConfig,
    FilesConfig,
    MemoryConfig,
    RetentionConfig,
)
from memwiki.config.tables import IndexConfig, RecallConfig

__all__ = [
    "FOLDERS_OF_OTHERS",
    "MARKS",
    "SETTINGS_OF_OTHERS",
    "VARIABLES",
    "CatalogConfig",
    "Config",
    "ConsolidationConfig",
    "DoorsConfig",
    "EntitiesConfig",
    "FilesConfig",
    "IndexConfig",
    "MemoryConfig",
    "PagesConfig",
    "RecallConfig",
    "RetentionConfig",
    "SettingsSeen",
    "cache_root",
    "environment",
    "find_workspace",
    "folder_meant",
    "is_about_settings",
    "is_debugging",
    "is_workspace",
    "key_folders",
    "load",
    "located",
    "names_embedder",
    "passed_over",
    "program_of",
    "require_workspace",
    "settings",
    "settings_seen",
    "workspaces_from",
]
