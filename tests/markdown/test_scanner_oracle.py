"""The line scanner and markdown-it see the same headings, code and HTML."""

from hypothesis import given, settings
from hypothesis import strategies as st

from memwiki.markdown.scanner import scan
from memwiki.markdown.structure import parsed_structure, sections_of, structure_of
from memwiki.markdown.syntax import heading_of
from tests.effort import for_each


def seen(structure, lines):
    """Headings, items, and the lines of code and HTML that hold text."""
    return (
        [(h.title.strip(), h.level, h.line, h.line_end) for h in structure.headings],
        {i for a, b in structure.code for i in range(a, b) if lines[i].strip(" \t")},
        {i for a, b in structure.html for i in range(a, b) if lines[i].strip(" \t")},
        structure.items,
    )


PIECES = (
    """\
text|more text|# H|## H2 ##|#tag|```|```py|~~~|````|---|===|***|- a|- b|* c|1. one|2. two|10) x|-|- # h
- ```|- - n|  text|    ind|      deep|   # h3|  - nest|    - nest2|> q|> - q|> # h|>|>     c|> ```|<div>
</div>|<!-- c|-->|<!-- c -->|<b>|<b> x|[a]: b|[a]: b "t|  ```|    ```|   ---|1.|`x`|-      code|  > q
   - y|  2. z|  ===|<script>|</script>|<a href="x">|- <div>|* * *|- - -|# |#|######x|  <div>|>text|1.x
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
CONFLICT = ["<<<<<<< HEAD", "||||||| x", "=======", ">>>>>>> x"]
LINES = st.lists(
    st.sampled_from(["", "", "\t- tab", "\ttab", "- \tx", *CONFLICT, *PIECES]),
    min_size=1,
    max_size=9,
)


@settings(max_examples=500)
@given(LINES)
def test_where_the_scanner_is_certain_markdown_it_agrees(lines):
    scanned = scan(lines)
    if scanned.is_certain:
        assert seen(scanned, lines) == seen(parsed_structure(lines, 0), lines)


@settings(max_examples=500)
@given(LINES, LINES, LINES)
def test_on_both_sides_of_a_merge_conflict_they_agree(before, ours, theirs):
    lines = [*before, CONFLICT[0], *ours, CONFLICT[2], *theirs, CONFLICT[3]]
    scanned = scan(lines)
    if scanned.is_certain:
        assert seen(scanned, lines) == seen(parsed_structure(lines, 0), lines)


@given(LINES)
def test_the_structure_is_always_that_of_markdown_it(lines):
    assert seen(structure_of(lines, 0), lines) == seen(parsed_structure(lines, 0), lines)


@for_each(
    "text",
    [
        "# A\n\ntext\n\n## B\n\n```\n# no\n```\n\n- a\n  - b\n    ```\n    x\n    ```\n",
        "Title\n===\n\nSub\ntitle\n---\n\n---\n\ntext\n",
        "- a\n\n      code\n\n  text\n\n1. b\n   ```\n   x\n2. c\n",
        "<div>\n# no\n</div>\n\n# Yes\n\n<!--\n# no\n\n# no\n-->\n# Yes\n",
        "> quote\n> # no\n\n# Yes\n",
        "| a | b |\n|---|---|\n| c | d |\n",
        "```\nnever closed\n# no\n",
    ],
)
def test_what_people_usually_write_needs_no_full_parser(text):
    lines = text.split("\n")
    scanned = scan(lines)
    assert scanned.is_certain
    assert seen(scanned, lines) == seen(parsed_structure(lines, 0), lines)


@for_each("text", ["> ```\n> code\n> ```", "[a]: b\n===", "-\n\n  text", "-      code"])
def test_rare_constructs_are_left_to_markdown_it(text):
    assert not scan(text.split("\n")).is_certain


@given(LINES, st.integers(0, 3))
def test_lines_before_the_start_are_not_looked_at(lines, start):
    shifted = structure_of(["# x", "```", "<!--"][:start] + lines, start)
    plain = structure_of(lines, 0)
    assert [h.line - start for h in shifted.headings] == [h.line for h in plain.headings]
    assert [(a - start, b - start) for a, b in shifted.code] == list(plain.code)


@for_each(
    ("line", "heading"),
    [
        ("# A", (1, "A")),
        ("## A ##", (2, "A")),
        ("# A#", (1, "A#")),
        ("#", (1, "")),
        ("# #", (1, "")),
        ("#A", None),
        ("####### A", None),
    ],
)
def test_an_atx_heading(line, heading):
    assert heading_of(line) == heading


def test_sections_end_at_the_next_heading_of_their_level_and_know_their_trail():
    lines = ["# A", "x", "## B", "### C", "## D", "# E", "y"]
    sections = sections_of(scan(lines).headings, len(lines))
    assert [(s.trail, s.line_start, s.line_end) for s in sections] == [
        (("A",), 1, 5),
        (("A", "B"), 3, 4),
        (("A", "B", "C"), 4, 4),
        (("A", "D"), 5, 5),
        (("E",), 6, 7),
    ]
