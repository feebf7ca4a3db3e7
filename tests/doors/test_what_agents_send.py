"""What agents really send is answered as what they meant, and the first line says so."""

import json
import re

import pytest

from memwiki.adapters.memory_tool import MemoryTool
from memwiki.errors import MemoryToolError
from memwiki.text import tokens
from memwiki.tools import PROFILES, Tool
from memwiki.tools.aliases import aliases
from memwiki.tools.arguments import note, understood
from memwiki.tools.schema import faults, fill_defaults
from tests.doors.conftest import bytes_of
from tests.doors.slips import CALLS, slips
from tests.effort import for_each

ALL = {tool.name: tool for profile in PROFILES.values() for tool in profile}
TEA, RICE = {"text": "Tea is hot."}, {"text": "Rice is dry."}
OLD = {"action": "replace_text", "name": "tea", "old": "black", "text": "white", "dry_run": True}
APPEND = {"action": "append", "name": "tea", "text": "More.", "dry_run": True}
FIELDS = {"action": "set_fields", "name": "tea", "fields": {"status": "ok"}, "dry_run": True}


def without(given, *names, **others):
    return {name: value for name, value in given.items() if name not in names} | others


# What is sent, the right call, and what the first line says.
SENT = [
    ("recall", {"query": "tea"}, {"question": "tea"}, '"query" as question'),
    ("recall", {"q": "tea"}, {"question": "tea"}, '"q" as question'),
    (
        "recall",
        {"question": "tea", "limit": "3"},
        {"question": "tea", "limit": 3},
        "limit as 3",
    ),
    ("recall", {"question": "tea", "limit": 3.0}, {"question": "tea", "limit": 3}, ""),
    (
        "recall",
        {"question": "tea", "limit": "3.0"},
        {"question": "tea", "limit": 3},
        "limit as 3",
    ),
    ("recall", {"question": "tea", "tag": None}, {"question": "tea"}, ""),
    ("recall", {"question": "tea", "query": None}, {"question": "tea"}, ""),
    ("recall", {"question": "tea", "limit": ""}, {"question": "tea"}, ""),
    ("recall", {"question": "tea", "limit": "null"}, {"question": "tea"}, ""),
    ("recall", {"question": "null"}, {"question": "null"}, ""),
    ("recall", {"question": "tea", "mode": ""}, {"question": "tea"}, ""),
    (
        "recall",
        {"question": "tea", "mode": "Deep"},
        {"question": "tea", "mode": "deep"},
        "mode as deep",
    ),
    (
        "recall",
        {"question": "tea", "tags": ["drink"]},
        {"question": "tea", "tag": "drink"},
        '"tags" as tag',
    ),
    ("recall", '{"question": "tea"}', {"question": "tea"}, "arguments as an object"),
    ("search", {"query": 404}, {"query": "404"}, "query as text"),
    ("search", {"query": 404.0}, {"query": "404"}, "query as text"),
    ("search", {"query": "tea", "limit": 1000}, {"query": "tea", "limit": 50}, "limit as 50"),
    ("search", {"query": "tea", "limit": 0}, {"query": "tea", "limit": 1}, "limit as 1"),
    ("search", {"query": "tea", "offset": "-1"}, {"query": "tea"}, "offset as 0"),
    ("search", {"question": "tea"}, {"query": "tea"}, '"question" as query'),
    ("search", {"q": "tea"}, {"query": "tea"}, '"q" as query'),
    (
        "search",
        {"q": "tea", "top_k": "1000"},
        {"query": "tea", "limit": 50},
        '"q" as query, "top_k" as limit 50',
    ),
    ("read", {"path": "wiki/tea.md"}, {"name": "wiki/tea.md"}, '"path" as name'),
    ("read", {"page": "tea"}, {"name": "tea"}, '"page" as name'),
    ("read", {"id": "m-000001"}, {"name": "m-000001"}, '"id" as name'),
    ("read", {"name": "tea", "lines": 2}, {"name": "tea", "lines": "2"}, "lines as text"),
    ("read", {"name": "tea", "lines": [1, 3]}, {"name": "tea", "lines": "1-3"}, "lines as text"),
    ("read", {"name": ["tea"]}, {"name": "tea"}, "name as text"),
    ("browse", {"path": "/"}, {"path": ""}, ""),
    ("browse", {"path": "."}, {"path": ""}, ""),
    ("browse", {"folder": "./wiki"}, {"path": "wiki"}, '"folder" as path'),
    ("browse", {"what": "memory"}, {"what": "memories"}, "what as memories"),
    (
        "links",
        {"page": "tea", "direction": "backlinks"},
        {"name": "tea", "direction": "in"},
        '"page" as name, direction as in',
    ),
    (
        "links",
        {"name": "tea", "backlinks": True},
        {"name": "tea", "direction": "in"},
        '"backlinks" as direction in',
    ),
    ("links", {"name": "tea", "maxDepth": 9}, {"name": "tea", "depth": 3}, '"maxDepth" as depth 3'),
    ("write", without(APPEND, "text", content="More."), APPEND, '"content" as text'),
    (
        "write",
        without(OLD, "old", "text", old_str="black", new_str="white"),
        OLD,
        '"old_str" as old, "new_str" as text',
    ),
    (
        "write",
        without(OLD, "old", "text", "name", find="black", new="white", path="tea"),
        OLD,
        '"find" as old, "new" as text, "path" as name',
    ),
    ("write", {**APPEND, "dry_run": "true"}, APPEND, "dry_run as true"),
    ("write", {**APPEND, "dry_run": 1}, APPEND, "dry_run as true"),
    ("write", without(APPEND, "dry_run", dryRun="Yes"), APPEND, '"dryRun" as dry_run true'),
    ("write", {**FIELDS, "fields": '{"status": "ok"}'}, FIELDS, "fields as an object"),
    ("write", {**FIELDS, "fields": "{'status': 'ok'}"}, FIELDS, "fields as an object"),
    ("write", {**OLD, "action": "Replace-Text"}, OLD, "action as replace_text"),
    ("write", {**OLD, "action": "edit"}, OLD, "action as replace_text"),
    (
        "tag",
        {"action": "add", "page": "tea", "tags": "a, b", "dry_run": True},
        {"action": "add", "name": "tea", "tags": ["a", "b"], "dry_run": True},
        '"page" as name, tags as a list',
    ),
    (
        "tag",
        {"action": "rename", "from": "drink", "to": "drinks", "dry_run": True},
        {"action": "rename", "old": "drink", "new": "drinks", "dry_run": True},
        '"from" as old, "to" as new',
    ),
    ("undo", {"steps": "1", "dry_run": "1"}, {"steps": 1, "dry_run": True}, "steps as 1, dry_run"),
    ("add", {"memories": json.dumps([TEA, RICE])}, {"memories": [TEA, RICE]}, "memories as a list"),
    ("add", {"memories": json.dumps(TEA)}, {"memories": [TEA]}, "memories as a list of objects"),
    (
        "add",
        {"memories": json.dumps(json.dumps([TEA]))},
        {"memories": [TEA]},
        "memories as a list of objects",
    ),
    ("add", {"memories": [json.dumps(TEA)]}, {"memories": [TEA]}, "memories as a list of objects"),
    ("add", {"memories": ["Tea is hot."]}, {"memories": [TEA]}, "memories as a list of objects"),
    ("add", {"memories": TEA}, {"memories": [TEA]}, "memories as a list of objects"),
    ("add", {"memories": "Tea is hot."}, {"memories": [TEA]}, "memories as a list of objects"),
    ("add", {"text": "Tea is hot."}, {"memories": [TEA]}, '"text" as memories'),
    ("add", {"content": "Tea is hot."}, {"memories": [TEA]}, '"content" as memories'),
    ("add", {"entries": [TEA]}, {"memories": [TEA]}, '"entries" as memories'),
    ("add", {"memories": [{"content": "Tea is hot."}]}, {"memories": [TEA]}, '"content" as text'),
    (
        "add",
        {"text": "Tea is hot.", "tags": "a, b", "importance": "0.5"},
        {"memories": [{**TEA, "tags": ["a", "b"], "importance": 0.5}]},
        '"text" as memories, "tags" as memories[].tags, "importance" as memories[].importance',
    ),
    (
        "add",
        {"memories": [{**TEA, "importance": "0.5", "tags": "a, b"}]},
        {"memories": [{**TEA, "importance": 0.5, "tags": ["a", "b"]}]},
        "importance as 0.5, tags as a list",
    ),
    ("add", {"memories": "[[Tea]] is hot."}, {"memories": [{"text": "[[Tea]] is hot."}]}, "memo"),
    ("update", {"id": "tea", "tags": '["a"]'}, {"id": "tea", "tags": ["a"]}, "tags as a list"),
    ("update", {"id": "tea", "tags": '"a", "b"'}, {"id": "tea", "tags": ["a", "b"]}, "tags"),
    ("update", {"id": "tea", "tags": "['a', 'b']"}, {"id": "tea", "tags": ["a", "b"]}, "tags"),
    ("update", {"id": "tea", "tags": "[a, b]"}, {"id": "tea", "tags": ["a", "b"]}, "tags"),
    ("update", {"id": "tea", "tags": "[]"}, {"id": "tea", "tags": []}, "tags as a list"),
    ("update", {"id": "tea", "text": "x", "tags": ""}, {"id": "tea", "text": "x"}, ""),
    ("update", {"id": "tea", "text": "x", "tags": [None]}, {"id": "tea", "text": "x"}, ""),
    ("update", {"memory_id": "tea", "tags": 2026}, {"id": "tea", "tags": ["2026"]}, '"memory_id"'),
    ("update_memory_importance", {"id": "tea", "importance": "1"}, None, '"id" as memory_id'),
]
# What cannot be read without guessing, and the argument that is named.
REFUSED = [
    ("recall", {"question": "tea", "query": "rice"}, "query"),
    ("recall", {"q": "tea", "query": "rice"}, "query"),
    ("recall", {"question": "tea", "tags": "a, b"}, "tag"),
    ("recall", {"question": ["tea", "rice"]}, "question"),
    ("recall", {"question": True}, "question"),
    ("recall", {"question": "tea", "limit": "few"}, "limit"),
    ("recall", {"question": "tea", "limit": 2.5}, "limit"),
    ("recall", {"question": "tea", "limit": True}, "limit"),
    ("recall", {"question": "tea", "limit": float("nan")}, "limit"),
    ("recall", {"question": "tea", "limit": float("inf")}, "limit"),
    ("recall", {"question": "tea", "mode": "slow"}, "mode"),
    ("recall", {"question": "tea", "limits": 5}, "limits"),
    ("search", {"query": float("inf")}, "query"),
    ("search", {"query": 10**5_000}, "query"),
    ("search", {"limit": "3"}, "query"),
    ("search", '["tea"]', "arguments"),
    ("search", '{"query": ', "arguments"),
    ("search", "tea", "arguments"),
    ("links", {"name": "tea", "backlinks": False}, "backlinks"),
    ("links", {"name": "tea", "direction": "sideways"}, "direction"),
    ("write", {**APPEND, "dry_run": "maybe"}, "dry_run"),
    ("write", {**APPEND, "dry_run": 2}, "dry_run"),
    ("write", {**APPEND, "content": "Else."}, "content"),
    ("write", {**FIELDS, "fields": "status"}, "fields"),
    ("undo", {"steps": 1000}, "steps"),
    ("undo", {"steps": 0}, "steps"),
    ("update", {"id": "tea", "importance": 7}, "importance"),
    ("update", {"id": "tea", "importance": "high"}, "importance"),
    ("update", {"id": "tea", "tags": '["a"'}, "tags"),
    ("update", {"id": "tea", "tags": ","}, "tags"),
    ("update", {"id": "tea", "tags": {"a": 1}}, "tags[0]"),
    ("add", {"memories": '[{"text": "Tea'}, "memories"),
    ("add", {"memories": ['{"text": "Tea']}, "memories[0]"),
    ("add", {"memories": [TEA, RICE], "tags": ["a"]}, "tags"),
    ("add", {"memories": []}, "memories"),
    ("add", {"memories": "  "}, "memories"),
    ("add", {"memories": [{"text": "Tea", "content": "Rice"}]}, "memories[0].content"),
]


def reaching(tool: Tool, sent):
    """What reaches the tool; an assertion where it is refused."""
    meant = understood(tool, sent).arguments
    assert not list(faults(tool.schema, meant))
    return fill_defaults(tool.schema, meant)


@for_each(("name", "sent", "meant", "said"), SENT)
def test_what_is_sent_is_read_as_what_is_meant_and_said(name, sent, meant, said):
    tool = ALL[name]
    meant = {"memory_id": "tea", "importance": 1} if meant is None else meant
    assert reaching(tool, sent) == fill_defaults(tool.schema, meant)
    found = note(understood(tool, sent).readings)
    assert found.removeprefix("read ").startswith(said)
    assert bool(found) == bool(said)
    assert understood(tool, meant) == (meant, ())


def test_what_takes_a_guess_is_refused_by_its_name(ask, made):
    for name, sent, wrong in REFUSED:
        found = list(faults(ALL[name].schema, understood(ALL[name], sent).arguments))
        assert found, (name, sent, wrong)
        assert all(each.startswith(f"{wrong}: ") for each in found), found
        before = bytes_of(made)
        if isinstance(sent, dict):
            assert ask(name, **sent).text.startswith(
                f"error invalid_arguments: {name}: {wrong}: "
            ), (name, sent, wrong)
        assert bytes_of(made) == before, (name, sent, wrong)


def test_every_wrong_field_is_named_after_what_could_be_read():
    sent = {"q": "tea", "limit": "few", "colour": "red", "offset": []}
    assert list(faults(ALL["search"].schema, understood(ALL["search"], sent).arguments)) == [
        "limit: 'few' is not a whole number from 1 to 50",
        "colour: unknown argument; accepted: query, limit, offset",
        "offset: a list of 0 is not a whole number from 0 to 1000000000",
    ]


def test_no_alias_is_an_argument_of_its_tool_and_each_is_understood():
    for tool in ALL.values():
        known = tool.schema["properties"]
        for alias, name in aliases(tool.name, tuple(known)).items():
            assert name in known
            assert alias == alias.lower()
            assert alias not in known or alias == name


# --- answers ---


def rest(text: str) -> list[str]:
    """An answer without its first line, and without how often a memory was recalled by now."""
    return re.sub(r" · \d+ recalls?, the last \S+", "", text).split("\n")[1:]


def test_the_first_line_says_what_was_read_so_and_nothing_else_is_other(ask):
    meant = ask("search", query="tea", limit=1)
    slip = ask("search", q="tea", limit="1")
    first = meant.text.split("\n")[0]
    assert slip.text.split("\n")[0] == f'{first} · read "q" as query, limit as 1'
    assert rest(slip.text) == rest(meant.text)
    page = ask("read", path="wiki/tea.md").text
    assert page.startswith('memwiki: fresh · read "path" as name\n')
    assert rest(page) == rest(ask("read", name="wiki/tea.md").text)


def test_of_much_that_was_read_so_the_first_is_said():
    sent = {"q": 404, "top_k": "3", "Budget": "500", "mode": "AUTO", "types": ["fact"]}
    said = note(understood(ALL["recall"], sent).readings)
    assert said == 'read "q" as question, "top_k" as limit 3, "Budget" as budget 500, 2 more'


def test_200_generated_slips_are_answered_as_their_correct_twins(ask, made):
    before, answers = bytes_of(made), dict[str, str]()
    for name, meant, sent in slips(seed=22, count=200):
        assert reaching(ALL[name], sent) == fill_defaults(ALL[name].schema, meant), (name, sent)
        if name in ("add", "update", "relate", "forget"):
            continue  # answered with other ids each time; what reaches them is equal
        key = f"{name} {meant}"
        answers[key] = answers.get(key) or ask(name, **meant).text
        answer = ask(name, **sent)
        assert not answer.is_error, (name, sent, answer.text)
        assert rest(answer.text) == rest(answers[key]), (name, sent)
    assert bytes_of(made) == before
    assert len(answers) > len(CALLS) // 2


def test_memories_that_came_as_text_are_stored_as_if_they_had_not(ask, made):
    answer = ask("add", memories=json.dumps([TEA, {**RICE, "tags": "a, b", "importance": "0.9"}]))
    assert answer.text.startswith("memwiki: fresh · 2 of 2 · read ")
    stored = (made / "memory.md").read_text()
    assert "- Tea is hot." in stored
    assert "#a #b" in stored
    assert "[importance:: 0.9]" in stored


def test_a_try_that_came_as_text_changes_nothing(ask, made):
    before = bytes_of(made)
    answer = ask("write", action="append", path="tea", content="More.", dryRun="true")
    assert "nothing was changed" in answer.text
    assert bytes_of(made) == before


def test_an_answer_keeps_to_its_budget_with_what_was_read_so(ask, put):
    put("wiki/long.md", "# Long\n\n" + "A line about tea and water.\n\n" * 400)
    for name, sent in [("read", {"path": "wiki/long.md"}), ("search", {"q": "tea", "top_k": "9"})]:
        answer = ask(name, {"max_tokens": 300}, **sent)
        assert ' · read "' in answer.text.split("\n")[0]
        assert tokens(answer.text) <= 300


def test_the_memory_tool_goes_on_refusing_as_its_own_program_does(door):
    tool = MemoryTool(door, ".")
    with pytest.raises(MemoryToolError, match="Missing parameter: `file_text`"):
        tool.handle({"command": "create", "path": "/memories/a.md", "text": "x"})
