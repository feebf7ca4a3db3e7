"""What a page is called: by its front matter, by the heading it begins with, by its file."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memwiki.markdown.parse import parse
from memwiki.markdown.scanner import scan
from memwiki.markdown.titles import leading_heading
from memwiki.nouns import Dialect, Layers

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from fuzz import documents

from tests.effort import for_each

PLAIN = Layers()
OBSIDIAN, QUARTZ = Layers(dialect=Dialect("obsidian")), Layers(dialect=Dialect("quartz"))
DENDRON = Layers(dialect=Dialect("dendron"))
UNSEEN = [
    "(green-tea)=",
    "",
    "<!-- a comment -->",
    "<!--\n# Hidden\n-->",
    "<!-- one --> <!-- two -->",
    "%% a comment %%",
    "%%\n# Hidden\n\nmore\n%%",
    "#",
    "# ![](logo.png)",
    '# <img src="logo.png">',
]
TITLES = [
    "# Tea",
    "#\tTea",
    "  # Tea ##",
    "Tea\n===",
    "Tea  \n=",
    "# *Tea*",
    "# [[drinks/tea|Tea]]",
    "# [Tea](tea.md)",
    "# `Tea`",
    "# <b>Tea</b>",
]
SEEN = [
    "text",
    "## Section",
    "Section\n---",
    "> # Quoted",
    "- # Item",
    "```\n# Code\n```",
    "~~~\n# Code\n~~~",
    "    # Code",
    "<div>\n# HTML\n</div>",
    "***",
    "| # a |\n|-----|",
    "![](picture.png)",
    "#tag",
    "<!-- a comment --> text",
    "<!-- never closed",
    "%% never closed",
]
HEADS = ["", "\n\n", "---\ntags: [a]\n---\n", "---\ntags: [a]\n---\n\n"]


def page(text: str, path: str = "notes/Mine.md", layers: Layers = PLAIN):
    return parse(path, text.encode(), layers)


@pytest.mark.parametrize("unit", ["#\n<!-- c -->\n", "# !\n%% c %%\n\n"])
def test_a_title_below_a_hundred_thousand_comments_is_found(unit):
    """To put the text together at each of them would take hours."""
    lines = (unit * 100_000 + "# Tea\n").split("\n")
    assert leading_heading(lines, 0, scan(lines).headings) == "Tea"


@given(
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(UNSEEN), max_size=4),
    st.sampled_from(TITLES),
    st.lists(st.sampled_from(UNSEEN + TITLES + SEEN), max_size=4),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff"]),
)
def test_a_heading_that_is_seen_first_is_the_title(head, unseen, title, rest, end, mark):
    text = mark + (head + "\n\n".join([*unseen, title, *rest])).replace("\n", end)
    assert page(text).title == "Tea"
    assert page(text).search_names == ()
    for layers in (OBSIDIAN, QUARTZ):
        kept = page(text, layers=layers)
        assert (kept.title, kept.search_names) == ("Mine", ("Tea",))


@given(
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(UNSEEN), max_size=4),
    st.sampled_from(SEEN),
    st.lists(st.sampled_from(UNSEEN + TITLES + SEEN), max_size=4),
    st.sampled_from([Layers(), OBSIDIAN]),
)
def test_a_heading_below_anything_is_no_title(head, unseen, first, rest, layers):
    found = page(head + "\n\n".join([*unseen, first, *rest]), layers=layers)
    assert (found.title, found.search_names) == ("Mine", ())


@for_each("seed", range(3))
def test_the_title_of_any_document_is_what_a_full_parser_sees_first(seed):
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    kinds = Counter()
    for lines in islice(documents(random.Random(f"titles {seed}")), 400):
        text = "\n".join(re.sub("[\r\0]", " ", line) for line in lines).lstrip("\n")
        found, tokens = page(text), parser.parse(text)
        is_plain = bool(tokens) and "%%" not in text and not text.startswith(("---", "+++"))
        # Definitions of links, which no token stands for, are text here.
        if not is_plain or found.is_catalog or tokens[0].map[0]:
            continue
        kinds[tokens[0].tag] += 1
        if tokens[0].type not in ("heading_open", "html_block"):
            # Below fields, links, quotes and the like the only one is the title.
            is_sole = [each.tag for each in tokens if each.type == "heading_open"].count("h1") == 1
            assert found.title == "Mine" or (is_sole and found.title == found.sections[0].title)
        elif tokens[0].tag == "h1" and re.fullmatch("[a-z]+", tokens[1].content):
            assert found.title == tokens[1].content, text
    assert kinds["h1"] > 3
    assert kinds["p"] > 30


@for_each(
    ("path", "layers", "title"),
    [
        ("green-tea.md", Layers(), "Green tea"),
        ("green_tea.md", Layers(), "Green tea"),
        ("gr\u00fcner-tee.md", Layers(), "Gr\u00fcner tee"),
        ("gru\u0308ner-tee.md", Layers(), "Gru\u0308ner tee"),
        ("FDISK.md", Layers(), "FDISK"),
        ("Green-tea.md", Layers(), "Green-tea"),
        ("daily/2026-09-01.md", Layers(), "2026-09-01"),
        ("2026-09-01-first-visit.md", Layers(), "2026-09-01 first visit"),
        ("README.md", Layers(), "README"),
        ("green-tea/README.md", Layers(), "Green tea"),
        ("skills/brew-tea/SKILL.md", Layers(), "Brew tea"),
        ("SKILL.md", Layers(), "SKILL"),
        ("a/Drinks/index.md", Layers(), "Drinks"),
        ("green-tea.md", OBSIDIAN, "green-tea"),
        ("green-tea/README.md", OBSIDIAN, "README"),
        ("green-tea/index.md", QUARTZ, "index"),
        ("drinks.green-tea.md", DENDRON, "Green tea"),
        (f"Green tea {'0a' * 16}.md", Layers(), "Green tea"),
        ("茶.md", Layers(), "茶"),
    ],
)
def test_a_page_that_says_nothing_of_its_name_is_called_by_its_file(path, layers, title):
    assert page("text\n\n# Later\n", path, layers).title == title


def test_a_title_of_the_front_matter_goes_first_and_the_heading_still_finds_the_page():
    text = "---\ntitle: Front\n---\n# Heading\n"
    for layers, names in ((Layers(), ("Heading",)), (OBSIDIAN, ("Front", "Heading"))):
        found = page(text, layers=layers)
        assert (found.title, found.search_names) == ("Front", names)
        assert "Heading" in found.units[0].names
        assert "Mine" in found.units[0].names


def test_a_comment_without_end_is_read_once():
    for line in ("<!-- ", "%% ", "%% a %% "):
        assert page(line * 50_000).title == "Mine"


NOTE = "**Read this on the website.**\n\n"


@for_each(
    ("path", "text", "title"),
    [
        ("action_view_overview.md", f"{NOTE}Action View Overview\n===\n\n## Use\n", None),
        ("3_2_release_notes.md", f"{NOTE}# Release Notes of 3.2\n", "Release Notes of 3.2"),
        ("okf/README.md", "![](logo.png)\n\n# The OKF format\n", "The OKF format"),
        ("ch13-02-iterators.md", "## Series of Items with Iterators\n\n### Next\n", None),
        ("设计.md", "目录\n\n# 数据库设计说明\n", "数据库设计说明"),
        ("_index.md", f"{NOTE}# Tea\n", ""),
        ("tea/_index.md", f"{NOTE}# The tea\n", "The tea"),
        # Sections: not the only one of its level, below another, or of other words.
        ("tea.md", f"{NOTE}# Tea\n\n# Tea in China\n", ""),
        ("tea.md", f"{NOTE}## Use\n\n# Tea\n", ""),
        ("tea.md", f"{NOTE}# References\n", ""),
        ("tea.md", f"{NOTE}## Tea\n", ""),
        ("tea.md", "## Tea\n\ntext\n\n## Coffee\n", ""),
        ("tea.md", "## References\n", ""),
        ("tea.md", "### Tea\n", ""),
        # The first one is the name of the file in other spelling.
        (
            "Getting-Started.md",
            "<h1>Fast</h1>\n\n## Getting Started\n\n## Use\n",
            "Getting Started",
        ),
        ("api-guide.md", "text\n\n### API guide\n\n# Use\n\n# More\n", "API guide"),
        ("api-guide.md", "text\n\n### Use\n\n### API guide\n", ""),
        ("how-to-brew-green-tea.md", f"{NOTE}# What to drink with tea\n", ""),
        ("2026.md", f"{NOTE}# 2026\n", ""),
    ],
)
def test_the_only_heading_of_its_level_is_the_title_where_the_file_is_called_like_it(
    path, text, title
):
    found = page(text, path)
    heading = re.search(r"^(?:#+ (.*)|(.*)\n===)$", text, re.MULTILINE)
    expected = next(filter(None, heading.groups())) if title is None else title
    assert found.title == (expected or page("text\n", path).title)
    assert page(text, path, OBSIDIAN).title == Path(path).stem


@for_each(
    ("head", "title"),
    [
        ("Title: Green *tea*\nDate: 2010-12-02 10:14\nTags: a, b\n", "Green tea"),
        ("Author: Me\n    and you\ntitle:  Green tea\n", "Green tea"),
        ("Title: Green tea\n", "Green tea"),
        ("---\ntags: [a]\n---\nTitle: Green tea\n", "Green tea"),
        ("---\ntitle: Mint\n---\nTitle: Green tea\n", "Mint"),
        ("# Mint\n\nTitle: Green tea\n", "Mint"),
        ("Title: Green tea\nis what it is called.\n", "Notes"),
        ("Text\nTitle: Green tea\n", "Notes"),
        ("Title:\nDate: 2010-12-02\n", "Notes"),
        ("Date: 2010-12-02\n\nTitle: Green tea\n", "Notes"),
    ],
)
def test_a_line_at_the_top_says_the_title(head, title):
    found = page(f"{head}\nSome text of it.\n\n# One\n\n# Two\n", "tea/notes.md")
    assert found.title == title
    assert page(head + "\nSome text.\n", layers=OBSIDIAN).title == found.fields.get("title", "Mine")


@for_each(
    ("above", "title"),
    [
        (
            "<!-- OPENSPEC:START -->\n# Instructions\n\ntext\n<!-- OPENSPEC:END -->\n",
            "Heron tracker",
        ),
        ("<!-- BEGIN:rules -->\n# Rules\n<!-- END:rules -->\n<!-- more -->\n\n", "Heron tracker"),
        ("<!-- X:START -->\n# X\n<!-- X:END -->\n---\na: b\nc-d: e\n---\n\n", "Heron tracker"),
        ("<!-- A note: the end of it is below -->\n# Mint\n\n", "Mint"),
        ("<!-- START -->\n# Mint\n\n", "Mint"),
        ("<!-- prettier-ignore-start -->\n# Mint\n<!-- prettier-ignore-end -->\n\n", "Mint"),
        ("<!-- Let us start here -->\n# Mint\n<!-- the end of it -->\n\n", "Mint"),
        ("<!-- BEGIN_DOCS -->\n# Mint\n\n<!-- END_DOCS -->\n\ntext\n\n", "Mint"),
    ],
)
def test_what_a_tool_wrote_above_a_page_is_not_its_title(above, title):
    assert page(f"{above}# Heron tracker\n\n## Use\n\ntext\n", "AGENTS.md").title == title
    assert page(above, "AGENTS.md").title != "Heron tracker"


def test_the_first_of_many_versions_is_no_title():
    text = "# 1.2.0 / 2026-01-01\n\n* b\n\n# 1.1.0 / 2025-01-01\n\n* a\n"
    assert page(text, "HISTORY.md").title == "HISTORY"
    assert page("1.2.0 / 2026\n===\n\n1.1.0 / 2025\n===\n", "tea/HISTORY.md").title == "HISTORY"
    assert page("# 1.2.0 / 2026-01-01\n\n* b\n").title == "1.2.0 / 2026-01-01"
    assert page("# 2026.1 is out\n\ntext\n\n# More\n").title == "2026.1 is out"


@for_each(
    ("written", "title"),
    [
        ("Using `Box<T>` to point", "Using Box<T> to point"),
        ("**`a*b*c`** and *x*", "a*b*c and x"),
        ("Q&amp;A &lt;b&gt; `&amp;` AT&T;", "Q&A <b> &amp; AT&T;"),
        ("The {command}`ls` and {ref}`other one <some-place>`", "The ls and other one"),
        ("[`a[0]`](x.md) y", "a[0] y"),
        ("`` a`b `` and `\\*`", "a`b and \\*"),
        ("![`a`](b.png) `[[n]]` [[n|`L`]]", "[[n]] L"),
        ("Code ![a][b] [![c][d]][e] [![f]][g]", "Code"),
        ("Rust's `vec![a][0]`", "Rust's vec![a][0]"),
        ("Class: Store\\<T\\>[]", "Class: Store<T>[]"),
        ("A \\[b\\](c) and \\<br\\>", "A [b](c) and <br>"),
    ],
)
def test_code_in_a_title_stays_as_it_is(written, title):
    found = page(f"# {written}\n\n## {written}\n")
    assert found.title == title
    assert [section.title for section in found.sections] == [title, title]


def test_an_index_of_hugo_is_called_by_its_folder():
    assert page("text\n", "content/green-tea/_index.md").title == "Green tea"


BADGES = "[![PyPI](https://a.example/b.svg)](https://b.example)\n[![Docs][docs-image]][docs]\n"


@for_each(
    ("above", "title"),
    [
        (BADGES, "Tea pots"),
        ('<div align="center">\n\n<img src="pot.png" alt="A pot">\n', "Tea pots"),
        ("![A banner](banner.png)\n", "Tea pots"),
        ("![[banner.png]]\n", "Tea pots"),
        ("[English](README.md) | 中文\n", "Tea pots"),
        ("[← Back](a.md)\n[[Home]] > **[[Docs]]**\n\n***\n", "Tea pots"),
        ("{{#title Pots}}\n\n[TOC]\n\n{% include nav.html %}\n", "Tea pots"),
        ("import Tabs from '@theme/Tabs';\n\n#tea/green #pots\n", "Tea pots"),
        ("**[中文版](zh.md) | English**\n\n> 🤖 Generated\n", "Tea pots"),
        ("Date: 2024-01-05\nAttendees: [[Anna]]\n", "Tea pots"),
        ("202101011200\nTags: #a #b\n", "Tea pots"),
        ("作者：张三\n日期：2021-01-01\n", "Tea pots"),
        ("Note: this says what it is about.\n", "Reader"),
        ("Warning: do not deploy on Friday\n", "Reader"),
        ("注意：本页已过期\n", "Reader"),
        ("[English](README.md) has more words than this.\n", "Reader"),
        ("#1 of all the pots is [this one](a.md), it is said\n", "Reader"),
        ("A word\n---\n", "Reader"),
        ("A first word.\n", "Reader"),
        (f"{BADGES}\n## Contents\n", "Reader"),
    ],
)
def test_a_page_is_called_by_the_heading_below_its_badges_or_banner(above, title):
    assert page(f"{above}\n# Tea pots\n\n## Use\n", "reader.md").title == title


def test_below_its_badges_only_a_readme_may_have_more_headings_of_the_first_level():
    text = f"{BADGES}\n# Tea pots\n\n# Use\n"
    assert page(text, "README.md").title == "Tea pots"
    assert page(text, "reader.md").title == "Reader"


@for_each(
    ("line", "title"),
    [
        ("# Title<br>second", "Title second"),
        ("# Title <br/> second", "Title second"),
        ("# Title[^1]", "Title"),
        ("# Title [^note-1]", "Title"),
        ("# Title[^1] and more", "Title and more"),
        ("# Title ^block1", "Title"),
        ("# Title ^m-7k2f9a", "Title"),
        ("# Title[^1] ^block1", "Title"),
        # what only looks so
        ("# The `<br>` tag", "The <br> tag"),
        ("# What `x[^1]` means", "What x[^1] means"),
        ("# What x[^a-z] means", "What x[^a-z] means"),
        ("# Press ^C", "Press ^C"),
        ("# Index ^GSPC", "Index ^GSPC"),
        ("# 2 ^10", "2 ^10"),
    ],
)
def test_breaks_footnotes_and_ids_of_blocks_are_no_words_of_a_title(line, title):
    assert parse("a.md", f"{line}\n\ntext\n".encode(), PLAIN).title == title


@for_each(
    "mark",
    ["`", "[^", " | Page one", "[a](b) ", "start ", " \t", "<br", "<", "^", "[^1]", " ", "x[^a"],
)
def test_a_title_of_endless_marks_is_read_in_time(mark):
    assert parse("a.md", f"# {mark * 20_000}\n".encode(), PLAIN).path == "a.md"
    above = f"[Home](a.md){mark * 40} | and more.\n[a](b){mark * 4_000}!\n<!-- {mark * 4_000}-->"
    assert parse("a.md", f"{above}\n\n# T\n".encode(), PLAIN).path == "a.md"


@pytest.mark.parametrize(
    "heading",
    [
        "`=this.file.name`",
        "`= this.file.name`",
        "`$= dv.current().file.name`",
        '**`=this.file.name`** <span>"`VIEW[{pronounced}]`"</span>',
    ],
)
def test_a_heading_that_dataview_fills_in_is_no_title(read, heading):
    assert read(f"# {heading}\n\nA town.\n", "Vallaki.md").title == "Vallaki"
    assert read("# x = this is\n", "Vallaki.md").title == "x = this is"
