"""Heads in TOML, as sites of Hugo and Zola have them: read as those in YAML are, never written."""

from datetime import datetime
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.change.merge import merge
from memwiki.errors import MemwikiError
from memwiki.markdown.frontmatter import MAX_BYTES, load
from memwiki.markdown.parse import parse
from memwiki.markdown.private import public_bytes
from memwiki.nouns import FrontMatterStatus, Layers
from memwiki.pages.own import Filling, fill_template
from tests.effort import for_each

HUGO = """\
+++
title = "Green tea"
description = 'How it is made'
date = 2017-03-02T10:00:00+02:00
weight = 4.20
draft = false
aliases = ["/old/tea/"]
keywords = ["drink"]
[menu.main]
name = "Tea"
+++
Text below.
"""
ZOLA = """\
+++
title = 'Green tea'
date = 2017-03-02

[taxonomies]
tags = [
    "drink",
    "warm",
]
categories = ["kitchen"]

[extra]
math = true
+++
Text below.
"""


def read(text):
    return load("a.md", text.split("\n"))


def test_a_head_of_hugo_is_the_title_the_date_and_the_tags_of_a_page():
    page = parse("posts/a.md", HUGO.encode(), Layers())
    assert (page.title, page.description) == ("Green tea", "How it is made")
    assert (page.created, page.tags, page.aliases) == (
        "2017-03-02T08:00:00Z",
        ("drink",),
        ("/old/tea/",),
    )
    assert page.fields["weight"] == "4.20"
    assert page.fields["draft"] == "false"
    assert page.fields["menu"] == {"main": {"name": "Tea"}}
    assert not page.problems


def test_the_taxonomies_of_zola_are_fields_like_others():
    page = parse("posts/a.md", ZOLA.encode(), Layers())
    assert (page.title, page.created, page.tags) == (
        "Green tea",
        "2017-03-02",
        ("drink", "warm"),
    )
    assert page.fields["categories"] == ["kitchen"]
    assert page.fields["extra"] == {"math": "true"}
    assert page.description == "Text below."


def test_line_ends_of_windows_and_a_mark_of_the_file_are_no_part_of_it():
    page = parse("a.md", b"\xef\xbb\xbf" + HUGO.replace("\n", "\r\n").encode(), Layers())
    assert (page.title, page.tags) == ("Green tea", ("drink",))


def test_what_is_no_toml_is_read_line_by_line_and_said():
    loaded = read('+++\ntitle = "A"\ndate = {{ .Date }}\ntags = [\'x\', "y"]\n+++\n')
    assert loaded.front_matter.status is FrontMatterStatus.SALVAGED
    assert loaded.front_matter.fields == {"title": "A", "date": "{{ .Date }}", "tags": ["x", "y"]}
    assert [(each.code, each.line) for each in loaded.problems] == [("front-matter-salvaged", 3)]


def test_fields_of_a_broken_head_are_those_of_no_table_but_the_taxonomies():
    fields = read(
        "+++\na = 1 # one\n[extra]\nb = 2\n[taxonomies]\ntags = ['x']\n= \n+++\n"
    ).front_matter.fields
    assert fields == {"a": "1", "tags": ["x"]}


def test_a_conflict_in_it_is_reported_and_our_side_is_read():
    loaded = read('+++\n<<<<<<< a\ntitle = "A"\n=======\ntitle = "B"\n>>>>>>> b\n+++\n')
    assert loaded.front_matter.fields == {"title": "A"}
    assert [each.code for each in loaded.problems] == ["conflict-marker"]


@for_each(
    "text",
    ["+++\n\nSome prose.\n\n+++\nMore.\n", "text\n+++\na = 1\n+++\n", "++++\na = 1\n++++\n"],
)
def test_lines_of_plus_signs_around_prose_are_no_head(text):
    assert read(text).front_matter.status is FrontMatterStatus.NONE


def test_a_head_that_is_never_closed_is_text():
    loaded = read('+++\ntitle = "A"\n\ntext\n')
    assert loaded.front_matter.status is FrontMatterStatus.NONE
    assert [each.code for each in loaded.problems] == ["front-matter-unclosed"]
    assert "`+++`" in loaded.problems[0].message


def test_three_dots_do_not_end_it_and_dashes_within_a_text_do_not_either():
    front = read("+++\na = '''\n---\n...\n'''\nb = 1\n+++\ntext").front_matter
    assert (front.fields, front.line_end) == ({"a": "---\n...\n", "b": "1"}, 7)


@given(st.text(alphabet="ab=[]{}\"'.,#\n +-0:\\tru", max_size=60))
def test_whatever_is_between_the_marks_costs_no_page(inner):
    page = parse("a.md", f"+++\n{inner}\n+++\n# T\n".encode(), Layers())
    assert "# T" in page.text


UNITS = {
    "a key of many parts": "a" + ".a" * 30_000 + " = 1",
    "many keys of many parts": "\n".join(f"a{n}{'.a' * 99} = 1" for n in range(300)),
    "tables": "[[a]]\n" * 10_000,
    "lists in lists": "a = " + "[" * 60_000,
    "maps in maps": "a = " + "{a=" * 20_000,
    "escapes": 'a = "' + "\\\\" * 30_000 + '"',
    "keys": "\n".join(f"k{n} = 1" for n in range(7_000)),
    "quotes": "a = '''" + "'" * 60_000,
    "blanks": " " * 60_000,
    "lists that are open": "a = [\n" * 10_000,
    "tables that are open": "[" * 60_000,
    "texts that are open": "a = '" * 12_000,
    "200 KB": "[a]\n" * 50_000,
}


@for_each("name", UNITS)
def test_a_head_made_to_hold_a_reader_up_is_read_at_once(name):
    read("+++\na = 1\n+++\n")  # imports
    begun = process_time()
    read(f"+++\n{UNITS[name]}\n+++\n")
    assert process_time() - begun < 2  # a twentieth of a second where nothing else runs


def test_a_head_over_64_kb_is_read_line_by_line():
    loaded = read("+++\ntitle = 'A'\n" + "# x\n" * (MAX_BYTES // 3) + "+++\n")
    assert loaded.front_matter.fields == {"title": "A"}


# --- what is private ---


@for_each(
    "text",
    [
        "+++\nprivate = true\n+++\nsecret\n",
        "+++\r\nPrivate = 'yes'\r\n+++\r\nsecret\n",
        '+++\n"pri\\u0076ate" = true\n+++\nsecret\n',
        "+++\n[extra]\nprivate = true\n+++\nsecret\n",
        "+++\n[extra]\n  private = true\n+++\nsecret\n",
        "+++\nprivate = true\nprivate = false\n+++\nsecret\n",
        "+++\nprivate = true\n= \n+++\nsecret\n",
        "+++\nx = {private = true\n+++\nsecret\n",
        "+++\nprivate = true\ntitle = 'never closed'\n\nsecret\n",
        "+++\ntitle = 'never closed'\n\n[extra]\nprivate = true\n\nsecret\n",
        "+++\ntitle = 'never closed'\n\nextra = {a = 1, private = true}\n\nsecret\n",
        "+++\ntitle = 'never closed'\n\nextra.private = 'yes'\n\nsecret\n",
        "+++\na = '''\n---\n'''\nprivate = true\n+++\nsecret\n",
    ],
)
def test_a_page_is_private_when_its_head_says_so(text):
    assert public_bytes("wiki/a.md", text.encode(), Layers()) is None


def test_a_page_is_not_private_when_its_head_says_no():
    for end in (b"+++\n", b"\n"):
        data = b"+++\na = 1\nprivate = false\n" + end + b"public\n"
        assert public_bytes("wiki/a.md", data, Layers()) == data


# --- verbs ---


@pytest.mark.parametrize(
    "change",
    [
        lambda pages: pages.set("tea", {"title": "X"}),
        lambda pages: pages.set("tea", {}, unset=["title"]),
        lambda pages: pages.tag_add("tea", ["new"]),
        lambda pages: pages.tag_remove("tea", ["drink"]),
        lambda pages: pages.link("tea", "milk"),
        lambda pages: pages.unlink("tea", "milk"),
        lambda pages: pages.move("tea", "chai", keep_alias=True),
    ],
)
def test_what_would_write_a_field_says_that_it_cannot_and_changes_nothing(
    put, opened, root, change
):
    text = ZOLA.replace("[taxonomies]", 'related = ["[[milk]]"]\n[taxonomies]', 1)
    put("tea.md", text)
    put("milk.md", "# Milk\n")
    with pytest.raises(MemwikiError, match=r"tea\.md:1: the front matter is TOML"):
        change(opened().pages)
    assert (root / "tea.md").read_text() == text


def test_a_tag_is_renamed_in_the_text_of_such_a_page_and_its_head_is_reported(put, opened, root):
    put("tea.md", ZOLA)
    put("post.md", HUGO + "#drink #iced\n")
    put("milk.md", "#iced\n")
    pages = opened().pages
    renamed = pages.tag_rename("iced", "cold")
    assert (root / "post.md").read_text() == HUGO + "#drink #cold\n"
    assert (root / "milk.md").read_text() == "#cold\n"
    assert not renamed.notes
    skipped = pages.tag_rename("warm", "mild")
    assert any("tea.md:1: the front matter is TOML" in note for note in skipped.notes)
    assert (renamed.title, skipped.title) == (
        "renamed #iced to #cold on 2 pages",
        "nothing changed",
    )
    assert (root / "tea.md").read_text() == ZOLA


def test_a_link_in_it_that_a_move_breaks_is_reported(put, opened, root):
    text = '+++\nrelated = ["[[milk]]"]\n+++\n[[milk]]\n'
    put("tea.md", text)
    put("milk.md", "# White\n")
    notes = opened().pages.move("milk", "cream").notes
    assert (root / "tea.md").read_text() == text.replace("+++\n[[milk", "+++\n[[cream")
    assert any(note.startswith("tea.md:2: milk is a broken link now") for note in notes)


def test_a_finding_in_it_names_its_line(put, opened):
    put("tea.md", ZOLA.replace('"warm"', '"very warm"').replace("2017-03-02", "'one day'"))
    found = {each.code: each.line for each in opened().check.run().problems}
    assert found["tag-invalid"] == 8
    assert found["date-unreadable"] == 3


def test_a_template_with_such_a_head_is_filled_in_as_toml():
    text = (
        "+++\ntitle = '{{title}}'\nname = \"x {{title}}\"\ntags = ['{{tags}}']\n+++\n# {{title}}\n"
    )
    made = fill_template(text, Filling("a \"b\" 'c'", datetime(2026, 3, 1), ("x", "y")))
    fields = read(made).front_matter.fields
    assert fields == {"title": "a \"b\" 'c'", "name": "x a \"b\" 'c'", "tags": ["x, y"]}
    assert made.endswith("# a \"b\" 'c'\n")


def test_two_who_add_one_field_to_it_meet():
    base = b"+++\na = 1\n+++\ntext\n"
    mine, theirs = (base.replace(b"\n+++\n", b"\nb = %d\n+++\n" % n, 1) for n in (1, 2))
    assert merge(base, mine, theirs) is None
    other = base.replace(b"text", b"text, more")
    assert merge(base, mine, other) == mine.replace(b"text", b"text, more")


def test_text_below_it_is_changed_and_moved_as_any_other(put, opened, root):
    put("tea.md", ZOLA + "[[milk]]\n")
    put("milk.md", "# Milk\n")
    pages = opened().pages
    pages.append("tea", "More.")
    pages.move("milk", "cream")
    pages.move("tea", "chai")
    assert (root / "chai.md").read_text() == ZOLA + "[[cream]]\n\nMore.\n"


@pytest.mark.parametrize("value", ["1" + " " * 200_000 + "x", '"""' + '"\\' * 100_000])
def test_a_long_line_of_a_broken_head_is_read_in_no_time(value):
    began = process_time()
    load("a.md", ["+++", "a = b = c", "x = " + value, "+++"])
    assert process_time() - began < 1


@pytest.mark.parametrize("line", ["extra.private = true", "extra = {private = true}"])
def test_a_page_is_private_however_a_table_says_so(line):
    assert public_bytes("a.md", f"+++\n{line}\n+++\nsecret\n".encode(), Layers()) is None
    no = line.replace("true", "false")
    assert public_bytes("a.md", f"+++\n{no}\n+++\ntext\n".encode(), Layers()) is not None
