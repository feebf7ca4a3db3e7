"""Which files from elsewhere were taken in on this machine, by their digests."""

from __future__ import annotations

from pathlib import Path

from memwiki.files.lock import Lock
from memwiki.files.records import Records
from memwiki.files.state import LOCK_NAME, state_folder

_MOST_BYTES = 1_000_000


def is_imported(root: Path, digest: str) -> bool:
    """Whether these bytes were taken in."""
    return any(each.fields.get("digest") == digest for each in _records(root).newest())


def note_imported(root: Path, digest: str) -> None:
    """Remember that these bytes were taken in."""
    with Lock(state_folder(root) / LOCK_NAME):
        _records(root).add({"digest": digest})


def _records(root: Path) -> Records:
    return Records(root, "imported", max_bytes=_MOST_BYTES)
