"""Reading what is to be imported, none of it trusted: a folder, a zip archive or one file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

HEAD_BYTES = 4096


class Source(Protocol):
    """What is imported, as files with names."""

    @property
    def name(self) -> str:
        """How the file or folder itself is called."""

    def names(self) -> Sequence[str]:
        """The files in it, sorted, relative and with `/`; of a single file, its own name."""

    def read(self, name: str) -> bytes:
        """All of one file."""

    def head(self, name: str) -> bytes:
        """Its first 4 KB."""
