"""One file becomes one page: what it is called, what it is, and what is wrong with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.digest import digest_of
from memwiki.markdown.parse import parse
from memwiki.nouns import FrontMatterStatus, Layers
from tests.effort import for_each


def codes(page):
    return [(problem.code, problem.line) for problem in page.problems]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Front\n---\n# Heading\n", "Front"),
        ("---\ntitle: 1917\n---\n", "1917"),
        ("text\n\n# Heading\n", "My Page"),
        ("Heading\n=======\n", "Heading"),
        ("## Only second level\n", "My Page"),
        ("---\ntitle:\n---\ntext", "My Page"),
        ("", "My Page"),
    ],
)
def test_the_title_is_written_or_the_h1_at_the_top_or_the_file_name(read, text, title):
    assert read(text, "wiki/My Page.md").title == title


def test_a_heading_further_down_became_the_title(read):
    text = "## Kevin Kelly\n\nA writer.\n\n# Clippings\n\nOne.\n"
    assert read(text, "people/Kevin Kelly.md").title == "Kevin Kelly"
    assert read(f"# \n\n{text}", "people/Kevin.md").title == "Kevin"


def test_a_heading_as_long_as_a_page_became_the_title_whole(read):
    title = read(f"# {'many words ' * 150}\n").title
    assert title == "many words " * 17 + "many words…"
    assert len(read(f"# {'字' * 1_688}\n").title) == 200
    assert read(f"# {'字' * 200}\n").title == "字" * 200


@pytest.mark.parametrize(
    ("path", "type_"),
    [
        ("daily/2026-01-01.md", "daily"),
        ("sessions/a.md", "session"),
        ("wiki/concepts/a.md", "concept"),
        ("wiki/People/a.md", "person"),
        ("wiki/entities/deep/a.md", "entity"),
        ("memory.md", "memory"),
        ("MEMORY.md", "memory"),
        ("learnings.md", "learning"),
        ("wiki/index.md", "index"),
        ("index.md", "index"),
        ("wiki/log.md", "log"),
        ("namespaces/work/memory.md", "memory"),
        ("wiki/memory.md", "page"),
        ("memory/2026-01-01.md", "memory"),
        ("Memory/cache.md", "page"),
        ("os/memory/paging.md", "page"),
        ("wiki/memory/facts.md", "memory"),
        ("a.markdown", "page"),
    ],
)
def test_the_folder_gives_a_default_type(read, path, type_):
    assert read("text", path).type == type_


def test_a_written_type_wins(read):
    assert read("---\ntype: Recipe\n---\n", "daily/a.md").type == "Recipe"


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("---\nsummary: Written.\n---\n# T\n\nProse.\n", "Written."),
        (
            "# T\n\n- list\n\n> quote\n\n```\ncode\n```\n\nProse **bold** `code`\nsecond [l](x) "
            "[[a|b]] line.\n\nNext.\n",
            "Prose bold code second l b line.",
        ),
        ("# T\n\n![[image.png]]\n\n<br>\n\nText.\n", "Text."),
        ("# T\n\n- only\n- lists\n", ""),
        ("snake_case_name and 2*3*4 \\*stay\\*\n", "snake_case_name and 2*3*4 *stay*"),
    ],
)
def test_the_description_is_written_or_the_first_paragraph_as_plain_text(read, text, description):
    assert read(text).description == description


def test_a_long_description_is_cut_at_a_word(read):
    description = read("word " * 100).description
    assert len(description) <= 300
    assert description.endswith("word…")
    assert read("字" * 500).description == "字" * 299 + "…"


def test_lines_are_those_of_the_file(read):
    page = read("---\na: 1\n---\n# T\n\n[[x]] ^block-1\n\n```\n^no\n```\n")
    assert page.sections[0].line_start == 4
    assert page.links[0].line == 6
    assert page.block_ids == {"block-1": 6}
    assert page.units[0].line_start == 4
    assert page.line_count == 10


def test_only_a_newline_ends_a_line(read):
    page = read("a\rb\x0bc\x0cd\u2028e\x85f\n[[x]]\n")
    assert page.links[0].line == 2
    assert page.line_count == 2


def test_the_text_is_as_found_but_for_the_bom():
    data = b"\xef\xbb\xbf---\r\ntitle: A\r\n---\r\n# H\r\ntext"
    page = parse("a.md", data, Layers())
    assert page.text == data[3:].decode()
    assert page.digest == digest_of(data)
    assert page.title == "A"
    assert page.sections[0].title == "H"


def test_a_binary_file_is_a_page_without_units():
    page = parse("a.md", bytes(range(32)) * 40, Layers())
    assert page.units == ()
    assert codes(page) == [("page-binary", 1)]


def test_of_a_file_that_is_too_large_title_and_head_are_read():
    page = parse(
        "a.md", b"# Title\n\nhead\n" + "中文\n".encode() * 50_000, Layers(), max_bytes=100_000
    )
    assert page.title == "Title"
    assert codes(page) == [("page-too-large", 1)]
    assert 0 < len(page.text) <= 64 * 1024


def test_conflict_markers_are_searchable_and_reported(read):
    page = read("# T\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n")
    assert codes(page) == [("conflict-marker", 3)]
    assert "theirs" in page.units[0].text
    assert [section.title for section in page.sections] == ["T"]  # `ours` is none


def test_a_conflict_that_a_block_of_code_shows_is_none(read):
    shown = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n"
    assert codes(read(f"You will see:\n\n```\n{shown}```\n")) == []
    assert codes(read(f"```\nx = 1\n{shown}```\n")) == [("conflict-marker", 3)]
    assert codes(read(f"```\n{shown}x = 1\n```\n")) == [("conflict-marker", 2)]
    searched = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"
    assert codes(read(f"# T\n\n{searched}")) == []


def test_an_arrow_of_angle_brackets_is_no_conflict(read):
    assert codes(read("# T\n\n<<<<<<< look here\n\ntext\n")) == []


@pytest.mark.parametrize("path", ["index.md", "wiki/concepts/list.md"])
def test_a_file_with_our_markers_is_a_catalog_and_no_page(read, path):
    page = read(
        "# Index\n\n<!-- memwiki:catalog:begin -->\n- [A](a.md)\n<!-- memwiki:catalog:end -->\n",
        path,
    )
    assert page.is_catalog
    assert (page.units, page.links, page.tags, page.sections) == ((), (), (), ())


def test_a_page_that_explains_the_markers_is_a_page(read):
    assert not read("```\n<!-- memwiki:catalog:begin -->\n```\n").is_catalog
    assert not read("Use `<!-- memwiki:catalog:begin -->`.\n").is_catalog


def test_the_journal_is_no_page_and_any_other_log_is(read):
    assert read("## [2026-01-01] add | x\n", "log.md").is_catalog
    assert not read("## [2026-01-01] add | x\n", "wiki/log.md").is_catalog
    assert not read("x\n", "log.md", Layers()).is_catalog


def test_broken_front_matter_never_costs_the_page(read):
    page = read("---\ntitle: A: B\n---\n# H\n\ntext\n")
    assert page.title == "A: B"
    assert page.front_matter.status is FrontMatterStatus.REPAIRED
    assert codes(page) == [("front-matter-repaired", 2)]


def test_what_front_matter_no_field_carries_is_still_found(read):
    page = read("---\n{ [ lostword\n---\ntext\n")
    assert "lostword" in page.units[0].names


@pytest.mark.parametrize("path", ["a.md", "memory.md", "sessions/a.md", "daily/2026-01-01.md"])
@given(
    text=st.text(alphabet="[]()#`!<>-*~$^:| \n\\ab1\"'{}&_=.中\r\t", max_size=120),
    head=st.booleans(),
)
def test_any_text_is_parsed_without_raising(path, text, head):
    data = (f"---\n{text}\n---\n" if head else text).encode()
    page = parse(path, data, Layers(sessions="sessions", daily="daily"))
    assert isinstance(page.title, str)
    assert page.units
    assert all(1 <= link.line <= max(page.line_count, 1) for link in page.links)


@given(st.binary(max_size=200))
def test_any_bytes_are_parsed_without_raising(data):
    page = parse("a.md", data, Layers())
    assert page.digest == digest_of(data)


UNITS = [
    "[[",
    "![[",
    "[",
    "#",
    "`",
    "- ",
    "{a: ",
    "](",
    "<",
    "<!--",
    "$",
    "~~",
    "> ",
    "$$",
    "[[a]]",
    '](a "',
    "\n- ",
    "\n# ",
    "^m-1\n",
    "[a](b",
]


@for_each("path", ["a.md", "memory.md", "sessions/a.md"])
@for_each("unit", UNITS)
@for_each("head", ["", "---\ntitle: A\n", "---\ntitle: A\nx: "])
def test_a_long_run_of_one_mark_is_read_to_its_end(path, unit, head):
    text = head + unit * (40_000 // len(unit))
    closed = text + "\n---\n\n# Last\n\nlastword\n"
    page = parse(path, closed.encode(), Layers(sessions="sessions"))
    searched = "".join(f"{u.names}{u.text}" for u in page.units)
    assert "lastword" in searched


@for_each(
    ("text", "created", "updated"),
    [
        ("# 1. Record\n\nDate: 2016-02-12\n\n## Status\n", "2016-02-12", ""),
        ("# Use Tea\n\n- Status: accepted\n- Date: 2021-03-05\n- Tags: a\n", "2021-03-05", ""),
        ("# A\n\n* **Date**: 2021-03-05\n* **Updated:** 2021-03-06\n", "2021-03-05", "2021-03-06"),
        ("# A\n\nCreated: July 3, 2023 10:12 AM\nTags: a, b\n", "2023-07-03T10:12:00", ""),
        ("Title: A\nDate: 2021-03-05\nTags: x\n\ntext\n", "2021-03-05", ""),
        ("---\ncreated: 2020-01-01\n---\n# A\n\nDate: 2016-02-12\n", "2020-01-01", ""),
        ("# A\n\nSome text.\n\nDate: 2016-02-12\n", "", ""),
        ("# A\n\n## B\n\nDate: 2016-02-12\n", "", ""),
        ("# A\n\nDate: in 2016\nCreated: 2016\n", "", ""),
    ],
)
def test_fields_below_the_heading_date_a_page(read, text, created, updated):
    page = read(text)
    assert (page.created, page.updated) == (created, updated)
