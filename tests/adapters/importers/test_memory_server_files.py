"""Files of the reference memory server become pages, and come back line by line."""

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.adapters.importers import memory_server
from memwiki.errors import UsageError
from memwiki.memory.entity_graph import id_of, to_lines
from memwiki.memory.entity_pages import EntityPages
from tests.carry.sources import LAYERS, after, into, one_file
from tests.effort import for_each

ANNA = {"type": "entity", "name": "Anna", "entityType": "person", "observations": ["Sings"]}
ACME = {"type": "entity", "name": "Acme", "entityType": "company", "observations": []}
WORKS = {"type": "relation", "from": "Anna", "to": "Acme", "relationType": "works_at"}


def lines(*records):
    return "".join(json.dumps(each) + "\n" for each in records).encode()


def imported(files, data):
    return memory_server.incoming(one_file(data), into(files))


def graph_of(files, layers=LAYERS):
    return EntityPages(files.get, layers, files).graph()


def test_an_entity_is_a_page_with_its_observations_and_relations():
    files = after({}, imported({}, lines(ANNA, ACME, WORKS)))
    id_ = id_of("wiki/entities/anna.md", "Sings")
    assert files["wiki/entities/anna.md"].decode() == (
        "---\ntitle: Anna\ntype: person\ncreated: 2026-03-04T00:00:00.000000\norigin: agent\n"
        f"---\n\n# Anna\n\n## Observations\n\n- Sings ^{id_}\n\n"
        "## Relations\n\n- works_at [[entities/acme|Acme]]\n"
    )
    assert sorted(files) == ["wiki/entities/acme.md", "wiki/entities/anna.md"]


def test_a_vault_without_layers_has_its_entities_in_a_folder_at_the_root():
    made = memory_server.incoming(one_file(lines(ACME)), into({}, LAYERS._replace(wiki="")))
    assert [each.path for each in made.files] == ["entities/acme.md"]


def test_names_that_differ_in_case_are_two_entities():
    both = lines(ACME, ACME | {"name": "ACME"})
    files = after({}, imported({}, both))
    assert sorted(files) == ["wiki/entities/acme-2.md", "wiki/entities/acme.md"]
    assert [each.name for each in graph_of(files).entities] == ["Acme", "ACME"]


def test_importing_the_same_file_again_changes_nothing():
    data = lines(ANNA, ACME, WORKS, WORKS | {"from": "Nobody"})
    files = after({}, imported({}, data))
    assert imported(files, data).files == ()


def test_what_was_observed_since_is_added_to_the_page_as_it_is_now():
    files = after({}, imported({}, lines(ANNA)))
    (path,) = files
    by_hand = files[path].replace(b"origin: agent\n", b"origin: agent\nnote:  mine\n")
    files[path] = by_hand + b"\n## Notes\r\n\r\nSome prose.\r\n"
    more = ANNA | {"observations": ["Sings", "Dances", "Dances"]}
    (page,) = imported(files, lines(more)).files
    assert page.is_united
    now, before = page.data.decode(), files[path].decode()
    at = before.index("\n\n## Notes")
    new = now[at : len(now) - len(before) + at]
    assert now == before[:at] + new + before[at:]
    assert re.fullmatch(r"(\n- Dances \^m-\w{10}){2}", new)
    assert graph_of({path: page.data}).entities[0].observations == ("Sings", "Dances", "Dances")


def test_a_page_written_by_hand_is_the_entity_of_its_title():
    page = b"# Anna\n\nShe is 30.\n\n- knows [[Bob]]\n\n## Observations\n* Sings\n"
    files = {"wiki/entities/anna.md": page}
    (made,) = imported(files, lines(ANNA | {"observations": ["Sings", "Paints"]})).files
    assert made.data == page + b"- Paints\n"
    (relation,) = graph_of(files).relations
    assert relation == ("Anna", "Bob", "knows")


def test_what_was_struck_out_is_not_imported_again():
    files = after({}, imported({}, lines(ANNA)))
    files = {path: data.replace(b"Sings", b"~~Sings~~") for path, data in files.items()}
    assert imported(files, lines(ANNA)).files == ()
    assert graph_of(files).entities[0].observations == ()


def test_a_text_that_was_changed_by_hand_counts_as_it_reads():
    files = after({}, imported({}, lines(ANNA | {"name": " Anna ", "observations": ["[x] a"]})))
    files = {
        path: data.replace(b"title: Anna", b"title: Anne").replace(b"\\[x\\] a", b"An a")
        for path, data in files.items()
    }
    (entity,) = graph_of(files).entities
    assert (entity.name, entity.observations) == ("Anne", ("An a",))


TEXTS = st.text(st.characters(), max_size=8).map(lambda text: json.loads(json.dumps(text)))


SAID = st.tuples(TEXTS, TEXTS, st.lists(TEXTS, max_size=3))


@given(st.lists(SAID, unique_by=lambda entity: entity[0], max_size=4))
def test_the_file_comes_back_line_by_line(entities):
    graph = [
        {"type": "entity", "name": name, "entityType": type_, "observations": said}
        for name, type_, said in entities
    ]
    graph += [
        {"type": "relation", "from": one[0], "to": other[0], "relationType": other[1]}
        for one, other in pairwise(entities)
    ]
    files = after({}, imported({}, lines(*graph)))
    back = to_lines(graph_of(files)).decode()
    assert [json.loads(line) for line in back.split("\n") if line] == graph


@for_each(
    ("line", "what"),
    [
        (b"{", "not JSON"),
        (b"[]", "not an object"),
        (b'{"type": "note"}', "neither an entity nor a relation"),
        (b'{"type": "entity", "name": 3}', "name is not a text"),
        (b'{"type": "entity", "name": "a", "entityType": "b", "observations": "c"}', "not a list"),
        (b'{"type": "entity", "name": "a", "entityType": "b", "observations": [1]}', "not a text"),
        (b'{"type": "relation", "from": "a", "to": "b"}', "relationType is not a text"),
        (b'{"type": "entity", "type": "entity"}', "'type' is given twice"),
        (b'{"type": NaN}', "NaN is not a number"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"\xff", "not valid UTF-8"),
        (lines(ANNA | {"name": "n" * 5000}), "a name or type of 5000 characters"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_imported(line, what):
    with pytest.raises(UsageError, match=f"^memory.jsonl:2: .*{what}"):
        imported({}, lines(ANNA) + line)


def test_an_observation_of_two_megabytes_comes_back():
    text = "word " * 400_000 + "end"
    files = after({}, imported({}, lines(ANNA | {"observations": [text]})))
    assert graph_of(files).entities[0].observations == (text,)


def test_what_the_server_does_not_know_is_noted():
    assert imported({}, lines(ANNA | {"id": 3})).notes == (
        "not imported: 'id' of 1 line, which the server does not know",
    )


@for_each(
    ("data", "name", "is_known"),
    [
        (lines(ANNA), "memory.jsonl", True),
        (b"\n" + lines(WORKS), "memory.json", True),
        (lines({"text": "type entity"}), "memory.jsonl", False),
        (lines(ANNA), "memory.md", False),
        (b"", "memory.jsonl", False),
    ],
)
def test_the_first_line_says_whether_it_is_such_a_file(data, name, is_known):
    assert memory_server.is_kind(one_file(data, name)) == is_known


def test_a_page_that_was_renamed_is_found_again():
    files = after({}, imported({}, lines(ANNA, ACME, WORKS)))
    files["wiki/entities/people/ms-a.md"] = files.pop("wiki/entities/anna.md")
    assert imported(files, lines(ANNA, WORKS)).files == ()


def test_an_entity_is_found_when_the_page_before_it_was_deleted():
    data = lines(ACME, ACME | {"name": "ACME"})
    files = after({}, imported({}, data))
    del files["wiki/entities/acme.md"]
    (page,) = imported(files, data).files
    assert page.path == "wiki/entities/acme.md"
    assert b"title: Acme\n" in page.data
