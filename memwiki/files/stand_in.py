"""The folder that stands in for the root of a workspace that is read from a server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memwiki.names import CONFIG_FILE


def make_stand_in(folder: Path, settings: str, namespaces: Sequence[str]) -> Path:
    """A folder with the settings of a workspace and the folders of its namespaces, and no page."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / CONFIG_FILE).write_text(settings, "utf-8")
    for each in namespaces:
        (folder / each).mkdir(parents=True, exist_ok=True)
    return folder
