"""Reading the cards: pages, names, units, links and counts, as values."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from memwiki.clock import local_day
from memwiki.dates import date_in
from memwiki.index.cards.locations import (
    UnitLocation,
    all_sections,
    first_line,
    headings_of,
    located,
    locations_of,
    section_of,
    unit_count,
)
from memwiki.index.cards.tables import HAS_PRIVATE, field_number
from memwiki.index.names import NameKind, entry_number, folded_number, name_number, stem_number
from memwiki.index.sql import AT_ONCE, Questions, batched, marks
from memwiki.index.storage import Storage
from memwiki.index.storage_sqlite import decoding
from memwiki.index.units import ENTRY_MARK, UnitKey
from memwiki.names import fold, stem_of
from memwiki.nouns import UNPARSED, Layers, Link, Problem, Section, Severity
from memwiki.records import NamedTuple, grouped

_MAX_PART = 12_500  # characters: of more than 50,000 bytes SQLite takes no pattern
_LIKE = str.maketrans({each: f"\\{each}" for each in "%_\\"})  # more to LIKE than themselves
_CARD = "id, number, path, digest, title, description, type, created, updated, mtime_ns"


class Card(NamedTuple):
    """What the index keeps about a page."""

    id: int  # in the cards
    number: int  # in unit keys
    path: str
    digest: str
    title: str
    description: str
    type: str
    created: str  # "" when the front matter says nothing
    updated: str  # the same
    mtime_ns: int

    @property
    def written(self) -> str:
        """The date that the page or its file name says, "" when neither does."""
        return written_date(self.path, self.created, self.updated)

    @property
    def changed(self) -> str:
        """When it changed the last time: as written, else by the time of its file."""
        return self.written or local_day(self.mtime_ns).isoformat()


def written_date(path: str, created: str, updated: str) -> str:
    """The best of the dates that a page says, "" when it says none.

    The time of a file is none of them: a checkout or a copy sets it anew.
    """
    return updated or created or date_in(stem_of(path))


def nested(tag: str) -> tuple[str, str, str]:
    """A tag, and the bounds of what is nested in it: "0" is the character after "/"."""
    folded = fold(tag.lstrip("#"))
    return folded, f"{folded}/", f"{folded}0"


class IndexCounts(NamedTuple):
    """How much the index holds."""

    pages: int
    entries: int
    sections: int
    links: int
    tags: int
    problems: int
    units: int


class Lookup(Questions):
    """Questions to the cards; one for each connection."""

    # --- names ---

    def named(self, number: int) -> Mapping[NameKind, Sequence[str]]:
        """Paths of the pages that have the name of this number, by its kind."""
        sql = "select kind, path from name join page on page.id=name.page where name.number=?"
        return grouped(self._rows(f"{sql} and path is not null", number))

    def named_among(self, numbers: Iterable[int]) -> Iterator[tuple[int, NameKind, str]]:
        """The same of many, as (number, kind, path)."""
        sql = "select name.number, kind, path from name join page on page.id=name.page"
        for part in batched(numbers):
            where = f"name.number in ({marks('?', part)}) and path is not null"
            yield from self._rows(f"{sql} where {where}", *part)

    def attached_among(self, numbers: Iterable[int]) -> Iterator[tuple[int, str]]:
        """Paths of the other files whose names have one of these numbers, each with its number."""
        for part in batched(numbers):
            sql = f"select number, path from attachment where number in ({marks('?', part)})"
            yield from self._rows(sql, *part)

    def pages(self, kind: NameKind, name: str) -> Sequence[str]:
        """Paths of the pages that have this name of this kind."""
        return self.named(name_number(name)).get(kind, ())

    def slugs(self, form: str) -> Sequence[str]:
        """Paths of the pages one of whose names has this slug form."""
        return self.named(folded_number(form)).get(NameKind.SLUG, ()) if form else ()

    def slugs_of_all(self, forms: Iterable[str]) -> dict[str, set[str]]:
        """The same of many forms, those included that only people search for; without those that no
        page has."""
        numbers = {folded_number(form): form for form in forms}
        found: dict[str, set[str]] = {}
        for part in batched(numbers):
            sql = (
                "select name.number, path from name join page on page.id = name.page"
                f" where name.number in ({marks('?', part)}) and kind in (?, ?) and hidden=0"
            )
            for number, path in self._rows(sql, *part, NameKind.SLUG, NameKind.SEARCH):
                found.setdefault(numbers[number], set()).add(path)
        return found

    def attachments(self, name: str) -> Sequence[str]:
        """Paths of the other files with this file name."""
        return self._column("select path from attachment where number=?", name_number(name))

    def entries(self, id_: str) -> Sequence[str]:
        """Paths of the pages that hold an entry with this id."""
        return self._column(
            "select distinct path from unit_field join page on page.id=unit_field.page"
            " where unit_field.number=?",
            entry_number(id_),
        )

    def ids_of(self, page: int) -> list[str]:
        """The ids of entries and messages of a page, in the order of what they say."""
        rows = "select id from unit where page=? and id<>'' order by key"
        sql = f"select {self.db.joined}(id, ?) from ({rows}) as units"
        (joined,) = self._row(sql, "\n", page)
        return joined.split("\n") if joined else []

    def all_ids(self) -> Iterator[tuple[int, str]]:
        """Those of all pages, page by page, with the row of the page."""
        return self._rows("select page, id from unit where id<>'' order by page, key")

    # --- pages ---

    def card(self, path: str) -> Card | None:
        """The card of a page."""
        return next(self._cards("path=?", path), None)

    def holds(self, path: str) -> bool:
        """Whether a page or another file is at a path."""
        sql = "select 1 from page where path=? union all select 1 from attachment where path=?"
        return self._row(sql, path, path) is not None

    def cards(self) -> Iterator[Card]:
        """All cards; catalogs have none to show."""
        return self._cards("true")

    def cards_and_generated(self) -> Iterator[tuple[Card, bool]]:
        """All cards, and as such what the catalogs and the journal would have, which it says."""
        rows = self._rows(f"select {_CARD}, hidden from page order by path")
        return ((Card(*row), bool(hidden)) for *row, hidden in rows)

    def newest_cards(self) -> Iterator[Card]:
        """The same, those first that came last."""
        return self._cards("true order by id desc")

    def named_partly(self, part: str) -> list[int]:
        """The numbers of the pages whose path or title has this part; letters that are not ASCII
        only in this case."""
        pattern = f"%{part.translate(_LIKE)}%"
        if len(pattern) > _MAX_PART:
            return []
        like_it = f"{self.db.like} ? escape '\\'"
        where = f"path {like_it} or title {like_it}"
        return self._column(
            f"select number from page where hidden=0 and ({where})", pattern, pattern
        )

    def _cards(self, where: str, *values: object) -> Iterator[Card]:
        sql = f"select {_CARD} from page where hidden=0 and {where}"
        return (Card(*row) for row in self._rows(sql, *values))

    def subjects(self, layers: Layers) -> list[str]:
        """Paths of the pages about something, that say anything: to be read and linked to."""
        from memwiki.markdown.describe import is_subject

        rows = self._rows(
            "select path, type, entries from page where hidden=0"
            " and exists (select 1 from place where place.page=page.id)"
        )
        return [p for p, kind, n in rows if is_subject(p, kind or "", layers, has_entries=n > 0)]

    def entry_counts(self) -> Iterator[tuple[str, int]]:
        """Every page with the number of its entries."""
        return self._rows("select path, entries from page where hidden=0")

    def all_titles(self) -> Iterator[tuple[str, str]]:
        """Every page as (path, title)."""
        return self._rows("select path, title from page where hidden=0")

    def all_spelled_names(self) -> Iterator[tuple[str, str, list[str]]]:
        """Every page as (path, title, aliases)."""
        rows = self._rows("select path, title, aliases from page where hidden=0")
        with decoding("cards"):
            yield from ((p, title, json.loads(text) if text else []) for p, title, text in rows)

    def titles_starting(
        self, starts: Sequence[str], types: Collection[str]
    ) -> Iterator[tuple[str, str]]:
        """The pages of these types as (path, title) whose title begins with one of these texts; of
        letters that are not ASCII only in this case."""
        is_of_type = f"hidden=0 and type in ({marks('?', [*types])})"
        for part in batched(starts, AT_ONCE):  # an expression may be 1,000 deep
            where = " or ".join([f"title {self.db.like} ? escape '\\'"] * len(part))
            starting = (f"{start.translate(_LIKE)}%" for start in part)
            sql = f"select path, title from page where {is_of_type} and ({where})"
            yield from self._rows(sql, *types, *starting)

    def hidden(self) -> list[tuple[str, int]]:
        """The catalogs and the journal, with their sizes."""
        return list(self._rows("select path, size from page where hidden=1"))

    def by_number(self, numbers: Iterable[int]) -> dict[int, Card]:
        """The cards of these pages."""
        parts = batched(dict.fromkeys(numbers))
        found = (self._cards(f"number in ({marks('?', part)})", *part) for part in parts)
        return {card.number: card for cards in found for card in cards}

    def problems_of(self, path: str) -> list[Problem]:
        """What is wrong with the content of a page."""
        found = self._column("select problems from page where path=? and problems<>''", path)
        with decoding("cards"):
            return [_problem(path, each) for text in found for each in json.loads(text)]

    def unparsed(self) -> list[Problem]:
        """What is said of the pages that could not be parsed, in the order of their paths."""
        sql = f"select path from page where problems like '%\"{UNPARSED}\"%' order by path"
        found = [each for path in self._column(sql) for each in self.problems_of(path)]
        return [problem for problem in found if problem.code == UNPARSED]

    def tags_of(self, card: Card) -> tuple[str, ...]:
        """The tags of a page, as spelled."""
        return tuple(self._column("select tag from tag where page=? order by position", card.id))

    def tags_of_all(self, cards: Iterable[Card]) -> dict[int, tuple[str, ...]]:
        """The tags of pages by the id of their card; a page without any is left out."""
        found = tags_on(self.db, (card.id for card in cards))
        return {page: tuple(tags) for page, tags in found.items()}

    def all_tags_by_page(self) -> Mapping[int, list[str]]:
        """The tags of every page, by its row in the cards."""
        return grouped(self._rows("select page, tag from tag order by page, position"))

    def all_own_tags(self) -> Mapping[int, list[str]]:
        """The tags that mark each page itself, by its row."""
        return grouped(self._rows("select page, tag from tag where own=1 order by page, position"))

    def own_tags(self, card: Card) -> list[str]:
        """Those that mark the page itself, not single entries of it."""
        sql = "select tag from tag where page=? and own=1 order by position"
        return self._column(sql, card.id)

    def names_of(self, card: Card) -> list[tuple[int, int]]:
        """The names of a page as (kind, number), sorted."""
        return sorted(self._rows("select kind, number from name where page=?", card.id))

    def sections_around(self, ranges: Sequence[tuple[int, int, int]]) -> list[list[Section]]:
        """For each card id with its first and last line, the headings whose text overlaps these
        lines, without their trails."""
        found = headings_of(self.db, (page for page, _, _ in ranges))
        return [
            [section_of(row) for row in found.get(page, ()) if row[0] <= last and row[1] >= first]
            for page, first, last in ranges
        ]

    def all_headings(self) -> Iterator[tuple[str, str]]:
        """Every heading as (path of the page, text)."""
        paths = self._paths()
        with decoding("cards"):
            for page, sections in all_sections(self.db):
                yield from ((paths[page], section.title) for section in sections)

    def first_lines(self, cards: Iterable[Card]) -> dict[int, int]:
        """The line on which each page's first unit begins, by the id of its card."""
        return {card.id: first_line(self.db, card.id) for card in cards}

    def headed(self, title: str, limit: int) -> list[int]:
        """The numbers of at most so many pages with this heading."""
        return self._column(
            "select page.number from heading join page on id=page where heading.number=? limit ?",
            name_number(title),
            limit,
        )

    def mentions(self, path: str) -> int:
        """About how many pages link to one: all with a link under its file name, whatever that
        means."""
        sql = "select count(*) from target where number=?"
        return int(self._row(sql, stem_number(path))[0])

    def tagged(self, tag: str, limit: int) -> list[int]:
        """The numbers of at most so many pages with exactly this tag."""
        sql = "select number from tag join page on id=page where folded=? limit ?"
        return self._column(sql, fold(tag), limit)

    def tagged_below(self, tag: str) -> set[int]:
        """The numbers of the pages with this tag or one nested in it."""
        sql = "select number from tag join page on id=page"
        return set(self._column(f"{sql} where folded=? or (folded>? and folded<?)", *nested(tag)))

    def has_private(self) -> bool:
        """Whether anything in any page is private."""
        sql = "select 1 from field where number=? limit 1"
        return self._row(sql, HAS_PRIVATE) is not None

    def private_pages(self) -> dict[str, str]:
        """The pages with anything private in them, with their digests."""
        sql = "select path, digest from field join page on id=page where field.number=?"
        return dict(self._rows(sql, HAS_PRIVATE))

    def all_tags(self) -> Iterator[tuple[str, str]]:
        """Every tag as (path of the page, tag as spelled)."""
        return self._rows("select path, tag from tag join page on id=page")

    # --- units ---

    def locations(self, keys: Iterable[UnitKey]) -> dict[UnitKey, UnitLocation]:
        """Where these units stand, as far as they are known."""
        return locations_of(self.db, keys)

    def has_sessions(self) -> bool:
        """Whether any page is a session, so that there may be messages."""
        return self._row("select 1 from page where type='session' limit 1") is not None

    def units_of_type(self, type_: str) -> frozenset[bytes]:
        """The entries and messages of a type; a message's is who said it."""
        sql = "select unit from unit_field where number=?"
        return frozenset(self._column(sql, field_number("type", type_)))

    def speakers(self, number: int) -> dict[bytes, str]:
        """Who says each message of a page, and each part of one: by name, else by role."""
        sql = "select key, unit.type, fields from unit join page on page.id=unit.page"
        rows = self._rows(f"{sql} where page.number=?", number)
        with decoding("cards"):
            return {
                key: (json.loads(fields).get("name") if fields else None) or type_ or ""
                for key, type_, fields in rows
                if key[-1] > ENTRY_MARK[0]
            }

    def unit_keys(self, number: int) -> list[UnitKey]:
        """The unit keys of a page in the order of their lines."""
        return list(map(UnitKey, self.stored_keys(number)))

    def stored_keys(self, number: int) -> list[bytes]:
        """The same as they are stored, for going through many."""
        return [key for key, _, _ in located(self.db, "number=?", number)]

    def unit_at(self, number: int, line: int) -> UnitKey | None:
        """The entry or message of a page that begins on a line."""
        units = located(self.db, "number=?", number)
        return next((UnitKey(k) for k, start, _ in units if start == line and k[-1]), None)

    def all_units(self) -> Iterator[bytes]:
        """The keys of all units by path, in the order of their lines."""
        return (key for key, _, _ in located(self.db))

    # --- links ---

    def links_of(self, path: str) -> list[Link]:
        """The links that stand in a page."""
        from memwiki.index.cards.links import links_on  # no search reads one

        pages = self._column("select id from page where path=?", path)
        return [link for _, links in links_on(self.db, pages) for _, link in links]

    def all_links(self) -> Iterator[tuple[str, Link]]:
        """Every link with the page it stands in."""
        from memwiki.index.cards.links import all_links

        paths = self._paths()
        with decoding("cards"):
            for page, links in all_links(self.db):
                yield from ((paths[page], link) for _, link in links)

    def linking(self, numbers: Iterable[int]) -> list[str]:
        """Paths of the pages with a link that may mean one of these target numbers."""
        sql = "select path from target join page on page.id=target.page where target.number=?"
        found = (self._column(sql, number) for number in numbers)
        return list(dict.fromkeys(chain.from_iterable(found)))

    def linking_pages(self, numbers: Iterable[int]) -> Iterator[int]:
        """Their rows in the cards; a page may come more than once."""
        for part in batched(numbers):
            sql = f"select page from target where number in ({marks('?', part)})"
            yield from self._column(sql, *part)

    def target_numbers(self, path: str) -> list[int]:
        """Under which numbers links to this page are listed."""
        sql = "select name.number from name join page on id=page where path=? and kind=?"
        return self._column(sql, path, NameKind.TARGET)

    def all_paths(self) -> Iterator[str]:
        """Every page."""
        return iter(self._column("select path from page where hidden=0"))

    def _paths(self) -> Mapping[int, str]:
        """Every page by its row, catalogs too."""
        return dict(self._rows("select id, path from page"))

    def all_names(self, *kinds: NameKind) -> Iterator[tuple[int, int, str]]:
        """Every name of these kinds as (number, kind, path)."""
        paths = self._paths()
        sql = f"select number, kind, page from name where kind in ({marks('?', kinds)})"
        rows = self._rows(sql, *kinds)
        with decoding("cards"):
            yield from ((number, kind, paths[page]) for number, kind, page in rows)

    def attachments_ending(self, suffixes: Sequence[str]) -> list[str]:
        """Attachments whose path ends like this, in any case."""
        where = " or ".join(f"path {self.db.like} ?" for _ in suffixes)
        values = (f"%{suffix}" for suffix in suffixes)
        return self._column(f"select path from attachment where {where}", *values)

    def all_attachments(self) -> Iterator[tuple[int, str]]:
        """Every attachment as (number of its file name, path)."""
        return self._rows("select number, path from attachment")

    # --- counts ---

    def counts(self, folder: str = "") -> IndexCounts:
        """How much there is of everything, or of what is below a folder; units are counted in
        all."""
        below, of_page, bounds = _below(folder)
        row = self._row(
            f"select (select count(*) from page where hidden=0{below}),"
            f" (select sum(entries) from page where true{below}),"
            f" (select sum(count) from section{of_page}), (select sum(count) from link{of_page}),"
            f" (select count(distinct folded) from tag{of_page})",
            *bounds * 5,
        )
        pages, entries, sections, links, tags = (value or 0 for value in row)
        units, problems = unit_count(self.db), self.problem_count(folder)
        return IndexCounts(pages, entries, sections, links, tags, problems, units)

    def problem_count(self, folder: str = "") -> int:
        """How many problems were met when the pages, or those below a folder, were read."""
        below, _, bounds = _below(folder)
        sql = f"select problems from page where problems<>'' and hidden=0{below}"
        found = self._column(sql, *bounds)
        return sum(len(set(map(tuple, json.loads(text)))) for text in found)


def tags_on(db: Storage, pages: Iterable[int]) -> dict[int, list[str]]:
    """The tags of pages by their rows; a page without any is left out."""
    sql = "select page, tag from tag where page in ({}) order by position"
    parts = batched(dict.fromkeys(pages))
    return grouped(chain.from_iterable(db.execute(sql.format(marks("?", p)), p) for p in parts))


def _below(folder: str) -> tuple[str, str, list[str]]:
    """Conditions on a page, and on what belongs to one, for what is below a folder, and the values
    of each."""
    if not folder:
        return "", "", []
    is_below, bounds = "path >= ? and path < ?", [f"{folder}/", f"{folder}0"]  # 0 is next to /
    return f" and {is_below}", f" where page in (select id from page where {is_below})", bounds


def _problem(path: str, row: Sequence[Any]) -> Problem:
    line, code, severity, message, fixable = row
    return Problem(path, int(line), code, Severity(severity), message, bool(fixable))
