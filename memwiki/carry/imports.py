"""Taking in what was kept elsewhere, whole or not at all: files, entries and usage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memwiki.answers.workspaces import ImportReport
from memwiki.carry.logs import take_in
from memwiki.carry.plan import ImportedSetting, ImportPlan, import_plan
from memwiki.carry.source import importer_of, opened_source
from memwiki.clock import local_day
from memwiki.commit.carry_out import carry_out
from memwiki.digest import digest_of
from memwiki.errors import AlreadyExistsError, UsageError
from memwiki.files.paths import contain
from memwiki.files.read import current_bytes, is_folder
from memwiki.files.records import is_imported, note_imported
from memwiki.importing import ImportTarget, Incoming
from memwiki.memory.draft import request_of
from memwiki.names import is_in_folder, require_file_name
from memwiki.numbers import counted

if TYPE_CHECKING:
    from memwiki.answers.additions import AddReport
    from memwiki.change.plan import Plan
    from memwiki.index.projection import Progress
    from memwiki.sync.context import Context
    from memwiki.sync.live import LiveIndex

    Add = Callable[[LiveIndex, Sequence[Mapping[str, object]], bool], AddReport]


class ImportRun:
    """One import: of a source of a kind, or of the kind that it looks like.

    `add` adds entries to an index, or shows that with True; `renewed` gives the index under
    settings that were imported; `template` are the digests of each file as `init` writes it.
    """

    def __init__(
        self,
        live: LiveIndex,
        renewed: Callable[[], LiveIndex],
        add: Add,
        template: Mapping[str, Sequence[str]],
    ) -> None:
        self.live = live
        self._renewed, self._add, self._template = renewed, add, template
        self._based_on: dict[str, bytes | None] = {}  # what an importer read of the workspace

    def run(
        self,
        location: Path,
        kind: str,
        *,
        is_replacing: bool,
        dry_run: bool,
        progress: Progress | None,
    ) -> ImportReport:
        """Take a source in, or with `dry_run` show what that would change."""
        _require_elsewhere(self.live.context, location)
        incoming, notes = self._incoming(location, kind)
        setting = self._setting(is_replacing=is_replacing)
        title = (
            f"{location.resolve().name}: {counted(len(incoming.files), 'file')} ({incoming.kind})"
        )
        made: list[ImportPlan] = []
        if incoming.entries and not is_replacing:
            self._require_free_keys(incoming)

        def make() -> Plan:
            made[:] = [import_plan(incoming, title, setting)]
            return made[0].plan

        edited = carry_out(self.live, make, dry_run=dry_run, progress=progress, renewed=self._renew)
        found = made[0]
        skipped = [f"{counted(found.catalogs, 'generated catalog')} not imported, but made anew"]
        report = ImportReport(
            location.resolve().name,
            incoming.kind,
            edited.paths,
            found.replaced,
            found.removed,
            found.unchanged,
            found.catalogs,
            dry_run=edited.dry_run,
            diff=edited.diff,
            notes=(*notes, *found.notes, *(skipped if found.catalogs else ()), *edited.notes),
            fresh=edited.fresh,
        )
        if incoming.entries:
            report = self._with_entries(report, incoming)
        return report if dry_run else self._with_usage(report, incoming)

    def _renew(self) -> LiveIndex:
        self.live = self._renewed()
        return self.live

    def _incoming(self, location: Path, kind: str) -> tuple[Incoming, tuple[str, ...]]:
        """What a source becomes here, and what of it was not read."""
        context = self.live.context

        def read(path: str) -> bytes | None:
            self._based_on[path] = current_bytes(context.root, contain(context.root, path))
            return self._based_on[path]

        def pages(folder: str) -> list[str]:
            return [path for path in context.walk().files if is_in_folder(path, folder)]

        target = ImportTarget(read, context.layers, local_day(context.clock()).isoformat(), pages)
        with opened_source(location) as source:
            incoming = importer_of(source, kind).incoming(source, target)
            notes = (*source.notes, *incoming.notes)
        for each in incoming.entries:  # before anything is written
            request_of(each)
        for file in incoming.files:
            context.scope().require_own(file.path)
        return incoming, notes

    def _setting(self, *, is_replacing: bool) -> ImportedSetting:
        context = self.live.context

        def existing() -> list[str]:
            found = context.walk()
            return [*found.files, *found.attachments]

        return ImportedSetting(
            read=partial(current_bytes, context.root),
            based_on=self._based_on,
            existing=existing,
            template=self._template,
            log=context.layers.log,
            is_replacing=is_replacing,
            has_catalogs=context.config.catalog.enabled,
        )

    def _require_free_keys(self, incoming: Incoming) -> None:
        """What a key says already is not replaced unasked."""
        keys = tuple(each.key for each in self._add(self.live, incoming.entries, True).replaced)
        if keys:
            count = counted(len(keys), "entry exists", "entries exist")
            raise AlreadyExistsError(
                f"{count} under these keys with other text:"
                f" {', '.join(keys[:5])}; nothing was imported",
                "{replace} takes those of the import",
                candidates=keys,
                arguments={"replace": None},
            )

    def _with_entries(self, report: ImportReport, incoming: Incoming) -> ImportReport:
        """Add entries as `add` does."""
        added = self._add(self.live, incoming.entries, report.dry_run)
        return report._replace(
            written=(*report.written, *added.edited.paths),
            entries_added=len(added.added) + len(added.replaced),
            entries_repeated=len(added.repeated),
            diff=report.diff + added.edited.diff,
            notes=(*report.notes, *_judged(added), *added.edited.notes),
            fresh=added.edited.fresh,
        )

    def _with_usage(self, report: ImportReport, incoming: Incoming) -> ImportReport:
        if not incoming.usage:
            return report
        count = take_in(self.live.context.root, incoming.usage)
        failed = () if count is not None else ("usage could not be written",)
        return report._replace(usage=count or 0, notes=(*report.notes, *failed))


def once(root: Path, location: Path, take: Callable[[Path], ImportReport]) -> ImportReport | None:
    """Take a file in, unless its bytes were taken in before or there is no such file: None."""
    require_file_name("import", str(location))
    digest = digest_of(location.read_bytes()) if location.is_file() else ""
    if not digest or is_imported(root, digest):
        return None
    report = take(location)
    note_imported(root, digest)
    return report


def _require_elsewhere(context: Context, location: Path) -> None:
    """Refuse a folder that holds the workspace, or lies in it."""
    require_file_name("import", str(location))
    root, real = context.root.resolve(), location.resolve()
    if is_folder(location) and (real.is_relative_to(root) or root.is_relative_to(real)):
        raise UsageError.at(
            location,
            "holds the workspace, or lies in it",
            "give a folder elsewhere; what lies in the workspace is in it already",
        )


def _judged(added: AddReport) -> Iterator[str]:
    if added.near:
        yield f"{counted(len(added.near), 'entry is', 'entries are')} near one that was there"
    if added.superseded:
        yield f"{counted(len(added.superseded), 'entry was', 'entries were')} superseded"
