"""What became of a folder that was made a workspace, as an answer."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.answers.index import NextStep


class InitReport(NamedTuple):
    workspace: str
    created: tuple[str, ...]
    adopted: bool
    git: bool
    notes: tuple[str, ...] = ()  # what the person may want to set first
    kept: tuple[str, ...] = ()  # files of the template that were there and stay as they are
    pages: int | None = None  # None when nothing was indexed yet, as with --no-sync
    links: int | None = None
    problems: int | None = None  # found while reading
    catalogs: tuple[str, ...] = ()  # index.md files that were written
    next: tuple[NextStep, ...] = ()
