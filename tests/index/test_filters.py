"""Filters: which pages and units a condition picks, whatever text is given as its value."""

from __future__ import annotations

import pytest

from memwiki.index.cards.filters import Filters
from memwiki.index.cards.tables import row_number

PAGES = {
    "wiki/heron.md": "---\ntype: Concept\ntags: [bird/wader]\nstatus: draft\nupdated: 2026-01-02\n"
    "---\n# Grey Heron\n\nStands.\n\n## Food\n\nFish.\n",
    "memory.md": "# Memory\n\n- [fact] Herons eat. #bird [time:: 2025-03-04] ^m-aaaaaa\n- Plain.\n",
    "raw/book.md": "Text without anything.\n",
}


@pytest.fixture
def filters(cards, puts):
    cards.apply(puts(PAGES), [])
    return Filters(cards.db)


def pages(*paths):
    return {row_number(path) for path in paths}


def test_pages_are_picked_by_folder_path_title_type_tag_and_field(filters):
    assert filters.in_folder("raw") == pages("raw/book.md")
    assert filters.at(lambda path: path.endswith("heron.md")) == pages("wiki/heron.md")
    assert filters.titled("grey") == pages("wiki/heron.md")
    assert filters.of_type("CONCEPT") == pages("wiki/heron.md")
    assert filters.tagged("#bird") == pages("wiki/heron.md")
    assert filters.having("status", "draft") == pages("wiki/heron.md")


def test_units_are_picked_by_tag_field_kind_and_heading(filters, cards):
    units = {key for (key,) in cards.db.execute("select key from unit")}
    assert filters.entries() == units
    assert len(filters.units_having("#", "bird")) == 1
    assert filters.units_having("type", "fact") == units
    assert len(filters.below_headings("food")) == 1
    assert filters.has_field("status", lambda _: True)
    assert not filters.has_field("colour", lambda _: True)


def test_a_title_and_a_heading_are_found_in_either_script_and_without_accents(cards, puts):
    cards.apply(puts({"a.md": "# 備份與恢復\n\n## Café 設定\n\nText.\n"}), [])
    filters = Filters(cards.db)
    assert filters.titled("备份") == filters.titled("備份") == pages("a.md")
    assert filters.below_headings("cafe 设定") == filters.below_headings("Café 設定") != set()


def test_dates_are_those_that_are_said(filters):
    said = {number: day for number, day, _ in filters.dates()}
    assert said[row_number("wiki/heron.md")] == "2026-01-02"
    assert said[row_number("raw/book.md")] == ""
    assert [day for _, day in filters.unit_dates()] == ["2025-03-04"]


@pytest.mark.parametrize("text", ["'", "x' or 1=1 --", '"; drop table page', "%", "\0"])
def test_a_value_is_never_a_part_of_the_question(filters, text):
    assert not filters.titled(text)
    assert not filters.of_type(text)
    assert not filters.tagged(text)
    assert not filters.having("status", text)
    assert not filters.units_having("type", text)
    assert not filters.below_headings(text)
    assert filters.in_folder("wiki") == pages("wiki/heron.md")


def test_entries_are_picked_by_their_headings_joined(cards, puts):
    text = "# Memory\n\n## Facts\n\n- One.\n\nText.\n\n## Skills\n\n- Two.\n"
    (given,) = puts({"memory.md": text})
    cards.apply([given], [])
    lines = {key: unit.line_start for key, unit in given.keyed.read.items()}
    filters = Filters(cards.db)
    assert [lines[key] for key in filters.below_headings("memory > facts")] == [5]
    assert {lines[key] for key in filters.below_headings("facts")} == {5, 7}
    assert not filters.below_headings("facts > memory")
