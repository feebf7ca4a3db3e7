"""Front matter is read as strings, mended where it is not YAML, and never costs a page."""

import textwrap

from hypothesis import given
from hypothesis import strategies as st

from memwiki.markdown.frontmatter import MAX_BYTES, load
from memwiki.nouns import FrontMatterStatus
from tests.effort import for_each


def read(text):
    return load("a.md", textwrap.dedent(text).lstrip("\n").split("\n"))


def codes(loaded):
    return [(problem.code, problem.line) for problem in loaded.problems]


def test_scalars_stay_the_strings_people_wrote():
    loaded = read(
        """
        ---
        title: 1917
        version: 4.20
        draft: yes
        day: 2024-01-02
        hex: 0x1F
        ---
        """
    )
    assert loaded.front_matter.fields == {
        "title": "1917",
        "version": "4.20",
        "draft": "yes",
        "day": "2024-01-02",
        "hex": "0x1F",
    }


@for_each("null", ["", "null", "~", "NULL"])
def test_null_is_an_empty_string_unless_it_is_quoted(null):
    assert read(f"---\na: {null}\nb: 'null'\n---\n").front_matter.fields == {"a": "", "b": "null"}


def test_nested_values_stay_as_they_are():
    fields = read("---\na:\n  - {x: 1, y: [2, 3]}\n---\n").front_matter.fields
    assert fields == {"a": [{"x": "1", "y": ["2", "3"]}]}


def test_delimiters_may_follow_blank_lines_and_end_with_dots():
    front = read("\n\n---  \na: 1\n...\ntext").front_matter
    assert (front.status, front.line_start, front.line_end) == (FrontMatterStatus.OK, 1, 3)
    front = load("a.md", ["", "---", "a: 1", "---"]).front_matter
    assert (front.line_start, front.line_end) == (2, 4)


def test_an_empty_block_is_fine():
    front = read("---\n\n---\ntext").front_matter
    assert front.status is FrontMatterStatus.OK
    assert front.fields == {}


def test_a_block_of_comments_is_empty():
    assert read("---\n# a: 1\n# b: 2\n---\n").front_matter.fields == {}


@for_each(
    "text",
    [
        "text\n---\na: 1\n---\n",
        "---\n\nSome prose after a rule.\n\n---\nMore.\n",
        "---\n- a\n- b\n---\n",
        "---\n\nA story.\n\nNote: it is long.\n\nIt goes on here.\n\n---\n",
        "----\na: 1\n----\n",
        "---\njust text, never closed",
    ],
)
def test_a_rule_is_not_front_matter(text):
    loaded = read(text)
    assert loaded.front_matter.status is FrontMatterStatus.NONE
    assert loaded.problems == ()


def test_a_block_that_is_never_closed_is_reported_and_read_as_text():
    loaded = read("---\ntitle: A\n\ntext")
    assert loaded.front_matter.status is FrontMatterStatus.NONE
    assert codes(loaded) == [("front-matter-unclosed", 1)]


@for_each(
    ("line", "value"),
    [
        ("title: Foo: bar", "Foo: bar"),
        ('title: "Foo" and "bar"', '"Foo" and "bar"'),
        ('title: "Foo "bar" baz"', 'Foo "bar" baz'),
        ("title: @someone", "@someone"),
        ("title: `code`", "`code`"),
        ("title: {{title}}", "{{title}}"),
        ("title: *bold*", "*bold*"),
        ("title: it's: 'quoted'", "it's: 'quoted'"),
        ("title: [a, b", "[a, b"),
        ("title: [#a, b, @c ]", ["#a", "b", "@c"]),
        ("title: [a #b, c]", "[a #b, c]"),
        ("title: [ # x , b]", ["# x", "b"]),
        ("title: [#a, b]  # kept", ["#a", "b"]),
        ("title: [#a, {b]", "[#a, {b]"),
        ("title: %percent", "%percent"),
    ],
)
def test_a_value_that_is_not_yaml_is_quoted_and_read(line, value):
    loaded = read(f"---\nfirst: 1\n{line}\nlast: [x, y]\n---\n")
    assert loaded.front_matter.status is FrontMatterStatus.REPAIRED
    assert loaded.front_matter.fields == {"first": "1", "title": value, "last": ["x", "y"]}
    assert [code for code, _ in codes(loaded)] == ["front-matter-repaired"]


def test_a_list_item_that_is_not_yaml_is_quoted_and_read():
    fields = read("---\naliases:\n  - @me\n  - plain\n---\n").front_matter.fields
    assert fields == {"aliases": ["@me", "plain"]}


def test_what_no_quoting_mends_is_salvaged_line_by_line():
    loaded = read(
        """
        ---
        title: "Kept"
        \t- odd
        tags:
        - a
        - 'b'
         }{
        other: x
        ---
        """
    )
    assert loaded.front_matter.status is FrontMatterStatus.SALVAGED
    assert loaded.front_matter.fields["title"] == "Kept"
    assert loaded.front_matter.fields["tags"] == ["a", "b"]
    assert "}{" in loaded.lost


@for_each("written", ['""', "''", '"a"'])
def test_a_short_quoted_value_above_a_stray_line_is_salvaged(written):
    loaded = read(f"---\ntitle: Tea\ntags: [drink]\ndescription: {written}\n  - stray\n---\n")
    assert [code for code, _ in codes(loaded)] == ["front-matter-salvaged"]
    fields = loaded.front_matter.fields
    assert (fields["title"], fields["tags"]) == ("Tea", "[drink]")


def test_a_block_nothing_can_be_read_from_is_broken():
    loaded = read("---\n{ [ }\n---\n")
    assert loaded.front_matter.status is FrontMatterStatus.BROKEN
    assert loaded.lost == "{ [ }"
    assert codes(loaded)[0][0] == "front-matter-broken"


def test_a_key_that_stands_twice_is_reported_and_the_last_one_counts():
    loaded = read("---\na: 1\nb: 2\na: 3\n---\n")
    assert loaded.front_matter.fields == {"a": "3", "b": "2"}
    assert codes(loaded) == [("key-duplicate", 4)]


def test_conflict_markers_are_reported_and_our_side_is_read():
    loaded = read(
        """
        ---
        title: A
        <<<<<<< HEAD
        status: ours
        =======
        status: theirs
        >>>>>>> branch
        last: 1
        ---
        """
    )
    assert loaded.front_matter.fields == {"title": "A", "status": "ours", "last": "1"}
    assert codes(loaded) == [("conflict-marker", 3)]
    assert "status: theirs" in loaded.lost


def test_aliases_are_followed():
    assert read("---\na: &x [1]\nb: *x\n---\n").front_matter.fields == {"a": ["1"], "b": ["1"]}


def test_an_alias_bomb_does_not_go_off():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 10)}]" for i in range(9)]
    loaded = read("---\n" + "\n".join(lines) + "\n---\n")
    assert loaded.front_matter.status is not FrontMatterStatus.OK
    assert len(str(loaded.front_matter.fields)) < 200_000


@for_each("bad", ["[" * 500, "{a: " * 500, "- " * 500, "? " * 500])
def test_depth_is_bounded(bad):
    loaded = read(f"---\ntitle: A\nx: {bad}\n---\n")
    assert loaded.front_matter.fields["title"] == "A"
    assert loaded.problems


def test_a_block_over_64_kb_still_gives_its_plain_lines():
    words = ", ".join(["word"] * MAX_BYTES)
    loaded = read(f'---\ntitle: "Long"\nwords: [{words}]\n---\n')
    assert loaded.front_matter.status is FrontMatterStatus.SALVAGED
    assert loaded.front_matter.fields["title"] == "Long"


@given(st.text(alphabet="ab:-'\"[]{}#&*!|>%@`, \n\t~?", max_size=80))
def test_any_block_is_read_without_raising(block):
    loaded = read(f"---\ntitle: A\n{block}\n---\n")
    assert loaded.front_matter.status in FrontMatterStatus
