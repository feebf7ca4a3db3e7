"""`AsyncWorkspace.carry`: everything taken elsewhere, and what was kept elsewhere taken in."""

# Generated from memwiki/workspace/carry.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.aio.workers import Steps
from memwiki.workspace.carry import CarryFacet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memwiki.answers.workspaces import ExportReport, ImportReport
    from memwiki.index.projection import Progress


class AsyncCarryFacet(Face[CarryFacet]):
    """Exports and imports; `import_` can show what it would do with `dry_run`."""

    async def export(
        self,
        output: str | Path | Callable[[bytes], object] | None = None,
        *,
        format: str = "zip",
        private: bool = False,
        type: str = "",
        tag: str = "",
        path: str = "",
        orphans: bool = False,
        limit: int | None = None,
        progress: Progress | None = None,
    ) -> ExportReport:
        """Write a workspace, or the pages that `pages.list` finds, to a new file or a function.

        A zip archive goes to NAME-DATE.zip in the current folder by default. What is private is
        left out without `private`; with a namespace, all but its files is. Raises
        AlreadyExistsError rather than overwrite a file.
        """
        steps = Steps(progress)
        return await self._read(
            lambda it: it.export(
                output,
                format=format,
                private=private,
                type=type,
                tag=tag,
                path=path,
                orphans=orphans,
                limit=limit,
                progress=steps.note,
            ),
            steps,
            is_long=True,
        )

    async def import_(
        self,
        source: str | Path,
        *,
        kind: str = "",
        replace: bool = False,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Take in an export, a folder or file of markdown, or what another tool keeps, whole or not
        at all.

        Raises AlreadyExistsError, with the files as candidates, when some are here with other
        bytes and `replace` is not given; UnsafePathError or UnreadableError for what is refused,
        NotEditableError for files outside of the namespace.
        """
        return await self._write(
            lambda it: it.import_(
                source, kind=kind, replace=replace, dry_run=dry_run, progress=progress
            )
        )

    async def import_once(self, source: str | Path, *, kind: str = "") -> ImportReport | None:
        """The same for a file that is never written, unless its bytes were taken in before, or
        there is no such file: None."""
        return await self._write(lambda it: it.import_once(source, kind=kind))
