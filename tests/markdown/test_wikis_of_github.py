"""A folder with a `_Sidebar.md` is a wiki of GitHub: links have their page on the right, and blanks
are hyphens in names of files."""

import pytest


@pytest.fixture
def wiki(ws, put):
    put("wiki/_Sidebar.md", "* [[Home]]\n* [[Install | Installing on Linux]]\n")
    put("wiki/Home.md", "[[Getting Started]] [[Ask|FAQ#General]] [[logo.png|alt=A logo]]\n")
    put("wiki/Getting-Started.md", "See [[the questions|FAQ]] and [[Nothing|Not-There]].\n")
    put("wiki/Installing-on-Linux.md", "# Debian\n\nInstall it.\n")
    put("wiki/FAQ.md", "## General\n\nNone.\n\n## Rest\n\nNone.\n")
    put("wiki/logo.png", "x")
    return ws


def targets(ws, path):
    return [link.target for link in ws.graph.links(path, "out").links]


def test_the_right_side_of_a_link_is_its_page(wiki):
    assert targets(wiki, "wiki/_Sidebar.md") == ["wiki/Home.md", "wiki/Installing-on-Linux.md"]
    linked = {"wiki/Getting-Started.md", "wiki/FAQ.md", "wiki/logo.png"}
    assert set(targets(wiki, "wiki/Home.md")) == linked
    codes = {each.code for each in wiki.check.run().problems}
    assert not codes & {"link-broken", "link-by-title", "heading-missing", "embed-missing"}
    wanted = [each.message for each in wiki.check.run(only=["link-wanted"]).problems]
    assert wanted == ["Not-There: no such page yet, wanted by 1 link"]


def test_a_page_without_a_heading_is_called_by_its_file_with_blanks(wiki):
    assert wiki.pages.get("wiki/Getting-Started.md").title == "Getting Started"


def test_a_move_changes_the_right_side_alone(wiki, root):
    wiki.pages.move("wiki/FAQ.md", "wiki/Questions.md")
    home = (root / "wiki/Home.md").read_text()
    assert home == "[[Getting Started]] [[Ask|Questions#General]] [[logo.png|alt=A logo]]\n"
    wiki.undo()
    wiki.pages.move("wiki/Getting-Started.md", "wiki/First-Steps.md")
    assert (root / "wiki/Home.md").read_text().startswith("[[First-Steps]] [[Ask|FAQ#General]]")


def test_elsewhere_the_left_side_is_the_page(ws, put):
    put("a.md", "[[Install|b]]\n")
    put("b.md", "# B\n")
    assert targets(ws, "a.md") == [""]
