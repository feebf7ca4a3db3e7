"""Simple front matter is read without PyYAML, and always as PyYAML reads it."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.markdown.frontmatter import _parse, simple_fields
from tests.effort import for_each

_SIGNS = st.sampled_from("ab1_-.:,'\"#[]{}&*!?|>%@`=~ \\/()+\té中，\u2028")
_TEXTS = st.lists(_SIGNS, max_size=5).map("".join) | st.sampled_from(["null", "word", "", "~"])
_VALUES = st.one_of(
    _TEXTS,
    _TEXTS.map('"{}"'.format),
    _TEXTS.map("'{}'".format),
    st.lists(_TEXTS, max_size=3).map(", ".join).map("[{}]".format),
)
_KEYS = st.sampled_from(["a: ", "b:  ", "c.d: ", "null: ", "é: ", "x-y:", "- ", "  - ", "-"])
_LINES = st.tuples(_KEYS, _VALUES).map("".join) | _TEXTS


@given(st.lists(_LINES, min_size=1, max_size=5))
def test_what_is_read_here_is_read_as_yaml_reads_it(lines):
    fields = simple_fields(lines)
    if fields is not None:
        duplicates: list[tuple[str, int]] = []
        assert list(fields.items()) == list(_parse("\n".join(lines), duplicates).items())
        assert not duplicates


def test_what_people_write_is_simple():
    lines = [
        *(
            "title: Über Reiher, 苍鹭（鹭）",
            "ms.date: 11/04/2016",
            'description: "More: here #1"',
        ),
        *("url: https://a.b/c?d=e&f", "keywords: [\"a b\", 'c', d]", "", "tags:", "- one", "- "),
        *("aliases:", "  - x y", '  - "[[z]]"', "none: null", "empty:"),
    ]
    assert simple_fields(lines) == {
        "title": "Über Reiher, 苍鹭（鹭）",
        "ms.date": "11/04/2016",
        "description": "More: here #1",
        "url": "https://a.b/c?d=e&f",
        "keywords": ["a b", "c", "d"],
        "tags": ["one", ""],
        "aliases": ["x y", "[[z]]"],
        "none": "",
        "empty": "",
    }


@for_each(
    "lines",
    [
        *(["a: b: c"], ["a: b #c"], ["a: 1", "a: 2"], ["null: 1"], ["a: |", "  b"], ["- a"]),
        *(["a:", "- b", "  - c"], ["a: &x b"], ["a: {b: c}"], [r'a: "\t"'], ["a: b\tc"], ["a:b"]),
        *(["a: b", "  c"], ["a: b", "- c"], ["# a"], ["a: [b: c]"], ["a: " + "b" * 20_000]),
        ["a: b", *[""] * 70_000],
    ],
)
def test_anything_else_is_left_to_yaml(lines):
    assert simple_fields(lines) is None
