"""`get`, `list`, `links`, `tags` and `graph`: pages and what holds them together."""

from __future__ import annotations

import pytest

from memwiki.errors import AmbiguousError, NotFoundError, UsageError
from memwiki.text import tokens

VAULT = """
--- home.md ---
---
title: Home Page
aliases: [Start]
tags: [hub]
type: concept
updated: 2026-02-01
---
# Home Page

See [[guide]], [[guide#Setup]] and [[A new idea]].

## Links

### Inner

- uses [[tool]]

## Other

### Inner

text ^block-1
--- guide.md ---
---
updated: 2026-03-01
tags: [how/to]
---
# Guide

## Setup

Back to [[home]]. ![[picture.png]]
--- tool.md ---
# Tool

Broken [x](nowhere.md), external [y](https://example.org), [[dir/page]].
--- one/twin.md ---
# Twin
--- two/twin.md ---
# Twin
--- memory.md ---
# Memory

- Likes tea. ^m-aaaaaa
- Likes coffee.
  With milk. ^m-bbbbbb
"""


@pytest.fixture
def vault(ws, write_blocks, put):
    write_blocks(VAULT)
    put("picture.png", b"\x89PNG")
    ws.sync()
    return ws


# --- get -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["home.md", "home", "HOME", "Home Page", "home-page", "Start", "/home.md", "./home"]
)
def test_a_page_is_found_by_any_of_its_names(vault, name):
    assert vault.pages.get(name).path == "home.md"


@pytest.mark.parametrize("name", ["index.md", "/index.md", "drafts.md"])
def test_the_path_of_a_file_that_is_no_page_means_no_other_page(ws, put, name):
    put("sync.md", "---\naliases: [index, drafts]\n---\n# Sync\n")
    put("index.md", "<!-- memwiki:catalog:begin -->\n<!-- memwiki:catalog:end -->\n")
    put("drafts.md", "# Drafts\n")
    put(".memwikiignore", "drafts.md\n")
    with pytest.raises(NotFoundError, match="not a markdown page, but a"):
        ws.pages.get(name)
    with pytest.raises(NotFoundError, match="not a markdown page, but a"):
        ws.pages.append(name, "text")
    assert ws.pages.get("index").path == ws.pages.get("drafts").path == "sync.md"


def test_a_page_is_given_whole_as_the_file_is_now(vault, put):
    view = vault.pages.get("guide")
    assert view.text == (vault.root / "guide.md").read_text()
    assert (view.line_start, view.line_end) == (1, 9)
    assert (view.title, view.tags, view.type) == ("Guide", ("how/to",), "page")
    put("guide.md", "# Guide\n\nnew\n")
    assert vault.pages.get("guide").text == "# Guide\n\nnew\n"
    assert vault.pages.get("guide").digest != view.digest


@pytest.mark.parametrize(
    ("section", "lines"),
    [
        ("Links", (12, 17)),
        ("links", (12, 17)),
        ("Links#Inner", (14, 17)),
        ("Other#Inner", (20, 22)),
        ("Home Page#Other#Inner", (20, 22)),
        ("## Links", (12, 17)),
        ("^block-1", (22, 22)),
    ],
)
def test_a_section_or_block_is_given_with_its_lines(vault, section, lines):
    view = vault.pages.get("home", section=section)
    assert (view.line_start, view.line_end) == lines
    text = (vault.root / "home.md").read_text().split("\n")
    assert view.text == "\n".join(text[lines[0] - 1 : lines[1]])
    assert vault.pages.get(f"home#{section}").text == view.text or section.startswith("##")


def test_an_entry_is_given_by_its_id_with_all_its_lines(vault):
    view = vault.pages.get("memory", section="^m-bbbbbb")
    assert (view.line_start, view.line_end) == (4, 5)
    assert "With milk." in view.text


def test_lines_are_given_as_far_as_there_are_any(vault):
    view = vault.pages.get("guide", lines=(5, 100))
    assert (view.line_start, view.line_end) == (5, 9)
    assert view.text.startswith("# Guide")
    assert vault.pages.get("guide", lines=(5, 5)).text == "# Guide"
    assert vault.pages.get("home", section="Other", lines=(1, 18)).text == "## Other"


@pytest.mark.parametrize(
    ("named", "error", "message"),
    [
        ({"lines": (50, 60)}, NotFoundError, "no lines 50-60"),
        ({"section": "Nope"}, NotFoundError, "no section"),
        ({"section": "^nope"}, NotFoundError, "no block"),
        ({"section": "Inner"}, AmbiguousError, "2 sections"),
        ({"section": "#"}, NotFoundError, "no section"),
    ],
)
def test_a_part_that_is_not_there_is_an_error_that_helps(vault, named, error, message):
    with pytest.raises(error, match=message) as raised:
        vault.pages.get("home", **named)
    assert raised.value.hint
    assert raised.value.path == "home.md"


def test_a_near_section_is_suggested(vault):
    with pytest.raises(NotFoundError) as raised:
        vault.pages.get("home", section="Link")
    assert raised.value.hint == "did you mean Links?"


def test_an_unknown_name_comes_with_near_ones(vault):
    with pytest.raises(NotFoundError) as raised:
        vault.pages.get("giude")
    assert raised.value.candidates == ("guide.md",)
    assert "guide.md" in raised.value.hint
    with pytest.raises(NotFoundError) as raised:
        vault.pages.get("zzzzzz")
    assert raised.value.candidates == ()
    with pytest.raises(NotFoundError):
        vault.pages.get("zzzzzz#Part")


def test_an_ambiguous_name_comes_with_its_candidates(vault):
    with pytest.raises(AmbiguousError) as raised:
        vault.pages.get("twin")
    assert set(raised.value.candidates) == {"one/twin.md", "two/twin.md"}
    assert vault.pages.get("one/twin").path == "one/twin.md"


@pytest.mark.parametrize("name", ["LICENSE", "index.md", "log.md"])
def test_a_file_that_is_no_page_is_not_taken_for_one_of_a_like_name(ws, put, name):
    """
    --- memwiki.toml ---
    [layers]
    log = "log.md"
    [catalog]
    enabled = true
    --- licensed.md ---
    text
    --- a.md ---
    ---
    aliases: [index, log]
    ---
    --- LICENSE ---
    MIT
    """
    ws.pages.append("a", "more")
    with pytest.raises(NotFoundError, match=f"^{name}: not a markdown page, but") as raised:
        ws.pages.get(name)
    assert (raised.value.candidates, raised.value.path) == ((), name)
    with pytest.raises(NotFoundError):
        ws.pages.append(name, "text")


def test_an_attachment_and_an_address_are_no_pages(vault):
    for name in ("picture.png", "https://example.org", ""):
        with pytest.raises(NotFoundError):
            vault.pages.get(name)


def test_a_page_keeps_its_line_ends_and_loses_its_bom(put, ws):
    put("a.md", b"\xef\xbb\xbf# A\r\n\r\ntext\r\n")
    assert ws.pages.get("a").text == "# A\r\n\r\ntext\r\n"


# --- list ----------------------------------------------------------------------------------------


def test_pages_are_listed_by_title(vault):
    listed = vault.pages.list()
    assert [row.path for row in listed.pages] == [
        "guide.md",
        "home.md",
        "memory.md",
        "tool.md",
        "one/twin.md",
        "two/twin.md",
    ]
    assert (listed.total, listed.fresh) == (6, True)
    row = listed.pages[1]
    assert (row.title, row.type, row.tags, row.updated, row.links) == (
        "Home Page",
        "concept",
        ("hub",),
        "2026-02-01",
        1,
    )


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({"type": "concept"}, ["home.md"]),
        ({"type": "CONCEPT"}, ["home.md"]),
        ({"tag": "how"}, ["guide.md"]),
        ({"tag": "#how/to"}, ["guide.md"]),
        ({"tag": "ho"}, []),
        ({"path": "one"}, ["one/twin.md"]),
        ({"path": "*/twin.md"}, ["one/twin.md", "two/twin.md"]),
        ({"path": "tool.md"}, ["tool.md"]),
        ({"path": "one", "type": "concept"}, []),
        ({"sort": "updated", "limit": 1, "tag": "how"}, ["guide.md"]),
        ({"sort": "links", "limit": 2}, ["guide.md", "home.md"]),
    ],
)
def test_lists_are_narrowed_sorted_and_cut(vault, named, expected):
    assert [row.path for row in vault.pages.list(**named).pages] == expected


def test_the_total_of_a_list_is_before_the_cut(vault):
    listed = vault.pages.list(limit=2)
    assert (len(listed.pages), listed.total) == (2, 6)


def test_the_newest_come_first(put, ws):
    for day in ("2026-01-02", "2025-12-31", "2026-01-10"):
        put(f"{day}.md", f"---\nupdated: {day}\n---\n")
    assert [row.updated for row in ws.pages.list(sort="updated").pages] == [
        "2026-01-10",
        "2026-01-02",
        "2025-12-31",
    ]


def test_many_pages_are_counted_in_one_go_as_one_by_one(put, ws):
    for number in range(60):
        put(
            f"{number:02}.md",
            f"[[{(number * 7) % 60:02}]] [[{(number * 3) % 60:02}]] [[{number:02}]]\n",
        )
    everything = {row.path: row.links for row in ws.pages.list(sort="links").pages}
    for path in ("00.md", "07.md", "33.md"):
        (row,) = ws.pages.list(path=path).pages
        assert row.links == everything[path]
        assert row.links == sum(r.target == path for r in ws.graph.links(path, "in").links)


def test_there_are_three_ways_to_sort(vault):
    with pytest.raises(UsageError, match="sort") as raised:
        vault.pages.list(sort="size")
    assert "title" in raised.value.hint


# --- links ---------------------------------------------------------------------------------------


def test_links_go_out_come_in_or_both(vault):
    outgoing = vault.graph.links("home", direction="out").links
    assert [(row.target, row.status, row.line) for row in outgoing] == [
        ("guide.md", "resolved", 10),
        ("guide.md", "resolved", 10),
        ("", "wanted", 10),
        ("tool.md", "resolved", 16),
    ]
    assert outgoing[3].relation == "uses"
    incoming = vault.graph.links("home", direction="in").links
    assert [row.source for row in incoming] == ["guide.md"]
    assert vault.graph.links("home", "in").links == incoming
    assert vault.graph.links("home").links == (*outgoing, *incoming)
    with pytest.raises(UsageError):
        vault.graph.links("home", direction="up")


def test_what_links_to_a_page_comes_in_the_same_order_whenever_it_was_indexed(vault, put):
    for name in ("z", "k", "a"):
        put(f"{name}.md", "[[tool]]\n\n[[tool]]\n")
        vault.sync()
    incoming = vault.graph.links("tool", direction="in").links
    rows = [(row.source, row.line) for row in incoming]
    assert rows == sorted(rows)
    assert len(rows) == 7


def test_links_that_lead_nowhere_are_listed_for_one_page_or_all(vault):
    assert [(row.source, row.written, row.status) for row in vault.graph.unresolved().links] == [
        ("home.md", "A new idea", "wanted"),
        ("tool.md", "nowhere.md", "broken"),
        ("tool.md", "dir/page", "wanted"),
    ]
    assert {row.source for row in vault.graph.unresolved("tool").links} == {"tool.md"}


def test_an_embedded_attachment_is_resolved(vault):
    row = next(r for r in vault.graph.links("guide").links if r.kind == "embed")
    assert (row.target, row.by) == ("picture.png", "attachment")


# --- tags and graph ------------------------------------------------------------------------------


def test_tags_are_counted_with_their_parents(vault):
    assert [tuple(row) for row in vault.graph.tags().tags] == [
        ("how", 1),
        ("how/to", 1),
        ("hub", 1),
    ]
    assert [row.tag for row in vault.graph.tags("how/").tags] == ["how/to"]


def test_what_is_around_a_page(vault):
    answer = vault.graph.around("home")
    assert [(node.name, node.path, node.distance) for node in answer.nodes] == [
        ("Home Page", "home.md", 0),
        ("Guide", "guide.md", 1),
        ("Tool", "tool.md", 1),
        ("A new idea", "", 1),
    ]
    assert ("home.md", "tool.md", "uses", 1.0) in [tuple(edge) for edge in answer.edges]
    assert ("home.md", "A new idea", "link", 1.0) in [tuple(edge) for edge in answer.edges]
    assert [node.path for node in vault.graph.around("home", relation="uses").nodes] == [
        "home.md",
        "tool.md",
    ]


def test_an_attachment_is_a_node_without_a_page(vault):
    nodes = {node.path: node for node in vault.graph.around("guide").nodes}
    assert nodes["picture.png"].type == "file"


def test_the_way_from_one_page_to_another(vault):
    answer = vault.graph.path("tool", "guide")
    assert [node.path for node in answer.nodes] == ["tool.md", "home.md", "guide.md"]
    assert [node.distance for node in answer.nodes] == [0, 1, 2]
    with pytest.raises(NotFoundError, match="no path"):
        vault.graph.path("tool", "memory")
    assert [node.path for node in vault.graph.path("tool", "tool").nodes] == ["tool.md"]


def test_the_whole_graph_ranks_all_pages(vault):
    answer = vault.graph.ranked()
    assert {node.path for node in answer.nodes if node.path} >= {
        "home.md",
        "memory.md",
        "one/twin.md",
    }
    scores = [node.score for node in answer.nodes if node.path]
    assert scores == sorted(scores, reverse=True)
    assert sum(scores) == pytest.approx(1.0, abs=1e-4)


def test_an_unknown_kind_of_names_is_an_error_that_lists_the_kinds(ws):
    with pytest.raises(UsageError, match="not a kind of names") as raised:
        ws.pages.complete("nope")
    assert raised.value.hint == "use page, tag, type, entry, namespace"


@pytest.mark.parametrize(
    ("line", "lines"),
    [(1, (1, 3)), (3, (1, 3)), (4, (4, 7)), (7, (4, 7)), (8, (8, 11)), (12, (12, 13))],
)
def test_around_a_line_is_what_stands_from_its_heading_to_the_next(ws, put, line, lines):
    put("a.md", "---\ntype: note\n---\n# A\n\ntext\n\n## B\n\nb\n\n# C\nc\n")
    view = ws.pages.get("a.md", around=line)
    assert (view.line_start, view.line_end) == lines


def test_around_a_line_that_there_is_not_is_an_error(ws, put):
    put("a.md", "# A\n")
    with pytest.raises(NotFoundError, match="it has no line 9"):
        ws.pages.get("a.md", around=9)


def test_an_outline_gives_each_heading_with_its_lines_and_size(ws, put):
    put("a.md", "---\ntype: note\n---\n# A\n\nfour\n\n## B\n\n世界\n\n# C\nc\n")
    outline = ws.pages.outline("a")
    said = [(s.title, s.level, s.line_start, s.line_end) for s in outline]
    assert said == [("A", 1, 4, 11), ("B", 2, 8, 11), ("C", 1, 12, 13)]
    for section in outline:
        part = ws.pages.get("a", section=section.title)
        assert (section.line_start, section.line_end) == (part.line_start, part.line_end)
        assert section.characters == len(part.text)
        assert section.tokens == tokens(part.text)
    assert (outline.lines, outline.characters) == (13, len(ws.pages.get("a").text))


def test_a_page_without_headings_has_an_empty_outline(ws, put):
    put("a.md", "\n")
    assert ws.pages.outline("a").sections == ()
