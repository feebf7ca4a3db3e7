"""Upkeep, as answers."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.answers.edits import Edited
from memwiki.answers.entries import EntryView
from memwiki.answers.index import CollectionCount
from memwiki.answers.lists import ListAnswer


class UpkeepStep(NamedTuple):
    """What becomes of one entry or page, and why."""

    verb: str  # merged, promoted, staged, related, linked, superseded, retired, moved, wrote ...
    path: str
    line: int  # 0 of a whole page
    id: str  # "" of an entry without one
    text: str  # its first words
    to: str  # the page or entry that it is in or tied to now
    reason: str


class UpkeepReport(ListAnswer[UpkeepStep]):
    """What one upkeep did, or with `edited.dry_run` would do."""

    steps: tuple[UpkeepStep, ...]
    collections: tuple[CollectionCount, ...]
    edited: Edited


class ArchivedItem(NamedTuple):
    """A retired entry or conversation."""

    id: str  # "" of a conversation
    path: str  # in the archive
    line: int  # 0 of a conversation
    type: str
    retired: str  # the month of an entry, "" of a conversation
    was: str  # the page and headings, or the path, where it was
    text: str  # its first words, or the name of the file


class ArchiveList(ListAnswer[ArchivedItem]):
    """What is in the archive, and how much there is in all."""

    items: tuple[ArchivedItem, ...]
    total: int
    fresh: bool = True

    def __len__(self) -> int:
        return len(self.items)


class CompressionGroup(NamedTuple):
    """Entries of one type that hardly anybody recalls."""

    type: str
    entries: tuple[EntryView, ...]


class CompressionGroups(ListAnswer[CompressionGroup]):
    """What a few summaries could stand for; nothing of it is changed by itself."""

    groups: tuple[CompressionGroup, ...]

    @property
    def total(self) -> int:
        """How many entries there are in all groups."""
        return sum(len(group.entries) for group in self.groups)
