"""What the catalogs last saw of the pages: private tables beside the cards, brought up to date from them.

They hold nothing that could not be worked out again. A page whose digest is not the one noted here
is listed anew, whoever synced it and however long ago, so no change is missed.
"""

from __future__ import annotations

import json
import sqlite3
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from memwiki.catalog.budget import Size
from memwiki.catalog.folders import FolderSum
from memwiki.catalog.layout import INDEX, Count, Cut, Highlights, Right, Row, is_catalog_name
from memwiki.catalog.listing import Listing, PageFacts, listing_of
from memwiki.catalog.shards import Item, cut_of
from memwiki.catalog.words import escaped, one_line, shortened
from memwiki.index.cards.lookup import Lookup, NameMemory
from memwiki.index.names import NameKind
from memwiki.index.projection import EMPTY_TREE
from memwiki.index.resolve import Names, Resolver, reference_to
from memwiki.model import ONLY_IF_FOUND, Layers, Link, LinkStatus
from memwiki.names import fold, slug, stem_of

REMARK = "catalogued"  # the tree digest of the pages when the catalogs were last right
LISTED = "listed"  # under what version and settings the pages were listed
_VERSION = "3"  # another number lists everything anew
_SCHEMA = """
drop table if exists listed; drop table if exists listed_link; drop table if exists listed_target;
drop table if exists listed_cut;
create table listed (page integer primary key, path text not null, digest text not null,
  names blob, folder text, base text, key text, cut text, title text, rest text, date text, day text,
  bytes integer, tokens integer, mark integer, about text, own_index text, entrance integer,
  recent text);
create index listed_folder on listed (folder, key);
create index listed_sums on listed (base, folder, bytes, tokens, mark, about, own_index);
create index listed_recent on listed (base, recent desc, key) where recent<>'';
create index listed_entrance on listed (base, entrance, key) where entrance>0;
create table listed_link (page integer, target text, spelled text, wanted integer,
  primary key (page, wanted, target)) without rowid;
create index listed_link_target on listed_link (wanted, target);
create table listed_target (target text, wanted integer, pages integer,
  primary key (wanted, target)) without rowid;
create index listed_target_pages on listed_target (wanted, pages desc, target);
create table if not exists listed_catalog (path text primary key, mark integer, digest text,
  said text) without rowid;
update listed_catalog set mark=-1;
create table listed_cut (folder text primary key, cut text) without rowid;
"""
_MANY = 200  # changed pages from which all names are read at once
_TOP = 10
_FRONT = ("readme", "index")
_ENTRANCES = frozenset(
    "readme home hub welcome start-here start getting-started overview about introduction".split()
)
_INSTRUCTIONS = frozenset(("agents", "claude", "gemini"))
_FILES = (
    *(".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".pdf", ".mp3", ".mp4", ".wav"),
    *(".webm", ".mov", ".zip", ".csv", ".json", ".yaml", ".toml", ".txt", ".html", ".canvas"),
)
_INSERT = "insert into listed values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_LISTING = "select path, key, title, rest, date, day, bytes, tokens, mark from listed "


class Listed:
    """The listings of all pages, and who links to what."""

    def __init__(self, db: sqlite3.Connection, layers: Layers) -> None:
        self._db, self._layers = db, layers
        self._lookup = Lookup(db)

    # --- bringing up to date ---

    def update(self) -> str:
        """List what changed since last time, in one transaction; gives the tree digest of the pages."""
        with self._db:
            self._db.execute("begin immediate")
            self._prepare()
            tree = self._db.execute("select value from state where name='tree'").fetchone()
            gone, new = self._gone(), self._new()
            if gone or new:
                touched = self._list(gone, new)
                self._count_links({page for page, _ in gone} | touched, is_all=len(new) > _MANY)
            return str(tree[0]) if tree else EMPTY_TREE

    def _prepare(self) -> None:
        settings = f"{_VERSION} {_SCHEMA} {tuple(self._layers)!r}"
        found = self._db.execute("select value from state where name=?", (LISTED,)).fetchone()
        if found and found[0] == settings:
            return
        columns = self._db.execute("select count(*) from pragma_table_info('listed_catalog')")
        if columns.fetchone()[0] not in (0, 4):  # of a version that did not know what it had said
            self._db.execute("drop table listed_catalog")
        for statement in _SCHEMA.split(";"):
            self._db.execute(statement)
        self._db.execute("insert or replace into state values (?, ?)", (LISTED, settings))

    def _gone(self) -> list[tuple[int, bytes]]:
        """Pages that are no more, with the names they had."""
        return self._db.execute(
            "select page, names from listed where page not in (select id from page)"
        ).fetchall()

    def _new(self) -> list[tuple[int, bytes | None]]:
        """Pages that are not listed as they are, with the names they had."""
        return self._db.execute(
            "select page.id, names from page left join listed on page.id=listed.page"
            " where page.digest is not listed.digest or page.path is not listed.path"
        ).fetchall()

    def _list(
        self, gone: Sequence[tuple[int, bytes]], new: Sequence[tuple[int, bytes | None]]
    ) -> set[int]:
        """Replace the listings; gives the pages whose links may mean something else now."""
        moved = {number for _, names in gone for number in _target_numbers(names)}
        dropped = [(page,) for page, _ in (*gone, *new)]
        self._db.executemany("delete from listed where page=?", dropped)
        for page, before in new:
            names = self._names(page)
            self._db.execute(_INSERT, self._row(page, names))
            if before != names:
                moved |= _target_numbers(names) | _target_numbers(before or b"")
        return {page for page, _ in new} | self._linking(moved)

    def _linking(self, numbers: Iterable[int]) -> set[int]:
        found = set[int]()
        for number in numbers:
            rows = self._db.execute("select page from target where number=?", (number,))
            found.update(page for (page,) in rows)
        return found

    def _names(self, page: int) -> bytes:
        rows = self._db.execute("select kind, number from name where page=?", (page,))
        return b"".join(struct.pack("<bq", *row) for row in sorted(rows))

    def _row(self, page: int, names: bytes) -> tuple[object, ...]:
        path, digest, title, description, type_, created, updated, hidden = self._db.execute(
            "select path, digest, title, description, type, created, updated, hidden from page"
            " where id=?",
            (page,),
        ).fetchone()
        base = None if hidden else base_of(path, self._layers)
        if base is None:
            return (page, path, digest, names, *[None] * 15)
        tags = [tag for (tag,) in self._db.execute(
            "select tag from tag where page=? and own order by position", (page,)
        )]  # fmt: skip
        is_event = type_ in ("session", "daily")
        each = listing_of(PageFacts(path, title, description, updated or created, tags, is_event))
        inner = path[len(base) + 1 :] if base else path
        stem = slug(stem_of(path)).lstrip("0123456789-")
        name = path.rpartition("/")[2]
        is_ours = not _is_below(inner, self._layers.raw, self._layers.inbox)
        return (
            page, path, digest, names, path.rpartition("/")[0], base, each.key,
            cut_of(title, path), each.title, each.rest, each.date, each.day, each.size.bytes,
            each.size.tokens, each.mark,
            description if stem in _FRONT else "", name if fold(name) == INDEX else "", _is_entrance(inner, stem, self._layers),
            each.date if is_ours else "",
        )  # fmt: skip

    # --- links ---

    def _count_links(self, pages: Iterable[int], *, is_all: bool) -> None:
        names: Names = NameMemory(self._lookup) if is_all else self._lookup
        resolver = _Resolver(_PagesOnly(names), self._layers)
        for page in pages:
            before = set(self._db.execute(
                "select target, wanted, spelled from listed_link where page=?", (page,)
            ))  # fmt: skip
            after = self._links(page, resolver)
            self._replace_links(page, before, after)

    def _links(self, page: int, resolver: _Resolver) -> set[tuple[str, int, str]]:
        row = self._db.execute(
            "select path from listed where page=? and base=''", (page,)
        ).fetchone()
        if row is None:
            return set()
        found: dict[tuple[str, int], str] = {}
        for link in self._lookup.links_of(row[0]):
            target, is_wanted, spelled = resolver.meaning(row[0], link)
            if target and target != row[0]:
                key = (target, int(is_wanted))
                found[key] = min(found.get(key, spelled), spelled)
        return {(target, wanted, spelled) for (target, wanted), spelled in found.items()}

    def _replace_links(
        self, page: int, before: set[tuple[str, int, str]], after: set[tuple[str, int, str]]
    ) -> None:
        lost = [(page, wanted, target) for target, wanted, _ in before - after]
        won = [(page, *each) for each in after - before]
        self._db.executemany("delete from listed_link where page=? and wanted=? and target=?", lost)
        self._db.executemany(
            "insert into listed_link (page, target, wanted, spelled) values (?, ?, ?, ?)", won
        )
        change = [(target, wanted, -1) for _, wanted, target in lost]
        change += [(target, wanted, 1) for _, target, wanted, _ in won]
        self._db.executemany(
            "insert into listed_target values (?, ?, ?) on conflict do update"
            " set pages = pages + excluded.pages",
            change,
        )

    # --- reading ---

    def bases(self) -> list[str]:
        """The workspace and its namespaces."""
        rows = self._db.execute("select distinct base from listed where base<>'' order by base")
        return ["", *(base for (base,) in rows)]

    def sums(self, base: str) -> Iterator[FolderSum]:
        """What the pages of each folder take."""
        rows = self._db.execute(
            "select folder, count(*), sum(bytes), sum(tokens), sum(mark), max(about), max(own_index)"
            " from listed where base=? group by folder",
            (base,),
        )
        for folder, entries, size, tokens, *rest in rows:
            yield FolderSum(folder, Size(entries, size, tokens), *rest)

    def rows(self, folder: str) -> list[Row]:
        """What cutting a folder needs, sorted."""
        rows = self._db.execute(
            "select key, cut, bytes, tokens, mark, day, title from listed where folder=? order by key",
            (folder,),
        )
        return [
            Row(Item(cut, Size(1, size, tokens), mark, day), key, title)
            for key, cut, size, tokens, mark, day, title in rows
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
            Listing(path, key, title, text, date, day, Size(1, size, tokens), mark)
            for path, key, title, text, date, day, size, tokens, mark in rows
        ]

    def highlights(self, base: str) -> Highlights:
        """Where to start, what is recent, and for the workspace itself hubs and wanted names."""
        start = self._listings("where base=? and entrance>0 order by entrance, key limit 10", base)
        recent = self._listings(
            "where base=? and recent<>'' order by recent desc, key limit ?", base, _TOP
        )
        if base:
            return Highlights(start, recent)
        return Highlights(start, recent, list(self._hubs()), list(self._wanted()))

    def _hubs(self) -> Iterator[Count]:
        rows = self._db.execute(
            "select listed.title, target, pages from listed_target join page on page.path=target"
            " join listed on listed.page=page.id"
            " where wanted=0 and pages>1 and base='' order by pages desc, target limit ?",
            (_TOP,),
        )
        yield from (Count(*row) for row in rows)

    def _wanted(self) -> Iterator[Count]:
        rows = self._db.execute(
            "select target, pages from listed_target where wanted=1 and pages>1"
            " order by pages desc, target limit ?",
            (_TOP,),
        ).fetchall()
        for target, pages in rows:
            (spelled,) = self._db.execute(
                "select spelled from listed_link where wanted=1 and target=?"
                " group by spelled order by count(*) desc, spelled limit 1",
                (target,),
            ).fetchone()
            yield Count(escaped(shortened(one_line(spelled), 80)), "", pages)

    # --- catalogs ---

    def files(self) -> dict[str, str]:
        """Catalogs that are there, with their digests."""
        rows = self._db.execute(
            "select listed.path, listed.digest from listed join page on page.id=listed.page"
            " where listed.folder is null and hidden=1"
        )
        return {path: digest for path, digest in rows if is_catalog_name(path)}

    def cuts(self) -> dict[str, Cut]:
        """How large folders are cut into shards, as far as it was worked out before."""
        rows = self._db.execute("select folder, cut from listed_cut")
        return {folder: Cut(*json.loads(cut)) for folder, cut in rows}

    def marks(self) -> dict[str, tuple[int, str, str]]:
        """`{path: (mark, digest, said)}` of the catalogs as they were last found right.

        These rows outlive the others: what memwiki wrote into a file is written nowhere else.
        """
        rows = self._db.execute("select path, mark, digest, said from listed_catalog")
        return {path: (mark, digest, said) for path, mark, digest, said in rows}

    def remember(self, right: Iterable[Right], cuts: Mapping[str, Cut], tree: str) -> None:
        """Note which catalogs are right, and of which pages."""
        now = {path: row for path, *row in right}
        with self._db:
            self._db.execute("begin immediate")
            before = self.marks()
            changed = [(path, *row) for path, row in now.items() if before.get(path) != tuple(row)]
            self._db.executemany(
                "insert or replace into listed_catalog values (?, ?, ?, ?)", changed
            )
            gone = ((path,) for path in before if path not in now)
            self._db.executemany("delete from listed_catalog where path=?", gone)
            if cuts != self.cuts():
                self._db.execute("delete from listed_cut")
                rows = ((folder, json.dumps(cut)) for folder, cut in cuts.items())
                self._db.executemany("insert into listed_cut values (?, ?)", rows)
            self._db.execute("insert or replace into state values (?, ?)", (REMARK, tree))

    @contextmanager
    def as_of_now(self) -> Iterator[None]:
        """Everything read within belongs to one moment."""
        with self._db:
            self._db.execute("begin")
            yield


class _PagesOnly:
    """Names of pages: what lies beside them does not change what the catalogs say."""

    def __init__(self, names: Names) -> None:
        self.pages, self.slugs = names.pages, names.slugs

    def attachments(self, name: str) -> Sequence[str]:  # noqa: ARG002 - a protocol's argument
        """None."""
        return ()


class _Resolver:
    """What links mean to a catalog."""

    def __init__(self, names: Names, layers: Layers) -> None:
        self._resolver = Resolver(names, layers)

    def meaning(self, source: str, link: Link) -> tuple[str, bool, str]:
        """The page that a link means, or the folded name that is wanted, and how it is spelled."""
        if not link.written:
            return "", False, ""
        found = self._resolver.resolve(reference_to(link, source))
        if found.target:
            return found.target, False, ""
        is_name = link.kind not in ONLY_IF_FOUND and found.status is LinkStatus.WANTED
        if is_name and not link.written.lower().endswith(_FILES):
            return fold(link.written.strip()), True, link.written.strip()
        return "", False, ""


def _target_numbers(names: bytes) -> set[int]:
    kinds = struct.iter_unpack("<bq", names or b"")
    return {number for kind, number in kinds if kind == NameKind.TARGET}


def base_of(path: str, layers: Layers) -> str | None:
    """Whose catalogs list a page: those of the workspace "", of a namespace, or none."""
    base, inner = "", path
    if layers.namespaces and path.startswith(f"{layers.namespaces}/"):
        name, _, inner = path[len(layers.namespaces) + 1 :].partition("/")
        if not inner:
            return None
        base = f"{layers.namespaces}/{name}"
    if _is_below(inner, layers.archive):
        return None
    is_instruction = "/" not in inner and fold(stem_of(inner)) in _INSTRUCTIONS
    return None if is_instruction else base


def _is_below(path: str, *layers: str) -> bool:
    return any(layer and path.startswith(f"{layer}/") for layer in layers)


def _is_entrance(inner: str, stem: str, layers: Layers) -> int:
    """Where a reader may start: 1 the front pages, 2 the memory, 0 for any other page."""
    if inner in (layers.memory, layers.learnings):
        return 2
    folder = inner.rpartition("/")[0]
    return int(folder in ("", layers.wiki) and stem in _ENTRANCES)
