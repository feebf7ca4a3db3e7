"""From what comes in to one plan: what is absent is written, other bytes are never lost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from memwiki.carry import logs as journal
from memwiki.carry.source import why_colliding
from memwiki.catalog.block import hand_written
from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.config.load import MAX_BYTES
from memwiki.config.load import read as read_settings
from memwiki.digest import digest_of
from memwiki.errors import AlreadyExistsError, ConfigError, UnsafePathError, UsageError
from memwiki.files.ignore import why_not_folder
from memwiki.files.paths import why_unsafe
from memwiki.importing import Incoming, IncomingFile
from memwiki.names import CONFIG_FILE, INSTRUCTION_FILES, fold, is_page_name
from memwiki.numbers import counted

_SHOWN = 5


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
    kept = [(file, _kept(file, setting)) for file in incoming.files]
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
    shown = ", ".join(paths[:_SHOWN]) + (" ..." if len(paths) > _SHOWN else "")
    count = counted(len(paths), "file exists", "files exist")
    return AlreadyExistsError(
        f"{count} with other text: {shown}; nothing was imported",
        "{replace} takes those of the import; {dry_run} with it shows what would change",
        path=paths[0],
        candidates=tuple(paths),
        arguments={"replace": None, "dry_run": None},
    )


# --- one file ------------------------------------------------------------------------------------


def _kept(file: IncomingFile, setting: ImportedSetting) -> _Kept:
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
    return _replaced(path, held, data, setting)


def _edit(path: str, held: bytes | None, data: bytes | None) -> Edit:
    return edit_of(path, held, data, "imported")


def _replaced(path: str, held: bytes, data: bytes, setting: ImportedSetting) -> _Kept:
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
    both = file.data if held is None else journal.united(held, file.data)
    if both is None:
        return _replaced(file.path, held or b"", file.data, setting)
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
    return _replaced(file.path, held, file.data, setting)._replace(is_lasting=True)


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
