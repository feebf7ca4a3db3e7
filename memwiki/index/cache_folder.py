"""Where the derived index of a workspace lies: a folder of ours in the user's cache, never the
workspace, because index files are pickles and opening a planted one would run code."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR

from memwiki.digest import blake2b
from memwiki.index.cache_files import (
    ASIDE,
    aside_of,
    clear,
    move_aside,
    read_object,
    read_sealed,
    read_small,
    write_sealed,
    write_small,
)
from memwiki.records import NamedTuple
from memwiki.text import pattern

_ORIGIN, _CURRENT, _CLEAN_SCAN, _STAMP = "origin.json", "current", "swept.json", "stamp.json"
_NEXT, _MARKED = "next", "marked.json"
_LOCKS = ("lock", "watch.lock", "findings.lock")
_BUILD = pattern(r"build-[0-9a-f]{12}")


class CleanScan(NamedTuple):
    """The last walk that found index and files up to date; `fingerprint` is the walk's."""

    fingerprint: str
    build: str  # the folder of the index that was up to date
    pages: int
    ignored: int
    problems: int


class CacheFolder:
    """The folder of one workspace in the cache; each build of the index is a folder below it."""

    def __init__(self, cache: Path, root: Path, part: str = "") -> None:
        real = os.path.realpath(root)
        self.whole = cache / _folder_name(real)
        self.path = self.whole / part if part else self.whole
        self.root = real
        self._made: tuple[Path, str] | None = None  # a build under its settings: stamped once

    @property
    def lock(self) -> Path:
        """The file whose lock makes one process the writer of the index."""
        return self.path / "lock"

    def make(self) -> None:
        """Create the folder and say whose it is."""
        if os.path.lexists(self.path) and (self.path.is_symlink() or not self.path.is_dir()):
            move_aside(self.path)
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _workspace_of(self.path / _ORIGIN) != self.root:
            write_small(self.path / _ORIGIN, json.dumps({"workspace": self.root}))
        for lock in map(self.path.joinpath, _LOCKS):
            if lock.is_symlink() or lock.is_dir():
                move_aside(lock)

    def current(self, settings: str) -> Path | None:
        """The live build, if it was made under these settings on this machine."""
        build = self._folder_named(_CURRENT)
        if build and self._made != (build, settings):
            if not _is_made_by(build, settings):
                return None
            self._made = (build, settings)
        return build

    def last(self) -> Path | None:
        """The build that was live last, whatever made it: good for comparing, not for opening."""
        return self._folder_named(_CURRENT)

    def has_traces(self) -> bool:
        """Whether an index was kept here once, be it usable or not."""
        return os.path.lexists(self.path / _CURRENT) or any(self.path.glob("build-*"))

    def _folder_named(self, pointer: str) -> Path | None:
        name = (read_small(self.path / pointer) or "").strip()
        if not _BUILD.fullmatch(name):
            return None
        build = self.path / name
        with suppress(OSError):
            return build if S_ISDIR(os.lstat(build).st_mode) else None
        return None

    def new_build(self, settings: str) -> Path:
        """An empty folder for a build, stamped; not live until `adopt`."""
        build = self.path / f"build-{os.urandom(6).hex()}"
        build.mkdir(mode=0o700)
        write_small(build / _STAMP, json.dumps(_stamp(build, settings)))
        return build

    def successor(self, settings: str) -> Path | None:
        """The build that was begun to take the place of the live one, if it can be gone on with."""
        build = self._folder_named(_NEXT)
        return build if build and _is_made_by(build, settings) else None

    def begin(self, build: Path | None) -> None:
        """Name the build that shall take the place of the live one, so that it is no leftover."""
        if build is None:
            clear(self.path / _NEXT)
        else:
            write_small(self.path / _NEXT, build.name)

    def adopt(self, build: Path) -> None:
        """Make a build the live one and remove all others; call it under the lock."""
        write_small(self.path / _CURRENT, build.name)
        self.remove_leftovers()

    def remove_leftovers(self) -> None:
        """Remove builds that are not live: what was begun, and what a killed reindex left; and what
        was moved aside. Call it under the lock."""
        self.begin(None)
        live = self.last()
        for path in (*self.path.glob("build-*"), *self.path.glob(f"*{ASIDE}*")):
            if path != live:
                _remove(_out_of_sight(path))

    def has_leftovers(self) -> bool:
        """Whether a build lies here that `remove_leftovers` would remove."""
        live = self.last()
        with suppress(OSError):
            names = os.listdir(self.path)  # noqa: PTH208 - at each command
            builds = [name for name in names if name.startswith("build-")]
            return live is not None and builds != [live.name]
        return False

    def has_part(self, part: str) -> bool:
        """Whether another index of the same workspace is in a folder of this one."""
        return (self.path / part).is_dir()

    def clear(self) -> None:
        """Remove all that is in it but the locks; call it under the lock."""
        self.note_clean_scan(None)
        for path in self.path.iterdir() if self.path.is_dir() else ():
            if path.name not in _LOCKS:
                _remove(path)

    def clean_scan(self) -> CleanScan | None:
        """The last walk that found everything up to date."""
        with suppress(TypeError):
            return CleanScan(**(read_sealed(self.path / _CLEAN_SCAN) or {}))
        return None

    def note_clean_scan(self, found: CleanScan | None) -> None:
        """Note the last walk that found everything up to date, or forget it."""
        if found is not None:
            write_sealed(self.path / _CLEAN_SCAN, found._asdict())
        else:
            clear(self.path / _CLEAN_SCAN)

    def marked_folders(self, settings: str) -> tuple[str, ...] | None:
        """The folders that other programs may keep, as a walk under these settings found them."""
        stored = read_sealed(self.path / _MARKED) or {}
        return tuple(stored["folders"]) if stored.get("settings") == settings else None

    def note_marked_folders(self, settings: str, folders: Sequence[str]) -> None:
        """Note them, where there is a folder and it can be written."""
        with suppress(OSError):
            write_sealed(self.path / _MARKED, {"settings": settings, "folders": folders})

    def bytes(self) -> int:
        """How much disk the folder takes."""
        return bytes_of(self.path)


def bytes_of(folder: Path) -> int:
    """How much disk a folder takes; files that vanish meanwhile take none."""
    total = 0
    for parent, _, names in os.walk(folder):  # which passes over folders that vanish, too
        for name in names:
            with suppress(OSError):
                total += Path(parent, name).stat().st_size
    return total


def cache_folders(cache: Path) -> Iterator[tuple[Path, str]]:
    """Every folder in the cache that is one of ours, with the workspace it belongs to.

    Ours is only what bears the name that its workspace gives it; anything else is not even listed.
    """
    for origin in sorted(cache.glob(f"*/{_ORIGIN}")):
        workspace = _workspace_of(origin)
        if workspace is not None and origin.parent.name == _folder_name(workspace):
            yield origin.parent, workspace


def _folder_name(real: str) -> str:
    name = "".join(c if c.isalnum() else "-" for c in Path(real).name)[:40] or "root"
    return f"{name}-{blake2b(os.fsencode(real), digest_size=8).hexdigest()}"


def _stamp(build: Path, settings: str) -> dict[str, str]:
    # The machine counts because postings are written in its byte order.
    name = os.uname().nodename if hasattr(os, "uname") else ""
    machine = f"{name} {sys.platform} {sys.byteorder}"
    return {"recipe": settings, "machine": machine, "build": build.name}


def _is_made_by(build: Path, settings: str) -> bool:
    return read_object(build / _STAMP) == _stamp(build, settings)


def backend_of(build: Path) -> str:
    """What keeps the postings of a build, as its settings say; "" for the usual one."""
    return str((read_object(build / _STAMP) or {}).get("recipe", "")).partition(" ")[2]


def _workspace_of(origin: Path) -> str | None:
    stored = (read_object(origin) or {}).get("workspace")
    return stored if isinstance(stored, str) else None


def _out_of_sight(path: Path) -> Path:
    """A build under a name by which nobody opens it: whoever reads it finds all of it or nothing,
    and makes no file in what is being removed."""
    aside = path if ASIDE in path.name else aside_of(path)
    try:
        return path.rename(aside)
    except OSError:  # on Windows, while somebody has a file in it open
        return path


def _remove(path: Path) -> None:
    import shutil

    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
