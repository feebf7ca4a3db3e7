"""Entries as the cards know them: by id, by key, by line, or all of them."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter

from memwiki.index.cards.locations import (
    FEW,
    Located,
    in_order,
    lines_in,
    lines_of,
    places_of,
    tags_and_fields,
)
from memwiki.index.cards.tables import field_number
from memwiki.index.sql import AT_ONCE, Questions, batched, marks
from memwiki.index.storage import Storage
from memwiki.index.storage_sqlite import decoding
from memwiki.index.units import ENTRY_MARK, KEY_BYTES, PAGE_BYTES, Places, page_bytes, page_of
from memwiki.records import NamedTuple, grouped
from memwiki.text import pattern

_IS_ENTRY, _SAID = f"substr(unit.key, {KEY_BYTES})=?", "type, tags, fields"
_COLUMNS = "page.id, path, page.type, unit.key, unit.type, unit.id, tags, fields"
_Row = tuple[int, str, str, bytes, str, str, str, str]


class EntryCard(NamedTuple):
    """What the cards know of one entry: all but its text."""

    path: str
    page_type: str
    key: bytes  # of the unit
    line_start: int
    line_end: int
    type: str
    id: str
    tags: tuple[str, ...]
    fields: Mapping[str, str]


class GroupedPage(NamedTuple):
    """A page, and how many entries it has, and how many groups of them."""

    id: int
    number: int  # in the keys of its units
    entries: int
    groups: int


class EntryGroup(NamedTuple):
    """The entries of a page that say the same of themselves, but for their ids."""

    page: GroupedPage
    card: EntryCard  # of all of them: without a line, an id and a key
    said: tuple[str, str, str]  # type, fields and tags as the cards keep them


class EntryCards(Questions):
    """Questions about entries."""

    def with_id(self, id_: str) -> list[EntryCard]:
        """The entries that bear an id: one, unless a copy was made."""
        return self._having(field_number("^", id_))

    def has_id(self, id_: str) -> bool:
        """Whether an entry bears an id."""
        sql = "select 1 from unit_field where number=?"
        return self._row(sql, field_number("^", id_)) is not None

    def with_key(self, key: str) -> list[EntryCard]:
        """The entries with a key, struck out or not."""
        return self._having(field_number("key", key))

    def with_keys(self, keys: list[bytes]) -> dict[bytes, EntryCard]:
        """The entries behind some unit keys."""
        sql = (
            f"select {_COLUMNS} from page join unit on unit.page=page.id"
            " where page.number=? and unit.key=?"
        )
        found = (self._row(sql, page_of(key), key) for key in keys)
        return {card.key: card for card in self._cards(filter(None, found))}

    def _having(self, number: int) -> list[EntryCard]:
        sql = (
            f"select {_COLUMNS} from unit_field join page on page.id=unit_field.page join unit on"
            " unit.page=unit_field.page and unit.key=unit_field.unit where unit_field.number=?"
        )
        return list(self._cards(self._rows(sql, number)))

    def all(self) -> Iterator[EntryCard]:
        """All entries, page by page."""
        sql = (
            f"select {_COLUMNS} from unit join page on page.id=unit.page"
            f" where {_IS_ENTRY} and hidden=0 order by path"
        )
        return self._cards(self._rows(sql, ENTRY_MARK))

    def groups(self) -> list[EntryGroup]:
        """All entries; of a page with very many, hardly any row says what no other one says."""
        columns = "select id, path, type, number, entries from page where entries>0 and hidden=0"
        pages = {page: rest for page, *rest in self._rows(columns)}
        sql = f"select distinct page, {_SAID} from unit where {_IS_ENTRY}"
        found = []
        for page, rows in grouped((row[0], row[1:]) for row in self._rows(sql, ENTRY_MARK)).items():
            if page in pages:
                path, page_type, number, entries = pages[page]
                of = GroupedPage(page, number, entries, len(rows))
                for type_, *said in rows:
                    card = EntryCard(path, page_type, b"", 0, 0, type_, "", *tags_and_fields(*said))
                    found.append(EntryGroup(of, card, (type_, *said)))
        return found

    def count(self, groups: Iterable[EntryGroup]) -> int:
        """How many entries are in some groups; those of no whole page are counted once."""
        total = 0
        for page, said in grouped((group.page, group.said) for group in groups).items():
            is_all = len(said) == page.groups
            total += page.entries if is_all else sum(self._counts[page.id, *each] for each in said)
        return total

    @cached_property
    def _counts(self) -> Mapping[tuple[object, ...], int]:
        columns = f"page, {_SAID}"
        sql = f"select count(*), {columns} from unit where {_IS_ENTRY} group by {columns}"
        return {tuple(group): count for count, *group in self._rows(sql, ENTRY_MARK)}

    def located(
        self, groups: Iterable[EntryGroup], *, is_begun: bool = False
    ) -> Iterator[EntryCard]:
        """The entries of these groups by path and line; `is_begun` where but the first are taken,
        so that of most entries of a page only the others are read, and those that are taken."""
        for _, here in groupby(sorted(groups, key=_path), key=_path):
            mine = [*here]
            is_most = is_begun and 2 * self.count(mine) > mine[0].page.entries
            yield from self._located_in(mine, is_most=is_most)

    def _located_in(self, groups: Sequence[EntryGroup], *, is_most: bool) -> Iterator[EntryCard]:
        page, cards = groups[0].page, {group.said: group.card for group in groups}
        few = [*cards] if len(cards) <= AT_ONCE else []
        which = f" and ({_SAID}) {'not ' * is_most}in (values {marks('(?,?,?)', few)})"
        sql = (
            f"select key, id, {_SAID} from unit where {_IS_ENTRY} and page=?{which if few else ''}"
        )
        is_all = is_most and len(cards) == page.groups
        found = () if is_all else self._rows(sql, ENTRY_MARK, page.id, *chain(*few))
        rows = {key: row for key, *row in found if (tuple(row[1:]) in cards) != is_most}

        def is_wanted(key: bytes) -> bool:
            return key[-1:] == ENTRY_MARK and (key in rows) != is_most

        located = in_order(self.db, page.id, page_bytes(page.number), is_wanted)
        these, known = f"select key, id, {_SAID} from unit where page=? and key", rows
        for part in batched(located, AT_ONCE):
            if is_most:
                taken = self._among(these, [key for key, _, _ in part], page.id)
                known = {key: row for key, *row in taken}
            for key, first, last in part:
                id_, *said = known[key]
                yield cards[tuple(said)]._replace(key=key, line_start=first, line_end=last, id=id_)

    def all_fields(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        """What all entries say of themselves, with the paths of their pages."""
        sql = (
            "select path, fields from unit join page on page.id=unit.page"
            f" where {_IS_ENTRY} and hidden=0 and fields<>'' order by path"
        )
        with decoding("cards"):
            rows = self._rows(sql, ENTRY_MARK)
            yield from ((path, json.loads(fields)) for path, fields in rows)

    def types(self, sees: Callable[[str], bool]) -> set[str]:
        """The types that entries of the pages have which are seen."""
        sql = (
            "select distinct path, unit.type from unit join page on page.id=unit.page"
            f" where {_IS_ENTRY} and hidden=0"
        )
        rows = self._rows(sql, ENTRY_MARK)
        return {type_ for path, type_ in rows if type_ and sees(path)}

    def _cards(self, rows: Iterable[_Row]) -> Iterator[EntryCard]:
        for page, mine in grouped((row[0], row) for row in rows).items():
            lines = lines_of(self.db, page, frozenset(row[3][PAGE_BYTES:] for row in mine))
            yield from (card for row in mine if (card := _card(row, lines)))


def _card(row: _Row, lines: Mapping[bytes, tuple[int, int]]) -> EntryCard | None:
    _, path, page_type, key, type_, id_, *said = row
    found = lines.get(key[PAGE_BYTES:])
    if found is None or key[-1:] != ENTRY_MARK:
        return None
    return EntryCard(path, page_type, key, *found, type_, id_, *tags_and_fields(*said))


def _path(group: EntryGroup) -> str:
    return group.card.path


_ADDRESS = pattern(r"(.+)(?:#\^([^#^\n]+)|:([1-9]\d{0,8}))\Z", re.DOTALL)


class EntryLocation(NamedTuple):
    """Where an entry stands, lines from 1, and what the cards know of it."""

    path: str
    line_start: int
    line_end: int
    id: str  # "" where it has none
    type: str
    tags: tuple[str, ...]

    @property
    def address(self) -> str:
        """What names it among pages and entries: its page and its id, or the line."""
        return f"{self.path}#^{self.id}" if self.id else f"{self.path}:{self.line_start}"


class _PageRows(NamedTuple):
    """Where the units of a page stand, and the entries of those rows that were asked for."""

    id: int
    number: bytes
    rows: Sequence[Places]
    starts: Sequence[int]
    entries: dict[int, Sequence[Located]]
    asked: list[str]  # ids
    firsts: dict[bytes, int]  # of each unit the first line, where many ids are asked for


class EntriesByLine(Questions):
    """The entries of pages by their lines and ids; no more of a page is read than is asked for."""

    def __init__(self, db: Storage) -> None:
        super().__init__(db)
        self._known: dict[str, _PageRows | None] = {}
        self._made: dict[bytes, EntryLocation] = {}

    def at(self, path: str, line: int) -> EntryLocation | None:
        """The entry on a line of a page."""
        page = self._page(path)
        if page is None:
            return None
        # What stands in no stretch is in the first row.
        for row in {0, max(bisect_right(page.starts, line) - 1, 0)}:
            places = self._places(page, row)
            at = bisect_right(places, line, key=itemgetter(1)) - 1
            if at >= 0 and line <= places[at][2]:
                return self._entry(path, page.id, *places[at])
        return None

    def with_id(self, path: str, id_: str) -> EntryLocation | None:
        """The first entry of a page that has this id."""
        page = self._page(path) if id_ else None
        if page is None:
            return None
        sql = "select unit from unit_field where number=? and page=?"
        keys = self._column(sql, field_number("^", id_), page.id)
        names = [key[PAGE_BYTES:] for key in keys if key.endswith(ENTRY_MARK)]
        page.asked.append(id_)
        firsts = self._firsts(page, names)
        return self.at(path, min(firsts)) if firsts else None

    def _firsts(self, page: _PageRows, names: Sequence[bytes]) -> Sequence[int]:
        """The first lines of units; of a page that is asked often all are read at once."""
        if len(page.asked) <= FEW:
            return [first for first, _ in lines_in(page.rows, names).values()]
        if not page.firsts:
            rows = chain.from_iterable(row.located() for row in page.rows)
            with decoding("cards"):
                page.firsts.update((name, first) for name, first, _ in rows)
        return [page.firsts[name] for name in names if name in page.firsts]

    def named(self, address: str) -> EntryLocation | None:
        """The entry that an address names."""
        match = _ADDRESS.match(address)
        if match is None:
            return None
        path, id_, line = match.groups()
        return self.with_id(path, id_) if id_ else self.at(path, int(line))

    def _page(self, path: str) -> _PageRows | None:
        if path not in self._known:
            found = self._row("select id, number from page where path=? and entries>0", path)
            self._known[path] = self._rows_of(*found) if found else None
        return self._known[path]

    def _rows_of(self, page: int, number: int) -> _PageRows:
        rows = places_of(self.db, page)
        return _PageRows(page, page_bytes(number), rows, [row.start for row in rows], {}, [], {})

    def _places(self, page: _PageRows, row: int) -> Sequence[Located]:
        """The entries of a row in the order of their lines."""
        if row not in page.entries:
            found = (
                (page.number + name, first, last)
                for name, first, last in page.rows[row].located()
                if name.endswith(ENTRY_MARK)
            )
            page.entries[row] = sorted(found, key=itemgetter(1))
        return page.entries[row]

    def _entry(
        self, path: str, page: int, key: bytes, first: int, last: int
    ) -> EntryLocation | None:
        if key not in self._made:
            sql = "select id, type, tags from unit where page=? and key=?"
            found = self._row(sql, page, key)
            if found is None:
                return None
            id_, type_, tags = found
            tagged, _ = tags_and_fields(tags, "")
            self._made[key] = EntryLocation(path, first, last, id_, type_, tagged)
        return self._made[key]
