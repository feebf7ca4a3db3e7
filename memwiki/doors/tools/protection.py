"""Which files an agent may change: by name, by folder, and by the patterns of the user."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from memwiki.config import Config
from memwiki.doors.tools.settings import DoorSettings
from memwiki.errors import ProtectedError, shell_word
from memwiki.model import Layers
from memwiki.names import CONFIG_FILE, fold, is_page_name, is_within

_INSTRUCTIONS = frozenset({"agents.md", "claude.md", CONFIG_FILE})


def require_writable(
    paths: Iterable[str], settings: DoorSettings, config: Config, *, is_new: bool = False
) -> None:
    """Refuse a change that reaches a file which agents leave alone."""
    for path in paths:
        if reason := why_protected(path, settings, config, is_new=is_new):
            raise ProtectedError(
                f"{path}: {reason}",
                hint=f"change it yourself, or open the door with --write {shell_word(path)}",
                path=path,
            )


def why_protected(
    path: str, settings: DoorSettings, config: Config, *, is_new: bool = False
) -> str:
    """Why an agent may not change a file; "" when it may."""
    if not all(any(_matches(glob, path) for glob in globs) for globs in settings.write):
        return "is not among the files that this door may change"
    if any(_matches(glob, path) for glob in settings.named):
        return ""
    own = _in_namespace(fold(path), fold(config.layers.namespaces))
    if config.catalog.enabled and own.rpartition("/")[2] == "index.md":
        return "is a catalog, which memwiki alone writes"
    return _why_left_alone(own) or _why_kept(own, config.layers, is_new=is_new)


def _in_namespace(path: str, folder: str) -> str:
    """The path as it is seen from the namespace, which is laid out like the workspace."""
    is_inside = bool(folder) and path.startswith(f"{folder}/")
    return path.removeprefix(f"{folder}/").partition("/")[2] if is_inside else path


def _why_left_alone(path: str) -> str:
    parts = path.split("/")
    if parts[-1] in _INSTRUCTIONS:
        return "instructs agents or memwiki, which agents do not change"
    if any(part.startswith(".") for part in parts):
        return "is hidden"
    return "" if is_page_name(path) else "is not a markdown page"


def _why_kept(path: str, layers: Layers, *, is_new: bool) -> str:
    if _is_in(path, layers.raw) and not is_new:
        return "is a source, which is never changed"
    if _is_in(path, layers.archive):
        return "is in the archive, which memwiki alone fills"
    if layers.log and (path == fold(layers.log) or _is_in(path, layers.log.rpartition(".")[0])):
        return "is the journal, which memwiki alone writes"
    return ""


def _is_in(path: str, folder: str) -> bool:
    return bool(folder) and is_within(path, fold(folder))


def _matches(glob: str, path: str) -> bool:
    return bool(_pattern(glob).fullmatch(path))


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    """`*` within a folder, `**` through folders; a pattern with no wildcard is a file or folder."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob.strip("/"))
    said = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(said.get(part, re.escape(part)) for part in parts), re.DOTALL)
