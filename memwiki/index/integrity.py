"""What memwiki itself left in a build of the index: the record that tells it from everything else.

`stores.json` names each store with its format, its tree digest and, for every file, the signature
and checksum it had after our last commit. While somebody writes the record is open. A file with
another signature is compared with its checksum before anything in it is believed. SQLite is asked
instead where a reader kept a log from being folded, since whoever closes last folds it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from memwiki.errors import IndexDamagedError
from memwiki.files.read import signature_of
from memwiki.index.cache_files import read_sealed, write_sealed
from memwiki.index.projection import Projection
from memwiki.index.raw_bytes import KNOWN, checksum
from memwiki.index.storage_sqlite import files_of, require_sound
from memwiki.nouns import Signature
from memwiki.records import NamedTuple

_RECORD = "stores.json"
_WIDTH = 4  # numbers of a signature, before the checksum of a row
_NO_FILE = [-1]  # the signature of what is no file
Files = dict[str, list[int]]  # name below the build -> signature and checksum


class OpenStore(Protocol):
    """Opens a store of a build, or one in memory; StoreMissingError where it may make none."""

    def __call__(self, build: Path | None, *, may_make: bool = True) -> Projection:
        """The store in a build; in memory where that is None."""


class StoreKind(NamedTuple):
    """One kind of store: how it is called, what it keeps in a build, and how it is opened."""

    name: str
    format: str  # of its rows; another one is made anew
    location: str  # its file or folder in a build
    files: Callable[[Path], Iterable[str]]  # what lies in this build, named from there
    require_sound: Callable[[Path], None]  # for a writer that died; raises what it meets
    open: OpenStore | None = None  # where sync feeds it


def sqlite_kind(name: str, number: str, file: str, opened: OpenStore | None = None) -> StoreKind:
    """A store that is one SQLite file."""
    return StoreKind(
        name,
        number,
        file,
        lambda build: files_of(build, file),
        lambda build: require_sound(build / file),
        opened,
    )


def is_intact(build: Path, kinds: Sequence[StoreKind]) -> bool:
    """Whether every file of these stores, and no other store, is as our last commit left it."""
    record = read_sealed(build / _RECORD)
    if record is None or record.get("boot") != _boot() or record.get("open"):
        return False
    stores = record["stores"]
    live = {name for name, store in stores.items() if store["live"]}
    return live == {kind.name for kind in kinds} and all(
        stores[kind.name]["format"] == kind.format
        and _signatures(build, kind) == _signed(stores[kind.name]["files"])
        for kind in kinds
    )


def signature_left(build: Path) -> Signature | None:
    """What is another once somebody has written to a build, or writes now."""
    try:
        return signature_of((build / _RECORD).stat())
    except OSError:
        return None


def _signed(left: Files) -> Files:
    return {name: row[:_WIDTH] for name, row in left.items()}


def _has_log(left: Files) -> bool:
    """Whether the last commit left a log that a reader kept from being folded."""
    return any(name.endswith("-wal") for name in left)


def require_intact(build: Path, kinds: Sequence[StoreKind], *, may_be_lost: bool = True) -> None:
    """Raise IndexDamagedError unless each store that is there holds what memwiki wrote into it.

    One that is gone as a whole is filled by the next sync, so a writer need not mind.
    """
    record = read_sealed(build / _RECORD)
    for kind in kinds:
        if any(kind.files(build)):
            _require_intact(build, kind, record)
        elif not may_be_lost and _is_lost(kind, record):
            raise IndexDamagedError(f"{kind.name}: is gone")


def is_any_lost(build: Path, kinds: Sequence[StoreKind]) -> bool:
    """Whether there is nothing left of a store, or may be."""
    record = read_sealed(build / _RECORD)
    return any(
        (record is None or record["open"] or _is_lost(kind, record)) and not any(kind.files(build))
        for kind in kinds
    )


def was_filled(build: Path, kind: StoreKind) -> bool:
    """Whether our last commit left anything in a store; DiskError when that cannot be told."""
    return _is_lost(kind, read_sealed(build / _RECORD))


def _is_lost(kind: StoreKind, record: Mapping[str, Any] | None) -> bool:
    return bool(record and record["stores"].get(kind.name, {}).get("files"))


def _require_intact(build: Path, kind: StoreKind, record: Mapping[str, Any] | None) -> None:
    noted = record["stores"].get(kind.name) if record else None
    if record is None or (noted and noted["format"] != kind.format):
        raise IndexDamagedError(f"{kind.name}: there is no record of what memwiki left there")
    is_same_run = record["boot"] == _boot()
    if record["open"] and is_same_run:
        kind.require_sound(build)  # whoever wrote it ended in between
        return
    left = noted["files"] if noted and not record["open"] else {}
    if noted is None or record["open"] or (_has_log(left) and not is_same_run):
        raise IndexDamagedError(f"{kind.name}: there is no record of what memwiki left there")
    found = _signatures(build, kind)
    if is_same_run and _has_log(left) and found != _signed(left):
        kind.require_sound(build)  # a reader was the last, or somebody copied it
        return
    for name in sorted({*found, *left}):
        if name not in found or name not in left:
            raise IndexDamagedError(f"{kind.name}: {name} is {'new' if name in found else 'gone'}")
        signature, noted = left[name][:_WIDTH], left[name][_WIDTH:]
        if found[name] != signature and not (noted and _is_same(build / name, *noted)):
            raise IndexDamagedError(f"{kind.name}: {name} is not as memwiki left it")


def _is_same(path: Path, noted: int) -> bool:
    try:
        return path.is_file() and not path.is_symlink() and checksum(path) == noted
    except (PermissionError, FileNotFoundError):  # ours is there and can be read
        return False


def open_record(build: Path, kinds: Sequence[StoreKind]) -> None:
    """Note that the stores are about to be written: from now on no signature tells anything.

    Raises OSError when the record cannot be written, as `close_record` does.
    """
    record = read_sealed(build / _RECORD)
    stores = record["stores"] if record else {}
    for kind in kinds:
        store = stores.setdefault(kind.name, {"format": kind.format, "tree": "", "files": {}})
        databases = (row for row in store["files"].items() if row[0].endswith(".sqlite"))
        KNOWN.update((f"{build}/{name}", row) for name, row in databases)
    write_sealed(build / _RECORD, {"open": True, "boot": _boot(), "stores": stores})


def close_record(build: Path, kinds: Sequence[StoreKind], trees: Mapping[str, str]) -> None:
    """Note what the last commit left, a log among it while a reader keeps it from being folded.

    Raises IndexDamagedError when what lies in the place of a file of a store is none.
    """
    record = read_sealed(build / _RECORD) or {"stores": {}}
    stores = {name: {**each, "live": False} for name, each in record["stores"].items()}
    for kind in kinds:
        last = stores.get(kind.name, {"tree": "", "files": {}})
        stores[kind.name] = {
            "format": kind.format,
            "tree": trees.get(kind.name, last["tree"]),  # a store that was not opened is as it was
            "files": _rows(build, kind, last["files"]),
            "live": True,
        }
    write_sealed(build / _RECORD, {"open": False, "boot": _boot(), "stores": stores})


def _rows(build: Path, kind: StoreKind, left: Files) -> Files:
    rows = {}
    for name, signature in _signatures(build, kind).items():
        if signature == _NO_FILE:  # what a killed writer left, or somebody put there
            raise IndexDamagedError(f"{name}: is not a file")
        row = KNOWN.pop(f"{build}/{name}", None) or left.get(name, [])
        if row[:_WIDTH] == signature:
            rows[name] = row
        else:
            with suppress(FileNotFoundError):  # a log that the last reader has just folded
                rows[name] = [*signature, checksum(build / name)]
    return rows


def _signatures(build: Path, kind: StoreKind) -> dict[str, list[int]]:
    found = {}
    for name in kind.files(build):
        with suppress(FileNotFoundError):  # by a commit of another process, since it was listed
            status = os.lstat(f"{build}/{name}")
            is_file = stat.S_ISREG(status.st_mode)
            found[name] = list(signature_of(status)) if is_file else _NO_FILE
    return found


@cache
def _boot() -> str:
    """What tells one run of the machine from the next, in which unflushed data may be lost."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
