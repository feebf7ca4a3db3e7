"""`AsyncWorkspace.folder`: text files below one folder, pages or not, kept byte for byte."""

# Generated from memwiki/workspace/folder.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.folder import FolderFacet

if TYPE_CHECKING:
    from memwiki.answers.edits import Edited
    from memwiki.answers.pages import FolderList, MergedText, TextFile


class AsyncFolderFacet(Face[FolderFacet]):
    """One folder; every path is relative to it, and every change can be shown with `dry_run`.

    All methods raise UnsafePathError for a path that leads out of the folder or is hidden; those
    that change something NotEditableError for a file that is read-only here. Whoever may not see
    what is private does not see the journal, which may name it.
    """

    async def list(self, path: str = "") -> FolderList:
        """What is in the folder or one below it, two levels deep, with sizes."""
        return await self._read(lambda it: it.list(path))

    async def kind(self, path: str) -> str:
        """What is at a path: "file", "folder", "other", or "" for nothing."""
        return await self._read(lambda it: it.kind(path))

    async def path_here(self, path: str) -> str:
        """A path of the workspace as the folder has it; OutsideError for one outside of it."""
        return await self._read(lambda it: it.path_here(path))

    async def read(self, path: str) -> TextFile:
        """A text file as it is now; UnreadableError when it is no text in UTF-8."""
        return await self._read(lambda it: it.read(path))

    async def merged(self, path: str, text: str, base: TextFile) -> MergedText:
        """A text made of `base` and what the file became since, as one; changes no file.

        Where both changed the same lines, it has those of the text.
        """
        return await self._read(lambda it: it.merged(path, text, base))

    async def why_read_only(self, path: str) -> str:
        """Why a file is not to be written here; "" where it may be."""
        return await self._read(lambda it: it.why_read_only(path))

    async def create(self, path: str, text: str, *, dry_run: bool = False) -> Edited:
        """Make a file, and the folders above it; AlreadyExistsError where something is."""
        return await self._write(lambda it: it.create(path, text, dry_run=dry_run))

    async def write(
        self,
        path: str,
        text: str,
        *,
        base: TextFile | None = None,
        expect: str = "",
        dry_run: bool = False,
    ) -> Edited:
        """Give a file another text. What changed since `base` was read is merged, but with the
        digest in `expect` refused.

        Raises ConflictError when it cannot be merged: the same lines changed.
        """
        return await self._write(
            lambda it: it.write(path, text, base=base, expect=expect, dry_run=dry_run)
        )

    async def insert(
        self,
        path: str,
        line: int,
        text: str,
        *,
        base: TextFile | None = None,
        dry_run: bool = False,
    ) -> Edited:
        """Put lines behind a line of a file, 0 for its top; the file ends with a line end then."""
        return await self._write(lambda it: it.insert(path, line, text, base=base, dry_run=dry_run))

    async def delete(self, path: str, *, dry_run: bool = False) -> Edited:
        """Delete a file, or a folder whole; `undo` brings it back. Notes name broken links."""
        return await self._write(lambda it: it.delete(path, dry_run=dry_run))

    async def rename(self, path: str, new: str, *, dry_run: bool = False) -> Edited:
        """Give a file or folder another path; links go on meaning what they mean.

        Notes name the links for which no way to write them was found.
        """
        return await self._write(lambda it: it.rename(path, new, dry_run=dry_run))
