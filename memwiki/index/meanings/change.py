"""Which links may mean something else once pages and files came, went or changed."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from itertools import chain, groupby
from operator import itemgetter

from memwiki.digest import text_hash
from memwiki.index.cards.links import FIRST_IN_A_STRETCH, first_part, positions_in
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.tables import in_bytes, numbers_in, row_number
from memwiki.index.names import NameKind, entry_number, is_entry_id, named_by_label, targets_of
from memwiki.index.sql import Existing, Questions, SqlStore
from memwiki.index.storage import SqlTable
from memwiki.index.storage_sqlite import decoding
from memwiki.markdown.stretches import KEY_BYTES
from memwiki.nouns import PATH_KINDS, Link, LinkKind
from memwiki.records import NamedTuple
from memwiki.sequences import shared_ends

LINKED = SqlTable(
    "linked",
    "page integer,number integer not null unique,path text not null,digest text not null,"
    "names blob not null,ids blob not null,stretches blob not null,counted integer not null",
    "page",
    ("index linked_uncounted on linked (page) where counted=0",),
)
LINKED_FILE = SqlTable("linked_file", "id integer,path text not null unique", "id")
MANY = 200  # pages from which everything is read at once
_DIGEST_BYTES = 8


def is_many(pages: Sized) -> bool:
    """Whether there are so many pages that everything is read at once."""
    return len(pages) > MANY


class LinkedPage(NamedTuple):
    """A page whose links are to be resolved."""

    path: str
    digest: str


class _PackedNames(NamedTuple):
    """What a page is found by, packed: its names and the ids of its entries; and what its links
    are."""

    names: bytes = b""
    ids: bytes = b""
    stretches: bytes = b""  # the keys of those whose links are kept apart


_NOTHING = _PackedNames()


class WrittenLink(NamedTuple):
    """A link, and where it stands."""

    page: int
    position: int
    link: Link


class LinkChange(Questions):
    """Takes pages and files in, and gathers which links that concerns."""

    def __init__(self, store: SqlStore, lookup: Lookup) -> None:
        super().__init__(store.db)
        self._store, self._lookup = store, lookup
        self._moved: set[int] = set()  # the numbers under which a name came or went
        self._ends: dict[tuple[str, LinkKind], bool] = {}
        self.new: set[int] = set()  # pages that were written
        self.kept: dict[int, AbstractSet[bytes]] = {}  # the stretches that they had before

    def take_in(self, puts: Sequence[LinkedPage], existing: Existing) -> None:
        """Note these pages, and drop the others that exist."""
        numbers = self._numbered([put.path for put in puts])
        self.new = set(numbers.values())
        now = self._names_of(self.new)
        before = {path: (page, _PackedNames(*rest)) for path, (_, page, *rest) in existing.items()}
        for path in {**before, **numbers}:
            page, had = before.get(path, (0, _NOTHING))
            number = numbers.get(path, 0)
            has = now.get(number, _NOTHING)
            self._note_moved(had, has, is_same=page == number)
            if page == number and has.stretches:
                self._keep(page, had.stretches, has.stretches)
        gone = {page for page, _ in before.values()} | self.new
        self._store.delete("linked", "page", gone)
        self._store.delete("meaning", "page", gone - self.kept.keys())
        known = ((numbers[put.path], put) for put in puts)
        rows = [(page, row_number(put.path), *put, *now[page], 0) for page, put in known]
        self._store.upsert(LINKED, rows)

    def _keep(self, page: int, had: bytes, has: bytes) -> None:
        """Keep what links mean of the stretches that a page had and has, and no more of it."""
        before, after = set(_keys_in(had)), set(_keys_in(has))
        self.kept[page] = before & after
        sql = f"delete from {self._store.schema}.meaning where page=? and position"
        self.db.execute(f"{sql}<?", (page, FIRST_IN_A_STRETCH))
        gone = (positions_in(key) for key in before - after)
        self.db.executemany(
            f"{sql}>=? and position<?", ((page, each.start, each.stop) for each in gone)
        )

    def _note_moved(self, before: _PackedNames, after: _PackedNames, *, is_same: bool) -> None:
        """Note the numbers under which another page is found now; `is_same` says that the page has
        the row that it had."""
        if not is_same or before.names != after.names:
            self._moved.update(_targets(before.names), _targets(after.names))
        if not is_same or before.ids != after.ids:
            with decoding("links"):
                ids = (
                    _changed_ids(before.ids, after.ids)
                    if is_same
                    else _changed_ids(before.ids, b"") | _changed_ids(b"", after.ids)
                )
            self._moved.update(map(entry_number, ids))

    def _names_of(self, pages: Collection[int]) -> Mapping[int, _PackedNames]:
        """What these pages are found by."""
        names, ids, stretches = self._names(pages), self._ids(pages), self._stretches(pages)
        return {
            page: _PackedNames(*(each.get(page, b"") for each in (names, ids, stretches)))
            for page in pages
        }

    def _stretches(self, pages: Collection[int]) -> Mapping[int, bytes]:
        """The keys of their stretches, packed."""
        sql, first = "select page, key from link where part>=?", first_part(b"")
        if is_many(pages):
            rows = self._rows(f"{sql} order by page, part", first)
        else:
            each = (self._rows(f"{sql} and page=? order by part", first, page) for page in pages)
            rows = chain.from_iterable(each)
        return {
            page: b"".join(dict.fromkeys(key for _, key in group))
            for page, group in groupby(rows, itemgetter(0))
        }

    def _numbered(self, paths: Sequence[str]) -> dict[str, int]:
        """The rows of these pages."""
        found = dict(self._among("select path, id from page where path", paths))
        return {path: found[path] for path in paths}

    def _names(self, pages: Collection[int]) -> Mapping[int, bytes]:
        """The names of these pages, packed."""
        sql = "select page, kind, number from name"
        if is_many(pages):
            rows = self._rows(f"{sql} order by page, kind, number")
        else:
            each = (self._rows(f"{sql} where page=?", page) for page in pages)
            rows = (row for group in each for row in sorted(group))
        return {
            page: _pack([row[1:] for row in group])
            for page, group in groupby(rows, itemgetter(0))
            if page in pages
        }

    def _ids(self, pages: Collection[int]) -> Mapping[int, bytes]:
        """The ids of their entries, packed."""
        if is_many(pages):
            groups = groupby(self._lookup.all_ids(), itemgetter(0))
            found = ((page, [id_ for _, id_ in each]) for page, each in groups if page in pages)
        else:
            found = ((page, self._lookup.ids_of(page)) for page in pages)
        return {page: _packed_ids(ids) for page, ids in found if ids}

    def take_in_files(self) -> None:
        """Note the files that are no pages as they are now."""
        table = f"{self._store.schema}.linked_file"
        existing = set(self._column(f"select path from {table}"))
        now = {path for _, path in self._lookup.all_attachments()}
        self._store.delete("linked_file", "path", existing - now)
        (last,) = self._row(f"select coalesce(min(id), 0) from {table}")
        new = ((last - count, path) for count, path in enumerate(sorted(now - existing), 1))
        self._store.upsert(LINKED_FILE, new)
        for path in existing ^ now:
            self._moved |= targets_of(Link(path, "", 0, LinkKind.EMBED), "")

    def concerned(self) -> set[int]:
        """The pages with a link that may mean something else."""
        if is_many(self.new) and len(self.new) == self._row("select count(*) from page")[0]:
            self.kept.clear()
            return self.new
        linking = set(self._lookup.linking_pages(self._moved))
        for page in linking:
            self.kept.pop(page, None)  # which of its links it is takes as long to find
        return self.new | linking

    def concerning(self, page: int, links: Iterable[WrittenLink]) -> Iterable[WrittenLink]:
        """Those of the links of such a page that may."""
        return links if page in self.new else filter(self._may_concern, links)

    def _may_concern(self, written: WrittenLink) -> bool:
        link = written.link
        if is_entry_id(link.written, link.kind):
            return entry_number(link.written[1:]) in self._moved
        end = link.written.rstrip("/").rpartition("/")[2]
        if link.heading or named_by_label(link) or end in ("", ".", ".."):
            return True  # there are several names that it may be found under
        # A path may also be an address of a site, which says something else than its end.
        kind = LinkKind.MARKDOWN if link.kind in PATH_KINDS else LinkKind.WIKILINK
        known = self._ends.get((end, kind))
        if known is None:
            known = not self._moved.isdisjoint(targets_of(Link(end, "", 0, kind), ""))
            self._ends[end, kind] = known
        return known


def _pack(names: Sequence[tuple[int, int]]) -> bytes:
    """A digest of the names of a page, and the numbers that links to it are found under."""
    targets = [number for kind, number in names if kind == NameKind.TARGET]
    return text_hash(repr(names), _DIGEST_BYTES) + in_bytes(targets)


def _keys_in(stretches: bytes) -> Iterator[bytes]:
    return (stretches[at : at + KEY_BYTES] for at in range(0, len(stretches), KEY_BYTES))


def _packed_ids(ids: Iterable[str]) -> bytes:
    """Ids as they are kept: of a page with very many no more than a few come or go at a time, and
    to find these takes no number of any other."""
    return zlib.compress("\n".join([*ids, ""]).encode("utf-8", "surrogatepass"), 1)


def _changed_ids(had: bytes, has: bytes) -> set[str]:
    """The ids that are in one of both alone; where these stand among all others, few are looked
    at."""
    one, other = (
        zlib.decompress(each).decode("utf-8", "surrogatepass") if each else ""
        for each in (had, has)
    )
    head, tail = shared_ends(one, other)
    start = one.rfind("\n", 0, head) + 1
    tail -= one[len(one) - tail :].find("\n") + 1
    some = ({*text[start : len(text) - tail].split("\n")} for text in (one, other))
    return set.symmetric_difference(*some) - {""}


def _targets(names: bytes) -> Iterator[int]:
    return numbers_in(names[_DIGEST_BYTES:])
