"""Which pages and units a condition picks, by what the cards say of them: the SQL behind filters.

Pages are given by their number, units by their key.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from posixpath import basename
from typing import NamedTuple, TypeAlias, TypeVar

from memwiki.entry_fields import FieldKind, stored_names
from memwiki.index.cards.locations import Located, located, trail_at
from memwiki.index.cards.lookup import nested, written_date
from memwiki.index.cards.rows import field_number
from memwiki.index.names import NameKind, name_number
from memwiki.index.storage_sqlite import Connection
from memwiki.index.units import ENTRY_MARK, KEY_BYTES, UnitKey
from memwiki.markdown.fields import canonical, unit_interval
from memwiki.names import fold, stem_of
from memwiki.nouns import UnitKind
from memwiki.scope import Scope

T = TypeVar("T")

Pages: TypeAlias = frozenset[int]
Units: TypeAlias = frozenset[bytes]

_SHARES = stored_names(FieldKind.SHARE)
_OWN_DATES = ("updated", "created", "time", "valid_from")  # of an entry or message, best first
_PAGE_DATES = frozenset({"created", "updated"})


class SeenPages(NamedTuple):
    """The pages that are seen: all, or some, but for those put away."""

    only: Pages | None
    hidden: Pages

    def has(self, number: int) -> bool:
        """Whether a page is among them."""
        return number not in self.hidden and (self.only is None or number in self.only)


class Filters:
    """Questions to the cards, each answered by all pages or units that fit."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    # --- pages ---

    def in_folder(self, folder: str) -> Pages:
        """The pages that lie in a folder."""
        bounds = (f"{folder}/", f"{folder}0")  # "0" is the character after "/"
        return _first(self._db.execute("select number from page where path>? and path<?", bounds))

    def latest(self, folder: str, limit: int) -> list[str]:
        """The paths of the pages of a folder, "" for all, that changed last; of those that changed
        at one time, as a checkout does it, the last by name, which may be a day."""
        bounds = (f"{folder}/", f"{folder}0") if folder else ("", "\U0010ffff")
        sql = "select path from page where hidden=0 and path>? and path<?"
        rows = self._db.execute(
            f"{sql} order by mtime_ns desc, path desc limit ?", (*bounds, limit)
        )
        return [path for (path,) in rows]

    def at(self, is_at: Callable[[str], bool]) -> Pages:
        """The pages whose path fits."""
        return self._whose("path", is_at)

    def titled(self, text: str) -> Pages:
        """The pages whose title holds a text."""
        wanted = fold(text)
        return self._whose("title", lambda title: wanted in fold(title))

    def of_type(self, name: str) -> Pages:
        """The pages of a type."""
        wanted = fold(name)
        return self._whose("type", lambda kind: fold(kind) == wanted)

    def with_file_name(self, name: str) -> Pages:
        """The pages whose file has exactly this name."""
        sql = (
            "select page.number, path from name join page on id=page where name.number=? and kind=?"
        )
        rows = self._db.execute(sql, (name_number(stem_of(name)), NameKind.STEM))
        return frozenset(number for number, path in rows if basename(path) == name)

    def digest_at(self, path: str) -> tuple[int, str] | None:
        """The page at a path, with its digest."""
        row = self._db.execute("select number, digest from page where path=?", (path,)).fetchone()
        return tuple(row) if row else None

    def _whose(self, column: str, fits: Callable[[str], bool]) -> Pages:
        rows = self._db.execute(f"select number, {column} from page where hidden=0")
        return frozenset(number for number, value in rows if fits(value or ""))

    def tagged(self, tag: str) -> Pages:
        """The pages that a tag, or one nested in it, says something of as a whole."""
        sql = (
            "select number from tag join page on id=page"
            " where own=1 and (folded=? or (folded>? and folded<?))"
        )
        return _first(self._db.execute(sql, nested(tag)))

    def having(self, name: str, value: str) -> Pages:
        """The pages whose front matter has a field with this value."""
        sql = "select page.number from field join page on id=page where field.number in (?, ?)"
        return _first(self._db.execute(sql, _spelled(name, value)))

    def with_field(self, name: str) -> Pages:
        """The pages whose front matter has a field of this name."""
        sql = "select page.number from field join page on id=page where field.number in (?, ?)"
        return _first(self._db.execute(sql, _spelled(name)))

    def comparing(self, name: str, fits: Callable[[str], bool]) -> Pages:
        """The pages of whose field a value fits; `created` and `updated` are what pages say of
        themselves in any spelling."""
        if is_page_date(name):
            return self._whose(canonical(name), lambda day: bool(day) and fits(day))
        sql = (
            "select page.number, compared from field join page on id=page"
            " where field.number in (?, ?)"
        )
        rows = self._db.execute(sql, _spelled(name))
        return frozenset(
            number for number, texts in rows if texts and any(map(fits, json.loads(texts)))
        )

    def dates(self) -> Iterator[tuple[int, str, int]]:
        """Each page with the date it says, "" for none, and the time of its file."""
        sql = "select number, path, created, updated, mtime_ns from page where hidden=0"
        for number, path, created, updated, ns in self._db.execute(sql):
            yield number, written_date(path, created or "", updated or ""), ns

    def seen(self, scope: Scope) -> SeenPages:
        """The pages that a scope sees."""
        hidden = frozenset[int]().union(*map(self.in_folder, scope.hidden))
        return SeenPages(self.in_folder(scope.base) if scope.base else None, hidden)

    # --- units ---

    def has_field(self, name: str, is_seen: Callable[[str], bool]) -> bool:
        """Whether any page that is seen, or an entry on it, has a field of this name."""
        numbers = _spelled(name)
        sql = "select path from {0} join page on page.id={0}.page where {0}.number in (?, ?)"
        paths = (self._db.execute(sql.format(table), numbers) for table in ("field", "unit_field"))
        return any(is_seen(path) for (path,) in chain.from_iterable(paths))

    def units_tagged(self, tag: str) -> Units:
        """The entries and messages with a tag or one nested in it."""
        return self.units_having("#", fold(tag.lstrip("#")))

    def units_having(self, name: str, value: str) -> Units:
        """The entries and messages that have a field with this value."""
        sql = "select unit from unit_field where number=?"
        return _first(self._db.execute(sql, (field_number(name, value),)))

    def units_with_field(self, name: str) -> Units:
        """The entries and messages that have a field of this name."""
        sql = "select unit from unit_field where number=?"
        return _first(self._db.execute(sql, (field_number(name),)))

    def units_comparing(self, name: str, fits: Callable[[str], bool]) -> Units:
        """The entries and messages of whose field the value fits."""
        sql = (
            "select unit.key, unit.fields from unit_field join unit on unit.page=unit_field.page"
            " and unit.key=unit_field.unit where unit_field.number=?"
        )
        found, wanted = set[bytes](), fold(name)
        for key, text in self._db.execute(sql, (field_number(name),)):
            fields = json.loads(text) if text else {}
            texts = (each for field, each in fields.items() if fold(field) == wanted)
            if any(fits(_measured(wanted, each)) for each in texts):
                found.add(key)
        return frozenset(found)

    def superseded(self) -> Units:
        """The entries that hold no longer."""
        return self.units_with_field("superseded_by") | self.units_having("status", "superseded")

    def entries(self) -> Units:
        """All entries."""
        sql = "select key from unit where substr(key, ?)=?"
        return _first(self._db.execute(sql, (KEY_BYTES, ENTRY_MARK)))

    def units_on(self, pages: Pages) -> int:
        """How many entries and messages are on these pages."""
        sql = "select count(*) from unit join page on page.id=unit.page where page.number=?"
        counts = (self._db.execute(sql, (page,)).fetchone() for page in pages)
        return sum(int(count) for (count,) in counts)

    def below_headings(self, text: str) -> Units:
        """The units under a heading that holds a text."""
        wanted = fold(text)
        ranges: dict[int, list[tuple[int, int]]] = {}
        rows = self._db.execute("select page, start, stop, title from section order by page, start")
        for page, start, stop, title in rows:
            if wanted in fold(title):
                _widen(ranges.setdefault(page, []), start, stop)
        found = {key for page in ranges for key in self._overlapping(page, ranges[page])}
        # Beyond one title it can only go where those of an entry are joined.
        is_joined = ">" in wanted or wanted != wanted.strip()
        return frozenset(found.union(self._below_trails(wanted)) if is_joined else found)

    def _overlapping(self, page: int, ranges: Sequence[tuple[int, int]]) -> Iterator[bytes]:
        """The units of a page that share a line with these ranges, which lie apart in order."""
        stops = [stop for _, stop in ranges]
        for key, start, stop in self._located(page):
            location = bisect_left(stops, start)
            if location < len(ranges) and ranges[location][0] <= stop:
                yield key

    def _below_trails(self, wanted: str) -> Iterator[bytes]:
        """The entries whose headings, joined, hold a text."""
        for (page,) in self._db.execute("select distinct page from unit").fetchall():
            for key, start, _ in self._located(page):
                is_entry = UnitKey(key).kind is UnitKind.ENTRY
                if is_entry and wanted in fold(trail_at(self._db, page, start)):
                    yield key

    def _located(self, page: int) -> list[Located]:
        row = self._db.execute("select number from page where id=?", (page,)).fetchone()
        return located(self._db, int(row[0]), page) if row else []

    def unit_dates(self) -> Iterator[tuple[bytes, str]]:
        """The entries and messages that say a date, with the best they say."""
        for key, text in self._db.execute("select key, fields from unit where fields<>''"):
            fields = json.loads(text)
            day = next((fields[name] for name in _OWN_DATES if fields.get(name)), "")
            if day:
                yield key, day


def is_page_date(name: str) -> bool:
    """Whether a field is the date that every page may say, by any of its names."""
    return canonical(name) in _PAGE_DATES


def _spelled(name: str, value: str | None = None) -> tuple[int, int]:
    """A field of a page under the name given, and under the one that its synonyms are kept by."""
    return field_number(name, value), field_number(canonical(name), value)


def _first(rows: Iterable[Sequence[T]]) -> frozenset[T]:
    return frozenset(row[0] for row in rows)


def _measured(name: str, text: str) -> str:
    """A value of an entry as it is compared: `high` is a number."""
    return unit_interval(text) if name in _SHARES else text


def _widen(ranges: list[tuple[int, int]], start: int, stop: int) -> None:
    """Add a range to ranges in order; one that overlaps the last becomes part of it."""
    if ranges and start <= ranges[-1][1]:
        ranges[-1] = (ranges[-1][0], max(stop, ranges[-1][1]))
    else:
        ranges.append((start, stop))
