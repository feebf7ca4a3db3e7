"""Nested data is written as a list that people can read, and comes back as it was."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.markdown.entries import read_marks
from memwiki.memory.view import as_field, from_field

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        "true",
        "3",
        "a: b",
        "[x:: y]",
        "^m-abc123",
        "- item",
        "~~old~~",
        "`code",
        "#tag",
        "1.5e3",
        "a::b",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def test_a_map_is_an_indented_list_of_pairs():
    data = {"size": 3, "colours": ["red", "blue"], "made by": {"name": "Anna"}}
    assert as_field("data", data) == (
        "- data::\n  - size: 3\n  - colours:\n    - red\n    - blue\n  - made by:\n    - name: Anna"
    )


def test_a_list_that_a_person_wrote_is_read():
    assert from_field("- size: 3\n- note: see the other page\n- done: true") == {
        "size": 3,
        "note": "see the other page",
        "done": True,
    }
    assert from_field("- one\n- two: 2") == ["one", "two: 2"]
    assert from_field("") is None


@given(VALUES)
def test_any_data_comes_back_through_the_lines_of_an_entry(data):
    lines = "\n".join(f"  {line}" for line in as_field("data", data).split("\n"))
    marks = read_marks(f"Text. ^m-abc123\n{lines}")
    assert (marks.text, marks.id) == ("Text.", "m-abc123")
    assert from_field(marks.fields["data"]) == data
