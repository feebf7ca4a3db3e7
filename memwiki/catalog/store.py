"""The listings of all pages: private tables beside the cards, and a projection of them.

They are brought up to date when a catalog is asked for: a page that differs from its card is listed
anew, whoever synced it and however long ago, so no change is missed.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memwiki.catalog import edges
from memwiki.catalog.budget import Size
from memwiki.catalog.edges import Edges
from memwiki.catalog.folders import FolderTotals
from memwiki.catalog.listing import Listing
from memwiki.catalog.page import ListedPage, listed_page
from memwiki.catalog.parts import (
    CurrentCatalog,
    FolderSplit,
    Highlights,
    Row,
    ShardLink,
    is_catalog_name,
)
from memwiki.catalog.shards import ShardItem
from memwiki.catalog.state import FORMAT, SETTLED, VERSION, settled_as
from memwiki.digest import blake2b
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.rows import row_number
from memwiki.index.cards.store import Cards
from memwiki.index.fill import fill
from memwiki.index.names import NameKind
from memwiki.index.projection import EMPTY_TREE, changed_tree
from memwiki.index.write_ahead import transaction
from memwiki.model import Layers

_TREE = "listed_tree"  # the tree digest of the listings
_SCHEMA = (
    """
drop table if exists listed; drop table if exists listed_cut;
create table listed (page integer primary key, path text not null, digest text not null,
  names blob, folder text, base text, key text, cut text, title text, rest text, date text,
  day text, bytes integer, tokens integer, mark integer, about text, own_index text,
  entrance integer, recent text);
create index listed_folder on listed (folder, key);
create index listed_sums on listed (base, folder, bytes, tokens, mark, about, own_index);
create index listed_recent on listed (base, recent desc, key) where recent<>'';
create index listed_entrance on listed (base, entrance, key) where entrance>0;
create table if not exists listed_catalog (path text primary key, mark integer, digest text,
  said text) without rowid;
update listed_catalog set mark=-1;
create table listed_cut (folder text primary key, cut text) without rowid;
"""
    + edges.SCHEMA
)
_DIGEST_BYTES = 8
_MANY = 200  # changed pages from which all names are read at once
_TOP = 10
_INSERT = "insert or replace into listed values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_LISTING = "select path, key, title, rest, date, day, bytes, tokens, mark from listed "


class ListingStore:
    """The listings of all pages, and who links to what."""

    name = "listings"

    def __init__(self, cards: Cards, layers: Layers) -> None:
        self._cards, self._layers = cards, layers
        self._db, self._lookup = cards.db, Lookup(cards.db)
        self._edges = Edges(cards.db, layers)

    # --- the projection ---

    def update(self) -> None:
        """List what differs from the cards; under another version or other settings, everything."""
        self._prepare()
        fill(self, self._cards, self.listed)

    def _prepare(self) -> None:
        settings = f"{VERSION} {_SCHEMA} {tuple(self._layers)!r}"
        if self._cards.state(FORMAT) == settings:
            return
        columns = self._db.execute("select count(*) from pragma_table_info('listed_catalog')")
        with transaction(self._db):
            if columns.fetchone()[0] not in (0, 4):  # of a version that did not know what it said
                self._db.execute("drop table listed_catalog")
            for statement in _SCHEMA.split(";"):
                self._db.execute(statement)
            self._cards.note(_TREE, EMPTY_TREE)
            self._cards.note(FORMAT, settings)

    def listed(self, path: str, digest: str) -> ListedPage:
        """What the store takes in of a file, by its card."""
        card = self._lookup.card(path)
        if card is None:
            return ListedPage(path, digest)  # a catalog or the journal
        names = _packed(self._lookup.names_of(card))
        return listed_page(card, names, self._lookup.own_tags(card), self._layers)

    def digests(self) -> Mapping[str, str]:
        """`{path: digest}` of the files that are listed, and of those that belong in no catalog."""
        return dict(self._db.execute("select path, digest from listed"))

    def tree(self) -> str:
        """The tree digest of them."""
        return self._cards.state(_TREE) or EMPTY_TREE

    def apply(self, puts: Sequence[ListedPage], removes: Sequence[str]) -> None:
        """Take these in, drop those, and resolve the links that may mean something else now."""
        numbers = {path: row_number(path) for path in (*removes, *(put.path for put in puts))}
        with transaction(self._db):
            held = {path: row for path in numbers if (row := self._held(numbers[path]))}
            before = ((path, digest) for path, (digest, _) in held.items())
            after = ((put.path, put.digest) for put in puts)
            self._cards.note(_TREE, changed_tree(self.tree(), before, after))
            gone = ((numbers[path],) for path in removes)
            self._db.executemany("delete from listed where page=?", gone)
            rows = ((numbers[put.path], *put[:3], *put.columns) for put in puts)
            self._db.executemany(_INSERT, sorted(rows))  # in order, they fill the pages of the file
            names = {put.path: put.names for put in puts}
            moved = _moved({path: row[1] for path, row in held.items()}, names)
            pages = sorted({*numbers.values(), *self._edges.linking(moved)})
            self._edges.resolve(pages, is_all=len(puts) > _MANY)

    def erase(self) -> None:
        """Keep nothing of pages that are gone, nor the names that nothing links to any more."""
        self.update()
        self._db.execute("delete from listed_target where pages=0")

    def _held(self, page: int) -> tuple[str, bytes] | None:
        row: tuple[str, bytes] | None = self._db.execute(
            "select digest, names from listed where page=?", (page,)
        ).fetchone()
        return row

    # --- reading ---

    def bases(self) -> list[str]:
        """The workspace and its namespaces."""
        rows = self._db.execute("select distinct base from listed where base<>'' order by base")
        return ["", *(base for (base,) in rows)]

    def sums(self, base: str) -> Iterator[FolderTotals]:
        """What the pages of each folder take."""
        rows = self._db.execute(
            "select folder, count(*), sum(bytes), sum(tokens), sum(mark), max(about),"
            " max(own_index) from listed where base=? group by folder",
            (base,),
        )
        for folder, entries, size, tokens, *rest in rows:
            yield FolderTotals(folder, Size(entries, size, tokens), *rest)

    def rows(self, folder: str) -> list[Row]:
        """What cutting a folder needs, sorted."""
        rows = self._db.execute(
            "select key, cut, bytes, tokens, mark, day, title from listed where folder=?"
            " order by key",
            (folder,),
        )
        return [
            Row(ShardItem(split_at, Size(1, size, tokens), fingerprint, day), key, title)
            for key, split_at, size, tokens, fingerprint, day, title in rows
        ]

    def listings(self, folder: str) -> list[Listing]:
        """The listings of a folder, sorted."""
        return self._listings("where folder=? order by key", folder)

    def chosen(self, folder: str, keys: Sequence[str]) -> list[Listing]:
        """Those listings of a folder that have these keys."""
        return [self._listings("where folder=? and key=?", folder, key)[0] for key in keys]

    def _listings(self, rest: str, *values: object) -> list[Listing]:
        rows = self._db.execute(_LISTING + rest, values)
        return [
            Listing(path, key, title, text, date, day, Size(1, size, tokens), fingerprint)
            for path, key, title, text, date, day, size, tokens, fingerprint in rows
        ]

    def highlights(self, base: str) -> Highlights:
        """Where to start, what is recent, and for the workspace itself hubs and wanted names."""
        start = self._listings("where base=? and entrance>0 order by entrance, key limit 10", base)
        recent = self._listings(
            "where base=? and recent<>'' order by recent desc, key limit ?", base, _TOP
        )
        if base:
            return Highlights(start, recent)
        return Highlights(start, recent, list(self._edges.hubs()), list(self._edges.wanted()))

    # --- catalogs ---

    def files(self) -> dict[str, str]:
        """Catalogs that are there, with their digests."""
        rows = self._db.execute(
            "select listed.path, listed.digest from listed join page on page.number=listed.page"
            " where listed.folder is null and hidden=1"
        )
        return {path: digest for path, digest in rows if is_catalog_name(path)}

    def splits(self) -> dict[str, FolderSplit]:
        """How large folders are cut into shards, as far as it was worked out before."""
        rows = self._db.execute("select folder, cut from listed_cut")
        return {folder: _split_of(*json.loads(split_at)) for folder, split_at in rows}

    def fingerprints(self) -> dict[str, tuple[int, str, str]]:
        """`{path: (fingerprint, digest, said)}` of the catalogs as they were last found right.

        These rows outlive the others: what memwiki wrote into a file is written nowhere else.
        """
        rows = self._db.execute("select path, mark, digest, said from listed_catalog")
        return {path: (fingerprint, digest, said) for path, fingerprint, digest, said in rows}

    def remember(
        self, right: Iterable[CurrentCatalog], splits: Mapping[str, FolderSplit], tree: str
    ) -> None:
        """Note which catalogs are right, and of which pages."""
        now = {path: row for path, *row in right}
        with transaction(self._db):
            before = self.fingerprints()
            changed = [(path, *row) for path, row in now.items() if before.get(path) != tuple(row)]
            self._db.executemany(
                "insert or replace into listed_catalog values (?, ?, ?, ?)", changed
            )
            gone = ((path,) for path in before if path not in now)
            self._db.executemany("delete from listed_catalog where path=?", gone)
            if splits != self.splits():
                self._db.execute("delete from listed_cut")
                rows = ((folder, json.dumps(split_at)) for folder, split_at in splits.items())
                self._db.executemany("insert into listed_cut values (?, ?)", rows)
            self._cards.note(SETTLED, settled_as(tree))


def _split_of(
    fingerprint: int,
    files: list[list[str | int]],
    *lists: list[tuple[str, str, int]],
) -> FolderSplit:
    shards, shown = ([ShardLink(*each) for each in links] for links in lists)
    return FolderSplit(fingerprint, files, shards, shown)


def _packed(names: Sequence[tuple[int, int]]) -> bytes:
    """A digest of the names of a page, and the numbers that links to it may be found under."""
    targets = [number for kind, number in names if kind == NameKind.TARGET]
    whole = blake2b(repr(names).encode(), digest_size=_DIGEST_BYTES).digest()
    return whole + struct.pack(f"<{len(targets)}q", *targets)


def _moved(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> set[int]:
    """The target numbers of the pages of which a name came or went."""
    pairs = [(before.get(path, b""), after.get(path, b"")) for path in {*before, *after}]
    changed = [names[_DIGEST_BYTES:] for pair in pairs if len({*pair}) > 1 for names in pair]
    return {number for targets in changed for (number,) in struct.iter_unpack("<q", targets)}
