"""Taking in what was kept elsewhere, whole or not at all: one plan of files, entries and usage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memwiki.answers.workspaces import ImportReport
from memwiki.carry.contents import holds_journal, take_in, unite_journals
from memwiki.carry.source import KIND as PLAIN_KIND
from memwiki.carry.source import importer_of, opened_source, why_colliding
from memwiki.catalog.block import hand_written
from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.commit.carry_out import carry_out
from memwiki.config.load import MAX_BYTES
from memwiki.config.load import read as read_settings
from memwiki.config.schema import SCHEMA
from memwiki.digest import digest_of
from memwiki.errors import AlreadyExistsError, ConfigError, UnsafePathError, UsageError
from memwiki.files.ignore import why_not_folder
from memwiki.files.paths import contain, why_unsafe
from memwiki.files.read import current_bytes, is_folder
from memwiki.files.records import is_imported, note_imported
from memwiki.importing import ImportTarget, Incoming, IncomingFile
from memwiki.index.projection import Progress
from memwiki.markdown.describe import is_journal
from memwiki.memory.draft import request_of
from memwiki.names import (
    CONFIG_FILE,
    INSTRUCTION_FILES,
    fold,
    is_in_folder,
    is_page_name,
    is_within,
    require_file_name,
)
from memwiki.nouns import Layers
from memwiki.numbers import counted
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex

_MAX_SHOWN = 5
# Layers whose files are not found, are not changed, or hold entries.
_ROLES = ("memory", "learnings", "raw", "archive", "namespaces")


class ImportedSetting(NamedTuple):
    """What an import has to know of the workspace and of the call."""

    read: Callable[[str], bytes | None]  # the bytes of a file now, under the lock
    based_on: Mapping[str, bytes | None]  # what an importer read of the workspace
    existing: Callable[[], Collection[str]]  # the files there are
    template: Mapping[str, Collection[str]]  # the digests of each file as `init` writes it
    log: str
    is_replacing: bool
    has_catalogs: bool  # whether they are made here


class ImportPlan(NamedTuple):
    """What an import does to the files."""

    plan: Plan
    replaced: tuple[str, ...]
    removed: tuple[str, ...]  # pages of an untouched template
    unchanged: int
    catalogs: int  # generated ones, which are not imported
    notes: tuple[str, ...]


class _Kept(NamedTuple):
    """What becomes of one file: nothing, an edit, or a refusal."""

    edit: Edit | None = None
    is_replaced: bool = False
    is_refused: bool = False
    is_catalog: bool = False
    is_lasting: bool = False  # undoing leaves it


def import_plan(incoming: Incoming, title: str, setting: ImportedSetting) -> ImportPlan:
    """The plan that takes everything in; AlreadyExistsError names what would be lost by it."""
    _require_usable(incoming.files)
    existing = setting.existing()
    setting = setting._replace(has_catalogs=_has_catalogs(incoming.files, setting))
    _require_no_twins(incoming.files, existing)
    _require_journals(incoming.files, Layers(log=setting.log))
    kept = [(file, _keep(file, setting)) for file in incoming.files]
    refused = [file.path for file, each in kept if each.is_refused]
    if refused:
        raise _would_be_lost(refused)
    edits = [each.edit for _, each in kept if each.edit]
    removed = list(_untouched(incoming, existing, setting)) if incoming.is_whole else []
    lasting = tuple(file.path for file, each in kept if each.edit and each.is_lasting)
    return ImportPlan(
        Plan((*edits, *removed), title, "import", unkept=lasting),
        tuple(file.path for file, each in kept if each.is_replaced),
        tuple(edit.path for edit in removed),
        sum(not (each.edit or each.is_catalog) for _, each in kept),
        sum(each.is_catalog for _, each in kept),
        tuple(_followed_notes(edits)),
    )


# --- what is refused whole -----------------------------------------------------------------------


def _require_usable(files: Iterable[IncomingFile]) -> None:
    for file in files:
        *folders, name = file.path.split("/")
        reason = why_unsafe(file.path)
        if any(map(why_not_folder, folders)) or name in (".", ".."):
            reason = reason or "is in a hidden folder"
        if reason:
            raise UnsafePathError(
                f"{file.origin}: {file.path!r} {reason}; nothing was imported",
                "rename it at its source",
                path=file.path,
            )
        if fold(file.path) == CONFIG_FILE:
            _require_settings(file)
    if reason := why_colliding([file.path for file in files]):
        raise UnsafePathError(f"{reason}; nothing was imported", "rename it at its source")


def _require_settings(file: IncomingFile) -> None:
    """Settings that cannot be read would stop every command, undo among them."""
    try:
        if len(file.data) > MAX_BYTES:
            raise ConfigError(f"is over {MAX_BYTES // 1024} KB")
        read_settings(file.data.decode("utf-8-sig"), {})
    except (ConfigError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{file.origin}: cannot be used as settings ({error}); nothing was imported",
            "repair it at its source, or leave it out",
            path=file.path,
        ) from error


def _has_catalogs(files: Iterable[IncomingFile], setting: ImportedSetting) -> bool:
    """Whether catalogs are made under the settings that come in, else under those there are."""
    for file in files:
        if file.path == CONFIG_FILE:
            given, _ = read_settings(file.data.decode("utf-8-sig"), {})
            return any(str(key) == "catalog.enabled" and bool(each) for key, each in given.items())
    return setting.has_catalogs


def _require_journals(files: Iterable[IncomingFile], layers: Layers) -> None:
    """Refuse a page where a journal is here: it would be none any more, and be added to."""
    for file in files:
        if is_journal(file.path, layers) and not holds_journal(file.data):
            raise AlreadyExistsError(
                f"{file.origin}: is no journal, as {file.path} is here; nothing was imported",
                "rename it at its source, or this journal: memwiki config set layers.log NAME.md",
                path=file.path,
            )


def _require_no_twins(files: Iterable[IncomingFile], existing: Collection[str]) -> None:
    """Refuse names that some systems take for one that is there, and files in place of folders."""
    spelled = {fold(path): path for path in existing}
    folders = {fold(folder): folder for path in existing for folder in _above(path)}
    known = set(existing)
    for file in (each for each in files if each.path not in known):
        parts = [*_above(file.path), file.path]
        twin = next((spelled[fold(each)] for each in parts if fold(each) in spelled), file.path)
        twin = next((t for each in parts if (t := folders.get(fold(each), each)) != each), twin)
        if fold(file.path) in folders:
            twin = folders[fold(file.path)] + "/"
        if twin != file.path:
            raise AlreadyExistsError(
                f"{file.path}: {twin} exists, and some systems treat the two as one;"
                " nothing was imported",
                "rename one of them",
                path=twin,
                candidates=(file.path,),
            )


def _above(path: str) -> Iterator[str]:
    return (path[:at] for at, sign in enumerate(path) if sign == "/")


def _would_be_lost(paths: list[str]) -> AlreadyExistsError:
    shown = ", ".join(paths[:_MAX_SHOWN]) + (" ..." if len(paths) > _MAX_SHOWN else "")
    count = counted(len(paths), "file exists", "files exist")
    return AlreadyExistsError(
        f"{count} with other text: {shown}; nothing was imported",
        "{replace} takes those of the import; {dry_run} with it shows what would change",
        path=paths[0],
        candidates=tuple(paths),
        arguments={"replace": None, "dry_run": None},
    )


# --- one file ------------------------------------------------------------------------------------


def _keep(file: IncomingFile, setting: ImportedSetting) -> _Kept:
    path, data = file.path, file.data
    if file.is_united and path in setting.based_on:
        base = setting.based_on[path]
        return _Kept(None if base == data else _edit(path, base, data))
    held = setting.read(path)
    if path == setting.log:
        return _kept_journal(file, held, setting)
    is_made = setting.has_catalogs and is_page_name(path)
    words = hand_written(data) if is_made else None
    if words is not None:
        return _kept_catalog(file, held, words, setting)
    if held == data:
        return _Kept()
    if held is None or _is_nobodys(path, held, setting):
        return _Kept(_edit(path, held, data))
    return _replacement(path, held, data, setting)


def _edit(path: str, held: bytes | None, data: bytes | None) -> Edit:
    return edit_of(path, held, data, "imported")


def _replacement(path: str, held: bytes, data: bytes, setting: ImportedSetting) -> _Kept:
    if not setting.is_replacing:
        return _Kept(is_refused=True)
    return _Kept(_edit(path, held, data), is_replaced=True)


def _is_nobodys(path: str, held: bytes, setting: ImportedSetting) -> bool:
    """Whether a file is as the template or memwiki itself made it."""
    if digest_of(held) in setting.template.get(path, ()):
        return True
    return is_page_name(path) and hand_written(held) == ""


def _kept_journal(file: IncomingFile, held: bytes | None, setting: ImportedSetting) -> _Kept:
    """Journals are united; what is written after them stands in them, so undo leaves them."""
    both = file.data if held is None else unite_journals(held, file.data)
    if both is None:
        return _replacement(file.path, held or b"", file.data, setting)
    return _Kept(None if both == held else _edit(file.path, held, both), is_lasting=True)


def _kept_catalog(
    file: IncomingFile, held: bytes | None, words: str, setting: ImportedSetting
) -> _Kept:
    """A catalog is made anew here; what people wrote around its block is taken in."""
    ours = None if held is None else hand_written(held)
    if not words or words == ours:
        return _Kept(is_catalog=True)
    if held is None or ours == "":
        return _Kept(_edit(file.path, held, file.data), is_lasting=True)
    return _replacement(file.path, held, file.data, setting)._replace(is_lasting=True)


# --- beside the files ----------------------------------------------------------------------------


def _untouched(
    incoming: Incoming, existing: Collection[str], setting: ImportedSetting
) -> Iterator[Edit]:
    """Pages of the template that the imported workspace lacks, where nobody wrote any page yet."""
    here = [path for path in existing if is_page_name(path) and path != setting.log]
    if len(here) > 10 * len(setting.template):
        return
    pages = {path: setting.read(path) for path in here}
    if not all(held is None or _is_nobodys(path, held, setting) for path, held in pages.items()):
        return
    coming = {file.path for file in incoming.files}
    for path, held in pages.items():
        if path in setting.template and path not in coming and held is not None:
            yield _edit(path, held, None)


def _followed_notes(edits: Iterable[Edit]) -> Iterator[str]:
    for edit in edits:
        if fold(edit.path.rpartition("/")[2]) in INSTRUCTION_FILES:
            yield f"{edit.path} came with the import: agents do what it says, so read it first"


def _roles(paths: Sequence[str], layers: Layers) -> Iterator[str]:
    """What this workspace makes of files that have the name of one of its layers."""
    for key in SCHEMA.keys_in("layers"):
        layer = getattr(layers, key.name)
        if key.name in _ROLES and layer and any(is_within(path, layer) for path in paths):
            yield f"{layer} came with the import: it is {key} here ({key.about.help})"


if TYPE_CHECKING:
    from memwiki.answers.curation import AddReport

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
            tuple(path for path in edited.paths if path not in found.removed),
            found.replaced,
            found.removed,
            found.unchanged,
            found.catalogs,
            dry_run=edited.dry_run,
            diff=edited.diff,
            notes=(*notes, *found.notes, *(skipped if found.catalogs else ()), *edited.notes),
            fresh=edited.fresh,
        )
        if incoming.kind == PLAIN_KIND:
            roles = _roles(edited.paths, self.live.context.layers)
            report = report._replace(notes=(*report.notes, *roles))
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

        target = ImportTarget(read, context.layers, context.today, pages)
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
            notes=(*report.notes, *_judgements(added), *added.edited.notes),
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


def _judgements(added: AddReport) -> Iterator[str]:
    if added.near:
        yield f"{counted(len(added.near), 'entry is', 'entries are')} near one that was there"
    if added.superseded:
        yield f"{counted(len(added.superseded), 'entry was', 'entries were')} superseded"
