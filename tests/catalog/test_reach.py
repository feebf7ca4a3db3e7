"""How few files are read on the way from index.md to a page."""

from __future__ import annotations

import pytest
from reader import assert_bounded, catalog_files, ways

from memwiki.catalog import listing
from memwiki.catalog.listing import Size


def reads(root) -> dict[str, int]:
    """How many reads each page of a workspace is away."""
    files = catalog_files(root)
    return {path: way.reads for path, way in ways(files).items() if path not in files}


@pytest.fixture
def small(monkeypatch):
    """Budgets so small that a few pages are many."""
    monkeypatch.setattr(listing, "LIMIT", Size(20, 4_600, 1_150))
    monkeypatch.setattr(listing, "ROUTER_LIMIT", Size(15, 3_200, 800))


def fill(put, folder: str, count: int) -> None:
    for number in range(count):
        put(f"{folder}/{number}.md", f"# {chr(97 + number % 26)}{number}\n")


@pytest.mark.usefixtures("small")
def test_the_root_leads_to_lists_in_folders_deep_below(root, put, catalogued):
    fill(put, "wiki/animals/birds/herons", 60)
    fill(put, "wiki/animals/fish", 15)
    fill(put, "wiki/plants", 30)
    catalogued()
    assert set(reads(root).values()) == {3}
    text = (root / "index.md").read_text()
    assert "\n    - [birds](wiki/animals/birds/index.md) — 60 pages in 1 folder\n" in text
    assert "\n        - [a0 … f57](wiki/animals/birds/herons/index.a-f.md) — " in text


@pytest.mark.usefixtures("small")
def test_where_the_root_has_not_room_for_all_the_lists_with_most_pages_come_first(
    root, put, catalogued
):
    fill(put, "dense", 100)
    for number in range(40):
        fill(put, f"sparse/{number}", 6)
    catalogued()
    found = reads(root)
    assert {count for path, count in found.items() if path.startswith("dense/")} == {3}
    assert {count for path, count in found.items() if path.startswith("sparse/")} == {4}
    assert len(found) == 340
    assert all(text.count("- [") <= 20 for text in catalog_files(root).values())


@pytest.mark.usefixtures("small")
def test_pages_beside_the_root_make_room_for_what_lies_deeper(root, put, catalogued):
    for number in range(12):
        put(f"{number}.md", f"# {number}\n")
    fill(put, "wiki", 150)
    catalogued()
    assert "- [0 … 9](index.0-z.md) — 12 pages\n" in (root / "index.md").read_text()
    assert set(reads(root).values()) == {3}


def test_small_folders_are_listed_with_the_folder_that_they_are_in(root, put, catalogued):
    fill(put, "wiki", 120)
    for name in ("ants", "bees", "wasps"):
        fill(put, f"wiki/{name}/deep", 30)
    catalogued()
    assert set(reads(root).values()) == {3}
    assert not list(root.glob("wiki/*/**/index.md"))
    shard = (root / "wiki/index.a-m.md").read_text()
    assert "# wiki: a0 … m90\n125 pages. Up:" in shard
    assert "\n## ants/deep\n\n- [a0](ants/deep/0.md)\n" in shard
    assert_bounded(root)


def test_a_list_of_chinese_titles_is_called_by_the_first_and_the_last_by_code_point(
    root, put, catalogued
):
    for number in range(300):
        put(f"{number}.md", f"# 《{chr(0x4E00 + number * 60)}》第{number}篇\n")
    put("z.md", "# 〈龠〉之后\n")
    catalogued()
    lines = [line for line in (root / "index.md").read_text().split("\n") if "](index." in line]
    firsts = [line[3 : line.index(" … ")] for line in lines]
    assert firsts[0] == "《一》第0篇"
    assert firsts == sorted(firsts)
    assert any("〈龠〉之后](index." in line for line in lines)


def test_a_list_of_japanese_titles_is_called_by_the_first_and_the_last(root, put, catalogued):
    for number in range(240):
        put(f"{number}.md", f"# {chr(0x3042 + number % 80)}{chr(0x30A2 + number % 70)}{number}\n")
    catalogued()
    text = (root / "index.md").read_text()
    assert "- [あア0 … " in text
    assert set(reads(root).values()) == {3}


def test_what_a_page_more_changes_is_its_list_and_the_files_above(root, put, catalogued):
    for section in ("north", "south"):
        fill(put, f"wiki/{section}", 210)
    ws = catalogued()
    put("wiki/north/new.md", "# New\n")
    assert ws.sync().catalogs == (
        "wiki/north/index.n-z.md",
        "wiki/north/index.md",
        "wiki/index.md",
        "index.md",
    )
    assert ws.sync().catalogs == ()
    assert ws.catalog.check().stale == ()
