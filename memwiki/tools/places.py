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
    is_new = found.get("action") == "create"
    for name in ("name", "to", "path"):
        if isinstance(said := found.get(name), str):
            path = _placed(said, root, is_path=is_new or name != "name")
            # Without the suffix `TCP/IP` is a title; with a slash in front it is a path.
            is_bare = is_new and name == "name" and path != said and not is_page_name(path)
            found[name] = f"{path}.md" if is_bare and not path.endswith("/") else path
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
