"""The folder that stands in for the root of a workspace that is read from a server."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from memwiki.names import CONFIG_FILE


def make_stand_in(folder: Path, settings: str, namespaces: Sequence[str]) -> Path:
    """A folder with the settings of a workspace and the folders of its namespaces, and no page."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / CONFIG_FILE).write_text(settings, "utf-8")
    for each in namespaces:
        (folder / each).mkdir(parents=True, exist_ok=True)
    return folder


def note_folder(stand_in: Path, folder: str) -> None:
    """Keep beside a stand-in what the folder is usually called that it stands in for."""
    if folder and noted_folder(stand_in) != folder:
        with suppress(OSError):  # it is only a help where the server is lost
            stand_in.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _note(stand_in).write_text(folder, "utf-8")


def noted_folder(stand_in: Path) -> str:
    """The same again; "" where nobody here has fed or read it."""
    try:
        return _note(stand_in).read_text("utf-8")
    except (OSError, ValueError):
        return ""


def _note(stand_in: Path) -> Path:
    return stand_in.with_name(f"{stand_in.name}.folder")
