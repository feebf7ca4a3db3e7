"""A page -> the rows of its card; pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from json.encoder import encode_basestring
from operator import itemgetter
from typing import TypeAlias

from memwiki.entry_fields import FieldKind, stored_names, unit_interval
from memwiki.index.cards import links
from memwiki.index.cards.locations import packed_sections
from memwiki.index.cards.tables import (
    FIELD,
    HAS_PRIVATE,
    HEADING,
    IS_SUPERSEDED,
    LINK,
    NAME,
    NUMBERED,
    NUMBERS,
    PAGE,
    PLACES,
    SECTION,
    TAG,
    TARGET,
    UNIT,
    UNIT_FIELD,
    all_numbers_in,
    field_number,
    in_bytes,
    row_number,
)
from memwiki.index.names import is_external, name_number, names_of, targets_of
from memwiki.index.projection import Put, Row
from memwiki.index.sql import in_json
from memwiki.index.storage import SqlTable
from memwiki.index.units import LinkPart
from memwiki.markdown.describe import is_superseded
from memwiki.markdown.fields import WIKILINK
from memwiki.markdown.stretches import PLACE
from memwiki.markdown.tags import distinct_tags, with_parents
from memwiki.names import fold
from memwiki.nouns import FieldValue, Link, LinkedStretch, Unit, UnitKind

_SHARES = stored_names(FieldKind.SHARE)
_NUMBER = itemgetter(0)
_LinkRow: TypeAlias = tuple[int, int, int, int, bytes, bytes, str, bytes]
NO_PAGE = 0  # in the place of the number that the cards give the page


def page_row(put: Put) -> Row:
    """The page itself."""
    page = put.page
    problems = [(p.line, p.code, p.severity, p.message, p.fixable) for p in page.problems]
    # What is held without being read again are entries alone.
    entries = _held_entries(put) + sum(unit.kind is UnitKind.ENTRY for unit in page.units)
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


def _held_entries(put: Put) -> int:
    """How many entries were not read, because stores hold them."""
    return sum(len(stretch.held) for stretch in put.page.stretches) // PLACE.size


def name_rows(put: Put) -> Iterator[Row]:
    """The names it answers to."""
    if put.page.is_catalog:
        return
    for kind, name in names_of(put.page):
        yield name, kind, NO_PAGE


def tag_rows(put: Put, parts: Sequence[_LinkRow]) -> Iterator[Row]:
    """Its tags, once each; on a collecting page only those of the front matter mark the page
    itself."""
    page = put.page
    is_collecting = _held_entries(put) or any(u.kind is not UnitKind.BLOCK for u in page.units)
    declared = {fold(tag) for tag in _scalars(page.fields.get("tags", []))}
    inside = (tag for *_, tags, _ in parts if tags for tag in json.loads(tags))
    for position, tag in enumerate(distinct_tags((*page.tags, *inside))):
        yield NO_PAGE, tag, fold(tag), position, not is_collecting or fold(tag) in declared


def section_rows(put: Put) -> Iterator[Row]:
    """Its headings."""
    if found := put.page.sections:
        yield NO_PAGE, len(found), packed_sections(found)


def heading_rows(put: Put) -> Iterator[Row]:
    """What it is found by of them."""
    for number in {name_number(section.title) for section in put.page.sections}:
        yield number, NO_PAGE


def place_rows(put: Put) -> Iterator[Row]:
    """Where its units stand; their sections are found by their lines."""
    for places in put.keyed.places:
        yield (NO_PAGE, *places)


def unit_rows(put: Put) -> Iterator[Row]:
    """What new entries and messages say of themselves; all of it follows from the key."""
    for key, u in _own_units(put):
        yield NO_PAGE, key, u.type, u.id, _json(dict(sorted(u.fields.items()))), _json(u.tags)


def _own_units(put: Put) -> Iterator[tuple[bytes, Unit]]:
    """The new entries and messages."""
    has_own = put.page.entries or put.page.messages
    for key, unit in put.new_units() if has_own else ():
        if unit.kind is not UnitKind.BLOCK:
            yield key, unit


_COMPARED, _MAX_COMPARED = 40, 100  # characters of a value, and values of a field


def field_rows(put: Put) -> Iterator[Row]:
    """The front matter of a page."""
    if put.has_private:
        yield HAS_PRIVATE, NO_PAGE, ""
    if is_superseded(put.page):
        yield IS_SUPERSEDED, NO_PAGE, ""
    for name, value in put.page.fields.items():
        texts = list(_scalars(value))
        compared = [text[:_COMPARED] for text in texts[:_MAX_COMPARED]]
        # As `in_json` would, which for each list begins with a coder of its own.
        listed = f"[{', '.join(map(encode_basestring, compared))}]" if compared else ""
        yield field_number(name), NO_PAGE, listed
        for text in texts:
            for each in _spellings(text):
                yield field_number(name, each), NO_PAGE, ""


def unit_field_rows(put: Put) -> Iterator[Row]:
    """The fields and tags of new entries and messages."""
    for key, unit in _own_units(put):
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


def link_rows(put: Put) -> Iterator[_LinkRow]:
    """Its links as written; addresses elsewhere mean no page and are read from the file when
    asked."""
    for part, count, stored in links.packed(_internal(put.page.links)):
        yield NO_PAGE, part, 0, count, b"", b"", "", stored
    for stretch in put.page.linked:
        parts = put.existing.links[stretch.key] if stretch.is_held else _parts(put, stretch)
        for part, count, key, targets, tags, stored in parts:
            yield NO_PAGE, part, stretch.line_start, count, key, targets, tags, stored


def _parts(put: Put, stretch: LinkedStretch) -> Iterator[LinkPart]:
    """What is kept of a stretch that was read: all that is asked of it, though it has no link."""
    first = links.first_part(stretch.key)
    named = in_bytes(_targets(put.page.path, stretch.links)), _json(stretch.tags)
    packed = list(links.packed(_internal(stretch.links), first))
    for part, count, stored in packed or [(first, 0, links.NONE_PACKED)]:
        yield part, count, stretch.key, *named, stored
        named = b"", ""


def _internal(found: Iterable[Link]) -> Iterator[Link]:
    return (link for link in found if not is_external(link.written, link.kind))


def target_rows(put: Put, parts: Sequence[_LinkRow]) -> Iterator[Row]:
    """What its links may mean, so that links to a page are found without resolving all."""
    named = all_numbers_in(targets for *_, targets, _, _ in parts)
    for target in named | _targets(put.page.path, put.page.links):
        yield target, NO_PAGE


def _targets(path: str, found: Iterable[Link]) -> set[int]:
    # Entries name the same few pages over and over.
    distinct = {(each.written, each.text, each.kind, each.heading): each for each in found}
    return {t for link in _internal(distinct.values()) for t in targets_of(link, path)}


def _spellings(text: str) -> Iterator[str]:
    """A value, and what its wikilinks name: the page, its last part, and what is shown for it."""
    yield text
    for match in WIKILINK.finditer(text) if "[[" in text else ():
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
    return in_json(value) if value else ""


ROWS: Mapping[SqlTable, Callable[[Put], Iterator[Row]]] = {
    NAME: name_rows,
    SECTION: section_rows,
    HEADING: heading_rows,
    PLACES: place_rows,
    FIELD: field_rows,
    UNIT: unit_rows,
    UNIT_FIELD: unit_field_rows,
}


def rows_of(put: Put) -> dict[str, Sequence[Row]]:
    """All rows of a page, by table."""
    rows: dict[str, Sequence[Row]] = {PAGE.name: (page_row(put),)}
    rows |= {table.name: tuple(made(put)) for table, made in ROWS.items()}
    rows[LINK.name] = parts = tuple(link_rows(put))
    rows[TAG.name] = tuple(tag_rows(put, parts))
    rows[TARGET.name] = tuple(target_rows(put, parts))
    columns = (set(map(_NUMBER, rows[table.name])) for table in NUMBERED)
    rows[NUMBERS.name] = ((NO_PAGE, *map(in_bytes, columns)),)
    return rows
