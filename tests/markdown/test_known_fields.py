"""Known keys answer in any case and under the names other tools give them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.entry_fields import canonical, unit_interval
from memwiki.markdown.fields import split_tags
from memwiki.nouns import FOAM, Dialect, Layers
from tests.effort import for_each


@for_each(
    ("key", "name"),
    [
        ("Title", "title"),
        ("kind", "type"),
        ("Summary", "description"),
        ("keywords", "tags"),
        ("alias", "aliases"),
        ("createdAt", "created"),
        ("date created", "created"),
        ("date-modified", "updated"),
        ("lastmod", "updated"),
        ("pubDate", "created"),
        ("publish-date", "created"),
        ("updatedDate", "updated"),
        ("last_modified_at", "updated"),
        ("Superseded By", "superseded_by"),
        ("lifecycle", "status"),
        ("source_url", "sources"),
        ("references", "sources"),
        ("see_also", "related"),
        ("replaces", "supersedes"),
        ("permalink", "id"),
        ("next_review", "stale_after"),
        ("last_edited_time", "updated"),
        ("标题", "title"),
        ("标签", "tags"),
        ("创建时间", "created"),
        ("更新時間", "updated"),
        ("別名", "aliases"),
        ("タグ", "tags"),
        ("날짜", "created"),
        ("预算", "预算"),
        ("okf_version", "okf_version"),
        ("My Key", "My Key"),
    ],
)
def test_a_key_has_one_canonical_name(key, name):
    assert canonical(key) == name


@for_each(
    ("value", "tags"),
    [
        ("", ()),
        ("a", ("a",)),
        ("a, b", ("a", "b")),
        ("a b", ("a", "b")),
        ("#a #b", ("a", "b")),
        ("[a, 'b']", ("a", "b")),
        ("标签，第二", ("标签", "第二")),
        (["a", "#b", "2024"], ("a", "b", "2024")),
        (["A", "a"], ("A",)),
        (["two words"], ("two words",)),
        (["a, b"], ("a", "b")),
        ([""], ()),
        ("tea; herons", ("tea", "herons")),
        (["a; b"], ("a", "b")),
        ("a;b c", ("a;b", "c")),
        ("[[Emergence]]", ()),
        ([["Emergence"]], ()),
        ([[["A"]], "b"], ("b",)),
        ([["a", "b"]], ("a", "b")),
        ("#x [[A b]] y", ("x", "y")),
        ("{{tags}}", ()),
        (["a", "<% tp.file.tags %>"], ("a",)),
        ("[[A|b, c]], d e", ("d e",)),
        (["[t](a.md)", "https://x.org/y", "b"], ("b",)),
    ],
)
def test_tags_are_read_however_they_are_written(value, tags):
    assert split_tags(value) == tags


@for_each(
    ("written", "number"),
    [
        ("0.8", "0.8"),
        ("high", "0.9"),
        ("Medium", "0.5"),
        ("low", "0.2"),
        ("7", "1"),
        ("-1", "0"),
        ("x", ""),
        ("nan", ""),
    ],
)
def test_importance_is_a_number_from_0_to_1_or_a_word(written, number):
    assert unit_interval(written) == number


def test_fields_are_canonical_coerced_and_the_rest_is_kept(read):
    page = read(
        """\
        ---
        Category: note
        Name Of Cat: Tom
        date: 11/04/2016
        modified: 1700000000
        importance: high
        tags:
        keywords: x y
        slug: my-page
        uid: 42
        nested: {a: [b]}
        ---
        """
    )
    assert page.type == "note"
    assert page.created == "2016-11-04"
    assert page.updated == "2023-11-14T22:13:20Z"
    assert page.tags == ("x", "y")
    assert page.ids == ("my-page", "42")
    assert page.fields["importance"] == "0.9"
    assert page.fields["Name Of Cat"] == "Tom"
    assert page.fields["nested"] == {"a": ["b"]}


def test_the_canonical_key_wins_over_a_synonym_and_both_are_kept(read):
    page = read("---\ndate: 2020-01-01\ncreated: 2021-01-01\n---\n")
    assert page.created == "2021-01-01"
    assert page.fields["date"] == "2020-01-01"


def test_a_link_in_a_tag_field_became_a_tag(read):
    page = read("---\ntitle: AI\ntopics:\n  - AI\n  - [[AI]]\n  - '[t](x.md)'\n---\n")
    assert page.tags == ("AI",)
    assert [(link.written, link.line) for link in page.links] == [("AI", 5), ("x.md", 6)]


def test_the_links_of_a_map_go_before_the_title_above_them(read):
    page = read("---\nrelated:\n  title: API\n  links:\n    - a/b\n    - c\n---\n")
    assert [link.written for link in page.links] == ["a/b", "c"]


def test_a_problem_with_a_date_was_told_at_a_line_that_only_looked_like_it(read):
    page = read("---\ntitle: soon\ndescription: see soon\ncreated: soon\n---\n")
    assert [(each.code, each.line) for each in page.problems] == [("date-unreadable", 4)]


def test_an_unreadable_date_stays_text_and_is_reported(read):
    page = read("---\ntitle: A\ncreated: last spring\n---\n")
    assert (page.fields["created"], page.created) == ("last spring", "")
    assert [(p.code, p.line) for p in page.problems] == [("date-unreadable", 3)]


@pytest.mark.parametrize(
    "field",
    [
        "date modified: Friday, January 9th 2026, 2:11:05 pm",
        "Last modified: 2026-01-09",
        "modification_date: 2026/01/09 10:00",
        "updated: '[[2026-01-09]]'",
        "updated: [[2026-01-09]]",
        "updated:\n  - '[[2026-01-09]]'",
    ],
)
def test_a_date_is_read_as_programs_for_notes_write_it(read, field):
    page = read(f"---\n{field}\n---\n")
    assert page.updated[:10] == "2026-01-09"
    assert page.problems == ()


FORM = """---
title: <% tp.file.title %>
aliases: ["<% tp.file.title %>", form]
tags: ["{{tag}}", daily, "year/<% tp.date.now() %>"]
description: "{{description}}"
created: "{{date:YYYY-MM-DD}}"
up: "[[<% tp.file.folder() %>]]"
---
<%*
const title = await tp.system.prompt("Title")
-%>
# {{date:YYYY-MM-DD}} ({{date:ddd}})

What was done today.
"""


@pytest.mark.parametrize("layers", [Layers(), Layers(dialect=Dialect(name=FOAM))])
def test_what_a_template_leaves_to_be_filled_in_is_no_title_tag_date_or_link(read, layers):
    page = read(FORM, "Forms/Day form.md", layers)
    assert (page.title, page.description) == ("Day form", "What was done today.")
    assert (page.tags, page.aliases, page.created, page.links) == (("daily",), ("form",), "", ())
    assert read("---\ntitle: How {{ x }} is read\n---\n").title == "How {{ x }} is read"
    assert read("# Day {{date}}\n").title == "Day {{date}}"


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("title: [[Green tea]]", "Green tea"),
        ("title: 'It's tea'", "It's tea"),
        ("title: 'Tea' and 'milk'", "'Tea' and 'milk'"),
        ("excalidraw-plugin: parsed", "Drawing 2026-01-09.excalidraw"),
    ],
)
def test_a_title_is_read_as_programs_for_notes_write_it(read, head, title):
    text = f"---\n{head}\n---\nDraw.\n\n# Excalidraw Data\n"
    page = read(text, "Drawing 2026-01-09.excalidraw.md")
    assert page.title == title


@pytest.mark.parametrize("opener", ["<%", "{{", "<% ", "{{ ", "<%%>", "{{}}"])
def test_a_title_of_many_forms_is_read_at_once(read, opener):
    assert read("---\ntitle: '" + opener * 10_000 + "x'\n---\n").title


def test_a_list_where_one_value_was_expected_gives_its_first(read):
    assert read("---\ntitle: [A, B]\n---\n").title == "A"


@given(st.text())
def test_no_tag_is_empty_or_starts_with_a_hash(text):
    assert all(tag and not tag.startswith("#") for tag in split_tags(text))


@pytest.mark.parametrize("title", ["{{title}} and more", "{{a", "<% x"])
def test_what_only_begins_like_a_form_is_a_title(read, title):
    assert read(f"# {title}\n\ntext\n").title == title


@for_each(
    ("line", "problems"),
    [
        ("lastUpdated: true", 0),
        ("lastUpdated: false", 0),
        ("date: today", 0),
        ("date: last-modified", 0),
        ("date: todayish", 1),
    ],
)
def test_what_a_program_puts_in_is_no_date_and_no_mistake(read, line, problems):
    page = read(f"---\n{line}\n---\ntext\n")
    assert len(page.problems) == problems
    assert (page.created, page.updated) == ("", "")


def test_a_day_may_stand_with_its_weekday_and_ordinal(read):
    page = read("---\nmodification date: Friday 5th March 2021 10:00:00\n---\ntext\n")
    assert page.updated == "2021-03-05T10:00:00"


def test_a_title_over_two_lines_is_one_line(read):
    assert read("---\ntitle: |\n  Green\n  tea\n---\ntext\n").title == "Green tea"
