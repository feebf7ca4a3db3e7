"""`Workspace.carry`: everything taken elsewhere, and what was kept elsewhere taken in."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from memwiki.answers.workspaces import ExportReport, ImportReport
from memwiki.index.projection import Progress
from memwiki.numbers import limit_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import rebuilding


class CarryFacet:
    """Exports and imports; `import_` can show what it would do with `dry_run`."""

    def __init__(self, live: LiveIndex, renewed: Callable[[], LiveIndex]) -> None:
        self.live = live
        self._renewed = renewed

    @rebuilding
    def export(
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
        from memwiki.browse.pages import list_pages
        from memwiki.carry.exports import ExportRequest, export

        most = limit_of(limit) or None
        words = {"type": type, "tag": tag, "path": path, "orphans": "true" if orphans else ""}
        words["limit"] = str(most or "")
        filters = {name: each for name, each in words.items() if each}
        find = partial(list_pages, self.live, type, tag, path, "title", most, orphans=orphans)
        asked = ExportRequest(output, format, filters, private, progress)
        return export(self.live, asked, find if filters else None)

    def import_(
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
        from memwiki.carry.imports import ImportRun
        from memwiki.setup.init import template_digests
        from memwiki.workspace.entries import EntriesFacet

        run = ImportRun(
            self.live,
            self._renewed,
            lambda live, all_, dry: EntriesFacet(live, {}).add_all(all_, dry_run=dry),
            template_digests(),
        )
        report = run.run(
            Path(source), kind, is_replacing=replace, dry_run=dry_run, progress=progress
        )
        self.live = run.live
        return report

    def import_once(self, source: str | Path, *, kind: str = "") -> ImportReport | None:
        """The same for a file that is never written, unless its bytes were taken in before, or
        there is no such file: None."""
        from memwiki.carry.imports import once

        root, location = self.live.context.root, Path(source).absolute()
        return once(root, location, partial(self.import_, kind=kind))
