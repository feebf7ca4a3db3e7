"""Which program's form a folder has, told by that program's own folder or file alone, and what its
settings say; none of it is trusted."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from memwiki.config.dialects import dendron, logseq, obsidian
from memwiki.config.dialects.said import Said, Says
from memwiki.model import DENDRON, LOGSEQ, OBSIDIAN

_MAX_BYTES = 256 * 1024


class Program(NamedTuple):
    """A program, the files of its settings and what it reads from them."""

    files: tuple[str, ...]
    said: Callable[[Mapping[str, str]], Says]
    mark: str  # the file or, with a `/`, the folder of its own by which it is told


# The first that is there counts: many open a folder with Obsidian that another program keeps.
PROGRAMS = {
    LOGSEQ: Program(logseq.FILES, logseq.said, logseq.CONFIG),
    DENDRON: Program(dendron.FILES, dendron.said, dendron.CONFIG),
    OBSIDIAN: Program(obsidian.FILES, obsidian.said, f"{obsidian.FOLDER}/"),
}
SETTINGS_OF_OTHERS = tuple(file for program in PROGRAMS.values() for file in program.files)
FOLDERS_OF_OTHERS = frozenset({obsidian.FOLDER})  # hidden ones, in which there are settings


def program_of(root: Path) -> str:
    """The program whose own folder or file lies in a folder; "" for none."""
    found = (name for name, program in PROGRAMS.items() if _is_there(root, program.mark))
    return next(found, "")


def _is_there(root: Path, mark: str) -> bool:
    is_kind = os.path.isdir if mark.endswith("/") else os.path.isfile
    return is_kind(root / mark)


def said_by(name: str, root: Path) -> Iterator[Said]:
    """What the settings of a program say of its folder, the program itself first."""
    program = PROGRAMS[name]
    texts: dict[str, str] = {}
    for file in program.files:
        text = _text_of(root / file)
        if text is None:
            yield Said(file, "", note=f"{file}: cannot be read as settings; it is passed over")
        elif text:
            texts[file] = text
    yield Said(next(iter(program.files)), "pages.dialect", name)
    yield from program.said(texts)


def _text_of(location: Path) -> str | None:
    """The text of a file, "" where there is none; None for what is no file of settings."""
    try:
        found = location.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MAX_BYTES:
            return None
        with location.open("rb") as file:
            return file.read(_MAX_BYTES).decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError:
        return None
