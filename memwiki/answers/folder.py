"""What lies below one folder of a workspace, as an answer; paths are relative to that folder."""

from __future__ import annotations

from typing import NamedTuple


class FolderItem(NamedTuple):
    """A file or a folder, with its size as the file system gives it."""

    path: str
    size_bytes: int
    is_folder: bool


class FolderList(NamedTuple):
    """A folder with what is in it, by code point, depth first."""

    path: str
    size_bytes: int
    items: tuple[FolderItem, ...]


class TextFile(NamedTuple):
    """A text file as it is now, every character of it."""

    path: str
    text: str
    digest: str

    @property
    def lines(self) -> list[str]:
        """Its lines, which only `\\n` ends, without the empty one behind a final line end."""
        lines = self.text.split("\n")
        return lines if lines[-1] else lines[:-1]
