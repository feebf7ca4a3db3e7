"""Fields of a front matter are set on their line; every other byte stays."""

import pytest
import yaml

from memwiki.errors import MemwikiError, NotEditableError, NotFoundError, UsageError
from memwiki.markdown.edit.fields import set_field, unset_field
from memwiki.markdown.outline import outline_of
from memwiki.nouns import Layers
from tests.effort import for_each


def set_in(text, name, value):
    data = text if isinstance(text, bytes) else text.encode()
    return set_field(outline_of("a.md", data, Layers()), name, value).data.decode()


def unset_in(text, name):
    return unset_field(outline_of("a.md", text.encode(), Layers()), name).data.decode()


def page(*lines):
    return "\n".join(["---", *lines, "---", "# T", ""])


# --- a value ---


@for_each(
    ("line", "value", "after"),
    [
        ("k: old", "new", "k: new"),
        ("k: old  # why", "new", "k: new  # why"),
        ("k:   old", "new", "k:   new"),
        ("k: 'old'", "it's", "k: 'it''s'"),
        ('k: "old" # c', 'say "x"', 'k: "say \\"x\\"" # c'),
        ("k:", "new", "k: new"),
        ("k:  # c", "new", "k: new  # c"),
        ('k: ""', "new", 'k: "new"'),
        ("k: ~", "new", "k: new"),
        ("k: old", "", 'k: ""'),
        ("k: old", "a: b", 'k: "a: b"'),
        ("k: old", "a #b", 'k: "a #b"'),
        ("k: old", "a#b:c", "k: a#b:c"),
        ("k: old", "https://x.org/a?b=1,2#c", "k: https://x.org/a?b=1,2#c"),
        ("k: old", "line\nline", 'k: "line\\nline"'),
        ("k: old", 'a "b": c', "k: 'a \"b\": c'"),
        ("k: old", "C:\\x", "k: C:\\x"),
        ("k: old", "中文：标题", "k: 中文：标题"),
        ("k: old", "x:", 'k: "x:"'),
        ("k: old", " x", 'k: " x"'),
        ("k: old", "\x07", 'k: "\\x07"'),
        ("k: old", "0.8", "k: 0.8"),
        ("k: old", "4.20", 'k: "4.20"'),
        ("k: old", "007", 'k: "007"'),
        ("k: old", "1e3", 'k: "1e3"'),
        ("k: old", "12:30", 'k: "12:30"'),
        ("k: old", "true", "k: true"),
        ("k: old", "yes", 'k: "yes"'),
        ("k: old", "Off", 'k: "Off"'),
        ("k: old", "null", 'k: "null"'),
        ("k: old", "2026-01-09", "k: 2026-01-09"),
        ("title: old", "1917", 'title: "1917"'),
        ("title: old", "2026-01-09", 'title: "2026-01-09"'),
        ("summary: old", "x", "summary: x"),
        ("'quoted key': old", "x", "'quoted key': x"),
        ("k : old", "x", "k : x"),
        ("k: *a", "x", "k: x"),
    ],
)
def test_one_line_changes(line, value, after):
    name = {"summary": "description", "'quoted key'": "quoted key"}.get(line.split(":")[0])
    name = name or line.split(":")[0].strip()
    before = page("a: &a first # one", line, "z:   'last'")
    assert set_in(before, name, value) == before.replace(f"\n{line}\n", f"\n{after}\n")


@for_each("start", ["@", "\\", "*", "&", "!", "%", "|", ">", "`", "- ", "{{", "[", "? "])
def test_what_yaml_would_read_differently_is_quoted(start):
    text = set_in(page("k: v"), "k", f"{start}x")
    assert yaml.safe_load(text.split("---")[1]) == {"k": f"{start}x"}


@for_each("value", ["yes", "1e3", "0x1F", "1_000", "~", "=", "<<", ".inf", "y", "12:30:45"])
def test_text_stays_text_for_other_readers(value):
    assert yaml.safe_load(set_in(page("k: v"), "k", value).split("---")[1]) == {"k": value}


@for_each(
    ("lines", "after"),
    [
        (["k: |", "  one", "", "  two", "", "# c"], ["k: new", "", "# c"]),
        (["k: >- # why", "  one", "  # text"], ["k: new # why"]),
        (["k: one", "  two"], ["k: new"]),
        (['k: "one', '  two"  # c'], ['k: "new"  # c']),
    ],
)
def test_text_of_several_lines_becomes_one_line(lines, after):
    assert set_in(page("a: 1", *lines, "z: 2"), "k", "new") == page("a: 1", *after, "z: 2")


# --- lists ---


@for_each(
    ("lines", "value", "after"),
    [
        (["tags: [a, b]"], "a,c", ["tags: [a, c]"]),
        (["tags: [ 'a', 'b' ] # c"], "a,b,d", ["tags: [ 'a', 'b', 'd' ] # c"]),
        (["tags: [a, b, c]"], "a", ["tags: [a]"]),
        (["tags: [a]"], "", ["tags: []"]),
        (["tags: []"], "a", ["tags: [a]"]),
        (["tags:"], "a,b", ["tags: [a, b]"]),
        (["tags: a, b"], "b,c", ["tags: b, c"]),
        (["tags: a b"], "b,c", ["tags: b c"]),
        (["tags: '[a, b]'"], "c", ["tags: '[c]'"]),
        (["keywords: [a]"], "b", ["keywords: [b]"]),
        (["tags:", "  - a # 1", "  - b"], "a,b,c", ["tags:", "  - a # 1", "  - b", "  - c"]),
        (["tags:", "- a", "# between", "- b"], "x,b", ["tags:", "- x", "# between", "- b"]),
        (["tags:", "- a", "- b"], "", ["tags: []"]),
        (["tags: [", "  a,", "  b,", "]"], "a,b,c", ["tags: [", "  a,", "  b, c,", "]"]),
        (["who: [Ann, Bo]"], "Ann,Cy", ["who: [Ann, Cy]"]),
        (["tags: [a]"], "#b,#b,c", ["tags: [b, c]"]),
    ],
)
def test_a_list_keeps_its_style(lines, value, after):
    name = "tags" if lines[0].startswith("key") else lines[0].split(":")[0]
    assert set_in(page("a: 1", *lines, "z: 2"), name, value) == page("a: 1", *after, "z: 2")


def test_a_sequence_may_hold_commas():
    assert 'aliases: ["a, b", c]' in set_in(page("x: 1"), "aliases", ["a, b", "c"])
    assert 'aliases: ["a, b"]' in set_in(page("aliases: c"), "aliases", ["a, b"])


# --- new fields ---


@for_each(
    ("before", "after"),
    [
        ("---\na: 1\n---\nx", "---\na: 1\nk: v\n---\nx"),
        ("---\na: 1\n# end\n...\nx", "---\na: 1\n# end\nk: v\n...\nx"),
        ("---\n---\nx", "---\nk: v\n---\nx"),
        ("---\n# c\n---\nx", "---\n# c\nk: v\n---\nx"),
        ("---\n  a: 1\n---\nx", "---\n  a: 1\n  k: v\n---\nx"),
        ("---\na: |\n  1\n---", "---\na: |\n  1\nk: v\n---"),
        ("# T\n", "---\nk: v\n---\n# T\n"),
        ("", "---\nk: v\n---\n"),
        ("\n\nx", "---\nk: v\n---\n\n\nx"),
        ("---\nprose between rules\n---\n", "---\nk: v\n---\n---\nprose between rules\n---\n"),
        ("# T\r\nx\r\n", "---\r\nk: v\r\n---\r\n# T\r\nx\r\n"),
        ("\ufeff# T\r\n", "\ufeff---\r\nk: v\r\n---\r\n# T\r\n"),
        ("\ufeff---\r\na: 1\r\n---\r\n", "\ufeff---\r\na: 1\r\nk: v\r\n---\r\n"),
        ("---\na: 1\r\nb: 2\n---\r\nx", "---\na: 1\r\nb: 2\nk: v\n---\r\nx"),
    ],
)
def test_a_new_field_is_the_last_line_of_the_block(before, after):
    assert set_in(before, "k", "v") == after
    if "a: 1" in before:
        assert unset_in(after, "k") == before


@for_each(
    ("lines", "after"),
    [
        (["k: v # c"], []),
        (["k: |", "  a", "", "  b", "", "# below"], ["", "# below"]),
        (["k:", "- a", "- b"], []),
        (["k:", "  x: {y: 1}", "  # inside"], []),
        (["k: 'a", "  b'"], []),
    ],
)
def test_a_removed_field_takes_its_lines_with_it(lines, after):
    assert unset_in(page("a: 1", *lines, "z: 2"), "k") == page("a: 1", *after, "z: 2")


@pytest.mark.parametrize("value", ["v", ""])
def test_what_is_so_already_stays_byte_by_byte(value):
    text = page(f"k:   '{value}'  # c")
    assert set_in(text, "k", value) == text


# --- names ---


@for_each(
    ("written", "asked"),
    [
        ("Title", "title"),
        ("summary", "description"),
        ("date modified", "updated"),
        ("TAGS", "tags"),
        ("alias", "aliases"),
    ],
)
def test_a_known_field_is_found_by_its_synonyms(written, asked):
    assert f"\n{written}: new\n" in set_in(page(f"{written}: old"), asked, "new")


@for_each("written", ["slug", "permalink", "url", "references", "see_also"])
def test_names_and_sources_of_their_own_are_no_synonyms(written):
    known = {"slug": "id", "permalink": "id", "see_also": "related"}.get(written, "sources")
    assert f"\n{written}: old\n{known}: new\n" in set_in(page(f"{written}: old"), known, "new")


def test_a_synonym_of_what_is_written_is_refused_with_the_key_to_use():
    with pytest.raises(UsageError, match="description means the same as summary") as caught:
        set_in(page("description: x"), "summary", "y")
    assert caught.value.hint == "set description instead"


# --- refusals ---


@for_each(
    ("text", "says", "line"),
    [
        (page("k: {a: 1}"), "nested", 2),
        (page("a: 1", "k:", "  b: 1"), "nested", 3),
        (page("k: [[x]]"), "nested", 2),
        (page("k: &anchor x"), "anchor", 2),
        (page("k: 1", "b: 2", "k: 3"), "lines 2 and 4", 2),
        (page("a: b: c", "k: 1"), "not valid YAML", 2),
        (page("a: 'x", "k: 1"), "not valid YAML", 3),
        (page("<<<<<<< ours", "k: 1", "=======", "k: 2", ">>>>>>> theirs"), "merge conflict", 2),
        ("---\nk: 1\n# T\n", "not closed", 1),
        (page("{k: 1}"), "braces", 2),
    ],
)
def test_what_is_not_certain_is_refused_with_its_line(text, says, line):
    with pytest.raises(NotEditableError, match=says) as caught:
        set_in(text, "k", "v")
    assert caught.value.line == line
    assert caught.value.hint


@pytest.mark.parametrize("data", ["---\nk: 1\n---\n".encode("utf-16"), b"---\nk: caf\xe9\n---\n"])
def test_a_file_that_would_not_come_back_as_it_is_is_refused(data):
    with pytest.raises(NotEditableError, match="read"):
        set_in(data, "k", "v")


@for_each("name", ["", "a: b", "- a", "#a", "a\nb", "<<", "[a]", "a  b"])
def test_a_key_that_yaml_would_not_take_is_refused(name):
    with pytest.raises(MemwikiError, match="written as a key"):
        set_in(page("x: 1"), name, "v")


def test_a_value_that_is_no_text_is_refused():
    with pytest.raises(UsageError, match="not text"):
        set_in(page("x: 1"), "k", "\udcff")


def test_removing_a_field_that_is_not_there_names_those_that_are():
    with pytest.raises(NotFoundError) as caught:
        unset_in(page("x: 1", "y: 2"), "k")
    assert caught.value.hint == "it has x, y"


@for_each(
    "page",
    [
        "---\rtitle: A\r---\r# A\r\rText.\r",
        "# A\r\rText.\r",
        "---\rtitle: A\r---\nText.\n\nMore.\n\nMore.\n\nMore.\n",
        "---\r\ntitle: A\rother: x\r\n---\r\nText.\r\n\r\nMore.\r\n",
        "+++\rtitle = 'A'\r+++\nText.\n\nMore.\n\nMore.\n\nMore.\n",
    ],
)
def test_a_page_whose_lines_end_in_a_carriage_return_alone_gets_no_second_head(page):
    with pytest.raises(NotEditableError, match="a carriage return alone") as caught:
        set_in(page, "k", "v")
    assert "line ends LF" in caught.value.hint


@for_each(
    "text",
    [
        "a\rb\n",
        "a\r\r\nb\r\r\n",
        "a\n---\nb\rc\n",
        "```\n10 %\r20 %\r30 %\r40 %\r\n```\n",
        "---\n\na\rb\n\nc\n",
        "----------\n\na\rb\n",
        "--- a\n+++ b\nc\rd\n",
        "a\rb",
    ],
)
def test_a_carriage_return_in_the_text_is_no_reason_to_refuse(text):
    assert text in set_in(text, "k", "v")


def test_a_page_whose_head_is_json_gets_none_above_it():
    with pytest.raises(NotEditableError, match="JSON"):
        set_in('{\n  "title": "A"\n}\n\nText\n', "k", "v")
    assert set_in("{ no head }\n", "k", "v") == "---\nk: v\n---\n{ no head }\n"
