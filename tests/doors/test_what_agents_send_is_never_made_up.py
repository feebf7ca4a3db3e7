"""Whatever is sent, what reaches a tool comes from it or is refused; size does no harm."""

import json
import math

from hypothesis import given
from hypothesis import strategies as st

from memwiki.tools import PROFILES
from memwiki.tools.aliases import aliases
from memwiki.tools.arguments import MAX_JSON, note, parsed_json, parsed_texts, understood
from memwiki.tools.schema import faults, fill_defaults
from tests.doors.slips import CALLS
from tests.effort import for_each

ALL = {tool.name: tool for profile in PROFILES.values() for tool in profile}
FLAGS = {"true", "yes", "1", "false", "no", "0"}
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["3", "0.5", "true", "a, b", "[a]", "null", "/", "./x", "backlinks", "Deep"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "tags", "content", "x"]), inner, max_size=3)
        | inner.map(json.dumps)
    ),
    max_leaves=6,
)


@st.composite
def calls(draw):
    """A tool, and a correct call of it with other values, under its names, aliases and others."""
    name, right = draw(st.sampled_from(CALLS))
    tool = ALL[name]
    names = [*aliases(tool.name, tuple(tool.schema["properties"])), "backlinks", "x"]
    names += ["tags", "importance", *tool.schema["properties"]]
    dropped = draw(st.sets(st.sampled_from(sorted(right)), max_size=1))
    other = draw(st.dictionaries(st.sampled_from(names), VALUES, max_size=2))
    return tool, {each: right[each] for each in right if each not in dropped} | other


def leaves(value):
    """Texts, numbers and flags, without those that hold them."""
    inner = value.values() if isinstance(value, dict) else value
    if isinstance(value, dict | list):
        return [leaf for each in inner for leaf in leaves(each)]
    return [value]


def forms(value):
    """Each scalar that may be made of a value, written down apart from the code that makes it."""
    if isinstance(value, bool) or value is None:
        return {repr(value)}
    if isinstance(value, int | float):
        whole = math.isfinite(value) and value == int(value)
        said = [value, int(value), float(value), bool(value)] if whole else [value]
        return {form for each in said for form in (repr(each), repr(str(each)))}
    if isinstance(value, str):
        return of_text(value)
    return {form for leaf in leaves(value) for form in forms(leaf)}


def of_text(text):
    found = {repr(text), repr(text.removeprefix("./")), repr("" if text == "/" else text)}
    pieces = text.strip().removeprefix("[").removesuffix("]").split(",")
    found |= {repr(piece.strip()) for piece in pieces}
    found |= {"True", "False"} if text.strip().lower() in FLAGS else set()
    for said in (text, text.replace("'", '"'), f"[{text}]"):
        try:
            inner = json.loads(said)
        except ValueError:
            continue
        if inner != text:
            found |= forms(inner)
    try:
        number = float(text)
    except ValueError:
        return found
    return found | forms(number) | ({repr(int(text))} if text.strip().isdecimal() else set())


def own(tool):
    """What the schema itself says: choices, and the bounds of limits."""
    return {repr(word) for each in tool.schema["properties"].values() for word in choices(each)}


def choices(schema):
    return [
        *schema.get("enum", ()),
        *(schema[end] for end in ("minimum", "maximum") if end in schema),
    ]


@given(calls())
def test_what_reaches_a_tool_comes_from_what_was_sent_or_the_call_is_refused(made):
    tool, sent = made
    meant, readings = understood(tool, sent)
    if list(faults(tool.schema, meant)):
        return
    known = forms(sent) | own(tool)
    assert [leaf for leaf in leaves(meant) if repr(leaf) not in known] == []
    assert fill_defaults(tool.schema, meant)
    assert len(note(readings)) < 300
    assert "\n" not in note(readings)


@given(calls())
def test_what_was_understood_is_understood_as_it_is(made):
    tool, sent = made
    meant = understood(tool, sent).arguments
    if not list(faults(tool.schema, meant)):
        assert understood(tool, meant) == (meant, ())


@given(st.sampled_from(sorted(ALL)), VALUES)
def test_whatever_is_sent_in_place_of_arguments_breaks_nothing(name, sent):
    meant, readings = understood(ALL[name], sent)
    if not list(faults(ALL[name].schema, meant)):
        assert len(note(readings)) < 300


def deep(size):
    found = []
    for _ in range(size):
        found = [found]
    return found


HUGE = {
    "brackets": "[" * 10_000_000,
    "pairs of brackets": "[]" * 5_000_000,
    "braces": '{"a":' * 2_000_000,
    "blanks": " " * 10_000_000,
    "blanks after a bracket": "[" + " " * 10_000_000,
    "quotes": '"' * 10_000_000,
    "single quotes": "['" + "'," * 5_000_000,
    "backslashes": '"' + "\\" * 10_000_000,
    "digits": "9" * 10_000_000,
    "commas": "," * 10_000_000,
    "nested brackets in a bound": "[" * 100_000 + "]" * 100_000,
    "nested lists": deep(100_000),
    "a long list": [[]] * 100_000,
}


@for_each("kind", HUGE)
@for_each(
    ("tool", "name"),
    [
        ("add", "memories"),
        ("update", "tags"),
        ("write", "fields"),
        ("write", "dry_run"),
        ("search", "limit"),
        ("links", "direction"),
        ("update", "importance"),
    ],
)
def test_what_is_huge_or_deep_is_refused_or_words(tool, name, kind):
    sent = HUGE[kind]
    meant = understood(ALL[tool], {name: sent}).arguments
    wrong = [each for each in faults(ALL[tool].schema, meant) if each.startswith(name)]
    if not isinstance(sent, str):
        assert wrong
    elif name == "memories" and not wrong:
        assert meant == {"memories": [{"text": sent}]}
    else:
        assert wrong or kind == "blanks"
    assert all(len(each) < 2_000 for each in wrong)


@for_each("kind", HUGE)
def test_what_is_huge_or_deep_is_no_object_of_arguments(kind):
    meant = understood(ALL["add"], HUGE[kind]).arguments
    assert list(faults(ALL["add"].schema, meant))


def test_a_name_that_is_huge_is_unknown():
    sent = {"query": "tea", "limit" + "_" * 1_000_000: 3}
    meant = understood(ALL["search"], sent).arguments
    (wrong,) = faults(ALL["search"].schema, meant)
    assert wrong.startswith("limit___")
    assert len(wrong) < 200


def test_json_is_parsed_up_to_its_bound():
    fits = json.dumps(["a" * (MAX_JSON - 4)])
    assert len(fits) == MAX_JSON
    assert parsed_json(fits) == ["a" * (MAX_JSON - 4)]
    assert parsed_json(f"{fits} ") is None
    assert parsed_texts(f"{fits} ") is None


@for_each("text", ["[NaN]", "[Infinity]", "[-Infinity]", '{"a": NaN}'])
def test_what_json_does_not_know_is_no_json(text):
    assert parsed_json(text) is None
