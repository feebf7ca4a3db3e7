"""Calls of the reference server's tools answer as that server does, but for what is said here."""

import json

import pytest

from memwiki.adapters.reference_memory import call, import_once, resource_text
from memwiki.text import tokens

ANNA = {"name": "Anna", "entityType": "person", "observations": ["Sings", "Sings"]}
ACME = {"name": "Acme", "entityType": "company", "observations": []}
WORKS = {"from": "Anna", "to": "Acme", "relationType": "works_at"}
REFUSED = "MCP error -32602: Input validation error: Invalid arguments for tool"


@pytest.fixture
def ask(ws):
    def made(name, arguments=None, **more):
        return call(ws, name, arguments, **more)

    made("create_entities", {"entities": [ANNA, ACME]})
    made("create_relations", {"relations": [WORKS]})
    return made


def test_answers_are_json_of_two_spaces_and_the_same_as_structure(ask):
    made = ask("create_entities", {"entities": [ANNA, {**ACME, "name": "Bob", "extra": 1}]})
    bob = {"name": "Bob", "entityType": "company", "observations": []}
    assert made == (json.dumps([bob], indent=2), {"entities": [bob]}, False, ())
    made = ask("add_observations", {"observations": [{"entityName": "Bob", "contents": ["é"]}]})
    said = [{"entityName": "Bob", "addedObservations": ["é"]}]
    assert made[:2] == (json.dumps(said, indent=2, ensure_ascii=False), {"results": said})
    made = ask("delete_observations", {"deletions": [{"entityName": "Bob", "observations": ["é"]}]})
    message = "Observations deleted successfully"
    assert made[:2] == (message, {"success": True, "message": message})
    graph = {"entities": [ANNA, ACME, bob], "relations": [WORKS]}
    assert ask("read_graph")[:2] == (json.dumps(graph, indent=2), graph)


def test_a_name_or_relation_that_comes_twice_in_one_call_counts_once(ask):
    twice = [{**ACME, "name": "Bob"}, {**ANNA, "name": "Bob"}]
    assert ask("create_entities", {"entities": twice}).structured == {"entities": twice[:1]}
    knows = {**WORKS, "to": "Nobody"}
    made = ask("create_relations", {"relations": [knows, knows]})
    assert made.structured == {"relations": [knows]}


def test_relations_come_by_source(ask):
    ask("create_relations", {"relations": [{**WORKS, "from": "Acme"}, {**WORKS, "to": "Anna"}]})
    found = ask("read_graph").structured["relations"]
    assert [each["from"] for each in found] == ["Anna", "Anna", "Acme"]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("search_nodes", None, "expected string, received undefined at query"),
        ("search_nodes", {"query": 3.5}, "expected string, received number at query"),
        ("open_nodes", {"names": None}, "expected array, received null at names"),
        ("create_entities", {"entities": {}}, "expected array, received object at entities"),
        (
            "create_entities",
            {"entities": [{"name": True, "observations": ["a", []]}, 3]},
            "expected string, received boolean at entities[0].name\n"
            "Invalid input: expected string, received undefined at entities[0].entityType\n"
            "Invalid input: expected string, received array at entities[0].observations[1]\n"
            "Invalid input: expected object, received number at entities[1]",
        ),
    ],
)
def test_bad_arguments_are_refused_in_the_words_of_the_server(ask, name, arguments, said):
    expected = f"{REFUSED} {name}: Invalid input: {said}"
    assert ask(name, arguments) == (expected, None, True, ())


def test_what_cannot_be_done_is_an_error_and_changes_nothing(ask):
    before = ask("read_graph")
    asked = [{"entityName": "Anna", "contents": ["x"]}, {"entityName": "Zoe", "contents": []}]
    made = ask("add_observations", {"observations": asked})
    assert made == ("Entity with name Zoe not found", None, True, ())
    assert ask("nope") == ("MCP error -32602: Tool nope not found", None, True, ())
    long = ask("create_entities", {"entities": [ACME | {"name": "n" * 5000}]})
    assert long.is_error
    assert long.text.startswith("error usage: ")
    assert ask("read_graph") == before


def test_a_search_without_a_hit_falls_back_to_what_is_recalled(ask, put):
    put("tea.md", "# Tea\n\nGreen tea is brewed at eighty degrees.\n")
    made = ask("search_nodes", {"query": "green tea"})
    assert made.structured == {"entities": [], "relations": []}
    (note,) = made.notes
    assert "eighty degrees" in note
    assert ask("search_nodes", {"query": "SING"}).notes == ()
    assert ask("search_nodes", {"query": "\ud83d"}).notes == ()


@pytest.mark.parametrize("limit", [60, 200, 400])
def test_a_long_answer_is_cut_and_says_so(ask, limit):
    many = [{**ANNA, "name": f"E{n}", "observations": ["w" * 200] * 4} for n in range(9)]
    ask("create_entities", {"entities": many})
    made = ask("read_graph", max_tokens=limit)
    assert tokens(made.text) <= limit
    assert json.loads(made.text) == made.structured
    (note,) = made.notes
    assert note.startswith(f"cut at {limit} tokens: ")
    whole = ask("read_graph", max_tokens=0)
    assert len(whole.structured["entities"]) == 11
    assert whole.notes == ()
    first = ask("open_nodes", {"names": ["E0"]}, max_tokens=limit).structured["entities"][0]
    assert len(first["observations"]) == {60: 0, 200: 2, 400: 4}[limit]


def test_the_resource_is_the_whole_graph(ws, ask):
    assert json.loads(resource_text(ws)) == ask("read_graph").structured


def test_half_a_character_comes_back_escaped_in_the_text(ask):
    ask("create_entities", {"entities": [{**ACME, "name": "\ud800"}]})
    made = ask("open_nodes", {"names": ["\ud800"]})
    assert '"name": "\\ud800"' in made.text
    assert made.structured["entities"][0]["name"] == "\ud800"


def test_the_file_of_the_server_is_taken_in_once_and_never_written(ws, tmp_path):
    file = tmp_path / "memory.jsonl"
    environ = {"MEMORY_FILE_PATH": str(file)}
    assert import_once(ws, {}) is None
    assert import_once(ws, environ) is None
    data = json.dumps({"type": "entity", **ANNA}).encode()
    file.write_bytes(data)
    assert import_once(ws, environ).written
    call(ws, "delete_entities", {"entityNames": ["Anna"]})
    assert import_once(ws, environ) is None
    assert call(ws, "read_graph", {}).structured["entities"] == []
    assert file.read_bytes() == data
