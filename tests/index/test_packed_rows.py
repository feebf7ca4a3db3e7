"""Links and headings lie packed in the rows of a page, and each is found by its place."""

from __future__ import annotations

import pytest

from memwiki.errors import IndexDamagedError
from memwiki.index.cards.links import all_links, links_on, with_links
from memwiki.index.cards.locations import Trails
from memwiki.index.cards.lookup import Lookup
from memwiki.index.meanings.lookup import Meanings, Which
from memwiki.index.meanings.store import MeaningStore
from memwiki.nouns import Layers, Link, LinkKind, Section

MANY = 250  # links, in several rows
LINKS = [Link(f"页{n}", "", n + 1, LinkKind.WIKILINK, "h" if n % 2 else "") for n in range(MANY)]
PAGES = {
    "a.md": "".join(f"[[页{n}{'#h' if n % 2 else ''}]]\n" for n in range(MANY)),
    "b.md": "none\n",
    "c.md": "- needs [[a]] (0.5)\n",
}


@pytest.fixture
def full(cards, puts):
    cards.apply(puts(PAGES), [])
    return cards


def page_id(cards, path: str) -> int:
    return Lookup(cards.db).card(path).id


def test_every_link_of_a_long_page_is_found_by_its_position(full):
    page = page_id(full, "a.md")
    assert [*links_on(full.db, [page])] == [(page, [*enumerate(LINKS)])]
    backwards = [(page, position, "kept") for position in reversed(range(MANY))]
    found = [*with_links(full.db, backwards)]
    assert [row for row, _ in found] == backwards
    assert [link for _, link in found][::-1] == LINKS
    assert [path for path, _ in Lookup(full.db).all_links()] == ["a.md"] * MANY + ["c.md"]
    assert {row: len([*links]) for row, links in all_links(full.db)}[page] == MANY
    assert Lookup(full.db).counts().links == MANY + 1


def test_a_link_that_is_not_there_is_damage(full):
    page = page_id(full, "a.md")
    for position in (MANY, 4 * MANY):
        with pytest.raises(IndexDamagedError):
            list(with_links(full.db, [(page, 0), (page, position)]))
    full.db.execute("update link set links=x'00' where part=1")
    with pytest.raises(IndexDamagedError):
        list(links_on(full.db, [page]))


def test_links_that_lost_their_meaning_are_damage(full):
    MeaningStore(full, Layers()).update()
    meanings = Meanings(full.db, full.db.main)
    assert len([*meanings.every()]) == MANY + 1
    anchored = [each.link for each in meanings.every(Which.ANCHORED)]
    assert anchored == [link for link in LINKS if link.heading]
    full.db.execute("delete from meaning where position=200")
    with pytest.raises(IndexDamagedError):
        meanings.every()


def test_headings_above_a_line_are_those_whose_text_it_is_in():
    spans = [("A", 1, 20), ("B", 3, 9), ("C", 5, 6), ("D", 8, 9), ("E", 12, 20), ("F", 25, 30)]
    sections = [Section(title, 1, (), start, stop) for title, start, stop in spans]
    trails = Trails(sections)
    for line in range(32):
        above = [title for title, start, stop in spans if start <= line <= stop]
        assert trails.at(line) == " > ".join(above)
    assert Trails([]).at(1) == ""
