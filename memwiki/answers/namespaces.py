"""Namespaces, as answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from memwiki.answers.edits import Edited
from memwiki.answers.packed import ListAnswer


class NamespaceRow(NamedTuple):
    """A namespace, and how much is in it; `bytes` are those of all of its files."""

    name: str
    pages: int
    entries: int
    bytes: int
    changed: str  # the day of the newest change, "" for none


@dataclass(frozen=True, slots=True)
class NamespaceList(ListAnswer[NamespaceRow]):
    namespaces: tuple[NamespaceRow, ...]
    total: int
    fresh: bool = True


class Purged(NamedTuple):
    """A namespace that was put away or deleted, and how much that was."""

    name: str
    archived_as: str  # the folder in the archive, "" where nothing is kept
    files: int
    pages: int
    entries: int
    bytes: int
    edited: Edited
