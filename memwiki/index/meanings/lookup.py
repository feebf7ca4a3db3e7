"""Questions to what is kept of the meaning of links, of pages and of entries; nothing is resolved
here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import chain, groupby
from typing import Any

from memwiki.errors import IndexDamagedError
from memwiki.index.cards.entries import EntriesByLine
from memwiki.index.cards.links import in_order, with_links
from memwiki.index.names import entry_id
from memwiki.index.resolve import STEPS, Resolution
from memwiki.index.sql import Questions, batched, marks
from memwiki.index.storage import Storage
from memwiki.index.storage_sqlite import decoding
from memwiki.nouns import PLAIN, Link, LinkKind, LinkStatus
from memwiki.records import NamedTuple, grouped

_STATUSES = tuple(LinkStatus)
_OF_STEPS = 32  # more than there are steps
RESPELLED = 1024  # the path is written otherwise than the file is
OF_ENTRY = 2048  # no page says this, but an entry


ANCHORED = 4096
SUCCESSION = 8192
TYPED = 16384
ONLY_IF_FOUND = 32768


def code_of(status: LinkStatus, by: str) -> int:
    """The number of a status and the step that decided."""
    return _STATUSES.index(status) * _OF_STEPS + STEPS.index(by)


def traits_of(link: Link) -> int:
    """What a link is whatever it means, as bits above that number."""
    return (
        OF_ENTRY * (link.kind is LinkKind.ENTRY)
        + ANCHORED * bool(link.heading or link.block)
        + SUCCESSION * (link.relation in ("supersedes", "superseded_by"))
        + TYPED * (link.relation not in ("", PLAIN) or link.weight < 1)
        + ONLY_IF_FOUND * (link.kind in (LinkKind.SOURCE, LinkKind.RELATED))
    )


MEANT = {code_of(status, by): (status, by) for status in _STATUSES for by in STEPS}


def codes_of(statuses: Iterable[LinkStatus], steps: Iterable[str] = STEPS) -> list[int]:
    """All numbers with one of these statuses and steps, of links that are spelled as their
    files."""
    return [code_of(status, by) for status in statuses for by in steps]


FOUND = frozenset({LinkStatus.RESOLVED, LinkStatus.AMBIGUOUS})
_UNRESOLVED = frozenset(LinkStatus) - FOUND
_BY_CONTENT = ("title", "slug", "full text")


class ResolvedLink(NamedTuple):
    """A link, the page it stands in, and what it means there; `found` names no candidates."""

    source: str
    link: Link
    found: Resolution


class Edge(NamedTuple):
    """All links of one type from one page to another, or to a wanted name."""

    source: str
    target: str
    type: str  # relation type, `PLAIN` where there is none
    weight: float
    is_wanted: bool = False

    def beyond(self, end: str) -> str:
        """The other end."""
        return self.target if self.source == end else self.source


def _coded(codes: list[int]) -> str:
    return f"how % {RESPELLED} in ({','.join(map(str, codes))})"


def _bit(trait: int) -> str:
    return f"(how & {trait}) <> 0"


class Which(Enum):
    """A part of all links that may be asked for, as a condition of SQL."""

    ALL = "true"
    UNRESOLVED = _coded(codes_of(_UNRESOLVED))
    UNCLEAR = _coded(codes_of(frozenset(LinkStatus) - {LinkStatus.RESOLVED}))
    AMBIGUOUS = _coded(codes_of([LinkStatus.AMBIGUOUS]))
    BY_CONTENT = _coded(codes_of(FOUND, _BY_CONTENT))
    WANTED = _coded(codes_of([LinkStatus.WANTED]))
    RESPELLED = _bit(RESPELLED)
    ANCHORED = _bit(ANCHORED)
    SUCCESSION = _bit(SUCCESSION)
    EXTERNAL = _coded(codes_of([LinkStatus.EXTERNAL]))
    ONLY_IF_FOUND = _bit(ONLY_IF_FOUND)


_EDGE = "page, position, target"
_ORDER = """(select min(target.number) from name join target using (number) where name.page = ?
  and kind = 6 and target.page = meaning.page) nulls first, meaning.page, position"""
_OF_ENTRIES = _bit(OF_ENTRY)
OF_PAGES = f"(how & {OF_ENTRY}) = 0"
# A source that names no page of ours is a fact, not a link; what an entry says is no link of its
# page.
_IS_EDGE = f"""{OF_PAGES} and (target <> page or target is null and
  not ({Which.ONLY_IF_FOUND.value} or {Which.EXTERNAL.value}))"""


class Meanings(Questions):
    """What links mean, as it is kept in the tables of a schema."""

    def __init__(self, db: Storage, schema: str) -> None:
        super().__init__(db)
        self._meaning, self._file = f"{schema}.meaning", f"{schema}.linked_file"
        self._links = f"select page, position, target, how from {self._meaning} as meaning"
        self._edges = f"select {_EDGE} from {self._meaning} as meaning where {_IS_EDGE}"
        self._paths = _Paths(db, self._file)

    def outgoing(self, path: str) -> list[ResolvedLink]:
        """The links that stand in a page, in order."""
        return self._linked("where page=? order by position", self._number(path))

    def incoming(self, path: str) -> list[ResolvedLink]:
        """The links of other pages that mean a page or other file."""
        number = self._number(path)
        where = f"where target=? and page<>? order by {_ORDER}"
        return self._linked(where, number, number, number)

    def entry_links_on(self, path: str) -> list[ResolvedLink]:
        """The links of the entries of a page."""
        where = f"where page=? and {_OF_ENTRIES} order by position"
        return self._linked(where, self._number(path))

    def entry_links_to(self, path: str) -> list[ResolvedLink]:
        """The links of entries that mean a page or other file, or an entry on it."""
        number = self._number(path)
        where = f"where target=? and {_OF_ENTRIES} order by {_ORDER}"
        return self._linked(where, number, number)

    def holds(self, path: str) -> bool:
        """Whether there is a page or other file at a path."""
        return self._number(path) != 0

    def edges_of(self, path: str) -> list[Edge]:
        """The links that lead from a page and to it, but for those to itself and those of entries;
        not joined."""
        number = self._number(path)
        out = self._rows(f"{self._edges} and page=? order by position", number)
        into = self._rows(f"{self._edges} and target=? order by {_ORDER}", number, number)
        return [*self._as_edges(out), *self._as_edges(into)]

    def edges_among(self, paths: Sequence[str]) -> list[Edge]:
        """The links among these pages, but for those to themselves; not joined."""
        numbers = [number for number in map(self._number, paths) if number > 0]
        places = marks("?", numbers)
        where = f"page in ({places}) and target in ({places})"
        return list(self._as_edges(self._rows(f"{self._edges} and {where}", *numbers, *numbers)))

    def plain_edges(self) -> Iterator[tuple[int, int]]:
        """Each page with each other one that a link without type or weight leads to, by number."""
        return self._rows(
            f"select distinct page, target from {self._meaning}"
            f" where target > 0 and target <> page and not {_bit(TYPED)}"
        )

    def typed_edges(self) -> Iterator[tuple[int, int, str]]:
        """Each page with each other one that a link with a type or weight leads to, by number, and
        the type, `PLAIN` where there is none."""
        where = f"where {_bit(TYPED)} and target > 0 and target <> page and {OF_PAGES}"
        rows = self._rows(f"{self._links} {where} order by page, position")
        typed = with_links(self.db, rows)
        yield from dict.fromkeys((row[0], row[2], link.relation or PLAIN) for row, link in typed)

    def other_edges(self) -> Iterator[Edge]:
        """All other links between pages, and to wanted names; not joined."""
        self._paths.read_all()
        is_typed = f"target > 0 and {_bit(TYPED)}"
        yield from self._as_edges(self._rows(f"{self._edges} and {is_typed}"))
        yield from self._as_edges(self._rows(f"{self._edges} and target is null"))

    def _as_edges(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[Edge]:
        paths, found = self._paths, list(rows)
        paths.read(chain.from_iterable((page, target) for page, _, target in found))
        with decoding("cards"):
            for (page, _, target), link in with_links(self.db, found):
                if target is None:
                    end = link.written + anchor(link.heading, link.block)
                else:
                    end = paths[target]
                relation = link.relation or PLAIN
                yield Edge(paths[page], end, relation, link.weight, is_wanted=target is None)

    def every(self, which: Which = Which.ALL) -> Iterator[ResolvedLink]:
        """All links of a kind, in the order of the pages' rows."""
        self._paths.read_all()
        if which is Which.ALL:
            self._require_all()
        rest = f"where {which.value} order by page, position"
        return self._as_links(self._rows(f"{self._links} {rest}"))

    def _require_all(self) -> None:
        """Raise IndexDamagedError where links have lost their meaning, or meanings their link."""
        written = "select coalesce(sum(count), 0) from link"
        kept = f"select count(*) from {self._meaning}"
        if self._row(written)[0] != self._row(kept)[0]:
            raise IndexDamagedError("cards: not every link has a meaning")

    def counts(self) -> Counter[str]:
        """How many links of other pages mean each; those of entries do not count."""
        rows = self._rows(
            f"select target, count(*) from {self._meaning}"
            f" where target is not null and target<>page and {OF_PAGES} group by target"
        )
        paths = self._paths.read_all()
        return Counter({paths[target]: count for target, count in rows})

    def count(self, path: str) -> int:
        """How many links of other pages mean this one."""
        number = self._number(path)
        where = f"where target = ? and page <> ? and {OF_PAGES}"
        sql = f"select count(*) from {self._meaning} {where}"
        return int(self._row(sql, number, number)[0])

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Each pair of pages of which one links to the other."""
        paths = self._paths.read_all()
        where = f"where target > 0 and {OF_PAGES}"
        rows = self._rows(f"select distinct page, target from {self._meaning} {where}")
        return ((paths[page], paths[target]) for page, target in rows if page != target)

    def _number(self, path: str) -> int:
        """The number of a page or file, 0 where there is none."""
        sql = f"select id from page where path=? union all select id from {self._file} where path=?"
        return next(iter(self._column(sql, path, path)), 0)

    def _linked(self, rest: str, *values: int) -> list[ResolvedLink]:
        return list(self._as_links(self._rows(f"{self._links} {rest}", *values)))

    def _as_links(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[ResolvedLink]:
        with decoding("cards"):
            for page, found in groupby(with_links(self.db, rows), _page):
                for (_, _, target, how), link in in_order(list(found)):
                    status, by = MEANT[how % RESPELLED]
                    resolution = Resolution(status, self._paths[target] if target else "", by)
                    yield ResolvedLink(self._paths[page], link, resolution)


def _page(linked: tuple[tuple[Any, ...], Link]) -> int:
    return int(linked[0][0])


class _Paths(dict[int, str]):
    """Paths by number, each asked for once."""

    def __init__(self, db: Storage, files: str) -> None:
        super().__init__()
        self.db = db
        self._is_whole = False
        self._every = f"select id, path from page union all select id, path from {files}"

    def __missing__(self, number: int) -> str:
        sql = f"select path from ({self._every}) as file where id=?"
        (path,) = self.db.execute(sql, (number,)).fetchone()
        self[number] = str(path)
        return self[number]

    def read(self, numbers: Iterable[int | None]) -> None:
        """Ask for many at once."""
        for part in batched({number for number in numbers if number} - self.keys()):
            sql = f"select id, path from ({self._every}) as file where id in ({marks('?', part)})"
            self.update(self.db.execute(sql, part))

    def read_all(self) -> Mapping[int, str]:
        """Itself, with all of them."""
        if not self._is_whole:
            self.update(self.db.execute(self._every))
            self._is_whole = True
        return self


def anchor(heading: str, block: str) -> str:
    """What stands behind the name in a link."""
    if block:
        return f"#^{block}"
    return f"#{heading}" if heading else ""


class Surroundings:
    """The edges of pages and entries; those of the entries of a page are looked for once."""

    def __init__(self, meanings: Meanings) -> None:
        self._meanings, self._entries = meanings, EntriesByLine(meanings.db)
        self._from: dict[str, Mapping[str, list[Edge]]] = {}
        self._to: dict[str, Mapping[str, list[Edge]]] = {}

    def edges_of(self, node: str) -> list[Edge]:
        """The edges from a page or entry and to it, but for those to itself; not joined."""
        if self._meanings.holds(node):
            return [*self._meanings.edges_of(node), *self._into(node).get(node, ())]
        entry = self._entries.named(node)
        if entry is None:
            return []
        path, address = entry.path, entry.address
        if path not in self._from:
            edges = self._edges(self._meanings.entry_links_on(path))
            self._from[path] = grouped((edge.source, edge) for edge in edges)
        return [*self._from[path].get(address, ()), *self._into(path).get(address, ())]

    def _into(self, path: str) -> Mapping[str, list[Edge]]:
        """What entries say of a page and of the entries on it."""
        if path not in self._to:
            edges = self._edges(self._meanings.entry_links_to(path))
            self._to[path] = grouped((edge.target, edge) for edge in edges)
        return self._to[path]

    def _edges(self, links: Iterable[ResolvedLink]) -> Iterator[Edge]:
        for source, link, found in links:
            entry = self._entries.at(source, link.line)
            if entry is None:
                continue
            end = found.target or link.written + anchor(link.heading, link.block)
            if found.target and (named := self._entries.with_id(end, entry_id(link))):
                end = named.address
            if end != entry.address:
                is_wanted = not found.target
                yield Edge(entry.address, end, link.relation, link.weight, is_wanted)
