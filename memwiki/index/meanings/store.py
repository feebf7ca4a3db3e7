"""What every link means, resolved once: tables beside the cards, and a projection of them.

They are brought up to date when somebody asks for many links. A link is resolved again when its
page changed, or when a name came or went under which it is found; so nothing of what is kept
depends on the order in which pages came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial
from itertools import chain, groupby
from operator import itemgetter

from memwiki.index.cards.links import all_links, links_on, with_links
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.store import Cards
from memwiki.index.cards.tables import row_number
from memwiki.index.find import NamesInMemory, NamesTogether
from memwiki.index.meanings import change
from memwiki.index.meanings.change import (
    LINKED,
    LINKED_FILE,
    LinkChange,
    LinkedPage,
    WrittenLink,
    is_many,
)
from memwiki.index.meanings.lookup import OF_PAGES, RESPELLED, Which, code_of, traits_of
from memwiki.index.projection import give
from memwiki.index.resolve import Names, Resolution, Resolver
from memwiki.index.sql import Existing, Questions, SqlProjection, SqlStore, batched, marks
from memwiki.index.storage import SqlTable, Storage
from memwiki.names import fold, path_in
from memwiki.nouns import ONLY_IF_FOUND, PATH_KINDS, Layers, Link, LinkStatus

_MEANING = SqlTable(
    "meaning",
    "page integer,position integer,target integer,how integer",
    "page, position",
    ("index meaning_target on meaning (target) where target is not null",),
)
_STATE = SqlTable("link_state", "name text,value text", "name")
_VERSION = "13"  # another number resolves everything anew
_BY_PLACE = frozenset({"path", "relative path", "attachment"})
Row = tuple[int, int, int | None, int]  # of `meaning`
# Both lead to the row of a page, or to 0 and the folded name that no page has.
EDGE = SqlTable(
    "edge",
    "page integer,target integer,name text,spelled text",
    "page, target, name",
    ("index edge_name on edge (name) where target=0",),
)
EDGE_COUNT = SqlTable(
    "edge_count",
    "target integer,name text,pages integer",
    "target, name",
    (
        "index edge_count_pages on edge_count (pages) where pages>1 and target>0",
        "index edge_count_names on edge_count (pages) where pages>1 and target=0",
    ),
)
_End = tuple[int, str]  # the row of a page, or 0 and a name
_FILES = (
    *(".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".pdf", ".mp3", ".mp4", ".wav"),
    *(".webm", ".mov", ".zip", ".csv", ".json", ".yaml", ".toml", ".txt", ".html", ".canvas"),
)


_NO_PAGE = Resolution(LinkStatus.WANTED)


@cache
def _settings_of(layers: Layers) -> str:
    """What it is made for; each page that is shown asks three times."""
    return f"{_VERSION} {MeaningStore.tables} {tuple(layers)!r}"


class MeaningStore(SqlProjection[LinkedPage]):
    """What every link means; the schema `temp` keeps it for this connection alone."""

    name = "meanings"
    tables = (LINKED, LINKED_FILE, _MEANING, EDGE, EDGE_COUNT, _STATE)
    remarks_in = _STATE
    pages, key, columns = "linked", "number", "digest, page, names, ids, stretches"

    def __init__(self, cards: Cards, layers: Layers, schema: str = "") -> None:
        super().__init__(cards.db, schema)
        self._cards, self._layers, self._lookup = cards, layers, Lookup(cards.db)
        self._settings = _settings_of(layers)

    def key_of(self, path: str) -> object:
        """The number of its page."""
        return row_number(path)

    def is_current(self) -> bool:
        """Whether it says what every link of the cards means now."""
        return (
            self.is_made(self._settings)
            and self.tree() == self._cards.tree()
            and self.state("besides") == self._cards.besides()
        )

    def update(self) -> None:
        """Resolve what may mean something else since it was last asked; at first everything."""
        if not self.is_made(self._settings):
            self.start_over()
        if not self.is_current():
            self.catch_up(self._cards, partial(give, self, LinkedPage))

    def start_over(self) -> None:
        """Forget what every link means."""
        self.make(self._settings)

    def digests(self) -> Mapping[str, str]:
        """`{path: digest}` of the pages whose links are resolved; without a digest where the cards
        know the page by another number now."""
        return dict(self._rows(self._digests_sql))

    def digests_among(self, paths: Collection[str]) -> Mapping[str, str]:
        """The same of these pages."""
        numbers = map(row_number, paths)
        return dict(self._among(f"{self._digests_sql} where linked.number", numbers))

    @property
    def _digests_sql(self) -> str:
        return (
            "select linked.path, case when page.path = linked.path then linked.digest else '' end"
            f" from {self.schema}.linked left join page on page.id = linked.page"
        )

    def write(self, puts: Sequence[LinkedPage], existing: Existing) -> None:
        """Take these in, drop the others, and resolve the links that may mean something else
        now."""
        changed = LinkChange(self, self._lookup)
        PageEdges(self).forget({row[1] for row in existing.values()})
        changed.take_in(puts, existing)
        if self.state("besides") != self._cards.besides():
            changed.take_in_files()
            self.note("besides", self._cards.besides())
        pages = changed.concerned()
        PageEdges(self).forget(pages)
        is_many = change.is_many(pages)
        rows = _MeaningRows(self.db, self.schema, is_many=is_many)
        resolver = Resolver(NamesInMemory(self._lookup), self._layers) if is_many else None
        for some in batched(_links_of(self.db, pages, changed.kept)):
            links = [link for page, of_page in some for link in changed.concerning(page, of_page)]
            meant = rows.meant(links, resolver or self._resolver_for(links, rows))
            kept = self._existing_rows([page for page, _ in some if page not in changed.new])
            # Of links that may have kept their meaning only what differs is written.
            self.upsert(_MEANING, (row for row in rows.of(links, meant) if row not in kept))

    def _resolver_for(self, links: Sequence[WrittenLink], rows: _MeaningRows) -> Resolver:
        def ask(names: Names) -> None:
            rows.meant(links, Resolver(names, self._layers))

        return Resolver(names_asked_for(self._lookup, ask), self._layers)

    def _existing_rows(self, pages: Sequence[int]) -> set[Row]:
        """What the links on these pages meant."""
        return set(self._among(f"select * from {self.schema}.meaning where page", pages))


def _links_of(
    db: Storage, pages: Collection[int], kept: Mapping[int, AbstractSet[bytes]]
) -> Iterator[tuple[int, list[WrittenLink]]]:
    """The links of these pages, page by page; those of stretches that are kept may be left out."""
    is_many = change.is_many(pages)
    for page, links in all_links(db) if is_many else links_on(db, pages, kept):
        if page in pages:
            yield page, [WrittenLink(page, *each) for each in links]


class _MeaningRows(Questions):
    """Links as rows that say what they mean."""

    def __init__(self, db: Storage, schema: str, *, is_many: bool) -> None:
        super().__init__(db)
        self._files = f"{schema}.linked_file"
        self._paths: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        if is_many:  # of which one statement asks
            self._paths.update(self._rows("select id, path from page"))
            files = self._rows(f"select path, id from {self._files}")
            self._numbers = {**dict(files), **{path: id_ for id_, path in self._paths.items()}}

    def meant(self, links: Sequence[WrittenLink], resolver: Resolver) -> list[Resolution]:
        """What each of these links means."""
        lacking = {link.page for link in links} - self._paths.keys()
        self._paths.update(self._among("select id, path from page where id", lacking))
        return [resolver.resolve(each.link, self._paths[each.page]) for each in links]

    def of(self, links: Sequence[WrittenLink], meant: Sequence[Resolution]) -> Iterator[Row]:
        """The rows of these links."""
        lacking = {found.target for found in meant} - self._numbers.keys() - {""}
        for table in ("page", self._files):
            self._numbers.update(self._among(f"select path, id from {table} where path", lacking))
        return map(self._row_of, links, meant)

    def _row_of(self, written: WrittenLink, found: Resolution) -> Row:
        page, position, link = written
        code = code_of(found.status, found.by) + traits_of(link)
        if not found.target:
            return page, position, None, code
        name, folder = link.written.strip(), self._paths[page].rpartition("/")[0]
        is_respelled = name and link.kind in PATH_KINDS and _is_respelled(name, folder, found)
        number = self._numbers[found.target]
        return page, position, number, code + RESPELLED * bool(is_respelled)


def names_asked_for(lookup: Lookup, ask: Callable[[Names], object]) -> Names:
    """The names that are asked for; all at once where each of them would be a journey."""
    if not lookup.db.is_far:
        return lookup
    names = NamesTogether(lookup)
    ask(names)
    while names.learn():
        ask(names)
    return names


def _is_respelled(written: str, folder: str, found: Resolution) -> bool:
    """Whether a path is found that is written otherwise."""
    if found.by not in _BY_PLACE:
        return False
    is_here = found.by != "path" and not written.startswith("/")
    place = path_in(folder if is_here else "", written)
    # In a namespace a path from the root begins there.
    return not f"/{found.target}".endswith((f"/{place}", f"/{place}.md", f"/{place}.markdown"))


class PageEdges(Questions):
    """The tables of edges beside what links mean: a page and what it links to, once each."""

    def __init__(self, store: SqlStore) -> None:
        super().__init__(store.db)
        self._store = store
        schema = store.schema  # each is named with it: those of one reader alone would come first
        self._linked, self._meaning = f"{schema}.linked", f"{schema}.meaning"
        self._edge, self._edge_count = f"{schema}.edge", f"{schema}.edge_count"

    def forget(self, pages: Collection[int]) -> None:
        """Count the links of these pages anew the next time."""
        self._add_up(pages, -1)
        self._store.delete("edge", "page", pages)
        for part in batched(pages):
            sql = f"update {self._linked} set counted=0 where page in ({marks('?', part)})"
            self.db.execute(sql, part)

    def _add_up(self, pages: Iterable[int], step: int) -> None:
        sql = f"select target, name from {self._edge} where page"
        found: Counter[_End] = Counter(self._among(sql, pages))
        counts = Counter({end: step * n for end, n in found.items()})
        for ends in batched(found):
            sql = f"select target, name, pages from {self._edge_count}"
            sql += f" where (target, name) in (values {marks('(?,?)', ends)})"
            for *end, before in self._rows(sql, *chain.from_iterable(ends)):
                counts[tuple(end)] += before
        self._store.upsert(EDGE_COUNT, [(*end, pages) for end, pages in counts.items()])

    def count(self, lookup: Lookup, layers: Layers, is_source: Callable[[str], bool]) -> None:
        """Count the links that were not counted yet; those on pages that are no sources do not
        count."""
        rows = list(
            self._rows(
                f"select id, page.path, hidden from {self._linked} as linked"
                " join page on id=linked.page where counted=0"
            )
        )
        if not rows:
            return
        sources = {page: path for page, path, hidden in rows if not hidden and is_source(path)}
        names: Names = NamesInMemory(lookup) if is_many(sources) else lookup
        resolver = Resolver(_PagesOnly(names), layers)
        with self._store.transaction():
            for part in batched(sources):
                self._store.upsert(EDGE, self._edges(part, sources, resolver))
            self._add_up(sources, 1)
            self.db.execute(f"update {self._linked} set counted=1 where counted=0")

    def _edges(
        self, pages: Sequence[int], paths: Mapping[int, str], resolver: Resolver
    ) -> list[tuple[object, ...]]:
        """The rows of these pages."""
        of_them = f"in ({marks('?', pages)})"
        rows = self._rows(
            f"select distinct page, target from {self._meaning}"
            f" where page {of_them} and target>0 and target<>page and {OF_PAGES}",
            *pages,
        )
        edges = {(page, target, ""): "" for page, target in rows}
        sql = (
            f"select page, position, target from {self._meaning}"
            f" where page {of_them} and ({Which.WANTED.value} and {OF_PAGES} or target<0)"
        )
        for (page, _, target), link in with_links(self.db, self._rows(sql, *pages)):
            path = paths[page]
            found = resolver.resolve(link, path) if target else _NO_PAGE
            name = link.written.strip()
            if found.target and found.target != path:
                (number,) = self._row("select id from page where path=?", found.target)
                edges[page, number, ""] = ""
            elif found.status is LinkStatus.WANTED and _is_name(link):
                end = (page, 0, fold(name))
                edges[end] = min(edges.get(end, name), name)
        return [(*edge, name) for edge, name in edges.items()]

    def most_linked(self) -> Iterator[tuple[str, int]]:
        """The pages that several pages link to and how many, the most linked first."""
        return self._most("path", "join page on id=target where pages>1 and target>0")

    def most_wanted(self) -> Iterator[tuple[str, int]]:
        """The names without a page that several pages link to, spelled as most do."""
        sql = (
            f"select spelled from {self._edge} where target=0 and name=?"
            " group by spelled order by count(*) desc, spelled limit 1"
        )
        for name, pages in self._most("name", "where pages>1 and target=0"):
            yield str(self._row(sql, name)[0]), pages

    def _most(self, end: str, which: str) -> Iterator[tuple[str, int]]:
        """Ends with their pages; of those with as many the first by name. Only the first few are
        asked for, so not all of them are put in order."""
        sql = f"select {end}, pages from {self._edge_count} {which} order by pages desc"
        for _, ties in groupby(self._rows(sql), itemgetter(1)):
            yield from sorted(ties)

    def erase(self) -> None:
        """Keep no name that nothing links to any more."""
        self.db.execute(f"delete from {self._edge_count} where pages=0")


class _PagesOnly:
    """Names of pages: what lies beside them does not change what the catalogs say."""

    def __init__(self, names: Names) -> None:
        self.pages, self.slugs, self.entries = names.pages, names.slugs, names.entries

    def attachments(self, _name: str) -> Sequence[str]:
        """None."""
        return ()


def _is_name(link: Link) -> bool:
    """Whether a link that means nothing is one to a page that is wanted."""
    return link.kind not in ONLY_IF_FOUND and not link.written.lower().endswith(_FILES)
