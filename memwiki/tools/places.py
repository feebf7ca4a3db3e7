"""Paths as models write them, from the root of the disk or with backslashes, made paths of the
workspace."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from memwiki.names import is_page_name
from memwiki.nouns import Json


def placed(arguments: Mapping[str, Json], root: Path) -> dict[str, Json]:
    """Arguments with their paths as the workspace has them; where a page may be named by its title,
    a slash in front stays."""
    found = dict(arguments)
    for name in ("name", "to", "path"):
        is_path = name != "name" or found.get("action") == "create"
        if isinstance(said := found.get(name), str):
            found[name] = _placed(said, root, is_path=is_path)
    return found


def _placed(said: str, root: Path, *, is_path: bool) -> str:
    path = said.replace("\\", "/")
    if "/" not in path or "\0" in path:
        return said
    first = path.lstrip("/").partition("/")[0]
    is_ours = first not in ("", ".", "..") and os.path.lexists(root / first)
    if not Path(path).is_absolute():
        return path if is_ours or is_page_name(path) else said
    folder, name = os.path.split(path)
    real, base = (os.path.realpath(each).replace("\\", "/") for each in (folder, root))
    if f"{real}/".startswith(f"{base}/"):
        return f"{real}/{name}"[len(base) + 1 :]
    is_of_disk = path.startswith("//") or (os.path.lexists(f"/{first}") and not is_ours)
    return path.lstrip("/") if is_path and not is_of_disk else said
