"""The folder that stands in for the root of a workspace that is read from a server."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from memwiki.files.temporary import write_whole
from memwiki.names import CONFIG_FILE


def make_stand_in(folder: Path, settings: str, namespaces: Sequence[str]) -> Path:
    """A folder with the settings of a workspace and the folders of its namespaces, and no page."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write(folder / CONFIG_FILE, settings)
    for each in namespaces:
        (folder / each).mkdir(parents=True, exist_ok=True)
    return folder


def note_folder(stand_in: Path, folder: str) -> None:
    """Keep beside a stand-in what the folder is usually called that it stands in for."""
    if folder:
        with suppress(OSError):  # it is only a help where the server is lost
            stand_in.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(_note(stand_in), folder)


def noted_folder(stand_in: Path) -> str:
    """The same again; "" where nobody here has fed or read it."""
    return _text_of(_note(stand_in)) or ""


def _write(location: Path, text: str) -> None:
    """Write a file unless it says so already: others, who read it, would read their settings anew,
    and half of it."""
    if _text_of(location) != text:
        write_whole(location, text.encode())


def _text_of(location: Path) -> str | None:
    try:
        return location.read_bytes().decode()
    except (OSError, ValueError):
        return None


def _note(stand_in: Path) -> Path:
    return stand_in.with_name(f"{stand_in.name}.folder")
