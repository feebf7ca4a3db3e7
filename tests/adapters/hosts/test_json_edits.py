"""Members come into any JSON with comments and go again; every other byte stays."""

import json
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.adapters.hosts.json_edit import NotJsonError, drop_empty, parse, put, take_out
from tests.effort import for_each

OURS = {"command": "memwiki", "args": ["mcp"]}
WORDS = st.sampled_from(["a", "b", "mcpServers", "hooks", "ä", "日本", "x y", '"', "\\", "//", "{"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | WORDS | st.floats(0, 1),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


@st.composite
def texts(draw, values=VALUES, *, of=None):
    """A value, written with odd blanks, comments, commas at the end and line ends."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    gaps = st.sampled_from(["", "", " ", newline, f" // c {newline}", "/* ] } */", f"{newline}\t"])

    def gap():
        return draw(gaps)

    def written(value):
        if isinstance(value, dict):
            parts = [
                f"{gap()}{json.dumps(k, ensure_ascii=False)}{gap()}:{gap()}{written(v)}{gap()}"
                for k, v in value.items()
            ]
        elif isinstance(value, list):
            parts = [f"{gap()}{written(each)}{gap()}" for each in value]
        else:
            return json.dumps(value, ensure_ascii=draw(st.booleans()))
        end = "," if parts and draw(st.booleans()) else ""
        inner = ",".join(parts) + end + gap()
        return f"{{{inner}}}" if isinstance(value, dict) else f"[{inner}]"

    value = draw(values if of is None else of)
    return gap() + written(value) + gap(), value


OBJECTS = st.dictionaries(WORDS, VALUES, max_size=4)


@given(texts())
def test_what_is_read_is_what_was_written(pair):
    text, value = pair
    assert parse(text).value == value


def ours(key, value):
    return value == OURS


@given(texts(of=OBJECTS), st.lists(WORDS, min_size=1, max_size=2))
def test_a_member_comes_in_and_goes_again_byte_for_byte(pair, above):
    text, value = pair
    path = (*above, "memwiki")
    try:
        new, made = put(text, path, OURS)
    except LookupError:
        inner = value
        for key in above:
            inner = inner[key]
            if not isinstance(inner, dict):
                return
        raise
    held = deepcopy(parse(new).value)
    for key in above:
        held = held[key]
    assert held.pop("memwiki") == OURS
    assert put(new, path, OURS).text == new
    assert drop_empty(take_out(new, path[:-1], ours), made) == text


@given(texts(of=OBJECTS), st.lists(WORDS, min_size=1, max_size=2), texts())
def test_an_element_goes_though_others_added_theirs(pair, path, other):
    text, _ = pair
    try:
        new, made = put(text, tuple(path), OURS, is_element=True)
    except LookupError:
        return
    theirs = put(new, tuple(path), other[1], is_element=True).text
    left = drop_empty(take_out(theirs, tuple(path), ours), made)
    expected = put(text, tuple(path), other[1], is_element=True).text
    assert parse(left).value == parse(expected).value


@for_each(
    "text",
    ["", "{", "[1 2]", '{"a":1 "b":2}', '{"a"}', "{a:1}", "[NaN]", "[,]", "/*", '{"a":1}x', "\x00",
     '{"a":1,"a":2}', "[" * 300 + "]" * 300, '"\n"', "[01]", "nul", '{"a":}', "1" * 5000],
)  # fmt: skip
def test_what_is_no_json_is_refused_with_its_line(text):
    with pytest.raises(NotJsonError, match="line 1: "):
        parse(text)


@for_each("text", ['["', "/*", "{", "[", "//", '"\\', "[[],", "1,"])
def test_reading_is_linear(text):
    with pytest.raises(NotJsonError):
        parse(text * 200_000)


GOLDEN = [
    ("{}", '{"mcpServers": {\n  "memwiki": 1\n}}'),
    ('{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "mcpServers": {\n        "memwiki": 1\n    }\n}\n'),
    ('{"a": 1}', '{"a": 1, "mcpServers": {"memwiki": 1}}'),
    (
        '{\n\t"mcpServers": {\n\t\t"x": {} // mine\n\t}\n}',
        '{\n\t"mcpServers": {\n\t\t"x": {}, // mine\n\t\t"memwiki": 1\n\t}\n}',
    ),
    (
        '{\r\n  "mcpServers": {\r\n    "x": {},\r\n  },\r\n}',
        '{\r\n  "mcpServers": {\r\n    "x": {},\r\n    "memwiki": 1,\r\n  },\r\n}',
    ),
]


@for_each(("before", "after"), GOLDEN)
def test_a_member_is_set_as_its_neighbours_are(before, after):
    assert put(before, ("mcpServers", "memwiki"), 1).text == after
