"""The graph of a workspace with entries: where it starts, and what its nodes say."""

import pytest

from memwiki.answers.graph import GraphNodeKind
from memwiki.errors import AmbiguousError, NoSuchPageError
from memwiki.index.cards import entries
from memwiki.present import Look, as_text
from memwiki.present.graph import as_mermaid


@pytest.fixture
def noted(put, ws):
    put("wiki/Anna.md", "# Anna\n\nA person. ![[face.png]]\n")
    put("wiki/face.png", b"PNG")
    put(
        "memory.md",
        "# Memory\n\n- [fact] **Anna** likes tea,\n  and drinks it #daily, as long as the world"
        " goes round. [subject:: Anna] [object:: Tea] ^m-aaaaaa\n"
        "- So buy it. [because:: m-aaaaaa]\n",
    )
    return ws


def test_nodes_say_what_they_are(noted):
    answer = noted.graph.around("wiki/Anna.md", 2)
    assert [(node.kind, node.path, node.id, node.line) for node in answer.nodes] == [
        (GraphNodeKind.PAGE, "wiki/Anna.md", "", 0),
        (GraphNodeKind.ENTRY, "memory.md", "m-aaaaaa", 3),
        (GraphNodeKind.FILE, "wiki/face.png", "", 0),
        (GraphNodeKind.ENTRY, "memory.md", "", 5),
        (GraphNodeKind.WANTED, "", "", 0),
    ]
    entry, other = answer.nodes[1], answer.nodes[3]
    assert entry.name == "**Anna** likes tea, and drinks it #daily, as long as the wor"
    assert (entry.type, entry.tags, other.name) == ("fact", ("daily",), "So buy it.")
    assert {(edge.source, edge.target) for edge in answer.edges} == {
        ("wiki/Anna.md", "wiki/face.png"),
        ("memory.md#^m-aaaaaa", "wiki/Anna.md"),
        ("memory.md#^m-aaaaaa", "Tea"),
        ("memory.md:5", "memory.md#^m-aaaaaa"),
    }


@pytest.mark.parametrize(
    "name", ["m-aaaaaa", "^m-aaaaaa", "M-AAAAAA", "memory#^m-aaaaaa", "memory.md:4"]
)
def test_an_entry_is_where_the_graph_starts(noted, name):
    first, *others = noted.graph.around(name).nodes
    assert (first.end, first.distance) == ("memory.md#^m-aaaaaa", 0)
    assert [node.name for node in others] == ["So buy it.", "Anna", "Tea"]


def test_there_is_a_way_from_an_entry_to_a_page(noted):
    answer = noted.graph.path("memory.md:5", "Anna")
    assert [node.end for node in answer.nodes] == [
        *("memory.md:5", "memory.md#^m-aaaaaa", "wiki/Anna.md")
    ]


@pytest.mark.parametrize("name", ["m-zzzzzz", "memory#^m-zzzzzz", "memory.md:1", "none.md:3"])
def test_what_names_no_entry_is_no_page_either(noted, name):
    with pytest.raises(NoSuchPageError):
        noted.graph.around(name)


def test_an_id_on_two_pages_is_ambiguous(noted, put):
    put("sub/memory.md", "- Another. ^m-aaaaaa\n")
    with pytest.raises(AmbiguousError) as raised:
        noted.graph.around("m-aaaaaa")
    assert raised.value.candidates == ("memory.md", "sub/memory.md")
    assert noted.graph.around("sub/memory.md#^m-aaaaaa").nodes[0].name == "Another."


def test_a_page_that_is_called_like_an_id_comes_first(noted, put):
    put("m-aaaaaa.md", "text\n")
    assert noted.graph.around("m-aaaaaa").nodes[0].kind is GraphNodeKind.PAGE


def test_entries_are_drawn_with_what_names_them(noted):
    answer = noted.graph.around("memory.md:5", 2)
    assert as_text(answer, Look()).splitlines() == [
        "So buy it.  memory.md:5",
        "└─ → because **Anna** likes tea, and drinks it #daily, as long as the wor"
        "  memory.md#^m-aaaaaa",
        "   ├─ → object Tea  (wanted)",
        "   └─ → subject Anna  wiki/Anna.md",
    ]
    drawn = as_mermaid(answer).splitlines()
    assert '  n0 -->|"because"| n1' in drawn
    assert len(drawn) == 1 + len(answer.nodes) + len(answer.edges)


def test_links_name_the_entry_they_lead_to(noted):
    shown = as_text(noted.graph.links("memory", "out"), Look()).splitlines()
    assert shown[-1] == "memory.md:5  → because memory.md#^m-aaaaaa"


def test_a_page_whose_entries_name_each_other_is_searched_through_a_few_times(put, ws, monkeypatch):
    rows = [f"- ~~Tea {n}.~~ [superseded_by:: m-{n + 1:06}] ^m-{n:06}\n" for n in range(60)]
    put("memory.md", "".join(("# Memory\n\n", *rows, "- Tea. ^m-000060\n")))
    searches, real = list[object](), entries.lines_in
    monkeypatch.setattr(entries, "lines_in", lambda *given: searches.append(given) or real(*given))
    found = ws.graph.around("memory.md#^m-000030", 60)
    assert len({edge.source for edge in found.edges}) == 60
    assert len(found.nodes) == 61
    assert len(searches) < 40  # and not once for each of 60, by two readers
