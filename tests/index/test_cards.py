"""The cards: rows that say what stands in a page, and nothing about any other page."""

from __future__ import annotations

import pytest

from memwiki.errors import IndexDamagedError
from memwiki.index import names
from memwiki.index.cards import store
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.tables import OF_PAGE
from memwiki.index.cards.tables import PAGE as PAGE_TABLE
from memwiki.index.names import NameKind, targets_of
from memwiki.index.projection import EMPTY_TREE
from memwiki.index.stores import Stores, differences, dump
from memwiki.index.units import ExistingUnits, UnitKey
from memwiki.nouns import Link, LinkKind
from tests.third import tree_digest

PAGE = """---
title: Heron
aliases: [Grey Heron]
id: h-1
tags: [bird/wader, Bird]
status: draft
---
# Heron

Lives near water. #nature [[Pond]]

## Food

Fish.
"""
MEMORY = "# Memory\n\n- [fact] Herons eat fish. #food [source:: book] ^m-aaaaaa\n- Plain.\n"


def rows(cards, table: str) -> list[tuple[object, ...]]:
    return cards.db.execute(f"select * from {table}").fetchall()


def test_cards_are_a_projection_like_the_postings(cards, puts):
    assert cards.tree() == EMPTY_TREE
    given = puts({"heron.md": PAGE, "memory.md": MEMORY})
    cards.apply(given, [])
    assert cards.digests() == {put.page.path: put.page.digest for put in given}
    assert cards.tree() == tree_digest(cards.digests())
    cards.apply(puts({"memory.md": "- New.\n"}), ["heron.md", "nowhere.md"])
    assert set(cards.digests()) == {"memory.md"}
    assert cards.tree() == tree_digest(cards.digests())


def test_a_page_that_goes_leaves_no_row_behind(cards, puts):
    cards.apply(puts({"heron.md": PAGE, "memory.md": MEMORY}), [])
    cards.apply([], ["heron.md", "memory.md"])
    for table in (PAGE_TABLE, *OF_PAGE):
        assert rows(cards, table.name) == [], table


def test_a_page_put_again_has_its_rows_once(cards, puts):
    for _ in range(3):
        cards.apply(puts({"heron.md": PAGE, "memory.md": MEMORY}), [])
    lookup = Lookup(cards.db)
    assert lookup.counts().pages == 2
    assert lookup.counts().units == cards.unit_count()
    assert lookup.counts().sections == 3
    assert len(rows(cards, "heading")) == 3


@pytest.mark.parametrize("table", ["heading", "field", "target"])
def test_a_page_that_is_written_anew_keeps_no_number_of_before(cards, puts, table):
    cards.apply(puts({"heron.md": PAGE}), [])
    before = set(rows(cards, table))
    cards.apply(puts({"heron.md": "---\nkept: 1\n---\n# Ibis\n\n[[Lake]]\n"}), [])
    after = set(rows(cards, table))
    assert after
    assert after.isdisjoint(before)
    cards.apply(puts({"heron.md": PAGE}), [])
    assert set(rows(cards, table)) == before


def test_a_card_tells_what_the_page_says(cards, puts):
    cards.apply(puts({"heron.md": PAGE}), [])
    lookup = Lookup(cards.db)
    card = lookup.card("heron.md")
    assert (card.path, card.title) == ("heron.md", "Heron")
    assert lookup.by_number([card.number]) == {card.number: card}
    assert lookup.tags_of(card) == ("bird/wader", "Bird", "nature")
    assert lookup.tags_of_all([card]) == {card.id: lookup.tags_of(card)}
    around = lookup.sections_around([(card.id, 13, 13), (card.id, 8, 8), (card.id + 1, 8, 8)])
    titles = [[section.title for section in sections] for sections in around]
    assert titles == [["Heron", "Food"], ["Heron"], []]
    assert lookup.headed("food", 5) == [card.number]
    assert [link.written for link in lookup.links_of("heron.md")] == ["Pond"]
    for kind, name in (
        (NameKind.PATH, "heron"),
        (NameKind.STEM, "HERON"),
        (NameKind.ALIAS, "grey heron"),
        (NameKind.ALIAS, "h-1"),
        (NameKind.TITLE, "heron"),
    ):
        assert lookup.pages(kind, name) == ["heron.md"]
    assert lookup.slugs("grey-heron") == ["heron.md"]
    assert lookup.card("nowhere.md") is None


def test_tags_are_found_with_what_is_nested_below_them(cards, puts):
    cards.apply(
        puts({"a.md": "#project/alpha\n", "b.md": "#projector\n", "c.md": "#project\n"}), []
    )
    lookup = Lookup(cards.db)
    number = {path: lookup.card(path).number for path in ("a.md", "b.md", "c.md")}
    assert lookup.tagged_below("project") == {number["a.md"], number["c.md"]}
    assert lookup.tagged_below("#PROJECT/alpha") == {number["a.md"]}
    assert lookup.tagged("project", 5) == [number["c.md"]]


def test_units_know_their_place_and_entries_their_fields(cards, puts):
    (given,) = puts({"memory.md": MEMORY})
    cards.apply([given], [])
    lookup = Lookup(cards.db)
    locations = lookup.locations(map(UnitKey, given.keyed.read))
    assert {(p.kind, p.line_start, p.id) for p in locations.values()} >= {
        ("entry", 3, "m-aaaaaa"),
        ("entry", 4, ""),
    }
    assert lookup.locations([UnitKey(b"\0" * 18)]) == {}
    assert lookup.counts().entries == 2


def test_problems_are_told_with_their_lines(cards, puts):
    cards.apply(puts({"a.md": "---\ntitle: a: b\n---\ntext\n"}), [])
    problems = Lookup(cards.db).problems_of("a.md")
    assert problems
    assert all(problem.path == "a.md" and problem.line > 0 for problem in problems)
    assert Lookup(cards.db).problems_of("nowhere.md") == []
    assert Lookup(cards.db).problem_count() == 1


def test_problems_are_counted_without_a_look_at_the_pages_that_have_none(cards):
    asked: list[str] = []
    cards.db.set_trace_callback(asked.append)
    Lookup(cards.db).problem_count()
    cards.db.set_trace_callback(None)
    plans = [row[-1] for sql in asked for row in cards.db.execute(f"explain query plan {sql}")]
    assert ["page_problems" in plan for plan in plans] == [True]


def test_a_catalog_is_in_step_and_never_found(cards, puts):
    catalog = "<!-- memwiki:catalog:begin -->\n- [Heron](heron.md)\n<!-- memwiki:catalog:end -->\n"
    cards.apply(puts({"index.md": catalog, "heron.md": PAGE}), [])
    assert cards.is_hidden("index.md")
    assert not cards.is_hidden("heron.md")
    assert "index.md" in cards.digests()
    lookup = Lookup(cards.db)
    assert [card.path for card in lookup.cards()] == ["heron.md"]
    assert lookup.counts().pages == 1


def test_attachments_are_names_only(cards):
    cards.attach(["img/a.png", "b.pdf"])
    assert Lookup(cards.db).attachments("a.png") == ["img/a.png"]
    cards.attach(["b.pdf"])
    assert Lookup(cards.db).attachments("a.png") == []
    before = cards.db.total_changes
    cards.attach(["b.pdf"])
    assert cards.db.total_changes == before


def test_a_remark_is_kept_until_it_changes(cards):
    assert cards.state("agreed") == ""
    cards.note("agreed", "x")
    before = cards.db.total_changes
    cards.note("agreed", "x")
    assert cards.db.total_changes == before
    assert cards.state("agreed") == "x"


def test_what_fails_half_way_leaves_the_cards_as_they_were(cards, puts, monkeypatch):
    cards.apply(puts({"heron.md": PAGE}), [])
    before = cards.digests(), cards.tree(), rows(cards, "name")

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(store.Cards, "note", fail)
    with pytest.raises(RuntimeError):
        cards.apply(puts({"heron.md": "# Other\n", "b.md": "b\n"}), [])
    assert (cards.digests(), cards.tree(), rows(cards, "name")) == before


def test_a_dump_tells_rows_apart_by_store_and_page(puts):
    one, other = Stores(None), Stores(None)
    for stores in (one, other):
        for projection in stores.projections():
            projection.apply(puts({"heron.md": PAGE, "memory.md": MEMORY}), [])
    assert differences(dump(one), dump(other)) == ()
    changed = puts({"heron.md": PAGE.replace("Fish", "Frogs")})
    for projection in other.projections():
        projection.apply(changed, ["memory.md"])
    found = differences(dump(one), dump(other))
    assert {row.store for row in found} >= {"page", "keyword", "keyword list", "unit"}
    kinds = {row.what for row in found}
    assert kinds >= {"only in the live index", "differs from the rebuild"}
    assert "missing in the live index" in {row.what for row in differences(dump(other), dump(one))}
    one.close()
    other.close()


def test_few_and_many_units_of_a_long_list_are_found_at_the_same_lines(cards, puts):
    items = [f"- Item {i} of a list" for i in range(300)]
    (given,) = puts({"memory.md": "\n".join(["# Memory", "", "## Facts", *items])})
    cards.apply([given], [])
    lookup = Lookup(cards.db)
    keys = lookup.unit_keys(lookup.card("memory.md").number)
    assert set(keys) == given.keyed.read.keys()
    everywhere = lookup.locations(keys)
    assert [everywhere[key].line_start for key in keys] == list(range(4, 304))
    assert {place.section for place in everywhere.values()} == {"Memory > Facts"}
    assert lookup.locations(keys[::100]) == {key: everywhere[key] for key in keys[::100]}
    card = lookup.card("memory.md")
    assert lookup.first_lines([card]) == {card.id: 4}
    assert cards.unit_count() == 300
    assert cards.db.execute("select count(*) from place").fetchone()[0] > 3


def test_a_page_of_which_less_was_made_than_is_lacking_is_refused(cards, puts):
    cards.apply(puts({"memory.md": MEMORY}), [])
    held = cards.existing_units("memory.md")
    (given,) = puts({"memory.md": MEMORY + "- More.\n"})
    given.existing = ExistingUnits("another", rows=held.rows)
    with pytest.raises(IndexDamagedError):
        cards.apply([given], [])
    given.existing = held
    cards.apply([given], [])
    cards.apply([given], [])
    assert cards.unit_count() == 3


def test_pages_of_all_folders_look_for_what_they_link_to_under_numbers_found_once():
    link = Link("guide/setup.md", "", 1, LinkKind.MARKDOWN)
    names._targets.cache_clear()
    assert len({targets_of(link, f"{folder}/a.md") for folder in "abc"}) == 1
    assert names._targets.cache_info().misses == 1
    above = Link("..", "", 1, LinkKind.MARKDOWN)
    assert len({targets_of(above, f"{folder}/b/a.md") for folder in "abc"}) == 3
