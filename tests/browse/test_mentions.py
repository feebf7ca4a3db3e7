"""Names without a page, and pages that are named without a link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.browse.neighbours import _pattern
from memwiki.errors import NoSuchPageError, UsageError

# --- who wants it ---


def test_a_name_without_a_page_lists_the_links_that_want_it(ws, put):
    put("a.md", "# A\n\n[[Green tea]]\n\n[[green TEA|it]]\n")
    put("sub/b.md", "# B\n\n[x](gone.md) and [[Green tea#Brewing]] and [[Other]]\n")
    found = ws.graph.links("Green tea")
    assert [(row.source, row.line) for row in found] == [("a.md", 3), ("a.md", 5), ("sub/b.md", 3)]
    assert {row.target for row in found} == {""}
    assert found.notes == ("Green tea: no page has this name yet; 3 links on 2 pages want it",)
    assert ws.graph.links("green tea", "in").links == found.links


@pytest.mark.parametrize("name", ["sub/gone.md", "sub/gone", "/sub/gone.md", "gone", "gone.md"])
def test_a_file_that_is_gone_lists_the_links_to_it(ws, put, name):
    put("sub/b.md", "# B\n\n[x](gone.md)\n")
    put("c.md", "# C\n\n[x](other/gone.md)\n")
    assert [row.source for row in ws.graph.links(name)] == ["sub/b.md"]


@pytest.mark.parametrize(("name", "direction"), [("Nobody", "both"), ("Green tea", "out")])
def test_what_nobody_wants_or_cannot_link_is_no_page(ws, put, name, direction):
    put("a.md", "# A\n\n[[Green tea]]\n")
    with pytest.raises(NoSuchPageError):
        ws.graph.links(name, direction)


# --- who shows it ---


@pytest.mark.parametrize("name", ["assets/cup.png", "cup.png"])
def test_another_file_lists_the_links_to_it(ws, put, name):
    put("assets/cup.png", "")
    put("a.md", "# A\n\n![[cup.png|300]] and [a cup](assets/cup.png)\n")
    put("b.md", "# B\n\n![](assets/saucer.png)\n")
    found = ws.graph.links(name)
    assert [(row.source, row.line, row.target) for row in found] == [
        ("a.md", 3, "assets/cup.png")
    ] * 2
    assert ws.graph.links(name, "in") == found
    assert ws.graph.links(name, "out").links == ()


def test_a_file_that_nothing_shows_has_no_links(ws, put):
    put("assets/cup.png", "")
    put("a.md", "# A\n")
    assert ws.graph.links("cup.png").links == ()


def test_in_a_namespace_only_its_own_links_want(ws, put):
    ws.settings.set("layers.namespaces", "namespaces")
    put("a.md", "# A\n\n[[Green tea]]\n")
    put("namespaces/work/b.md", "# B\n\n[[Green tea]]\n")
    assert [row.source for row in ws.graph.links("Green tea")] == ["a.md"]


# --- where it is named ---

TEA = "---\naliases: [Sencha, 绿茶, C++, चाय, ชาเขียว]\n---\n# Green tea\n\nGreen tea itself.\n"


@pytest.fixture
def named(ws, put):
    """What is found on a page with this text."""
    put("tea.md", TEA)

    def ask(text: str) -> list[tuple[int, int, str]]:
        put("b.md", text)
        return [(m.line, m.column, m.text) for m in ws.graph.unlinked("Green tea")]

    return ask


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# B\n\nI like green TEA.", [(3, 8, "green TEA")]),
        ("Tea of tea, green\ntea twice", [(1, 1, "Tea"), (1, 8, "tea"), (1, 13, "green tea")]),
        ("> green\n> tea", [(1, 3, "green > tea")]),
        ("我喝绿茶。\n\n他也喝绿茶了", [(1, 3, "绿茶"), (3, 4, "绿茶")]),
        ("喝Sencha吧", [(1, 2, "Sencha")]),
        ("गरम चाय, चायवाला, चाया", [(1, 5, "चाय")]),
        ("ผมดื่มชาเขียวทุกวัน ใช้Senchaนะ", [(1, 7, "ชาเขียว"), (1, 24, "Sencha")]),
        ("C++ and C+ and XC++", [(1, 1, "C++")]),
        ("e\u0301 Sencha", [(1, 3, "Sencha")]),
        ("x\r\nSencha\r\n", [(2, 1, "Sencha")]),
    ],
)
def test_a_name_in_the_text_is_a_mention(named, text, found):
    assert named(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "[[Green tea]] [[tea]] [[x|green tea]] ![[Sencha]]",
        "[green tea](x.md) [![Sencha](a.png)](x.md) <https://x.org/sencha>",
        "`Sencha`\n\n```\ngreen tea\n```\n\n<!-- Sencha -->\n\n$Sencha$",
        "---\ntopic: Sencha\n---\nx",
        "#sencha https://x.org/tea/green <a title='Sencha'>x</a>",
        "steam teapot xSencha Senchas green_tea green `x` team",
        "[ref]: sencha.md 'Sencha'\n\n[ref]",
        "绿 茶",
    ],
)
def test_code_links_tags_addresses_and_parts_of_words_are_no_mentions(named, text):
    assert named(text) == []


def test_the_page_itself_and_one_letter_are_no_mentions(ws, put):
    put("tea.md", "---\naliases: [T]\n---\n# Tea\n\nTea, T.\n")
    put("b.md", "T is a letter.\n")
    assert ws.graph.unlinked("Tea").names == ("Tea",)
    assert ws.graph.unlinked("Tea").mentions == ()


def test_no_more_are_looked_for_than_are_asked_for(ws, put):
    put("tea.md", TEA)
    for name in "abc":
        put(f"{name}.md", "Sencha, Sencha\n")
    found = ws.graph.unlinked("tea", limit=3)
    assert [m.path for m in found] == ["a.md", "a.md", "b.md"]
    assert found.has_more
    assert not ws.graph.unlinked("tea", limit=6).has_more
    with pytest.raises(UsageError):
        ws.graph.unlinked("tea", limit=0)


def test_a_page_that_went_since_the_sync_keeps_no_other_from_being_told(ws, put):
    put("tea.md", TEA)
    put("b.md", "Green tea")
    put("c.md", "Green tea")
    ws.sync()
    ws.live.is_synced = False
    (ws.root / "b.md").unlink()
    assert [each.path for each in ws.graph.unlinked("tea.md")] == ["c.md"]


def test_an_excerpt_is_what_stands_beside_the_mention(ws, put):
    put("tea.md", TEA)
    put("b.md", "word " * 100_000 + "Sencha " + "word " * 100)
    (mention,) = ws.graph.unlinked("tea")
    assert "word Sencha word" in mention.excerpt
    assert mention.excerpt.startswith("…word word")
    before, after = mention.excerpt.split("Sencha")
    assert len(before) == len(after) == 101
    assert len(mention.excerpt) < 220


@given(st.text(min_size=2, max_size=12), st.text(max_size=30))
def test_any_name_is_found_between_blanks_or_not_at_all(name, text):
    said = " ".join(name.split())
    if len(said) < 2:
        return
    pattern = _pattern((said,))
    found = pattern.search(f" {said} ")
    assert found is None or found[0]
    pattern.search(text)


def test_a_page_may_have_very_many_names(ws, put):
    names = [f"Tea {number}" for number in range(600)]
    put("tea.md", f"---\naliases: [{', '.join(names)}]\n---\n# Black\n")
    put("notes.md", "Of tea 599, tea 59\nand tea 5999 and tea 7.\n")
    ws.sync()
    found = ws.graph.unlinked("tea")
    assert [(each.text, each.line, each.column) for each in found] == [
        ("tea 599", 1, 4),
        ("tea 59", 1, 13),
        ("tea", 2, 5),
        ("tea 7", 2, 18),
    ]
