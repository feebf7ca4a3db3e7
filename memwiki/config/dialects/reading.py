"""What the settings of the program that keeps a folder say; none of it is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from memwiki.config.dialects.foreign import ForeignSetting, ForeignSettings, unusable
from memwiki.config.dialects.programs import PROGRAMS, text_of
from memwiki.nouns import DENDRON, FOAM, LOGSEQ, OBSIDIAN

Reader: TypeAlias = Callable[[Mapping[str, str]], ForeignSettings]


def _reader(name: str) -> Reader:
    """What reads the settings of a program."""
    from memwiki.config.dialects import dendron, logseq, obsidian, sites  # most folders need none

    readers: Mapping[str, Reader] = {
        LOGSEQ: logseq.settings_in,
        DENDRON: dendron.settings_in,
        OBSIDIAN: obsidian.settings_in,
        FOAM: lambda _: iter(()),  # what it says of notes is not read
        **sites.READERS,
    }
    return readers[name]


def foreign_settings(name: str, root: Path) -> Iterator[ForeignSetting]:
    """What the settings of a program say of its folder, the program itself first."""
    program = PROGRAMS[name]
    texts: dict[str, str] = {}
    for file in program.files:
        text = text_of(root / file)
        if text is None:
            yield unusable(file, "cannot be read as settings")
        elif text:
            texts[file] = text
    there = (file for file in program.files if file in texts and file in program.marks)
    yield ForeignSetting(next(there, program.files[0]), "pages.dialect", name)
    yield from _reader(name)(texts)
