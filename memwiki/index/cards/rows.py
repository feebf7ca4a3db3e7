"""A page -> the rows of its card; pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from memwiki.index.names import is_external, name_number, names_of, targets_of
from memwiki.index.projection import Put, Row
from memwiki.index.unit_key import page_number
from memwiki.markdown.fields import unit_interval
from memwiki.markdown.tags import with_parents
from memwiki.model import FieldValue, UnitKind
from memwiki.names import fold


def row_number(path: str) -> int:
    """The number of a page in the cards: the one in its unit keys, as SQLite's signed integer."""
    return int.from_bytes(page_number(path), "big", signed=True)


def page_row(page_id: int, put: Put) -> Row:
    """The page itself."""
    page = put.page
    problems = [(p.line, p.code, p.severity, p.message, p.fixable) for p in page.problems]
    entries = sum(unit.kind is UnitKind.ENTRY for unit in page.units)
    return (
        page_id,
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
    )


def name_rows(page_id: int, put: Put) -> Iterator[Row]:
    """The names it answers to."""
    if put.page.is_catalog:
        return
    for kind, name in names_of(put.page):
        yield name, kind, page_id


def tag_rows(page_id: int, put: Put) -> Iterator[Row]:
    """Its tags, once each; on a collecting page only those of the front matter mark the page
    itself."""
    page = put.page
    is_collecting = any(unit.kind is not UnitKind.BLOCK for unit in page.units)
    declared = {fold(tag) for tag in _scalars(page.fields.get("tags", []))}
    for position, tag in enumerate(page.tags):
        yield page_id, tag, fold(tag), position, not is_collecting or fold(tag) in declared


def section_rows(page_id: int, put: Put) -> Iterator[Row]:
    """Its headings."""
    for s in put.page.sections:
        yield page_id, s.line_start, s.line_end, s.level, s.title, name_number(s.title)


def unit_rows(page_id: int, put: Put) -> Iterator[Row]:
    """Where its units stand; the sections of a block are found by their lines."""
    for key, u in put.keyed_units().items():
        section = "" if u.kind is UnitKind.BLOCK else u.section
        yield (
            page_id,
            key,
            u.kind,
            section,
            u.line_start,
            u.line_end,
            u.type,
            u.id,
            _json(dict(u.fields)),
            _json(u.tags),
        )


def field_number(name: str, value: str | None = None) -> int:
    """A field, or a field with a value, as a number."""
    return name_number(name if value is None else f"{name}\0{value}")


def field_rows(page_id: int, put: Put) -> Iterator[Row]:
    """The front matter of a page, and the fields and tags of its entries and messages."""
    for name, value in put.page.fields.items():
        yield field_number(name), page_id, b""
        for text in _scalars(value):
            yield field_number(name, text), page_id, b""
    for key, unit in put.keyed_units().items():
        if unit.kind is UnitKind.BLOCK:
            continue
        yield field_number("type", unit.type), page_id, key
        for name, text in unit.fields.items():
            yield field_number(name), page_id, key
            yield field_number(name, text), page_id, key
            if name in ("importance", "confidence"):  # `high` is asked for by its number as well
                yield field_number(name, unit_interval(text)), page_id, key
        for tag in unit.tags:
            for part in with_parents(tag):
                yield field_number("#", part), page_id, key


def link_rows(page_id: int, put: Put) -> Iterator[Row]:
    """Its links as written; addresses elsewhere mean no page and are read from the file when
    asked."""
    internal = (link for link in put.page.links if not is_external(link.written, link.kind))
    for position, link in enumerate(internal):
        yield (
            page_id,
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


def target_rows(page_id: int, put: Put) -> Iterator[Row]:
    """What its links may mean, so that links to a page are found without resolving all."""
    path, links = put.page.path, put.page.links
    internal = [link for link in links if not is_external(link.written, link.kind)]
    for target in {t for link in internal for t in targets_of(link, path)}:
        yield target, page_id


def _scalars(value: FieldValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        return
    for item in value.values() if isinstance(value, dict) else value:
        yield from _scalars(item)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict) if value else ""


# The rows of a page by table, the place of each key column in a row, and how many columns there
# are.
TABLES: Mapping[str, Callable[[int, Put], Iterator[Row]]] = {
    "name": name_rows,
    "tag": tag_rows,
    "section": section_rows,
    "unit": unit_rows,
    "field": field_rows,
    "link": link_rows,
    "target": target_rows,
}
KEYS: Mapping[str, Mapping[str, int]] = {
    "name": {"number": 0, "kind": 1, "page": 2},
    "tag": {"folded": 2, "page": 0},
    "section": {"page": 0, "start": 1},
    "unit": {"page": 0, "key": 1},
    "field": {"number": 0, "page": 1, "unit": 2},
    "link": {"page": 0, "position": 1},
    "target": {"number": 0, "page": 1},
}
WIDTHS: Mapping[str, int] = {
    "page": 18,
    "name": 3,
    "tag": 5,
    "section": 6,
    "unit": 10,
    "field": 3,
    "link": 10,
    "target": 2,
}
