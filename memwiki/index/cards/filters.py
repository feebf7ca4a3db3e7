"""Which pages and units a condition picks, by what the cards say of them: the SQL behind filters.

Pages are given by their number, units by their key.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from posixpath import basename
from typing import Any, TypeAlias

from memwiki.entry_fields import FieldKind, canonical, stored_names, unit_interval
from memwiki.index.cards.locations import Trails, all_sections, located, sections_of
from memwiki.index.cards.lookup import nested, written_date
from memwiki.index.cards.tables import IS_SUPERSEDED, field_number
from memwiki.index.names import NameKind, name_number
from memwiki.index.sql import Questions, marks
from memwiki.index.units import ENTRY_MARK, KEY_BYTES, UnitKey
from memwiki.names import fold, search_form, stem_of
from memwiki.nouns import UnitKind
from memwiki.records import NamedTuple, grouped
from memwiki.scope import Scope
from memwiki.text import merge_spans

Predicate: TypeAlias = Callable[[str], bool]
Pages: TypeAlias = frozenset[int]
Units: TypeAlias = frozenset[bytes]

_SHARES = stored_names(FieldKind.SHARE)
_OWN_DATES = ("updated", "created", "time", "valid_from")  # of an entry or message, best first
_PAGE_DATES = frozenset({"created", "updated"})
_HAVING = "select page.number from field join page on id=page where field.number in (?, ?)"


class SeenPages(NamedTuple):
    """The pages that are seen: all, or some, but for those put away."""

    only: Pages | None
    hidden: Pages

    def has(self, number: int) -> bool:
        """Whether a page is among them."""
        return number not in self.hidden and (self.only is None or number in self.only)


class Filters(Questions):
    """Questions to the cards, each answered by all pages or units that fit."""

    # --- pages ---

    def in_folder(self, folder: str) -> Pages:
        """The pages that lie in a folder."""
        bounds = (f"{folder}/", f"{folder}0")  # "0" is the character after "/"
        return self._all("select number from page where path>? and path<?", *bounds)

    def latest(self, folder: str, limit: int) -> list[str]:
        """The paths of the pages of a folder, "" for all, that changed last; of those that changed
        at one time, as a checkout does it, the last by name, which may be a day."""
        bounds = (f"{folder}/", f"{folder}0") if folder else ("", "\U0010ffff")
        sql = "select path from page where hidden=0 and path>? and path<?"
        return self._column(f"{sql} order by mtime_ns desc, path desc limit ?", *bounds, limit)

    def at(self, is_at: Predicate) -> Pages:
        """The pages whose path fits."""
        return self._whose("path", is_at)

    def titled(self, text: str) -> Pages:
        """The pages whose title holds a text."""
        wanted = search_form(text)
        return self._whose("title", lambda title: wanted in search_form(title))

    def of_type(self, name: str) -> Pages:
        """The pages of a type."""
        wanted = fold(name)
        return self._whose("type", lambda kind: fold(kind) == wanted)

    def with_file_names(self, names: Collection[str]) -> Pages:
        """The pages whose file has exactly one of these names."""
        numbers = [name_number(stem_of(name)) for name in names]
        sql = "select page.number, path from name join page on id=page where kind=?"
        rows = self._rows(
            f"{sql} and name.number in ({marks('?', numbers)})", NameKind.STEM, *numbers
        )
        return frozenset(number for number, path in rows if basename(path) in names)

    def digest_at(self, path: str) -> tuple[int, str] | None:
        """The page at a path, with its digest."""
        found: tuple[int, str] | None = self._row(
            "select number, digest from page where path=?", path
        )
        return found

    def _all(self, sql: str, *values: object) -> frozenset[Any]:
        return frozenset(self._column(sql, *values))

    def _whose(self, column: str, fits: Predicate) -> Pages:
        rows = self._rows(f"select number, {column} from page where hidden=0")
        return frozenset(number for number, value in rows if fits(value or ""))

    def tagged(self, tag: str) -> Pages:
        """The pages that a tag, or one nested in it, says something of as a whole."""
        sql = (
            "select number from tag join page on id=page"
            " where own=1 and (folded=? or (folded>? and folded<?))"
        )
        return self._all(sql, *nested(tag))

    def having(self, name: str, value: str | None = None) -> Pages:
        """The pages whose front matter has a field with this value, or with any."""
        return self._all(_HAVING, *_field_numbers(name, value))

    def comparing(self, name: str, fits: Predicate) -> Pages:
        """The pages of whose field a value fits; `created` and `updated` are what pages say of
        themselves in any spelling."""
        if is_page_date(name):
            return self._whose(canonical(name), lambda day: bool(day) and fits(day))
        sql = (
            "select page.number, compared from field join page on id=page"
            " where field.number in (?, ?)"
        )
        rows = self._rows(sql, *_field_numbers(name))
        return frozenset(
            number for number, texts in rows if texts and any(map(fits, json.loads(texts)))
        )

    def dates(self) -> Iterator[tuple[int, str, int]]:
        """Each page with the date it says, "" for none, and the time of its file."""
        sql = "select number, path, created, updated, mtime_ns from page where hidden=0"
        for number, path, created, updated, ns in self._rows(sql):
            yield number, written_date(path, created or "", updated or ""), ns

    def seen(self, scope: Scope) -> SeenPages:
        """The pages that a scope sees."""
        hidden = frozenset[int]().union(*map(self.in_folder, scope.hidden))
        return SeenPages(self.in_folder(scope.base) if scope.base else None, hidden)

    # --- units ---

    def has_field(self, name: str, is_seen: Predicate) -> bool:
        """Whether any page that is seen, or an entry on it, has a field of this name."""
        numbers = _field_numbers(name)
        sql = "select path from {0} join page on page.id={0}.page where {0}.number in (?, ?)"
        tables = ("field", "unit_field")
        return any(
            is_seen(path) for each in tables for path in self._column(sql.format(each), *numbers)
        )

    def units_having(self, name: str, value: str | None = None) -> Units:
        """The entries and messages that have a field with this value, or with any; of `#` a tag,
        without its sign, or one nested in it."""
        sql = "select unit from unit_field where number=?"
        return self._all(sql, field_number(name, value))

    def units_comparing(self, name: str, fits: Predicate) -> Units:
        """The entries and messages of whose field the value fits."""
        sql = (
            "select unit.key, unit.fields from unit_field join unit on unit.page=unit_field.page"
            " and unit.key=unit_field.unit where unit_field.number=?"
        )
        found, wanted = set[bytes](), fold(name)
        # `high` is compared as a number.
        measured = unit_interval if wanted in _SHARES else str
        for key, text in self._rows(sql, field_number(name)):
            fields = json.loads(text) if text else {}
            texts = (each for field, each in fields.items() if fold(field) == wanted)
            if any(fits(measured(each)) for each in texts):
                found.add(key)
        return frozenset(found)

    def superseded(self) -> Units:
        """The entries that hold no longer."""
        return self.units_having("superseded_by") | self.units_having("status", "superseded")

    def superseded_pages(self) -> Pages:
        """The pages that say that they hold no longer."""
        return self._all(_HAVING, IS_SUPERSEDED, IS_SUPERSEDED)

    def entries(self) -> Units:
        """All entries."""
        sql = f"select key from unit where substr(key, {KEY_BYTES})=?"
        return self._all(sql, ENTRY_MARK)

    def with_entries(self) -> Mapping[int, int]:
        """The pages that hold entries, each with how many."""
        return dict(self._rows("select number, entries from page where entries>0"))

    def units_on(self, pages: Pages) -> int:
        """How many entries and messages are on these pages."""
        sql = "select count(*) from unit join page on page.id=unit.page where page.number=?"
        return sum(self._row(sql, page)[0] for page in pages)

    def below_headings(self, text: str) -> Units:
        """The units under a heading that holds a text."""
        wanted = search_form(text)
        ranges = grouped(
            (page, (start, stop))
            for page, sections in all_sections(self.db)
            for title, _, _, start, stop in sections
            if wanted in search_form(title)
        )
        found = {
            key for page in ranges for key in self._overlapping(page, merge_spans(ranges[page]))
        }
        # Beyond one title it can only go where those of an entry are joined.
        is_joined = ">" in wanted or wanted != wanted.strip()
        return frozenset(found.union(self._below_trails(wanted)) if is_joined else found)

    def _overlapping(self, page: int, ranges: Sequence[tuple[int, int]]) -> Iterator[bytes]:
        """The units of a page that share a line with these ranges, which lie apart in order."""
        stops = [stop for _, stop in ranges]
        for key, start, stop in located(self.db, "page.id=?", page):
            location = bisect_left(stops, start)
            if location < len(ranges) and ranges[location][0] <= stop:
                yield key

    def _below_trails(self, wanted: str) -> Iterator[bytes]:
        """The entries whose headings, joined, hold a text."""
        pages = self._column("select distinct page from unit")
        for page, sections in sections_of(self.db, pages).items():
            trails = Trails(sections)
            for key, start, _ in located(self.db, "page.id=?", page):
                is_entry = UnitKey(key).kind is UnitKind.ENTRY
                if is_entry and wanted in search_form(trails.at(start)):
                    yield key

    def unit_dates(self, names: Sequence[str] = _OWN_DATES) -> Iterator[tuple[bytes, str]]:
        """The entries and messages that say a date in one of these fields, with the first."""
        for key, text in self._rows("select key, fields from unit where fields<>''"):
            fields = json.loads(text)
            day = next((fields[name] for name in names if fields.get(name)), "")
            if day:
                yield key, day


def is_page_date(name: str) -> bool:
    """Whether a field is the date that every page may say, by any of its names."""
    return canonical(name) in _PAGE_DATES


def _field_numbers(name: str, value: str | None = None) -> tuple[int, int]:
    """A field of a page under the name given, and under the one that its synonyms are kept by."""
    return field_number(name, value), field_number(canonical(name), value)
