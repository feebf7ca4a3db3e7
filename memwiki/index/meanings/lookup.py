"""Questions to what is kept of the meaning of links, of pages and of entries; nothing is resolved
here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import chain
from typing import Any

from memwiki.index.cards.entries import EntriesByLine, EntryLocation
from memwiki.index.cards.lookup import LINK_COLUMNS, link_of
from memwiki.index.damage import decoding
from memwiki.index.names import entry_id
from memwiki.index.resolve import STEPS, Resolution
from memwiki.index.sql import Questions, batched, marks
from memwiki.index.storage import Storage
from memwiki.nouns import PLAIN, Link, LinkKind, LinkStatus
from memwiki.records import NamedTuple

_STATUSES = tuple(LinkStatus)
_OF_STEPS = 32  # more than there are steps
RESPELLED = 1024
OF_ENTRY = 2048


def code_of(
    status: LinkStatus, by: str, *, is_respelled: bool = False, is_of_entry: bool = False
) -> int:
    """The number of a status and the step that decided; `is_respelled` says that the path is
    written otherwise than the file is, `is_of_entry` that no page says this, but an entry."""
    code = _STATUSES.index(status) * _OF_STEPS + STEPS.index(by)
    return code + RESPELLED * is_respelled + OF_ENTRY * is_of_entry


MEANT = {code_of(status, by): (status, by) for status in _STATUSES for by in STEPS}


def codes_of(statuses: Iterable[LinkStatus] = _STATUSES, steps: Iterable[str] = STEPS) -> list[int]:
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


def _coded(codes: list[int]) -> str:
    return f"how % {RESPELLED} in ({','.join(map(str, codes))})"


class Which(Enum):
    """A part of all links that may be asked for, as a condition of SQL."""

    ALL = "true"
    UNRESOLVED = _coded(codes_of(_UNRESOLVED))
    UNCLEAR = _coded(codes_of(frozenset(LinkStatus) - {LinkStatus.RESOLVED}))
    AMBIGUOUS = _coded(codes_of([LinkStatus.AMBIGUOUS]))
    BY_CONTENT = _coded(codes_of(FOUND, _BY_CONTENT))
    RESPELLED = f"how % {OF_ENTRY} >= {RESPELLED}"
    ANCHORED = "(heading <> '' or block <> '')"
    SUCCESSION = "relation in ('supersedes', 'superseded_by')"
    EXTERNAL = _coded(codes_of([LinkStatus.EXTERNAL]))
    ONLY_IF_FOUND = f"kind in ('{LinkKind.SOURCE}', '{LinkKind.RELATED}')"


_LINK = f"page, target, how, {LINK_COLUMNS}"
_EDGE = "link.page, target, relation, weight, written, heading, block"
_IS_TYPED = f"(relation not in ('', '{PLAIN}') or weight < 1)"
_ORDER = """(select min(number) from target where page = link.page and number in
  (select number from name where name.page = ? and kind = 6)) nulls first, link.page, position"""
_OF_ENTRIES = f"how >= {OF_ENTRY}"
# A source that names no page of ours is a fact, not a link; what an entry says is no link of its
# page.
_IS_EDGE = f"""not ({_OF_ENTRIES}) and (target <> link.page or target is null and
  not ({Which.ONLY_IF_FOUND.value} or {Which.EXTERNAL.value}))"""


class Meanings(Questions):
    """What links mean, as it is kept in the tables of a schema."""

    def __init__(self, db: Storage, schema: str) -> None:
        super().__init__(db)
        self._meaning, self._file = f"{schema}.meaning", f"{schema}.linked_file"
        joined = f"from {self._meaning} join link using (page, position)"
        self._links = f"select {_LINK} {joined}"
        self._edges = f"select {_EDGE} {joined} where {_IS_EDGE}"
        self._paths = _Paths(db, self._file)

    def outgoing(self, path: str) -> list[ResolvedLink]:
        """The links that stand in a page, in order."""
        return self._linked("where page=? order by position", self._number(path))

    def incoming(self, path: str) -> list[ResolvedLink]:
        """The links of other pages that mean a page or other file."""
        number = self._number(path)
        where = f"where target=? and link.page<>? order by {_ORDER}"
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
        out = self._rows(f"{self._edges} and link.page=? order by position", number)
        into = self._rows(f"{self._edges} and target=? order by {_ORDER}", number, number)
        return [*self._as_edges(out), *self._as_edges(into)]

    def edges_among(self, paths: Sequence[str]) -> list[Edge]:
        """The links among these pages, but for those to themselves; not joined."""
        numbers = [number for number in map(self._number, paths) if number > 0]
        places = marks("?", numbers)
        where = f"link.page in ({places}) and target in ({places})"
        return list(self._as_edges(self._rows(f"{self._edges} and {where}", *numbers, *numbers)))

    def plain_edges(self) -> Iterator[tuple[int, int]]:
        """Each page with each other one that a link without type or weight leads to, by number."""
        typed = f"select page, position from link where {_IS_TYPED}"
        return self._rows(
            f"select distinct page, target from {self._meaning}"
            f" where target > 0 and target <> page and (page, position) not in ({typed})"
        )

    def typed_edges(self) -> Iterator[tuple[int, int, str]]:
        """Each page with each other one that a link with a type or weight leads to, by number, and
        the type, `PLAIN` where there is none."""
        of_type = f"coalesce(nullif(relation, ''), '{PLAIN}')"
        joined = f"from link {self.db.in_order} {self._meaning} using (page, position)"
        where = f"where {_IS_TYPED} and target > 0 and target <> link.page and how < {OF_ENTRY}"
        return self._rows(f"select distinct link.page, target, {of_type} {joined} {where}")

    def other_edges(self) -> Iterator[Edge]:
        """All other links between pages, and to wanted names; not joined."""
        self._paths.read_all()
        is_typed = f"{_IS_TYPED} and target > 0 and target <> link.page and how < {OF_ENTRY}"
        joined = f"link {self.db.in_order} {self._meaning} using (page, position)"
        typed = f"select {_EDGE} from {joined}"
        yield from self._as_edges(self._rows(f"{typed} where {is_typed}"))
        yield from self._as_edges(self._rows(f"{self._edges} and target is null"))

    def _as_edges(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[Edge]:
        paths, found = self._paths, list(rows)
        paths.read(chain.from_iterable(row[:2] for row in found))
        with decoding("cards"):
            for page, target, relation, weight, written, heading, block in found:
                if target is None:
                    name = written + anchor(heading, block)
                    yield Edge(paths[page], name, relation or PLAIN, weight, is_wanted=True)
                else:
                    yield Edge(paths[page], paths[target], relation or PLAIN, weight)

    def every(self, which: Which = Which.ALL) -> Iterator[ResolvedLink]:
        """All links of a kind, in the order of the pages' rows."""
        self._paths.read_all()
        # The rows of few links are found by what is kept of them alone.
        tables = (
            [self._meaning, "link"] if which.value.startswith("how") else ["link", self._meaning]
        )
        # A row that has lost its other half is damage, and shows as one.
        joined = f"from {tables[0]} left join {tables[1]} using (page, position)"
        rest = f"{joined} where {which.value} order by page, position"
        return self._as_links(self._rows(f"select {_LINK} {rest}"))

    def counts(self) -> Counter[str]:
        """How many links of other pages mean each; those of entries do not count."""
        rows = self._rows(
            f"select target, count(*) from {self._meaning}"
            f" where target is not null and target<>page and how < {OF_ENTRY} group by target"
        )
        paths = self._paths.read_all()
        return Counter({paths[target]: count for target, count in rows})

    def count(self, path: str) -> int:
        """How many links of other pages mean this one."""
        number = self._number(path)
        where = f"where target = ? and page <> ? and how < {OF_ENTRY}"
        sql = f"select count(*) from {self._meaning} {where}"
        return int(self._row(sql, number, number)[0])

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Each pair of pages of which one links to the other."""
        paths = self._paths.read_all()
        where = f"where target > 0 and how < {OF_ENTRY}"
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
            yield from (_resolved(row, self._paths) for row in rows)


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


def _resolved(row: tuple[Any, ...], paths: Mapping[int, str]) -> ResolvedLink:
    page, target, how, *rest = row
    status, by = MEANT[how % RESPELLED]
    found = Resolution(status, paths[target] if target else "", by)
    return ResolvedLink(paths[page], link_of(rest), found)


def anchor(heading: str, block: str) -> str:
    """What stands behind the name in a link."""
    if block:
        return f"#^{block}"
    return f"#{heading}" if heading else ""


class Surroundings:
    """The edges of pages and entries; those of the entries of a page are looked for once."""

    def __init__(self, meanings: Meanings, entries: EntriesByLine) -> None:
        self._meanings, self._entries = meanings, entries
        self._from: dict[str, Mapping[str, list[Edge]]] = {}
        self._to: dict[str, Mapping[str, list[Edge]]] = {}

    def edges_of(self, node: str) -> list[Edge]:
        """The edges from a page or entry and to it, but for those to itself; not joined."""
        if self._meanings.holds(node):
            return [*self._meanings.edges_of(node), *self._into(node).get(node, ())]
        entry = self._entries.named(node)
        return self._edges_of_entry(entry) if entry else []

    def _edges_of_entry(self, entry: EntryLocation) -> list[Edge]:
        path, address = entry.path, entry.address
        if path not in self._from:
            edges = self._edges(self._meanings.entry_links_on(path))
            self._from[path] = _grouped((edge.source, edge) for edge in edges)
        return [*self._from[path].get(address, ()), *self._into(path).get(address, ())]

    def _into(self, path: str) -> Mapping[str, list[Edge]]:
        """What entries say of a page and of the entries on it."""
        if path not in self._to:
            edges = self._edges(self._meanings.entry_links_to(path))
            self._to[path] = _grouped((edge.target, edge) for edge in edges)
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


def _grouped(edges: Iterable[tuple[str, Edge]]) -> Mapping[str, list[Edge]]:
    found: dict[str, list[Edge]] = {}
    for node, edge in edges:
        found.setdefault(node, []).append(edge)
    return found
