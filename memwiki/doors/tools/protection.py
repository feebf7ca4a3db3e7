"""Which files an agent may change: by name, by folder, and by the patterns of the user."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from memwiki.config import Config
from memwiki.doors.tools.settings import DoorSettings
from memwiki.errors import ProtectedError, shell_word
from memwiki.names import MKDOCS_CONFIGS, is_page_name
from memwiki.protected import why_left_alone


def require_writable(
    paths: Iterable[str], settings: DoorSettings, config: Config, *, is_new: bool = False
) -> None:
    """Refuse a change that reaches a file which agents leave alone."""
    for path in paths:
        if reason := why_protected(path, settings, config, is_new=is_new):
            way = f"to open this door with --write {shell_word(path)}"
            raise ProtectedError(
                f"{path}: {reason}", hint=f"ask the person to change it, or {way}", path=path
            )


def why_protected(
    path: str, settings: DoorSettings, config: Config, *, is_new: bool = False
) -> str:
    """Why an agent may not change a file; "" when it may."""
    if not _is_among(path, settings):
        return "is not among the files that this door may change"
    if any(_matches(glob, path) for glob in settings.named):
        return ""
    has_catalogs = config.catalog.enabled
    reason = why_left_alone(path, config.layers, has_catalogs=has_catalogs, is_new=is_new)
    return reason or ("" if is_page_name(path) else "is not a markdown page")


def is_followed(path: str, settings: DoorSettings) -> bool:
    """Whether a file is the navigation, in which a move names the page that moved."""
    return path in MKDOCS_CONFIGS and _is_among(path, settings)


def _is_among(path: str, settings: DoorSettings) -> bool:
    return all(any(_matches(glob, path) for glob in globs) for globs in settings.write)


def _matches(glob: str, path: str) -> bool:
    return bool(_pattern(glob).fullmatch(path))


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    """`*` within a folder, `**` through folders; a pattern with no wildcard is a file or folder."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob.strip("/"))
    said = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(said.get(part, re.escape(part)) for part in parts), re.DOTALL)
