"""Objects of JSON become entries, with whatever they say beside their text."""

import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.adapters.importers import lines
from memwiki.errors import UsageError
from memwiki.memory.draft import draft_of, request_of
from memwiki.memory.view import from_field
from tests.carry.sources import into, one_file
from tests.effort import for_each


def entries(data, name="kept.jsonl"):
    if not isinstance(data, bytes):
        data = "\n".join(map(json.dumps, data)).encode()
    return lines.incoming(one_file(data, name), into({})).entries


def test_our_own_names_are_taken_as_add_takes_them():
    given = {"text": "Prefers tea.", "type": "preference", "tags": ["tea"], "key": "user/drink"}
    given |= {"importance": 0.8, "at": "2026-01-09T10:00:00", "attributes": {"place": "Kiel"}}
    given |= {"source": "notes.md", "origin": "user", "data": [1]}
    assert entries([given]) == (given,)


def test_what_does_not_say_where_it_is_from_is_from_a_tool():
    assert entries([{"text": "Prefers tea."}]) == (
        {"origin": "tool", "source": "kept.jsonl", "text": "Prefers tea."},
    )


def test_an_origin_of_another_kind_is_kept_beside():
    (entry,) = entries([{"text": "a", "origin": "chat"}])
    assert (entry["origin"], entry["data"]) == ("tool", {"origin": "chat"})


def test_an_export_of_mem0_keeps_all_it_says():
    memory = {
        "id": "ea925981-272f-40dd-b576-be64e4871429",
        "memory": "Likes to play cricket.",
        "hash": "3f1a",
        "user_id": "alice",
        "metadata": {"category": "hobbies", "seen": [1, 2], "text": "raw"},
        "categories": ["hobbies"],
        "created_at": "2024-07-26T10:29:36.630547-07:00",
        "updated_at": None,
        "score": 0.5,
    }
    data = json.dumps({"results": [memory], "relations": []}, indent=2).encode()
    (entry,) = entries(data, "export.json")
    assert entry == {
        "origin": "tool",
        "source": "export.json",
        "text": "Likes to play cricket.",
        "tags": ["hobbies"],
        "at": "2024-07-26T10:29:36.630547-07:00",
        "attributes": {
            "id": memory["id"],
            "hash": "3f1a",
            "user_id": "alice",
            "category": "hobbies",
            "score": "0.5",
        },
        "data": {"seen": [1, 2], "text": "raw"},
    }


def test_categories_of_others_are_tags_as_far_as_they_can_be_and_lost_no_more():
    memory = {"memory": "Likes cricket.", "categories": ["personal_details", "Food & Drink", "7"]}
    (entry,) = entries([memory])
    assert entry["tags"] == ["personal-details", "food-drink"]
    assert entry["data"] == {"categories": ["7"]}


def test_what_is_beside_the_list_of_a_document_is_noted():
    made = lines.incoming(one_file(b'{"results": [], "relations": [1], "next": null}'), into({}))
    assert made.notes == ("not imported: 'relations' of memory.jsonl",)


def test_a_line_of_two_megabytes_is_one_entry():
    text = "word " * 400_000 + "end"
    (entry,) = entries([{"text": text}])
    assert entry["text"] == text


@for_each(
    "data",
    [
        b'["One.", {"content": "Two."}]',
        b'[\n "One.",\n {"fact": "Two."}\n]',
        b'"One."\n{"memory": "Two."}\r\n',
        b'{"results": ["One.",\n{"memory": "Two."}]}',
        b'{"results": [\r\n{"memory": "One."},\r\n{"memory": "Two."}\r\n]}\r\n',
    ],
)
def test_a_list_and_lines_are_the_same(data):
    assert [each["text"] for each in entries(data)] == ["One.", "Two."]


def test_what_says_how_an_entry_stands_elsewhere_does_not_say_it_here():
    (entry,) = entries([{"text": "a", "status": "staged", "superseded_by": "m-1", "b c!": "d"}])
    assert "attributes" not in entry
    assert entry["data"] == {"status": "staged", "superseded_by": "m-1", "b c!": "d"}


def test_a_time_in_seconds_is_a_time():
    (entry,) = entries([{"text": "a", "timestamp": 1767225600.5}])
    assert request_of(entry).at is not None


@for_each(
    ("line", "what"),
    [
        ("{", "not JSON"),
        ("3", "not an object"),
        ('{"user_id": "alice"}', "has no text"),
        ('{"title": "a", "mapping": {}}', "memwiki session import takes conversations"),
        ('{"text": ""}', "the text is empty"),
        ('{"text": "a", "at": "soon"}', "not a date"),
        ('{"text": "a", "importance": 7}', "importance"),
        ('{"text": "a", "importance": NaN}', "NaN is not a number"),
        ('{"text": "a", "text": "b"}', "'text' is given twice"),
        ('{"text": "a", "attributes": 3}', "attributes is not a mapping"),
        ('{"text": "\\ud800"}', "not valid Unicode"),
        ("[" * 100_000, "nested too deeply"),
        ('{"text": "a", "n": 1' + "0" * 5000 + "}", "digits"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_imported(line, what):
    with pytest.raises(UsageError, match=f"(?i)^kept.jsonl:2: .*{what}"):
        entries(b'{"text": "a"}\n' + line.encode())


def test_a_bad_item_of_a_list_is_named():
    with pytest.raises(UsageError, match=r"^kept\.jsonl: item 2: has no text"):
        entries(b'[{"text": "a"}, {}]')


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=5,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_nothing_of_what_is_unknown_is_lost(others):
    others = {f"x{key}": value for key, value in others.items()}
    (entry,) = entries([{"text": "Prefers tea.", **others}])
    draft = draft_of(request_of(entry), datetime(2026, 3, 4), str, is_dated=True)
    rest = from_field(draft.below.partition("\n")[2]) if draft.below else {}
    kept = {key: draft.fields[key] for key in others if key in draft.fields}
    assert {**kept, **rest}.keys() == {key for key, value in others.items() if value is not None}
    assert all(rest[key] == others[key] for key in rest)
    assert all(str(others[key]).lower() == said.lower() for key, said in kept.items())


@for_each(
    ("data", "name", "is_known"),
    [
        (b'{"text": "a"}', "kept.jsonl", True),
        (b'\xef\xbb\xbf [{"text": "a"}]', "kept.json", True),
        (b"# a", "kept.jsonl", False),
        (b'{"text": "a"}', "kept.md", False),
    ],
)
def test_a_file_of_json_is_such_a_file(data, name, is_known):
    assert lines.is_kind(one_file(data, name)) == is_known
