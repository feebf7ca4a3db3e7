"""Which program keeps a folder: its own folder or file alone tells; none of it is trusted."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from memwiki.names import (
    DENDRON_CONFIG,
    DOCUSAURUS_CONFIGS,
    LOGSEQ_CONFIG,
    MKDOCS_CONFIGS,
    QUARTZ_CONFIGS,
)
from memwiki.nouns import DENDRON, DOCUSAURUS, FOAM, LOGSEQ, MKDOCS, OBSIDIAN, QUARTZ

_MAX_BYTES = 256 * 1024
MAX_NESTED = 100  # each page is held against all of them
_OBSIDIAN_FOLDER = ".obsidian"
_OBSIDIAN_FILES = (
    *("app", "daily-notes", "templates", "community-plugins"),
    "plugins/periodic-notes/data",
)


class Program(NamedTuple):
    """The files or, with a `/`, the folder of its own that tell a program, and its settings."""

    marks: tuple[str, ...]
    files: tuple[str, ...]
    word: str = ""  # in its settings, where another program's file holds them


# The first that is there counts: many open a folder with Obsidian that another program keeps.
PROGRAMS = {
    LOGSEQ: Program((LOGSEQ_CONFIG,), (LOGSEQ_CONFIG,)),
    DENDRON: Program((DENDRON_CONFIG,), (DENDRON_CONFIG,)),
    OBSIDIAN: Program(
        (f"{_OBSIDIAN_FOLDER}/",),
        tuple(f"{_OBSIDIAN_FOLDER}/{each}.json" for each in _OBSIDIAN_FILES),
    ),
    FOAM: Program((".foam/",), (".vscode/settings.json",), '"foam.'),
    # A site is made of what another program keeps, if one does.
    QUARTZ: Program(QUARTZ_CONFIGS, QUARTZ_CONFIGS),
    DOCUSAURUS: Program(DOCUSAURUS_CONFIGS, DOCUSAURUS_CONFIGS),
    MKDOCS: Program(MKDOCS_CONFIGS, MKDOCS_CONFIGS),
}
SETTINGS_OF_OTHERS = tuple(file for program in PROGRAMS.values() for file in program.files)
# What is beside the pages of a folder that a program may keep.
MARKS = frozenset(mark.partition("/")[0] for each in PROGRAMS.values() for mark in each.marks)
FOLDERS_OF_OTHERS = frozenset({_OBSIDIAN_FOLDER})  # hidden ones, in which there are settings


def folders_read(folders: Iterable[str]) -> list[str]:
    """The folders within a workspace whose settings are read: the highest, so that what lies deep
    below takes no place of theirs; the deepest first."""
    highest = sorted(folders, key=lambda folder: (folder.count("/"), folder))
    return sorted(highest[:MAX_NESTED], reverse=True)


def program_of(root: Path) -> str:
    """The program whose own folder or file lies in a folder; "" for none."""
    found = (
        name
        for name, program in PROGRAMS.items()
        if _is_there(root, program.marks) or _is_told(root, program)
    )
    return next(found, "")


def _is_there(root: Path, marks: Iterable[str]) -> bool:
    base = f"{root}/"
    return any(
        (os.path.isdir if mark.endswith("/") else os.path.isfile)(base + mark) for mark in marks
    )


def _is_told(root: Path, program: Program) -> bool:
    """Whether the settings of another program hold some of this one."""
    texts = (text_of(root / file) or "" for file in program.files if program.word)
    return any(program.word in text for text in texts)


def text_of(location: Path) -> str | None:
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
