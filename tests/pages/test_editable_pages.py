"""Where pages and files may go: through links among the folders, and never where nothing is
found."""

from __future__ import annotations

import pytest

from memwiki.errors import MemwikiError, NotFoundError, UnsafePathError, UsageError


@pytest.fixture
def linked(root, put, ws):
    """A folder with a link to it beside it."""
    put("real/fox.md", "# Fox\n")
    put("den.md", "# Den\n\n[fox](real/fox.md) [[fox]]\n")
    (root / "lnk").symlink_to("real")
    return ws


def test_a_page_moved_through_a_linked_folder_keeps_every_link(linked, root):
    answer = linked.pages.move("den", "lnk/")
    assert "real/den.md" in answer.paths
    assert (root / "real/den.md").read_text() == "# Den\n\n[fox](fox.md) [[fox]]\n"
    assert linked.graph.unresolved().links == ()
    assert [row.target for row in linked.graph.links("den", direction="out").links] == [
        "real/fox.md"
    ] * 2


def test_links_to_a_page_that_goes_through_a_linked_folder_lead_to_it(linked, root, put):
    put("wolf.md", "[den](den.md)\n")
    linked.pages.move("den", "lnk/lair.md")
    assert (root / "wolf.md").read_text() == "[den](real/lair.md)\n"
    assert linked.graph.unresolved().links == ()


def test_a_new_page_through_a_linked_folder_is_where_the_index_finds_it(linked, root):
    assert linked.pages.new("lnk/hare.md").paths == ("real/hare.md",)
    assert linked.pages.get("real/hare.md").title == "Hare"
    assert linked.sync(["lnk/hare.md"]).fresh
    with pytest.raises(MemwikiError, match=r"real/fox\.md: already exists"):
        linked.pages.new("lnk/fox.md")


def test_a_folder_moved_through_a_link_keeps_every_link(linked, root, put):
    put("old/a.md", "[b](b.md)\n")
    put("old/b.md", "text\n")
    put("top.md", "[a](old/a.md)\n")
    linked.pages.move("old/", "lnk/new/")
    assert (root / "top.md").read_text() == "[a](real/new/a.md)\n"
    assert linked.graph.unresolved().links == ()


def test_the_page_of_today_is_made_behind_a_linked_folder(root, put, opened):
    put("memwiki.toml", '[layers]\ndaily = "daily"\n')
    (root / "journal").mkdir()
    (root / "daily").symlink_to("journal")
    space = opened()
    (path,) = space.pages.today("Met Anna.").paths
    assert path.startswith("journal/")
    assert space.pages.get(path).text.endswith("- Met Anna.\n")


def test_a_link_out_of_the_workspace_is_no_way_for_a_page(root, put, ws, tmp_path):
    put("a.md", "text\n")
    (tmp_path / "elsewhere").mkdir()
    (root / "out").symlink_to(tmp_path / "elsewhere")
    for ask in (lambda: ws.pages.new("out/b.md"), lambda: ws.pages.move("a", "out/")):
        with pytest.raises(UnsafePathError, match="through a symlink"):
            ask()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_destination_of_dots_is_a_folder_and_no_name(ws, put, root):
    put("wiki/tea.md", "# Tea\n")
    with pytest.raises(UnsafePathError):
        ws.pages.move("tea", "..")
    assert ws.pages.move("tea", "wiki/..").paths[0] == "tea.md"
    for nameless in ("...", "wiki/.md"):
        with pytest.raises(UnsafePathError, match="no name"):
            ws.pages.move("tea", nameless)


def test_numbers_that_count_nothing_are_refused_by_every_verb(ws, put):
    put("a.md", "text [[b]]\n")
    put("b.md", "text\n")
    for number in [0, -1, True, 1.5, "3", float("nan"), -(10**5000)]:
        for ask in (
            lambda: ws.search("text", limit=number),
            lambda: ws.pages.list(limit=number),
            lambda: ws.pages.history("a", limit=number),
            lambda: ws.undo(number),
        ):
            with pytest.raises(UsageError):
                ask()
        if number != 0 and number is not True:
            with pytest.raises(UsageError, match="depth"):
                ws.graph.around("a", depth=number)


@pytest.mark.parametrize("number", [10**9, 10**30, 10**5000], ids=range(3))
def test_a_huge_number_means_all(ws, put, number):
    put("a.md", "text [[b]]\n")
    put("b.md", "text\n")
    assert len(ws.search("text", limit=number).hits) == 2
    assert len(ws.pages.list(limit=number).pages) == 2
    with pytest.raises(NotFoundError, match="nothing to undo"):
        ws.undo(number)


def test_a_weight_is_a_number_from_0_to_1(ws, put):
    put("a.md", "text\n")
    put("b.md", "text\n")
    for weight in [-0.1, 1.1, float("nan"), float("inf"), 10**400, True]:
        with pytest.raises(UsageError, match=r"weight: .* is not a number from 0 to 1"):
            ws.pages.link("a", "b", relation="needs", weight=weight)


def test_a_name_that_no_page_can_have_is_not_found(ws, put):
    put("a.md", "text\n")
    for name in ["\ud800", "a\0b", "x" * 5000, "ab/" * 1700 + "x.md", "~nobody/x.md"]:
        for ask in (
            ws.pages.get,
            ws.graph.links,
            ws.pages.delete,
            lambda n: ws.pages.append(n, "x"),
        ):
            with pytest.raises(NotFoundError):
                ask(name)


@pytest.mark.parametrize("text", ["\ud800", "tag:\udcff"])
def test_half_a_character_is_refused_before_anything_is_asked(ws, put, text):
    put("a.md", "text\n")
    for ask in (
        ws.search,
        ws.graph.tags,
        lambda t: ws.pages.list(tag=t),
        lambda t: ws.pages.tag_rename(t, "x"),
        lambda t: ws.settings.set("layers.daily", t),
        lambda t: ws.graph.around("a", relation=t),
    ):
        with pytest.raises(UsageError, match="not valid Unicode"):
            ask(text)
