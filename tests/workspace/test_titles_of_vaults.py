"""Titles in whole vaults: what pages are called in every answer, and what links mean by them."""

from __future__ import annotations

import pytest

from memwiki.catalog.listing import INDEX
from memwiki.errors import AmbiguousError, NoSuchPageError
from memwiki.nouns import LinkStatus


@pytest.fixture
def vault(root, put):
    """A vault of Obsidian in which sections come before any heading of level 1."""
    put(".obsidian/app.json", "{}")
    put("dos/FDISK.md", "Parts a disk. [[Water]] [[References]]\n\n# Windows\n\nSee there.\n")
    put("Windows.md", "An operating system.\n")
    put("Scarcity.md", "There is never enough.\n\n# Water\n\nDry land.\n")
    put("Titled.md", "---\ntitle: Said in front\n---\n[[Said in front]] [[Heads]]\n")
    put("Topic.md", "# Heads\n\nOf a [[Scarcity]].\n")
    for name in ("Rivers", "Lakes", "Seas"):
        put(f"{name}.md", "---\ntags: [wet]\n---\n## Notes\n\nx\n\n# References\n\n- a book\n")
    return root


def first(ws, query):
    return ws.search(query).hits[0].path


def statuses(ws, name):
    return {row.written: row.status for row in ws.graph.links(name, "out").links}


def test_pages_of_obsidian_are_called_by_their_files_in_every_answer(vault, ws):
    titles = {row.path: row.title for row in ws.pages.list().pages}
    assert titles["dos/FDISK.md"] == "FDISK"
    assert {titles[f"{name}.md"] for name in ("Rivers", "Lakes", "Seas")} == {
        *("Rivers", "Lakes", "Seas")
    }
    assert titles["Titled.md"] == "Said in front"
    assert {node.name for node in ws.graph.around("Scarcity").nodes} == {"Scarcity", "Topic"}
    assert ws.search("wet").hits[0].title in ("Rivers", "Lakes", "Seas")
    codes = {problem.code for problem in ws.check.run().problems}
    assert "duplicate-title" not in codes


def test_the_page_of_a_name_goes_before_those_with_a_section_of_it(vault, ws):
    assert first(ws, "Windows") == "Windows.md"
    assert first(ws, "FDISK") == "dos/FDISK.md"
    assert first(ws, "Said in front") == "Titled.md"
    assert first(ws, "Heads") == first(ws, "Topic") == "Topic.md"


def test_links_go_by_files_and_aliases_as_in_obsidian(vault, ws, put):
    assert statuses(ws, "FDISK") == dict.fromkeys(("Water", "References"), LinkStatus.WANTED)
    wanted = dict.fromkeys(("Said in front", "Heads"), LinkStatus.WANTED)
    assert statuses(ws, "Titled") == wanted
    put("Topic.md", "---\naliases: [Heads]\n---\n# Heads\n")
    assert statuses(ws, "Titled")["Heads"] == LinkStatus.RESOLVED


def test_people_find_pages_by_what_they_read_at_the_top(vault, ws, put):
    assert ws.pages.get("Heads").path == "Topic.md"
    assert ws.pages.get("said in front").path == "Titled.md"
    with pytest.raises(NoSuchPageError):
        ws.pages.get("Water")
    put("Other.md", "# Heads\n")
    with pytest.raises(AmbiguousError) as error:
        ws.pages.get("Heads")
    assert error.value.candidates == ("Other.md", "Topic.md")


def test_in_plain_folders_the_heading_at_the_top_is_a_name_of_links(put, ws):
    put("t.md", "# Heads\n")
    put("a.md", "[[Heads]] [[Later]]\n\n# Later\n")
    put("green-tea/README.md", "text\n")
    resolved, wanted = LinkStatus.RESOLVED, LinkStatus.WANTED
    assert statuses(ws, "a.md") == {"Heads": resolved, "Later": wanted}
    assert ws.pages.get("green-tea").title == "Green tea"


def test_a_folder_page_takes_no_link_from_a_page_of_its_folders_name(put, ws):
    put("drinks/README.md", "text\n")
    put("tea.md", "---\ntitle: Drinks\n---\n[[Drinks]]\n")
    (link,) = ws.graph.links("tea.md", "out").links
    assert (link.target, link.status) == ("tea.md", LinkStatus.RESOLVED)


def test_catalogs_name_pages_by_their_titles(vault, ws, put):
    put("memwiki.toml", "[catalog]\nenabled = true\n")
    ws.sync()
    index = (vault / INDEX).read_text()
    assert "[Scarcity](Scarcity.md)" in index
    assert "[Water]" not in index
    assert "[References]" not in index


def test_of_pages_with_one_name_the_one_that_is_linked_most_comes_first(put, ws):
    put("a.b.md", "---\ntitle: Commands\n---\nCommands, commands.\n")
    put("a.c.md", "---\ntitle: Commands\n---\nx\n")
    for number in range(3):
        put(f"x{number}.md", "See [[a.c]].\n")
    assert first(ws, "commands") == "a.c.md"
