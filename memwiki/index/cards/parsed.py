"""What the parser found in a page, as far as the cards hold all of it: who has the same text before
them need not look for that again."""

from __future__ import annotations

from collections.abc import Iterable

from memwiki.index.cards.links import links_on
from memwiki.index.cards.locations import places_of, sections_of
from memwiki.index.cards.lookup import tags_on
from memwiki.index.sql import batched, marks
from memwiki.index.storage import Storage
from memwiki.index.storage_sqlite import decoding
from memwiki.index.units import ExistingUnits, page_number
from memwiki.markdown.stretches import MANY_ITEMS, HeldPage
from memwiki.nouns import UNPARSED, Link, Sections
from memwiki.records import NamedTuple


class ParsedPage(NamedTuple):
    """The page of these bytes; of its links those to pages and files, its headings without their
    trails."""

    digest: str
    title: str
    tags: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    sections: Sections = ()


def parsed_pages(db: Storage, paths: Iterable[str]) -> dict[str, ParsedPage]:
    """Those of these pages that are held so: without entries, which are kept as units."""
    found: dict[str, ParsedPage] = {}
    for part in batched(paths):
        rows = db.execute(
            "select id, path, digest, title from page where entries=0 and hidden=0"
            f" and problems not like '%\"{UNPARSED}\"%' and path in ({marks('?', part)})",
            part,
        ).fetchall()
        ids = [row[0] for row in rows]
        tags, links, sections = tags_on(db, ids), dict(links_on(db, ids)), sections_of(db, ids)
        for id_, path, digest, title in rows:
            found[path] = ParsedPage(
                digest,
                title,
                tuple(tags.get(id_, ())),
                tuple(link for _, link in links.get(id_, ())),
                tuple(sections.get(id_, ())),
            )
    return found


def held_page(db: Storage, path: str, digest: str) -> HeldPage | None:
    """The stretches of a page of these bytes, where it has many entries."""
    sql = "select id from page where path=? and digest=? and entries>=?"
    row = db.execute(sql, (path, digest, MANY_ITEMS)).fetchone()
    if row is None:
        return None
    with decoding("cards"):
        known = ExistingUnits(digest, page_number(path), places_of(db, row[0]))
        return HeldPage(None, [*known.one_line_runs()])
