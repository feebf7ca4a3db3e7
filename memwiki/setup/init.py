"""Making a folder a workspace: from the template, or by adopting what is there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from memwiki.answers.workspaces import InitReport
from memwiki.change.apply import apply
from memwiki.change.plan import Edit, Plan
from memwiki.config import cache_root, is_workspace, load, workspaces_from
from memwiki.config.load import fill_tables
from memwiki.config.load import read as settings_in
from memwiki.config.schema import PRESETS
from memwiki.digest import digest_of
from memwiki.errors import (
    AlreadyExistsError,
    ArgumentError,
    ConfigError,
    LockedError,
    NotFoundError,
    WriteError,
    shell_word,
)
from memwiki.files.ignore import why_not_folder
from memwiki.files.lock import Lock, state_folder
from memwiki.files.paths import contain
from memwiki.files.read import is_folder, read
from memwiki.index.cache_folder import CacheFolder
from memwiki.markdown.describe import SNAPSHOT
from memwiki.memory.snapshot import snapshot_pages
from memwiki.names import CONFIG_FILE, is_page_name
from memwiki.nouns import Environ, Layers
from memwiki.numbers import counted

_PACKAGE = Path(__file__).parent.parent
# The wheel carries the template inside the package; a checkout has it at its top level.
_TEMPLATES = (_PACKAGE / "_template", _PACKAGE.parent / "workspace-template")
ENGLISH, CHINESE = LANGUAGES = ("en", "zh")
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides


def guide() -> str:
    """How to work in a memory, as the template's AGENTS.md says it."""
    return template()["AGENTS.md"].decode()


def language_of(given: str, environ: Environ) -> str:
    """The language of a template: the one that is given, else that of the locale."""
    if given and given not in LANGUAGES:
        raise ArgumentError(
            "lang",
            given,
            f"there is no template in this language, only in {', '.join(LANGUAGES)}",
            "for example {lang:zh}",
        )
    locale = next(filter(None, map(environ.get, _LOCALE)), "")
    is_chinese = re.match(r"zh(?![a-z])", locale, re.IGNORECASE) is not None
    return given or (CHINESE if is_chinese else ENGLISH)


def template(language: str = ENGLISH) -> dict[str, bytes]:
    """The files that a new workspace has, by their paths: those of the language in the place of
    the English ones."""
    source = next(folder for folder in _TEMPLATES if folder.is_dir())
    files = sorted(path for path in source.rglob("*") if path.is_file())
    found = {path.relative_to(source).as_posix(): path.read_bytes() for path in files}
    own = f"{CHINESE}/"
    english = {name: data for name, data in found.items() if not name.startswith(own)}
    if language == ENGLISH:
        return english
    return english | {name: found[own + name] for name in english if own + name in found}


def template_digests() -> dict[str, tuple[str, ...]]:
    """The digests that each file of a new workspace may have."""
    forms = [template(language) for language in LANGUAGES]
    return {name: tuple(digest_of(form[name]) for form in forms) for name in forms[0]}


_NAMED = 3  # files of a folder that is refused
_RAW = "raw"  # what nearly every wiki kept by an agent calls the folder of its sources


def init(
    directory: str | Path,
    environ: Environ,
    *,
    git: bool,
    bare: bool = False,
    preset: str = "",
    force: bool = False,
    language: str = "",
) -> InitReport:
    """Make a workspace from the template, with `bare` without the pages that explain it; nothing
    that exists is overwritten. A folder that holds a snapshot alone gets its memories.

    A folder with visible files is refused; `force` adds to it what it lacks. Without a `language`
    it is that of the locale, where there is a template in it."""
    if preset not in ("", *PRESETS):
        raise ArgumentError(
            "preset", preset, f"not one of {', '.join(PRESETS)}", "for example {preset:agent}"
        )
    root = _root(directory)
    snapshot = _snapshot_files(root, environ)
    files = template(language_of(language, environ))
    if bare or snapshot:
        files = {name: data for name, data in files.items() if not name.startswith("wiki/")}
    files |= snapshot
    if preset:
        files[CONFIG_FILE] = _with_preset(files[CONFIG_FILE], preset)
    _require_folder(root)
    if not (force or snapshot):
        _require_room(root)
    # A broken symlink is there, too: something would be written where it points.
    kept = tuple(name for name in files if os.path.lexists(root / name))
    names = [name for name in files if name not in kept]
    _make(root)
    for name in names:
        if not name.startswith("."):
            contain(root, name)  # before the first write: a folder that is there may lead elsewhere
    _begin(root, environ)
    edits = tuple(Edit(name, "", files[name], "new workspace") for name in names)
    apply(root, Plan(edits, "new workspace"))
    if git:
        from memwiki.history import git as repository

        repository.init(root, environ)
    notes = [f"took in {counted(len(snapshot), 'page')} of {SNAPSHOT}"] if snapshot else []
    notes += _notes_on_place(root, environ)
    return InitReport(
        str(root), tuple(names), adopted=False, git=git, notes=tuple(notes), kept=kept
    )


def _require_room(root: Path) -> None:
    """Refuse a folder with files of somebody else among which new ones would be lost."""
    try:
        visible = sorted(each.name for each in root.iterdir() if not each.name.startswith("."))
    except (OSError, ValueError):  # not there yet, or a name that no folder can have
        return
    if visible in ([], [SNAPSHOT]):
        return
    place = shell_word(str(root))
    if is_workspace(root):
        raise AlreadyExistsError(
            f"{root}: is a workspace already",
            f"memwiki -C {place} sync brings its index up to date",
            path=visible[0],
        )
    some = ", ".join(visible[:_NAMED]) + ", ..." * (len(visible) > _NAMED)
    raise AlreadyExistsError(
        f"{root}: is not empty ({some}); nothing was written",
        f"memwiki init --adopt {place} keeps every file as it is; "
        f"memwiki init --force {place} adds the files of a new workspace, and overwrites none",
        path=visible[0],
    )


def _notes_on_place(root: Path, environ: Environ) -> Iterator[str]:
    """That a folder is part of another workspace."""
    around = next(iter(workspaces_from(root.parent, environ)[0]), None)
    if around:
        yield f"{root} is inside the workspace {around}, which still has its pages too"


def _root(directory: str | Path) -> Path:
    root = Path(directory).absolute()
    if ".." not in root.parts:
        return root
    with suppress(OSError, ValueError, RuntimeError):  # what is wrong with the name is said later
        return root.resolve()
    return root


def _snapshot_files(root: Path, environ: Environ) -> dict[str, bytes]:
    """The pages of a snapshot that lies in a folder alone, hidden files aside."""
    try:
        beside = {each.name for each in root.iterdir() if not each.name.startswith(".")}
        if beside != {SNAPSHOT} or not load(root, environ).memory.auto_hydrate:
            return {}
    except (OSError, ValueError):  # ValueError: a name that no folder can have
        return {}
    layers = fill_tables(settings_in(template()[CONFIG_FILE].decode(), {})[0])["layers"]
    return {page.path: page.data for page in snapshot_pages(read(root, SNAPSHOT), layers)}


def _with_preset(settings: bytes, preset: str) -> bytes:
    from memwiki.config.edit import set_value

    return set_value(settings.decode(), "memory.preset", preset).encode()


def _require_folder(root: Path) -> None:
    for place in (root, *root.parents):
        if is_folder(place):
            return
        if os.path.lexists(place):
            raise NotFoundError(f"{place}: is a file", "give the path of a folder")


def _make(root: Path) -> None:
    try:
        root.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a name that no folder can have
        reason = getattr(error, "strerror", None) or "no folder can have this name"
        raise WriteError(
            f"{str(root)!r}: could not be created ({reason})", "give another folder"
        ) from error


def _begin(root: Path, environ: Environ) -> None:
    """Make it a workspace, without the index of one that stood in its place."""
    cache = None if is_workspace(root) else cache_root(environ, root)
    state_folder(root)
    before = CacheFolder(cache, root) if cache else None
    if before and before.lock.exists():
        with suppress(OSError, LockedError), Lock(before.lock):
            before.clear()


def adopt(directory: str | Path, environ: Environ) -> InitReport:
    """Take a folder as it is; what is written is below `.memwiki/`."""
    root = _root(directory)
    _require_folder(root)
    if not is_folder(root):
        raise NotFoundError(f"{root}: no such folder", "memwiki init {} makes it", root)
    if not (root / CONFIG_FILE).exists():
        _begin(root, environ)
    return InitReport(str(root), (), adopted=True, git=False, notes=tuple(_notes(root, environ)))


def _notes(root: Path, environ: Environ) -> Iterator[str]:
    """What somebody who adopts a folder may want to set first."""
    layers = Layers()
    yield from _notes_on_place(root, environ)
    with suppress(ConfigError):  # a broken file of settings is told of by every other command
        layers = load(root, environ).layers
    if not layers.raw and _holds_pages(root / _RAW) and _has_pages_beside(root):
        yield (f"{_RAW}/ is beside wiki pages; for sources: memwiki config set layers.raw {_RAW}")


def _has_pages_beside(root: Path) -> bool:
    others = (each for each in root.iterdir() if each.name != _RAW)
    return any(
        _holds_pages(each) if each.is_dir() else is_page_name(each.name)
        for each in others
        if not why_not_folder(each.name)
    )


def _holds_pages(folder: Path) -> bool:
    return any(is_page_name(name) for _, _, names in os.walk(folder) for name in names)
