"""Which program keeps a folder: its own folder or file alone tells; none of it is trusted."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from memwiki.config.tables import Texts
from memwiki.names import (
    DENDRON_CONFIG,
    DOCUSAURUS_CONFIGS,
    GITHUB_SIDEBAR,
    LOGSEQ_CONFIG,
    MKDOCS_CONFIGS,
    QUARTZ_CONFIGS,
    VITEPRESS_CONFIGS,
    VITEPRESS_FOLDERS,
)
from memwiki.nouns import (
    DENDRON,
    DOCUSAURUS,
    FOAM,
    GITHUB,
    LOGSEQ,
    MKDOCS,
    OBSIDIAN,
    QUARTZ,
    VITEPRESS,
)
from memwiki.records import NamedTuple
from memwiki.text import pattern

_MAX_BYTES = 256 * 1024
MAX_NESTED = 100  # each page is held against all of them
_OBSIDIAN_FOLDER = ".obsidian"
_OBSIDIAN_FILES = (
    *("app", "daily-notes", "templates", "community-plugins"),
    "plugins/periodic-notes/data",
)


class Program(NamedTuple):
    """The files or, with a `/`, the folder of its own that tell a program, and its settings."""

    marks: Texts
    files: Texts
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
    VITEPRESS: Program(tuple(f"{each}/" for each in VITEPRESS_FOLDERS), VITEPRESS_CONFIGS),
    GITHUB: Program((GITHUB_SIDEBAR,), (GITHUB_SIDEBAR,)),
}
SETTINGS_OF_OTHERS = tuple(file for program in PROGRAMS.values() for file in program.files)
# What is beside the pages of a folder that a program may keep.
MARKS = frozenset(mark.partition("/")[0] for each in PROGRAMS.values() for mark in each.marks)
_PARTS = MARKS.union(file.partition("/")[0] for file in SETTINGS_OF_OTHERS)
FOLDERS_OF_OTHERS = frozenset({_OBSIDIAN_FOLDER})  # hidden ones, in which there are settings


def folders_read(folders: Iterable[str]) -> list[str]:
    """The folders within a workspace whose settings are read: the highest, so that what lies deep
    below takes no place of theirs; the deepest first."""
    highest = sorted(folders, key=lambda folder: (folder.count("/"), folder))
    return sorted(highest[:MAX_NESTED], reverse=True)


def parts_there(folder: Path) -> frozenset[str]:
    """The files and folders in a folder in which other programs keep settings."""
    # Every access to a workspace asks: most have none, and then nothing below is looked for.
    base = f"{folder}/"
    return frozenset(part for part in _PARTS if os.access(base + part, os.F_OK))


def program_of(root: Path) -> str:
    """The program whose own folder or file lies in a folder; "" for none."""
    base = f"{root}/"
    for name, program in PROGRAMS.items():
        if any(_is_there(base + mark) for mark in program.marks) or _is_told(base, program):
            return name
    return ""


def _is_there(mark: str) -> bool:
    # Every access to a workspace asks for each: `access` says no in half the time of a failing stat
    return os.access(mark, os.F_OK) and (os.path.isdir if mark[-1] == "/" else os.path.isfile)(mark)


def _is_told(base: str, program: Program) -> bool:
    """Whether the settings of another program hold some of this one."""
    files = [base + file for file in program.files if program.word]
    return any(program.word in (text_of(Path(each)) or "") for each in files if _is_there(each))


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


class ForeignSetting(NamedTuple):
    """One setting of ours with the value that a file gives it; `note` says what was passed over."""

    source: str
    key: str
    value: object = ""
    note: str = ""

    @property
    def text(self) -> str:
        """All text of the value."""
        values = self.value if isinstance(self.value, list) else [self.value]
        return "".join(map(str, values))


ForeignSettings: TypeAlias = Iterator[ForeignSetting]
_WILD = pattern(r"([\\*?\[\]! ])")
# A regular expression that begins, ends or consists of plain characters, and nothing else.
_PLAIN = r"(?:[^\\^$.|?*+()\[\]{}]|\\[^\w\s])"
_EXPRESSION = pattern(rf"(?:(\^|\(\^\|\\?/\))|\.\*)?({_PLAIN}++)(\.\*\$?|\$)?")
_SUFFIX = pattern(r"[^/]*\.\w+")


def unusable(source: str, what: str) -> ForeignSetting:
    """What is told of a setting that says nothing here."""
    return ForeignSetting(source, "", note=f"{source}: {what}; it is passed over")


def below(folder: str, pattern: str) -> str:
    """A pattern for the paths in a folder, for those in the workspace."""
    at = _WILD.sub(r"\\\1", folder)
    if pattern.startswith("/"):
        return f"/{at}{pattern}"
    return f"/{at}/**/{pattern.removeprefix('**/')}"


def patterns_of(starts: Iterable[str]) -> list[str]:
    """What paths begin with, as patterns in gitignore's syntax."""
    found = (start.strip().strip("/") + "/" * start.strip().endswith("/") for start in starts)
    escaped = (_WILD.sub(r"\\\1", start) for start in found if start.strip("/"))
    return [f"/{start}" if start.endswith("/") else f"/{start}*" for start in escaped]


def pattern_of_expression(expression: str) -> str:
    """A regular expression for paths as a pattern in gitignore's syntax, "" for one that says more
    than how a path begins, what a name in it holds, or how a file's name ends. None is run."""
    found = _EXPRESSION.fullmatch(expression)
    if found is None:
        return ""
    at, end = found[1] or "", found[3] or ""
    text = re.sub(r"\\(.)", r"\1", found[2])
    name = _WILD.sub(r"\\\1", text)
    if at == "^":
        return f"/{name}" if end == "$" or name.endswith("/") else f"/{name}*"
    if "/" in text.removesuffix("/"):
        return ""
    if at:
        return f"**/{name}" + "*" * (end != "$" and not name.endswith("/"))
    if end == "$":
        return f"*{name}" if _SUFFIX.fullmatch(text) else ""
    return f"*{name}" if name.endswith("/") else f"*{name}*"
