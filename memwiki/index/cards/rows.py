"""A page -> the rows of its card; pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from memwiki.entry_fields import FieldKind, stored_names
from memwiki.index.names import is_external, name_number, names_of, targets_of
from memwiki.index.projection import Put, Row
from memwiki.index.sql import SqlTable
from memwiki.index.units import page_number
from memwiki.markdown.fields import WIKILINK, unit_interval
from memwiki.markdown.tags import with_parents
from memwiki.names import fold
from memwiki.nouns import FieldValue, UnitKind

_SHARES = stored_names(FieldKind.SHARE)
NO_PAGE = 0  # in the place of the number that the cards give the page


def row_number(path: str) -> int:
    """The number of a page in the cards: the one in its unit keys, as SQLite's signed integer."""
    return int.from_bytes(page_number(path), "big", signed=True)


def page_row(put: Put) -> Row:
    """The page itself."""
    page = put.page
    problems = [(p.line, p.code, p.severity, p.message, p.fixable) for p in page.problems]
    # What is held without being read again are entries alone.
    entries = len(put.keyed.existing) + sum(unit.kind is UnitKind.ENTRY for unit in page.units)
    return (
        NO_PAGE,
        row_number(page.path),
        page.path,
        page.digest,
        page.title,
        page.description,
        page.type,
        page.created,
        page.updated,
        _json(problems),
        page.line_count,
        page.is_catalog,
        entries,
        *put.signature,
        put.is_settled,
        _json(page.aliases),
    )


def name_rows(put: Put) -> Iterator[Row]:
    """The names it answers to."""
    if put.page.is_catalog:
        return
    for kind, name in names_of(put.page):
        yield name, kind, NO_PAGE


def tag_rows(put: Put) -> Iterator[Row]:
    """Its tags, once each; on a collecting page only those of the front matter mark the page
    itself."""
    page = put.page
    is_collecting = put.keyed.existing or any(u.kind is not UnitKind.BLOCK for u in page.units)
    declared = {fold(tag) for tag in _scalars(page.fields.get("tags", []))}
    for position, tag in enumerate(page.tags):
        yield NO_PAGE, tag, fold(tag), position, not is_collecting or fold(tag) in declared


def section_rows(put: Put) -> Iterator[Row]:
    """Its headings."""
    for s in put.page.sections:
        yield NO_PAGE, s.line_start, s.line_end, s.level, s.title, name_number(s.title)


def place_rows(put: Put) -> Iterator[Row]:
    """Where its units stand; their sections are found by their lines."""
    for places in put.keyed.places:
        yield (NO_PAGE, *places)


def unit_rows(put: Put) -> Iterator[Row]:
    """What new entries and messages say of themselves; all of it follows from the key."""
    for key, u in put.new_units():
        if u.kind is not UnitKind.BLOCK:
            fields = dict(sorted(u.fields.items()))
            yield NO_PAGE, key, u.type, u.id, _json(fields), _json(u.tags)


def field_number(name: str, value: str | None = None) -> int:
    """A field, or a field with a value, as a number."""
    return name_number(name if value is None else f"{name}\0{value}")


_COMPARED, _MAX_COMPARED = 40, 100  # characters of a value, and values of a field
HAS_PRIVATE = field_number("\0private")  # no name of a field begins so


def field_rows(put: Put) -> Iterator[Row]:
    """The front matter of a page."""
    if put.has_private:
        yield HAS_PRIVATE, NO_PAGE, ""
    for name, value in put.page.fields.items():
        texts = list(_scalars(value))
        compared = [text[:_COMPARED] for text in texts[:_MAX_COMPARED]]
        yield field_number(name), NO_PAGE, _json(compared)
        for text in texts:
            yield from ((field_number(name, each), NO_PAGE, "") for each in _spellings(text))


def unit_field_rows(put: Put) -> Iterator[Row]:
    """The fields and tags of new entries and messages."""
    for key, unit in put.new_units():
        if unit.kind is UnitKind.BLOCK:
            continue
        yield field_number("type", unit.type), NO_PAGE, key
        if unit.id:
            yield field_number("^", unit.id), NO_PAGE, key
        for name, text in unit.fields.items():
            yield field_number(name), NO_PAGE, key
            for each in _spellings(text):
                yield field_number(name, each), NO_PAGE, key
            if name in _SHARES:  # `high` is asked for by its number as well
                yield field_number(name, unit_interval(text)), NO_PAGE, key
        for tag in unit.tags:
            for part in with_parents(tag):
                yield field_number("#", part), NO_PAGE, key


def link_rows(put: Put) -> Iterator[Row]:
    """Its links as written; addresses elsewhere mean no page and are read from the file when
    asked."""
    internal = (link for link in put.page.links if not is_external(link.written, link.kind))
    for position, link in enumerate(internal):
        yield (
            NO_PAGE,
            position,
            link.line,
            link.written,
            link.text,
            link.kind,
            link.heading,
            link.block,
            link.relation,
            link.weight,
        )


def target_rows(put: Put) -> Iterator[Row]:
    """What its links may mean, so that links to a page are found without resolving all."""
    path = put.page.path
    # Entries name the same few pages over and over.
    distinct = {(each.written, each.text, each.kind, each.heading): each for each in put.page.links}
    internal = [link for link in distinct.values() if not is_external(link.written, link.kind)]
    for target in {t for link in internal for t in targets_of(link, path)}:
        yield target, NO_PAGE


def _spellings(text: str) -> Iterator[str]:
    """A value, and what its wikilinks name: the page, its last part, and what is shown for it."""
    yield text
    for match in WIKILINK.finditer(text):
        target, _, shown = match[1].partition("|")
        page = target.partition("#")[0].strip()
        yield from filter(None, (page, page.rpartition("/")[2], shown.strip()))


def _scalars(value: FieldValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        return
    for item in value.values() if isinstance(value, dict) else value:
        yield from _scalars(item)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict) if value else ""


PAGE = SqlTable(
    "page",
    "id integer,number integer not null unique,path text not null unique,digest text not null,"
    "title text,description text,type text,created text,updated text,problems text,lines integer,"
    "hidden integer,entries integer,size integer,mtime_ns integer,ctime_ns integer,inode integer,"
    "settled integer,aliases text",
    "id",
)
_NAME = SqlTable(
    "name",
    "number integer,kind integer,page integer",
    "number, kind, page",
    ("index name_page on name (page)",),
)
_TAG = SqlTable(
    "tag",
    "page integer,tag text,folded text,position integer,own integer",
    "folded, page",
    ("index tag_page on tag (page)",),
)
_SECTION = SqlTable(
    "section",
    "page integer,start integer,stop integer,level integer,title text,number integer",
    "page, start",
    ("index section_number on section (number)",),
)
_PLACE = SqlTable(
    "place", "page integer,start integer,digest blob,places blob,named blob", "page, start"
)
_FIELD = SqlTable(
    "field",
    "number integer,page integer,compared text",
    "number, page",
    ("index field_page on field (page)",),
)
_LINK = SqlTable(
    "link",
    "page integer,position integer,line integer,written text,text text,kind text,heading text,"
    "block text,relation text,weight real",
    "page, position",
)
_TARGET = SqlTable(
    "target",
    "number integer,page integer",
    "number, page",
    ("index target_page on target (page)",),
)
UNIT = SqlTable(
    "unit", "page integer,key blob,type text,id text,fields text,tags text", "page, key"
)
UNIT_FIELD = SqlTable(
    "unit_field",
    "number integer,page integer,unit blob",
    "number, page, unit",
    ("index unit_field_unit on unit_field (page, unit)",),
)

# The rows of a page. Those of units come last: they follow from the key, so what is there already
# is neither made again nor compared.
ROWS: Mapping[SqlTable, Callable[[Put], Iterator[Row]]] = {
    _NAME: name_rows,
    _TAG: tag_rows,
    _SECTION: section_rows,
    _PLACE: place_rows,
    _FIELD: field_rows,
    _LINK: link_rows,
    _TARGET: target_rows,
    UNIT: unit_rows,
    UNIT_FIELD: unit_field_rows,
}
