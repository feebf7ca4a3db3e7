"""`Workspace.carry`: everything taken elsewhere, and what was kept elsewhere taken in."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memwiki.answers.workspaces import ExportReport, ImportReport
from memwiki.clock import local_day
from memwiki.errors import AlreadyExistsError, UsageError
from memwiki.names import is_in_folder, is_page_name, require_text
from memwiki.numbers import counted, limit_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import rebuilding

if TYPE_CHECKING:
    from memwiki.answers.edits import Edited
    from memwiki.answers.entries import AddReport
    from memwiki.answers.pages import PageList
    from memwiki.carry.contents import Contents
    from memwiki.carry.plan import ImportedSetting, ImportPlan
    from memwiki.change.plan import Plan
    from memwiki.importing import Incoming
    from memwiki.index.projection import Progress

FORMATS = ("zip", "jsonl", "md", "memory-server")
Write = Callable[[bytes], object]


class CarryFacet:
    """Exports and imports; `import_` can show what it would do with `dry_run`."""

    def __init__(self, live: LiveIndex, renewed: Callable[[], LiveIndex]) -> None:
        self.live = live
        self._renewed = renewed

    @rebuilding
    def export(
        self,
        output: str | Path | Write | None = None,
        *,
        format: str = "zip",  # noqa: A002 - the word of the command line
        private: bool = False,
        type: str = "",  # noqa: A002 - as in `pages.list`
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
        if format not in FORMATS:
            raise UsageError(f"{format}: no such format", hint=f"one of {', '.join(FORMATS)}")
        filters = {"type": type, "tag": tag, "path": path, "orphans": "true" if orphans else ""}
        filters["limit"] = str(limit_of(limit) or "")
        filters = {name: each for name, each in filters.items() if each}
        found = self._found(filters)
        scope = self.live.context.scope()
        if scope.base:
            filters["namespace"] = scope.name
        if format == "memory-server":
            return self._exported_graph(output, filters, has_private=private)
        contents = self._contents(filters, found, has_private=private)
        if callable(output):
            usage = self._written_to(output, format, contents, progress)
            return _export_report("", format, contents, usage, found)
        location = self._outside(Path(output) if output else self._default(format))
        usage = self._written_file(location, format, contents, progress)
        return _export_report(str(location), format, contents, usage, found)

    def _exported_graph(
        self, output: str | Path | Write | None, filters: dict[str, str], *, has_private: bool
    ) -> ExportReport:
        """The entities and their relations, as the reference memory server keeps them."""
        from memwiki.files.temporary import write_new
        from memwiki.memory.knowledge.graph import to_lines
        from memwiki.workspace.knowledge import whole_graph

        if filters.keys() - {"namespace"}:
            raise UsageError(
                "export: memory-server holds all entities", hint="leave out what chooses pages"
            )
        graph, is_fresh = whole_graph(self.live, has_private=has_private)
        data, name = to_lines(graph), ""
        if callable(output):
            output(data)
        else:
            location = self._outside(Path(output) if output else self._default("memory-server"))
            write_new(location, lambda file: file.write(data))
            name = str(location)
        count = len(graph.entities)
        return ExportReport(name, "memory-server", count, count, len(data), 0, fresh=is_fresh)

    def _found(self, filters: dict[str, str]) -> PageList | None:
        """The pages that filters find; None for all that there is."""
        from memwiki.browse.pages import list_pages

        if not filters:
            return None
        type_, tag, path = (filters.get(name, "") for name in ("type", "tag", "path"))
        most = int(filters["limit"]) if "limit" in filters else None
        is_alone = "orphans" in filters
        return list_pages(self.live, type_, tag, path, "title", most, orphans=is_alone)

    def _contents(
        self, filters: dict[str, str], found: PageList | None, *, has_private: bool
    ) -> Contents:
        from memwiki.carry.contents import Contents, ExportScope

        pages = self._in_namespace() if found is None else [row.path for row in found.pages]
        scope = ExportScope(filters, has_private)
        return Contents(self.live.context, scope, pages, hand_written)

    def _in_namespace(self) -> list[str] | None:
        """All files of the namespace; None where none is asked for."""
        base = self.live.context.scope().base
        if not base:
            return None
        walked = self.live.context.walk()
        return [path for path in (*walked.files, *walked.attachments) if is_in_folder(path, base)]

    def _default(self, format_: str) -> Path:
        if format_ != "zip":
            raise UsageError(
                f"export: where to write {format_} is missing",
                hint="give a file or a function as {output}",
                arguments={"output": None},
            )
        day = local_day(self.live.context.clock()).isoformat()
        return Path.cwd() / f"{self.live.context.root.resolve().name}-{day}.zip"

    def _outside(self, output: Path) -> Path:
        """Refuse a file that would be part of the memory that it holds."""
        _require_name("export", output)
        root, real = self.live.context.root.resolve(), output.parent.resolve() / output.name
        if real.is_relative_to(root):
            inside = real.relative_to(root)
            is_ignored = self.live.context.ignore().why(inside.as_posix())
            if not is_ignored:
                raise UsageError(
                    f"{output}: lies in the workspace, and would be part of it",
                    hint="give a file elsewhere: {output}",
                    path=str(output),
                    arguments={"output": f"../{output.name}"},
                )
        return output

    def _written_file(
        self, output: Path, format_: str, contents: Contents, progress: Progress | None
    ) -> int:
        from memwiki.carry.formats import write_zip
        from memwiki.files.temporary import write_new

        if format_ == "zip":
            return write_new(output, lambda file: write_zip(file, contents, progress))
        return write_new(
            output, lambda file: self._written_to(file.write, format_, contents, progress)
        )

    def _written_to(
        self, write: Write, format_: str, contents: Contents, progress: Progress | None
    ) -> int:
        from memwiki.carry.formats import write_document, write_lines

        if format_ == "zip":
            raise UsageError("export: a zip archive goes to a file", hint="give the path of one")
        if format_ == "md":
            name = self.live.context.root.resolve().name
            return write_document(write, name, contents, progress)
        return write_lines(write, contents, progress)

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
        from memwiki.carry.plan import import_plan

        location = Path(source)
        self._require_elsewhere(location)
        based_on: dict[str, bytes | None] = {}
        incoming, notes = self._incoming(location, kind, based_on)
        setting = self._setting(based_on, is_replacing=replace)
        count = counted(len(incoming.files), "file")
        title = f"{location.resolve().name}: {count} ({incoming.kind})"
        made: list[ImportPlan] = []
        if incoming.entries and not replace:
            self._require_free_keys(incoming)

        def make() -> Plan:
            made[:] = [import_plan(incoming, title, setting)]
            return made[0].plan

        edited = self._carried_out(make, dry_run=dry_run, progress=progress)
        report = _import_report(location, incoming, made[0], edited)
        report = report._replace(notes=(*notes, *report.notes))
        if incoming.entries:
            report = self._with_entries(report, incoming)
        return report if dry_run else self._with_usage(report, incoming)

    def import_once(self, source: str | Path, *, kind: str = "") -> ImportReport | None:
        """The same for a file that is never written, unless its bytes were taken in before, or
        there is no such file: None."""
        from memwiki.digest import digest_of
        from memwiki.files.records import is_imported, note_imported

        location, root = Path(source).absolute(), self.live.context.root
        _require_name("import", location)
        digest = digest_of(location.read_bytes()) if location.is_file() else ""
        if not digest or is_imported(root, digest):
            return None
        report = self.import_(location, kind=kind)
        note_imported(root, digest)
        return report

    def _require_elsewhere(self, location: Path) -> None:
        """Refuse a folder that holds the workspace, or lies in it."""
        _require_name("import", location)
        root, real = self.live.context.root.resolve(), location.resolve()
        if os.path.isdir(location) and (  # noqa: PTH112 - a name too long is none
            real.is_relative_to(root) or root.is_relative_to(real)
        ):
            raise UsageError(
                f"{location}: holds the workspace, or lies in it",
                hint="give a folder elsewhere; what lies in the workspace is in it already",
                path=str(location),
            )

    def _incoming(
        self, location: Path, kind: str, based_on: dict[str, bytes | None]
    ) -> tuple[Incoming, tuple[str, ...]]:
        """What a source becomes here, and what of it was not read."""
        from memwiki.carry.source import importer_of, opened_source
        from memwiki.files.paths import contain
        from memwiki.files.read import current_bytes
        from memwiki.importing import ImportTarget
        from memwiki.memory.draft import request_of

        context = self.live.context

        def read(path: str) -> bytes | None:
            based_on[path] = current_bytes(context.root, contain(context.root, path))
            return based_on[path]

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

    def _setting(self, based_on: dict[str, bytes | None], *, is_replacing: bool) -> ImportedSetting:
        from memwiki.carry.plan import ImportedSetting
        from memwiki.files.read import current_bytes
        from memwiki.setup.template import template_digests

        context = self.live.context

        def existing() -> list[str]:
            found = context.walk()
            return [*found.files, *found.attachments]

        return ImportedSetting(
            read=partial(current_bytes, context.root),
            based_on=based_on,
            existing=existing,
            template=template_digests(),
            hand_written=hand_written,
            log=context.layers.log,
            is_replacing=is_replacing,
            has_catalogs=context.config.catalog.enabled,
        )

    def _carried_out(
        self, make: Callable[[], Plan], *, dry_run: bool, progress: Progress | None
    ) -> Edited:
        from memwiki.commit.carry_out import carry_out_locked

        def renewed() -> LiveIndex:
            self.live = self._renewed()
            return self.live

        return carry_out_locked(
            self.live, make, dry_run=dry_run, progress=progress, renewed=renewed
        )

    def _require_free_keys(self, incoming: Incoming) -> None:
        """What a key says already is not replaced unasked."""
        from memwiki.workspace.entries import EntriesFacet

        added = EntriesFacet(self.live, {}).add_all(incoming.entries, dry_run=True)
        if added.replaced:
            raise _keys_taken(tuple(each.key for each in added.replaced))

    def _with_entries(self, report: ImportReport, incoming: Incoming) -> ImportReport:
        """Add entries as `add` does."""
        from memwiki.workspace.entries import EntriesFacet

        added = EntriesFacet(self.live, {}).add_all(incoming.entries, dry_run=report.dry_run)
        return report._replace(
            written=(*report.written, *added.edited.paths),
            entries_added=len(added.added) + len(added.replaced),
            entries_repeated=len(added.repeated),
            diff=report.diff + added.edited.diff,
            notes=(*report.notes, *_judged(added), *added.edited.notes),
            fresh=added.edited.fresh,
        )

    def _with_usage(self, report: ImportReport, incoming: Incoming) -> ImportReport:
        from memwiki.carry.usage import take_in

        if not incoming.usage:
            return report
        count = take_in(self.live.context.root, incoming.usage)
        failed = () if count is not None else ("usage could not be written",)
        return report._replace(usage=count or 0, notes=(*report.notes, *failed))


def _require_name(what: str, location: Path) -> None:
    """Refuse what no file can be called."""
    require_text(what, str(location))
    if "\0" in str(location):
        raise UsageError(
            f"{what}: {str(location)!r} is no name of a file", hint="give another name"
        )


def hand_written(data: bytes) -> str | None:
    """What people wrote in a catalog, around the block that is ours; None for no catalog."""
    from memwiki.catalog.block import is_bare, is_ours, shape_of
    from memwiki.markdown.syntax import CATALOG_BEGIN

    if CATALOG_BEGIN.encode() not in data:
        return None
    text = data.decode("utf-8", "surrogateescape")
    if not is_ours(text):
        return None
    return "" if is_bare(text) else shape_of(text).outside


def _export_report(
    output: str, format_: str, contents: Contents, usage: int, found: PageList | None
) -> ExportReport:
    return ExportReport(
        output,
        format_,
        len(contents.members),
        sum(is_page_name(member.path) for member in contents.members),
        sum(member.size for member in contents.members),
        usage,
        contents.private_pages,
        contents.private_entries,
        tuple(contents.notes),
        fresh=found is None or found.fresh,
    )


def _import_report(
    location: Path, incoming: Incoming, made: ImportPlan, edited: Edited
) -> ImportReport:
    skipped = (
        (f"{counted(made.catalogs, 'generated catalog')} not imported, but made anew",)
        if made.catalogs
        else ()
    )
    return ImportReport(
        location.resolve().name,
        incoming.kind,
        edited.paths,
        made.replaced,
        made.removed,
        made.unchanged,
        made.catalogs,
        dry_run=edited.dry_run,
        diff=edited.diff,
        notes=(*made.notes, *skipped, *edited.notes),
        fresh=edited.fresh,
    )


def _keys_taken(keys: tuple[str, ...]) -> AlreadyExistsError:
    return AlreadyExistsError(
        f"{counted(len(keys), 'entry exists', 'entries exist')} under these keys with other text:"
        f" {', '.join(keys[:5])}; nothing was imported",
        hint="{replace} takes those of the import",
        candidates=keys,
        arguments={"replace": None},
    )


def _judged(added: AddReport) -> list[str]:
    counts = (
        (len(added.near), "entry is", "entries are", "near one that was there"),
        (len(added.superseded), "entry was", "entries were", "superseded"),
    )
    return [f"{counted(count, one, many)} {what}" for count, one, many, what in counts if count]
