"""Which files agents leave to people and to memwiki itself, whatever door they come through."""

from __future__ import annotations

from memwiki.names import (
    CONFIG_FILE,
    DENDRON_CONFIG,
    INSTRUCTION_FILES,
    LOGSEQ_CONFIG,
    SITE_CONFIGS,
    fold,
    is_within,
)
from memwiki.nouns import Layers

# Of the workspace, and of folders in it that programs keep.
_SETTINGS = tuple(f"/{each}" for each in (LOGSEQ_CONFIG, DENDRON_CONFIG, *SITE_CONFIGS))


def why_left_alone(path: str, layers: Layers, *, has_catalogs: bool, is_new: bool = False) -> str:
    """Why no agent changes a file, as what it is or does; "" when it may."""
    own = _in_namespace(fold(path), fold(layers.namespaces))
    name = own.rpartition("/")[2]
    journal = layers.log.rpartition(".")[0]
    reasons = (
        (name in INSTRUCTION_FILES, "tells agents how to work"),
        (name == CONFIG_FILE or f"/{own}".endswith(_SETTINGS), "holds the settings"),
        (any(part.startswith(".") for part in own.split("/")), "is hidden"),
        (has_catalogs and name == "index.md", "is a catalog, which memwiki alone writes"),
        (_is_in(own, layers.raw) and not is_new, "is a source, which is never changed"),
        (_is_in(own, layers.archive), "is in the archive, which memwiki alone fills"),
        (_is_in(own, layers.log) or _is_in(own, journal), "is the journal, which memwiki writes"),
    )
    return next((reason for is_so, reason in reasons if is_so), "")


def is_archived(path: str, layers: Layers) -> bool:
    """Whether a file is in the archive, of a namespace or not."""
    return _is_in(_in_namespace(fold(path), fold(layers.namespaces)), layers.archive)


def _in_namespace(path: str, folder: str) -> str:
    """The path as it is seen from the namespace, which is laid out like the workspace."""
    is_inside = bool(folder) and path.startswith(f"{folder}/")
    return path.removeprefix(f"{folder}/").partition("/")[2] if is_inside else path


def _is_in(path: str, layer: str) -> bool:
    return bool(layer) and is_within(path, fold(layer))
