"""Titles, descriptions and paths of any kind, as harmless lines whose links lead back to the
page."""

from __future__ import annotations

import posixpath

from hypothesis import given
from hypothesis import strategies as st

from memwiki.catalog.listing import (
    PageFacts,
    cut_to_columns,
    escape_markdown,
    listing_of,
    one_line,
    target,
)
from memwiki.dates import date_in
from memwiki.markdown.parse import parse
from memwiki.nouns import Layers
from tests.effort import for_each

NASTY = " []()<>#?%&'\"\\`*_~$|!^:;,.+={}@中文日본é🗂️\u3000\u00a0\u200b\u202e\x01\x7f-/ab1"
names = st.text(st.sampled_from(NASTY), min_size=1, max_size=12)
paths = st.lists(names, min_size=1, max_size=3).map(lambda parts: "/".join(parts) + ".md")


def is_normal(path: str) -> bool:
    return (
        posixpath.normpath(path) == path and not path.startswith(("/", "..")) and "\n" not in path
    )


def links(line: str) -> list[str]:
    return [link.written for link in parse("index.md", f"{line}\n".encode(), Layers()).links]


@given(
    paths.filter(is_normal), st.text(max_size=30), st.text(max_size=40), st.lists(names, max_size=3)
)
def test_every_entry_has_one_link_and_it_leads_to_its_page(path, title, description, tags):
    listing = listing_of(PageFacts(path, title, description, "", tags))
    line = listing.line("")
    assert "\n" not in line
    (written,) = links(line)
    assert posixpath.normpath(written) == path
    page = parse("index.md", f"{line}\n".encode(), Layers())
    assert (page.tags, page.entries, page.block_ids) == ((), (), {})


@given(paths.filter(is_normal), st.text(max_size=30), st.text(max_size=40))
def test_a_line_takes_no_more_than_was_reckoned(path, title, description):
    listing = listing_of(PageFacts(path, title, description, ""))
    assert len(listing.line("").encode()) + 1 <= listing.size.bytes


@for_each(
    ("written", "shown"),
    [
        ("a [b] | c", r"a \[b\] \| c"),
        ("snake_case_name", "snake_case_name"),
        ("_private", r"\_private"),
        ("see #tag, C# and issue #4", r"see \#tag, C# and issue \#4"),
        ("`code` $x$ <b>", r"\`code\` \$x\$ \<b>"),
    ],
)
def test_what_markdown_would_read_is_escaped(written, shown):
    assert escape_markdown(written) == shown


@for_each(
    ("written", "shown"),
    [
        ("two\nlines\tand\u2028more", "two lines and more"),
        ("\u202egnp.exe\u202c", "gnp.exe"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("tag\U000e0041\U000e0042", "tag"),
        ("a\u200db", "ab"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("نمی\u200cخواهم", "نمی\u200cخواهم"),
    ],
)
def test_hidden_characters_are_stripped(written, shown):
    assert one_line(written) == shown


@for_each(
    ("text", "columns", "cut"),
    [
        ("short", 10, "short"),
        ("one two three", 9, "one two…"),
        ("中文字很长", 6, "中文…"),
        ("中文", 4, "中文"),
    ],
)
def test_text_is_cut_at_a_word_by_columns(text, columns, cut):
    assert cut_to_columns(text, columns) == cut


@for_each(
    ("path", "written"),
    [
        ("plain/path.md", "plain/path.md"),
        ("a b.md", "a%20b.md"),
        ("100%.md", "100%25.md"),
        ("what?.md", "what%3F.md"),
        ("c#.md", "c%23.md"),
        ("中文.md", "中文.md"),
        ("data:x.md", "./data:x.md"),
        (" lead.md", "./%20lead.md"),
        ("(x).md", "./%28x%29.md"),
    ],
)
def test_a_path_is_written_so_that_it_is_read_back(path, written):
    assert target(path) == written


@for_each(
    ("name", "date"),
    [
        ("2026-11-21", "2026-11-21"),
        ("20261121", "2026-11-21"),
        ("notes 2026-01-09 x", "2026-01-09"),
        ("日記 2026年3月2日（月）", "2026-03-02"),
        ("2026년 11월 21일", "2026-11-21"),
        ("2026年13月2日", ""),
        ("2026-13-01", ""),
        ("12026-11-21", ""),
        ("v1.2.3", ""),
    ],
)
def test_a_date_is_read_from_a_name(name, date):
    assert date_in(name) == date
