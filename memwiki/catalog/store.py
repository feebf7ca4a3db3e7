"""The listings of all pages: private tables beside the cards, and a projection of them.

They are brought up to date when a catalog is asked for: a page that differs from its card is listed
anew, whoever synced it and however long ago, so no change is missed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from memwiki.catalog.listing import (
    ListedPage,
    Listing,
    Size,
    base_of,
    cut_to_columns,
    escape_markdown,
    key_of,
    listed_page,
    one_line,
)
from memwiki.catalog.parts import (
    CurrentCatalog,
    FolderSplit,
    FolderTotals,
    Highlights,
    LinkCount,
    Row,
    ShardItem,
    ShardLink,
    is_catalog_name,
    split_key,
)
from memwiki.catalog.state import FORMAT, SETTLED, TREE, VERSION, settled_as
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.store import Cards
from memwiki.index.cards.tables import row_number
from memwiki.index.meanings.store import MeaningStore, PageEdges
from memwiki.index.projection import EMPTY_TREE, give
from memwiki.index.sql import Existing, SqlProjection
from memwiki.index.storage import SqlTable
from memwiki.nouns import Layers

_LISTED = SqlTable(
    "listed",
    "page integer,path text not null,digest text not null,folder text,base text,name text,"
    "title text,rest text,date text,day text,bytes integer,tokens integer,mark integer,about text,"
    "own_index text,entrance integer,recent text",
    "page",
    (
        "index listed_folder on listed (folder, name)",
        "index listed_sums on listed (base, folder, bytes, tokens, mark, about, own_index)",
        "index listed_recent on listed (base, recent desc, name) where recent<>''",
        "index listed_entrance on listed (base, entrance, name) where entrance>0",
    ),
)
_CATALOG = SqlTable(
    "listed_catalog", "path text,mark integer,digest text,said text", "path", is_lasting=True
)
_CUT = SqlTable("listed_cut", "folder text,cut text", "folder")
_MAX_HIGHLIGHTS = 10
_LISTING = "select path, name, title, rest, date, day, bytes, tokens, mark from listed "
_IN_ORDER = "name, path"  # of the folded title; one after the other they are the key of a listing


class ListingStore(SqlProjection[ListedPage]):
    """The listings of all pages, and who links to what."""

    name = "listings"
    tables = (_LISTED, _CATALOG, _CUT)
    pages, key = "listed", "page"
    trees, made_for, written = (TREE,), FORMAT, "listed_written"

    def __init__(self, cards: Cards, layers: Layers) -> None:
        super().__init__(cards.db)
        self._cards, self._layers, self._lookup = cards, layers, Lookup(cards.db)
        self._links = MeaningStore(cards, layers)
        self._edges = PageEdges(self._links)

    # --- the projection ---

    def update(self) -> None:
        """List what differs from the cards; under another version or other settings, everything."""
        settings = f"{VERSION} {self.tables} {tuple(self._layers)!r}"
        if not self.is_made(settings):
            self.make(settings)
        self._links.update()
        self._edges.count(
            self._lookup, self._layers, lambda path: base_of(path, self._layers) == ""
        )
        if self.tree() != self._cards.tree():
            made = self._each_listed() if self.tree() == EMPTY_TREE else self.listed
            self.catch_up(self._cards, partial(give, self, made))

    def make(self, settings: str) -> None:
        """Make the tables anew; what memwiki wrote into catalogs is kept, and looked at again."""
        with self.transaction():
            super().make(settings)
            self.db.execute("update listed_catalog set mark=-1")
            self._links.start_over()

    def key_of(self, path: str) -> object:
        """The number of its page."""
        return row_number(path)

    def listed(self, path: str, digest: str) -> ListedPage:
        """What the store takes in of a file, by its card."""
        card = self._lookup.card(path)
        if card is None:
            return ListedPage(path, digest)  # a catalog or the journal
        return listed_page(card, self._lookup.own_tags(card), self._layers)

    def _each_listed(self) -> Callable[[str, str], ListedPage]:
        """The same of every page, asked for at once."""
        cards = {card.path: card for card in self._lookup.cards()}
        tags = self._lookup.all_own_tags()

        def listed(path: str, digest: str) -> ListedPage:
            card = cards.get(path)
            if card is None:
                return ListedPage(path, digest)
            return listed_page(card, tags.get(card.id, []), self._layers)

        return listed

    def write(self, puts: Sequence[ListedPage], existing: Existing) -> None:
        """Write the listings of these pages, and drop those of the others that exist."""
        self.delete("listed", "page", map(row_number, existing))
        rows = ((row_number(put.path), *put[:2], *put.columns) for put in puts)
        self.upsert(_LISTED, sorted(rows))  # in order, they fill the pages of the file

    def erase(self) -> None:
        """Keep nothing of pages that are gone, nor the names that nothing links to any more."""
        self.update()
        self._edges.erase()

    # --- reading ---

    def bases(self) -> list[str]:
        """The workspace and its namespaces."""
        rows = self.db.execute("select distinct base from listed where base<>'' order by base")
        return ["", *(base for (base,) in rows)]

    def sums(self, base: str) -> Iterator[FolderTotals]:
        """What the pages of each folder take."""
        rows = self.db.execute(
            "select folder, count(*), sum(bytes), sum(tokens), sum(mark), max(about),"
            " max(own_index) from listed where base=? group by folder",
            (base,),
        )
        for folder, entries, size, tokens, *rest in rows:
            yield FolderTotals(folder, Size(entries, size, tokens), *rest)

    def rows(self, folder: str) -> list[Row]:
        """What cutting a folder needs, sorted."""
        rows = self.db.execute(
            "select path, name, bytes, tokens, mark, day, title from listed where folder=?"
            " order by name, path",
            (folder,),
        )
        return [
            Row(
                ShardItem(split_key(name, path), Size(1, size, tokens), fingerprint, day),
                key_of(name, path),
                title,
            )
            for path, name, size, tokens, fingerprint, day, title in rows
        ]

    def listings(self, folder: str, most: int | None = None) -> list[Listing]:
        """The listings of a folder, sorted; all, or the first ones."""
        rest = f"where folder=? order by {_IN_ORDER}"
        return self._listings(rest if most is None else f"{rest} limit {most:d}", folder)

    def chosen(self, folder: str, keys: Sequence[str]) -> list[Listing]:
        """Those listings of a folder that have these keys."""
        rest = "where folder=? and name=? and path=?"
        return [self._listings(rest, folder, *key.split("\0"))[0] for key in keys]

    def _listings(self, rest: str, *values: object) -> list[Listing]:
        rows = self.db.execute(_LISTING + rest, values)
        return [
            Listing(
                *(path, key_of(name, path), title, text, date, day),
                *(Size(1, size, tokens), fingerprint),
            )
            for path, name, title, text, date, day, size, tokens, fingerprint in rows
        ]

    def highlights(self, base: str) -> Highlights:
        """Where to start, what is recent, and for the workspace itself hubs and wanted names."""
        first = f"{_IN_ORDER} limit {_MAX_HIGHLIGHTS}"
        start = self._listings(f"where base=? and entrance>0 order by entrance, {first}", base)
        recent = self._listings(f"where base=? and recent<>'' order by recent desc, {first}", base)
        if base:
            return Highlights(start, recent)
        return Highlights(start, recent, list(self._hubs()), list(self._most_wanted()))

    def _hubs(self) -> Iterator[LinkCount]:
        """The pages that most pages link to."""
        sql = "select title from listed where page=? and base=''"
        found = (
            LinkCount(row[0], target, pages)
            for target, pages in self._edges.most_linked()
            if (row := self.db.execute(sql, (row_number(target),)).fetchone())
        )
        return islice(found, _MAX_HIGHLIGHTS)

    def _most_wanted(self) -> Iterator[LinkCount]:
        """The names without a page that most pages link to."""
        for spelled, pages in islice(self._edges.most_wanted(), _MAX_HIGHLIGHTS):
            yield LinkCount(escape_markdown(cut_to_columns(one_line(spelled), 80)), "", pages)

    # --- catalogs ---

    def files(self) -> dict[str, str]:
        """Catalogs that are there, with their digests."""
        rows = self.db.execute(
            "select listed.path, listed.digest from listed join page on page.number=listed.page"
            " where listed.folder is null and hidden=1"
        )
        return {path: digest for path, digest in rows if is_catalog_name(path)}

    def splits(self) -> dict[str, FolderSplit]:
        """How large folders are cut into shards, as far as it was worked out before."""
        rows = self.db.execute("select folder, cut from listed_cut")
        return {folder: _split_of(*json.loads(split_at)) for folder, split_at in rows}

    def fingerprints(self) -> dict[str, tuple[int, str, str]]:
        """`{path: (fingerprint, digest, said)}` of the catalogs as they were last found right.

        These rows outlive the others: what memwiki wrote into a file is written nowhere else.
        """
        rows = self.db.execute("select path, mark, digest, said from listed_catalog")
        return {path: (fingerprint, digest, said) for path, fingerprint, digest, said in rows}

    def remember(
        self, right: Iterable[CurrentCatalog], splits: Mapping[str, FolderSplit], tree: str
    ) -> None:
        """Note which catalogs are right, and of which pages."""
        now = {path: row for path, *row in right}
        with self.transaction():
            before = self.fingerprints()
            changed = [(path, *row) for path, row in now.items() if before.get(path) != tuple(row)]
            self.upsert(_CATALOG, changed)
            self.delete("listed_catalog", "path", before.keys() - now.keys())
            if splits != self.splits():
                self.db.execute("delete from listed_cut")
                rows = ((folder, json.dumps(split_at)) for folder, split_at in splits.items())
                self.upsert(_CUT, rows)
            self._cards.note(SETTLED, settled_as(tree))


def _split_of(
    fingerprint: int,
    files: list[list[str | int]],
    *lists: list[tuple[str, str, int]],
) -> FolderSplit:
    shards, shown = ([ShardLink(*each) for each in links] for links in lists)
    return FolderSplit(fingerprint, files, shards, shown)
