"""One build of the index: its projections, opened together, and what they hold of each page, for
comparing two builds."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias, cast

from memwiki.digest import text_hash
from memwiki.errors import IndexDamagedError
from memwiki.index.cards.store import CARDS, Cards
from memwiki.index.cards.tables import OF_PAGE, PACKED
from memwiki.index.integrity import StoreKind, close_record, was_filled
from memwiki.index.keyword.backend import SearchBackend, Snapshot
from memwiki.index.keyword.store import KEYWORD
from memwiki.index.projection import Projection
from memwiki.index.storage import SqlTable, Storage
from memwiki.index.storage_sqlite import StoreMissingError, decoding
from memwiki.index.units import page_of
from memwiki.nouns import Difference

DumpRow: TypeAlias = tuple[tuple[str, str], bytes]
_SYNCED_TREE = "agreed"


# The stores of a build, the one that others lean on last. There is no other list of them.
KINDS: tuple[StoreKind, ...] = (KEYWORD, CARDS)
Dump = Mapping[tuple[str, str], bytes]  # (store, path) -> digest of what it holds of the page

_BYTES = 16
_MAX_DIFFERENCES = 100  # differences that are named


def projection_set() -> str:
    """The names and formats of the stores there are: what is said of one set holds for no other."""
    return " ".join(sorted(f"{kind.name}:{kind.format}" for kind in KINDS))


class Stores:
    """The projections of a workspace, each opened when first used; in memory when `build` is
    None. Who only reads makes no store: `may_make` holds while the index is written.

    Opening one raises StoreMissingError where it is gone, and IndexDamagedError where it is none.
    """

    def __init__(self, build: Path | None, *, may_make: bool = True) -> None:
        self.build, self.may_make = build, may_make
        self._open: dict[str, Projection] = {}
        self._inodes: dict[str, int] = {}  # of what was opened; of a stand-in 0
        self._snapshot: Snapshot | None = None
        _ = self.cards

    @property
    def cards(self) -> Cards:
        """What is known about each page."""
        return cast(Cards, self._projection("cards"))

    @property
    def keyword(self) -> SearchBackend:
        """The keyword index: Whoosh takes 40 ms to import."""
        return cast(SearchBackend, self._projection("keyword"))

    def _projection(self, name: str) -> Projection:
        if name not in self._open:
            self._open[name] = self._open_store(_kind(name))
        return self._open[name]

    def _open_store(self, kind: StoreKind) -> Projection:
        if kind.open is None:
            raise AssertionError(f"{kind.name}: is not fed by sync")
        try:
            store = kind.open(self.build, may_make=self.may_make)
        except StoreMissingError:
            if self.build is None or not self.build.is_dir() or was_filled(self.build, kind):
                raise
            self._inodes[kind.name] = 0
            return kind.open(None)  # while the first index is made there is nothing in it yet
        self._inodes[kind.name] = self._inode(kind.name)
        return store

    def is_live(self) -> bool:
        """Whether the stores on disk are still those that were opened here, and none is lacking
        that is to be written."""
        if self.may_make and self.build and 0 in self._inodes.values():
            return False
        return all(self._inode(name) == inode for name, inode in self._inodes.items())

    def _inode(self, name: str) -> int:
        return inode_of(f"{self.build}/{_kind(name).location}") if self.build else 0

    def projections(self) -> Sequence[Projection]:
        """All of them, the one that others lean on last."""
        return [self._projection(kind.name) for kind in KINDS]

    def are_synced(self) -> bool:
        """Whether all stores that there are held the same pages when they were last fed."""
        return self.cards.state(_SYNCED_TREE) == f"{self.cards.tree()} {projection_set()}"

    def clear_synced_tree(self) -> None:
        """Note that they may differ from now on."""
        self.cards.note(_SYNCED_TREE, "")

    def note_synced_tree(self) -> None:
        """Note that they are the same, if they are."""
        if len({each.tree() for each in self.projections()}) == 1:
            self.cards.note(_SYNCED_TREE, f"{self.cards.tree()} {projection_set()}")

    def note_intact(self) -> None:
        """Note on disk that everything in the build is as we left it."""
        if self.build:
            for each in self._open.values():
                getattr(each, "checkpoint", object)()  # one in memory has none
            trees = {name: each.tree() for name, each in self._open.items()}
            close_record(self.build, KINDS, trees)

    def require_same_units(self) -> None:
        """Raise IndexDamagedError unless cards and postings hold the same number of units."""
        posted, counted = self.keyword.unit_count(), self.cards.unit_count()
        if posted != counted:
            raise IndexDamagedError(
                f"index: {posted} units in the keyword index, {counted} in the cards"
            )

    def scrub(self) -> bool:
        """Leave nothing on disk of what was deleted; False while a reader is in the way."""
        self._close_snapshot()
        return all([self.keyword.scrub(), self.cards.scrub()])

    def snapshot(self, reconcile: Callable[[], None]) -> Snapshot:
        """The last committed generation of the postings, kept open until there is a newer one;
        before that is opened, cards and postings are brought to agree."""
        if not self._snapshot or self._snapshot.generation != self.keyword.generation():
            self._close_snapshot()
            reconcile()
            self._snapshot = self.keyword.snapshot()
        return self._snapshot

    def _close_snapshot(self) -> None:
        snapshot, self._snapshot = self._snapshot, None
        if snapshot:
            snapshot.close()

    def close(self) -> None:
        """Let go of all files."""
        self._close_snapshot()
        while self._open:
            _, store = self._open.popitem()
            getattr(store, "close", object)()

    def __del__(self) -> None:
        """What a thread had open under settings that hold no longer, nobody else can close."""
        self.close()


def _kind(name: str) -> StoreKind:
    return next(kind for kind in KINDS if kind.name == name)


def inode_of(path: Path | str) -> int:
    """The inode of a file, 0 when there is none."""
    try:
        return os.stat(path).st_ino  # noqa: PTH116 - of each store at each access
    except OSError:
        return 0


def dump(stores: Stores) -> Dump:
    """Everything that a question could meet; not signatures, generations or document numbers."""
    return dict(_rows(stores))


def _rows(stores: Stores) -> Iterator[DumpRow]:
    db = stores.cards.db
    for table in OF_PAGE:
        yield from _rows_by_page(db, table)
    for path, *row in db.execute(
        "select path, number, digest, title, description, type, created, updated, problems, lines,"
        " hidden, entries from page"
    ):
        yield ("page", path), text_hash(repr(row), _BYTES)
    for path, number in db.execute("select path, number from attachment"):
        yield ("attachment", path), text_hash(str(number), _BYTES)
    yield from _keyword_rows(stores)
    for path, digest in stores.keyword.digests().items():
        yield ("keyword list", path), text_hash(digest, _BYTES)


def _rows_by_page(db: Storage, table: SqlTable) -> Iterator[DumpRow]:
    """What a table holds of each page, in any order; one page after the other is in memory."""
    name, location = table.name, table.names.index("page") + 1
    rows = db.execute(
        f"select path, {name}.* from {name} join page on page.id={name}.page order by {name}.page"
    )
    readable = _unpacked if table in PACKED else tuple
    for path, found in groupby(rows, itemgetter(0)):
        # Ids are given in the order of arrival and mean nothing.
        whole = (row[1:location] + row[location + 1 :] for row in map(readable, found))
        lines = sorted(map(repr, whole))
        yield (name, path), text_hash("\n".join(lines), _BYTES)


def _unpacked(row: Sequence[Any]) -> tuple[object, ...]:
    """A row as it means the same whichever version of a library compressed it."""
    with decoding("cards"):
        return (*row[:-1], zlib.decompress(row[-1]))


def _keyword_rows(stores: Stores) -> Iterator[DumpRow]:
    """What the keyword index holds of each page: the sum over its units, in any order."""
    sums: dict[int, int] = {}
    with closing(stores.keyword.snapshot()) as snapshot:
        for key, number in unit_numbers(snapshot).items():
            unit = int.from_bytes(text_hash(f"{key.hex()} {number}", _BYTES), "big")
            sums[page_of(key)] = sums.get(page_of(key), 0) + unit
    paths: dict[int, str] = dict(stores.cards.db.execute("select number, path from page"))
    for page, total in sums.items():
        yield ("keyword", paths.get(page, f"unknown {page}")), text_hash(str(total), _BYTES)


def unit_numbers(snapshot: Snapshot) -> dict[bytes, int]:
    """Every living unit that holds a term, by key, with one number over its terms and weights."""
    sums: dict[int, int] = {}
    for term, run in snapshot.all_postings():
        number = int.from_bytes(text_hash(term, 8), "big")
        for document, weight in zip(*run, strict=True):
            sums[document] = sums.get(document, 0) + number * weight
    return dict(zip(snapshot.keys(sums), sums.values(), strict=True))


def paths_of(dump: Dump) -> set[str]:
    """The pages that an index holds."""
    return {name for store, name in dump if store == "page"}


def without(dump: Dump, paths: set[str]) -> Dump:
    """The dump without the rows of these pages."""
    return {key: row for key, row in dump.items() if key[1] not in paths}


def differences(one: Dump, other: Dump) -> tuple[Difference, ...]:
    """Rows that only one has, or that differ; the first hundred."""
    keys = sorted(key for key in {*one, *other} if one.get(key) != other.get(key))
    return tuple(Difference(*key, _what(key, one, other)) for key in keys[:_MAX_DIFFERENCES])


def _what(key: tuple[str, str], live: Dump, rebuilt: Dump) -> str:
    if key not in rebuilt:
        return "only in the live index"
    return "missing in the live index" if key not in live else "differs from the rebuild"
