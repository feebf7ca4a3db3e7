"""What a model is told of the tools, and what it is told when arguments do not fit."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.cli.main import main
from memwiki.errors import UnknownToolError
from memwiki.tools import PROFILES, definitions, tools
from memwiki.tools.schema import faults, fill_defaults
from tests.effort import for_each

ALL = {tool.name: tool for profile in PROFILES.values() for tool in profile}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def seen(profile: str) -> bytes:
    """What a model sees of a profile."""
    keys = ("name", "description", "input_schema")
    rows = [{key: tool[key] for key in keys} for tool in definitions(profile, "anthropic")]
    return json.dumps(rows, separators=(",", ":"), ensure_ascii=False).encode()


@for_each(
    ("profile", "count", "most"),
    [("small", 5, 3_600), ("default", 13, 8_800), ("full", 21, 15_000), ("graph-memory", 6, 3_600)],
)
def test_a_profile_has_its_tools_in_few_bytes(profile, count, most):
    assert len(PROFILES[profile]) == len(tools(profile)) == count
    assert len(seen(profile)) <= most


def test_a_schema_is_one_plain_object():
    for name, tool in ALL.items():
        assert len(name) <= 24
        assert tool.schema["type"] == "object"
        assert tool.schema["additionalProperties"] is False
        text = json.dumps(tool.schema)
        assert not any(f'"{word}"' in text for word in ("anyOf", "oneOf", "allOf", "$ref"))
        assert '"type": [' not in text


def test_each_api_gets_its_shape():
    (mcp,) = [each for each in definitions("small", "mcp") if each["name"] == "forget"]
    assert mcp["title"] == "Forget a memory or page"
    assert mcp["annotations"] == {
        "title": "Forget a memory or page",
        "readOnlyHint": False,
        "idempotentHint": False,
        "destructiveHint": True,
        "openWorldHint": False,
    }
    assert definitions("small", "openai")[0]["function"]["parameters"] == mcp_schema("recall")
    assert definitions("small", "anthropic")[0]["input_schema"] == mcp_schema("recall")


def mcp_schema(name):
    return next(e["inputSchema"] for e in definitions("small") if e["name"] == name)


def test_every_tool_has_a_title_and_every_argument_a_description():
    def nameless(schema, where):
        for name, each in schema["properties"].items():
            if not each.get("description"):
                yield f"{where}.{name}"
            if "properties" in each.get("items", {}):
                yield from nameless(each["items"], f"{where}.{name}")

    assert not [at for name, tool in ALL.items() for at in nameless(tool.schema, name)]
    titles = [tool.title for tool in ALL.values()]
    assert len(set(titles)) == len(titles)
    assert all(0 < len(title) <= 30 for title in titles)


def test_what_replaces_or_removes_is_called_destructive():
    destructive = {name for name, tool in ALL.items() if tool.hints.is_destructive}
    assert destructive == {
        *"update forget write move undo relate tag entities upkeep".split(),
        *"update_memory_importance memory_update".split(),
    }


def test_a_read_only_door_offers_only_what_reads():
    names = [tool["name"] for tool in definitions("default", is_read_only=True)]
    assert names == ["recall", "read", "search", "browse", "links", "status"]


def test_a_profile_that_is_none_is_refused_with_those_there_are():
    with pytest.raises(UnknownToolError) as caught:
        tools("huge")
    assert caught.value.hint == "one of small, default, full, graph-memory"


def test_the_command_prints_them(capsys):
    assert main(["agent", "tools", "--profile", "small", "--format", "openai"]) == 0
    assert json.loads(capsys.readouterr().out) == definitions("small", "openai")
    assert main(["agent", "tools", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tools"] == definitions("default")


def test_everything_that_is_wrong_is_said_at_once():
    wrong = faults(ALL["search"].schema, {"quest": "x", "limit": 99, "offset": "two", "limits": 1})
    assert list(wrong) == [
        "query: missing (text)",
        "quest: unknown argument; did you mean query?",
        "limit: 99 is not a whole number from 1 to 50",
        "offset: 'two' is not a whole number from 0 to 1000000000",
        "limits: unknown argument; did you mean limit?",
    ]


def test_wrong_memories_are_named_by_their_place():
    given = {"memories": [{"text": "a"}, {"txt": "b", "importance": 7}, "c"]}
    assert list(faults(ALL["add"].schema, given)) == [
        "memories[1].text: missing (text)",
        "memories[1].txt: unknown argument; did you mean text?",
        "memories[1].importance: 7 is not a number from 0 to 1",
        "memories[2]: 'c' is not an object",
    ]
    assert list(faults(ALL["add"].schema, {"memories": []})) == [
        "memories: a list of 0 is not a list of 1 to 50"
    ]


def test_no_limit_is_taken_that_is_no_number_of_things():
    for value in [True, 1.5, float("nan"), float("inf"), -1, 0, 10**5_000, "5", [1], {}]:
        assert list(faults(ALL["search"].schema, {"query": "x", "limit": value}))


def test_null_is_not_given_and_whole_floats_are_numbers():
    schema = ALL["search"].schema
    given = {"query": "x", "limit": 5.0, "offset": None}
    assert not list(faults(schema, given))
    assert fill_defaults(schema, given) == {"query": "x", "limit": 5, "offset": 0}


def test_half_a_character_is_refused():
    assert list(faults(ALL["search"].schema, {"query": "a\ud800"})) == ["query: not valid Unicode"]
    fields = {"action": "set_fields", "name": "a", "fields": {"x": ["\ud800"]}}
    assert list(faults(ALL["write"].schema, fields)) == ["fields.x: not valid Unicode"]


NAMED = st.dictionaries(st.sampled_from(["text", "name", "memories", "fields"]), JSON)


@given(st.sampled_from(sorted(ALL)), JSON | NAMED)
def test_nothing_that_json_can_say_breaks_the_check(name, arguments):
    wrong = list(faults(ALL[name].schema, arguments))
    assert wrong or fill_defaults(ALL[name].schema, arguments) is not None
    assert all("\n" not in each and len(each) < 2_000 for each in wrong)
