"""What the index knows about each page, in SQLite: title, names, tags, headings, units, links.

Rows say what stands in the page; nothing in them depends on any other page, so adding a page writes
that page's rows only. Names are kept as 48-bit numbers of their folded form (`name_number`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing
from itertools import chain
from operator import itemgetter
from pathlib import Path
from posixpath import basename
from typing import ClassVar, TypeAlias

from memwiki.errors import IndexDamagedError
from memwiki.index.cards.locations import existing_units, unit_count
from memwiki.index.cards.tables import (
    NUMBERED,
    OF_PAGE,
    PAGE,
    PLACES,
    UNIT,
    UNIT_FIELD,
    numbers_in,
)
from memwiki.index.integrity import sqlite_kind
from memwiki.index.names import name_number
from memwiki.index.projection import Put, Row
from memwiki.index.sql import STATE, Existing, SqlFile, SqlProjection, WrittenPages
from memwiki.index.storage import SqlTable
from memwiki.index.storage_sqlite import (
    MEMORY,
    MISSHAPEN,
    SqlError,
    connect,
    decoding,
    require_files,
)
from memwiki.index.units import NOTHING, ExistingUnits, Places
from memwiki.nouns import Signature
from memwiki.records import NamedTuple

SeenFiles: TypeAlias = "Mapping[str, tuple[Signature, bool]]"
_ATTACHMENT = SqlTable("attachment", "path text,number integer", "path")
_WITHHELD = SqlTable(
    "withheld",
    "path text,size integer,mtime_ns integer,ctime_ns integer,inode integer,settled integer",
    "path",
)
# The last pages that were written, for who follows them; a path of "" stands for any of them.
WRITTEN = SqlTable("written", "number integer,path text", "number", is_lasting=True)
_MAX_WRITTEN = 5_000
_FILE = "cards.sqlite"
_OF_FILE = "size, mtime_ns, ctime_ns, inode"
_PATH, _SIGNATURE, _DIGEST = itemgetter(0), itemgetter(slice(1, None)), itemgetter(0, 1)


class LastKnownPages(NamedTuple):
    """What a build held, whatever made it: path -> digest, and the remarks beside them."""

    digests: Mapping[str, str]
    remarks: Mapping[str, str]


class HeldFiles(NamedTuple):
    """What the cards hold of files: path -> digest, the signatures that prove, when they are as
    before, that the bytes are, and how many pages there are besides."""

    digests: dict[str, str]
    proofs: dict[str, Signature]
    beside: int


def last_known(build: Path | None) -> LastKnownPages:
    """What the cards of a build of any format say; nothing when they cannot be read."""
    if build is None or not (build / _FILE).exists():
        return LastKnownPages({}, {})
    try:
        require_files(build / _FILE)
        with closing(connect(os.fspath(build / _FILE), may_make=False)) as db:
            rows = db.execute("select path, digest from page")
            digests = {path: digest for path, digest in rows if isinstance(path, str)}
            return LastKnownPages(digests, dict(db.execute("select name, value from state")))
    except (SqlError, IndexDamagedError, *MISSHAPEN):
        return LastKnownPages({}, {})


class Cards(SqlProjection[Put]):
    """The cards of all pages, as a projection."""

    name = "cards"
    tables: ClassVar[tuple[SqlTable, ...]] = (
        *(PAGE, *OF_PAGE, _ATTACHMENT, _WITHHELD, STATE),
        WRITTEN,
    )
    columns = "digest, id"

    def apply(self, puts: Sequence[Put], removes: Sequence[str]) -> None:
        """Write the cards of these pages and drop those, in one transaction.

        Raises IndexDamagedError where less was made of a page than the cards lack; nothing is
        written then.
        """
        super().apply(puts, removes)
        self.checkpoint()

    def write(self, puts: Sequence[Put], existing: Existing) -> None:
        """Write only the rows that differ."""
        for put in puts:
            digest = existing.get(put.path, ("",))[0]
            if put.existing.digest and digest not in (put.existing.digest, put.digest):
                raise IndexDamagedError(f"cards: {put.path} is not as it was held")
        kept = {put.path for put in puts}
        if gone := [row[1] for path, row in existing.items() if path not in kept]:
            self._drop(gone)
        if new := [put for put in puts if put.path not in existing]:
            self._insert(new)
        for put in puts:
            if put.path in existing:
                digest, page_id = existing[put.path]
                is_known = bool(digest) and digest == put.existing.digest
                self._replace(page_id, put, put.existing.rows if is_known else None)
        self.note_written({*existing, *kept})

    def signatures(self) -> dict[str, Signature]:
        """`{path: signature}` of each file as it was when it was last read."""
        columns = f"select path, {_OF_FILE} from"
        rows = self.db.execute(f"{columns} page union all {columns} withheld").fetchall()
        return dict(zip(map(_PATH, rows), map(_SIGNATURE, rows), strict=True))

    def last_written(self) -> int:
        """The number of the last write of a page."""
        return int(self._row("select coalesce(max(number), 0) from written")[0])

    def written_after(self, number: int) -> WrittenPages:
        """The pages whose files were written since, even where one says again what it said."""
        sql = "select number, path from written where number>? order by number"
        rows = list(self._rows(sql, number))
        if not rows:
            return WrittenPages(number, is_complete=True)
        paths = {path for _, path in rows}
        is_complete = rows[0][0] == number + 1 and "" not in paths
        return WrittenPages(rows[-1][0], tuple(sorted(paths - {""})), is_complete)

    def note_written(self, paths: Iterable[str]) -> None:
        """Note that these pages were written, or dropped; "" stands for any."""
        self.upsert(WRITTEN, enumerate(paths, self.last_written() + 1))
        self._forget_written()

    def _forget_written(self, most: int = 0) -> None:
        last = self.last_written() - (most or _MAX_WRITTEN)
        self.db.execute("delete from written where number<=?", (last,))

    def held(self, folders: Iterable[str] | None = None) -> HeldFiles:
        """What is known of all files, or of those in these folders themselves."""
        sql = f"select path, digest, {_OF_FILE}, settled from page"
        place = " where path>=? and path<? and substr(path, ?) not like '%/%'"
        rows = list(self._rows(sql)) if folders is None else []
        for folder in folders or ():
            end = f"{folder[:-1]}0" if folder else "\U0010ffff"  # what comes after "/" is "0"
            rows += self._rows(sql + place, folder, end, len(folder) + 1)
        withheld = self._rows(f"select path, {_OF_FILE} from withheld where settled=1")
        return HeldFiles(
            dict(map(_DIGEST, rows)),
            {row[0]: row[2:6] for row in rows if row[6]} | {row[0]: row[1:] for row in withheld},
            int(self._row("select count(*) from page")[0]) - len(rows),
        )

    def proven(self) -> Mapping[str, str]:
        """What the walk saw of each folder of which all was proof, while the same pages are held:
        then a folder that is as it was needs no look at its files."""
        with decoding("cards"):
            noted = json.loads(self.state("proven") or "{}")
            return dict(noted["folders"]) if noted.get("tree") == self.tree() else {}

    def note_proven(self, folders: Mapping[str, str]) -> None:
        """Note that, of the pages that are held now."""
        self.note("proven", json.dumps({"tree": self.tree(), "folders": folders}))

    def known(self, paths: Iterable[str]) -> dict[str, tuple[str, Signature, bool]]:
        """What is known of these files: digest, signature, and whether that is proof."""
        sql = f"select digest, {_OF_FILE}, settled from page where path=?"
        found = {path: self._row(sql, path) for path in paths}
        return {p: (row[0], row[1:5], bool(row[5])) for p, row in found.items() if row}

    def remember(self, seen: SeenFiles) -> None:
        """Note new signatures of files whose bytes are as they were, and whether each is proof."""
        rows = [(*signature, settled, path) for path, (signature, settled) in seen.items()]
        with self.transaction():
            self.db.executemany(
                "update page set size=?, mtime_ns=?, ctime_ns=?, inode=?, settled=? where path=?",
                rows,
            )

    def withhold(self, seen: SeenFiles, shown: Iterable[str]) -> None:
        """Note the signatures of pages that are private and not seen here, and which are shown now
        or gone."""
        rows = [(path, *signature, settled) for path, (signature, settled) in seen.items()]
        with self.transaction():
            self.delete("withheld", "path", shown)
            self.upsert(_WITHHELD, rows)

    def withheld(self) -> list[str]:
        """The pages that are private and not seen here."""
        return self._column("select path from withheld")

    def attach(self, paths: Iterable[str]) -> None:
        """Note the names of all files that are no pages."""
        new = set(paths)
        old = set(self._column("select path from attachment"))
        if new == old:
            return
        with self.transaction():
            self.delete("attachment", "path", old - new)
            self.upsert(_ATTACHMENT, ((p, name_number(basename(p))) for p in new - old))
            self._note_besides()

    def besides(self) -> str:
        """A number that changes when a page may get another row number, or a file that is no page
        comes or goes: what the tree digest does not tell."""
        return self.state("besides")

    def _note_besides(self) -> None:
        with decoding("cards"):
            self.note("besides", str(int(self.besides() or 0) + 1))

    def page_count(self) -> int:
        """How many pages there are, catalogs and the journal aside."""
        return int(self._row("select count(*) from page where hidden=0")[0])

    def unit_count(self) -> int:
        """How many units the pages are cut into."""
        return unit_count(self.db)

    def hidden_count(self) -> int:
        """How many files are catalogs or the journal."""
        return int(self._row("select count(*) from page where hidden<>0")[0])

    def is_hidden(self, path: str) -> bool:
        """Whether a file is a catalog or the journal: up to date, but never found."""
        return any(self._column("select hidden from page where path=?", path))

    def remarks(self) -> dict[str, str]:
        """All remarks kept beside the cards."""
        return dict(self._rows("select name, value from state"))

    def existing_units(self, path: str) -> ExistingUnits:
        """The units that a page was last cut into."""
        page = self.existing([path]).get(path)
        return existing_units(self.db, page[1], page[0], path) if page else NOTHING

    def _drop(self, ids: Collection[int]) -> None:
        self._note_besides()
        for table in OF_PAGE:
            if table in NUMBERED:
                for page_id in ids:
                    self._delete_rows(table, self._numbered(table, page_id))
            else:
                self.delete(table.name, "page", ids)
        self.delete("page", "id", ids)

    def _insert(self, puts: Sequence[Put]) -> None:
        (next_id,) = self._row("select coalesce(max(id), 0) + 1 from page")
        numbered = list(enumerate(puts, next_id))
        for table in (PAGE, *OF_PAGE):
            self.upsert(table, chain.from_iterable(_rows(table, *each) for each in numbered))

    def _replace(self, page_id: int, put: Put, places: Sequence[Places] | None) -> None:
        """Write only the rows that differ: one new entry among 10,000 costs its own. The `places`
        are those that are held, where they were just read."""
        self.upsert(PAGE, _rows(PAGE, page_id, put))
        self._drop_units(page_id, put)
        for table in OF_PAGE:
            rows = _rows(table, page_id, put)
            if table in (UNIT, UNIT_FIELD):  # what there is follows from its key, and is as it was
                self.upsert(table, rows)
                continue
            if table is PLACES and places is not None:
                old: set[Row] = {(page_id, *each) for each in places}
            else:
                old = set(self._of_page(table, page_id))
            new = dict.fromkeys(rows)
            if gone := [row for row in old if row not in new]:
                self._delete_rows(table, gone)
            if come := [row for row in new if row not in old]:
                self.upsert(table, come)

    def _of_page(self, table: SqlTable, page_id: int) -> Iterator[Row]:
        """The rows of a page in a table."""
        if table not in NUMBERED:
            return self._rows(f"select * from {table.name} where page=?", page_id)
        keys = self._numbered(table, page_id)
        if table.names == table.keys:
            return keys
        sql = f"select * from {table.name} where page=? and number"
        return self._among(sql, (number for number, _ in keys), page_id)

    def _numbered(self, table: SqlTable, page_id: int) -> Iterator[tuple[int, int]]:
        """The keys of the rows of a page in a table that has no index for it."""
        with decoding("cards"):
            for stored in self._column(f"select {table.name} from numbers where page=?", page_id):
                yield from ((number, page_id) for number in numbers_in(stored))

    def _delete_rows(self, table: SqlTable, rows: Iterable[Row]) -> None:
        """Drop rows by their keys."""
        locations = list(map(table.names.index, table.keys))
        where = " and ".join(f"{column}=?" for column in table.keys)
        gone = ([row[location] for location in locations] for row in rows)
        self.db.executemany(f"delete from {table.name} where {where}", gone)

    def _drop_units(self, page_id: int, put: Put) -> None:
        """Drop what entries and messages say that are no longer there."""
        missing = put.gone
        if missing is None:
            existing: AbstractSet[bytes] = put.existing.keys
            if not put.existing.digest:
                existing = set(self._column("select key from unit where page=?", page_id))
            missing = existing - put.terms.keys()
        gone = [(page_id, key) for key in missing]
        self.db.executemany("delete from unit where page=? and key=?", gone)
        self.db.executemany("delete from unit_field where page=? and unit=?", gone)


class CardFile(Cards, SqlFile):
    """The same in a file of SQLite."""

    what = "cards"

    def remember(self, seen: SeenFiles) -> None:
        """The same; a file with other times was written."""
        times = ((path, *signature[1:3]) for path, (signature, _) in seen.items())
        with self.transaction():
            self.db.executemany(
                "insert into written"
                " select (select coalesce(max(number), 0) + 1 from written), path from page"
                " where path=? and (mtime_ns<>? or ctime_ns<>?)",
                times,
            )
            self._forget_written()
            super().remember(seen)

    def scrub(self) -> bool:
        """Leave nothing on disk of what was deleted, not even the name of a page."""
        self.note_written([""])
        self._forget_written(most=1)
        return super().scrub()


def _rows(table: SqlTable, page_id: int, put: Put) -> list[Row]:
    """The rows of a page, which were made before its number was known."""
    at = 0 if table is PAGE else table.names.index("page")
    return [(*row[:at], page_id, *row[at + 1 :]) for row in put.rows[table.name]]


def _open(build: Path | None, *, may_make: bool = True) -> CardFile:
    path = MEMORY if build is None else os.fspath(build / _FILE)
    return CardFile(path, may_make=may_make)


CARDS = sqlite_kind("cards", "11", _FILE, _open)
