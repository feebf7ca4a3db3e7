"""The graph of a workspace: found by names wherever its pages are, changed without loss."""

import subprocess
import sys

import pytest

from memwiki.answers.entries import Entity, Observed, Relation
from memwiki.commit import knowledge
from memwiki.errors import NotEditableError, NotFoundError, PrivateError
from tests.waiting import PATIENCE_S

ANNA, ACME = Entity("Anna", "person", ("Sings",)), Entity("Acme", "company")
WORKS = Relation("Anna", "Acme", "works_at")
FOLDER = "entities"


@pytest.fixture
def graph(ws):
    ws.knowledge.create_entities([ANNA, ACME])
    ws.knowledge.create_relations([WORKS])
    return ws.knowledge


def folder(ws):
    (path,) = {each.parent for each in ws.root.rglob("anna.md")}
    return path


@pytest.mark.parametrize("place", ["ms-anna.md", "people/a.md"])
def test_a_page_that_was_renamed_or_moved_is_found_by_its_title(ws, graph, place):
    there = folder(ws) / place
    there.parent.mkdir(exist_ok=True)
    (folder(ws) / "anna.md").rename(there)
    assert graph.create_entities([ANNA]) == ()
    assert graph.create_relations([WORKS]) == ()
    assert graph.add_observations([Observed("Anna", ("Dances",))])[0].observations == ("Dances",)
    graph.create_relations([Relation("Acme", "Anna", "employs")])
    anna = ANNA._replace(observations=("Sings", "Dances"))
    expected = [anna], {WORKS, Relation("Acme", "Anna", "employs")}
    opened = graph.open_nodes(["Anna"])
    assert ([*opened.entities], {*opened.relations}) == expected
    graph.delete_entities(["Anna"])
    assert graph.read_graph() == ((ACME,), ())
    assert not there.exists()


def test_each_change_is_noted_and_undone(ws, graph):
    before = graph.read_graph()
    graph.delete_entities(["Acme"])
    assert graph.read_graph() == ((ANNA,), ())
    ws.undo()
    assert graph.read_graph() == before == ((ANNA, ACME), (WORKS,))
    with pytest.raises(NotFoundError, match=r"^Entity with name Bob not found$"):
        graph.add_observations([Observed("Anna", ("x",)), Observed("Bob", ("y",))])
    assert graph.read_graph() == before


def test_what_is_private_is_not_there(ws, put):
    put("entities/bob.md", "---\ntitle: Bob\nprivate: true\n---\n# Bob\n\n- knows [[Anna]]\n")
    said = "## Observations\n\n- Sings ^m-aaaaaa\n- Snores [private:: true] ^m-bbbbbb\n"
    put("entities/anna.md", f"---\ntitle: Anna\ntype: person\n---\n# Anna\n\n{said}")
    know = ws.knowledge
    assert know.read_graph() == ((ANNA,), ())
    assert know.search_nodes("snores") == know.open_nodes(["Bob"]) == ((), ())
    know.delete_entities(["Bob"])
    know.delete_observations([Observed("Anna", ("Snores", "Sings"))])
    assert (ws.root / "entities/bob.md").exists()
    assert "Snores" in (ws.root / "entities/anna.md").read_text("utf-8")
    assert know.read_graph().entities == (ANNA._replace(observations=()),)
    with pytest.raises(PrivateError):
        know.create_entities([Entity("Bob", "person")])


HAND = """---
title: Anna
works_at: "[[Acme]]"
note:  mine
---
# Anna

Prose about [[Acme]].

knows:: [[Bob]]

## Observations
* Sings
* Dances

## Relations

+ likes [[Bob]]
+ likes [[Acme]], [[Bob]]
"""


def test_what_a_person_wrote_counts_and_only_what_is_named_goes(ws, put):
    put("entities/anna.md", HAND)
    know = ws.knowledge
    (anna,) = know.read_graph().entities
    assert (anna.name, anna.observations) == ("Anna", ("Sings", "Dances"))
    know.delete_observations([Observed("Anna", ("Sings",))])
    know.delete_relations([Relation("Anna", "Bob", "knows"), Relation("Anna", "Acme", "works_at")])
    expected = HAND.replace("* Sings\n", "").replace("knows:: [[Bob]]\n", "")
    expected = expected.replace('works_at: "[[Acme]]"\n', "")
    assert (ws.root / "entities/anna.md").read_text("utf-8") == expected
    with pytest.raises(NotEditableError):
        know.delete_relations([Relation("Anna", "Bob", "likes")])
    assert (ws.root / "entities/anna.md").read_text("utf-8") == expected


def test_an_observation_is_added_without_reading_the_other_pages(ws, monkeypatch):
    known = [Entity(f"Entity {number}", "thing", ("Is.",)) for number in range(60)]
    ws.knowledge.create_entities(known)
    ws.knowledge.create_relations([Relation("Entity 1", "Entity 2", "near")])
    ws.sync()
    read = []
    real = knowledge.current_bytes
    monkeypatch.setattr(
        knowledge, "current_bytes", lambda root, path: read.append(path) or real(root, path)
    )
    ws.knowledge.add_observations([Observed("Entity 7", ("Was.",))])
    ws.knowledge.open_nodes(["Entity 2"])
    ws.knowledge.delete_entities(["Entity 2"])
    held = {path for path in read if (ws.root / path).exists()}
    assert held == {"entities/entity-1.md", "entities/entity-7.md"}


def test_the_graph_is_read_again_only_where_it_changed(ws, graph, monkeypatch):
    graph.read_graph()
    graph.add_observations([Observed("Anna", ("Dances",))])
    read = []
    real = knowledge.current_bytes
    monkeypatch.setattr(
        knowledge, "current_bytes", lambda root, path: read.append(path) or real(root, path)
    )
    assert graph.search_nodes("DANCES").entities[0].name == "Anna"
    assert graph.search_nodes("dances") == graph.search_nodes("ance")
    assert read == ["entities/anna.md"]


WRITER = """
import sys
from memwiki.answers.entries import Entity, Observed, Relation
from memwiki.workspace import Workspace
with Workspace.open(sys.argv[1], find=False) as ws:
    for number in range(8):
        ws.knowledge.add_observations([Observed("Anna", (f"{sys.argv[2]} {number}",))])
        ws.knowledge.create_entities([Entity(f"{sys.argv[2]}", "x"), Entity(f"Both {number}", "x")])
"""


def test_two_processes_that_write_at_once_lose_nothing(ws, graph):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(ws.root), name]) for name in "PQ"
    ]
    assert [each.wait(PATIENCE_S) for each in writers] == [0, 0]
    found = graph.read_graph()
    said = {f"{name} {number}" for name in "PQ" for number in range(8)}
    assert {*found.entities[0].observations} == {"Sings", *said}
    names = [each.name for each in found.entities]
    both = {f"Both {number}" for number in range(8)}
    assert sorted(names) == sorted({"Anna", "Acme", "P", "Q", *both})


def test_entities_made_at_one_moment_keep_their_order(root):
    from memwiki.workspace import Workspace

    with Workspace.open(root, find=False, clock=lambda: 10**18) as ws:
        names = ["Zoe", "Anna", "Mia"]
        for name in names:
            ws.knowledge.create_entities([Entity(name, "person")])
        assert [each.name for each in ws.knowledge.read_graph().entities] == names
