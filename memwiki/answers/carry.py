"""What was exported and imported, as answers."""

from __future__ import annotations

from typing import NamedTuple


class ExportReport(NamedTuple):
    """What an export holds."""

    output: str  # the file; "" where it went to a stream
    format: str  # zip, jsonl or md
    files: int
    pages: int  # of these
    bytes: int  # of all files, as they are in the workspace
    usage: int  # lines of what was recalled
    private_pages: int = 0  # left out
    private_entries: int = 0  # left out of their pages
    notes: tuple[str, ...] = ()
    fresh: bool = True


class ImportReport(NamedTuple):
    """What an import wrote, or with `dry_run` would write."""

    source: str
    kind: str
    written: tuple[str, ...] = ()  # all files that changed
    replaced: tuple[str, ...] = ()  # those of them that had other text
    removed: tuple[str, ...] = ()  # pages of an untouched template that the import lacks
    unchanged: int = 0
    catalogs: int = 0  # not imported, but made anew
    entries_added: int = 0
    entries_repeated: int = 0
    usage: int = 0  # lines of what was recalled that were new here
    dry_run: bool = False
    diff: str = ""  # with `dry_run`: what would change
    notes: tuple[str, ...] = ()
    fresh: bool = True
