"""`graph` without a name: all pages by their rank, and all edges, held packed."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.answers.graph import GraphEdge, GraphEdges

PATHS = ["a.md", "b.md", "ü\ud800.md"]
PLAIN = st.lists(st.sets(st.integers(0, 2)).map(sorted), min_size=3, max_size=3)
OTHERS = st.dictionaries(
    st.tuples(
        st.sampled_from(PATHS),
        st.sampled_from([*PATHS, "A wanted\npage", ""]),
        st.sampled_from(["uses", "part of", "zoo"]),
    ),
    st.floats(0, 1),
)


@given(PLAIN, OTHERS)
def test_packed_edges_are_those_that_were_packed_in_their_order(sources, weights):
    others = [GraphEdge(*ends, weight) for ends, weight in weights.items()]
    plain = [
        GraphEdge(PATHS[source], target, "link", 1.0)
        for target, each in zip(PATHS, sources, strict=True)
        for source in each
    ]
    packed = GraphEdges(PATHS, sources, others)
    expected = sorted([*plain, *others])
    assert list(packed) == expected
    assert packed == tuple(expected)
    assert len(packed) == len(expected)
    assert [packed[at] for at in range(-len(expected), 0)] == expected
    assert list(packed[1:3]) == expected[1:3]
    assert pickle.loads(pickle.dumps(packed)) == copy.copy(packed) == packed


def test_an_edge_that_is_not_there_is_an_error():
    with pytest.raises(IndexError):
        GraphEdges(PATHS, [[1], [], []], [])[1]


def edges(ws, **narrowed):
    return [tuple(edge) for edge in ws.graph.ranked(**narrowed).edges]


def test_links_of_one_type_between_two_pages_are_one_edge_with_the_heaviest_weight(put, ws):
    put(
        "a.md",
        "---\nrelations:\n"
        "  - {type: uses, target: b, weight: 0.25}\n  - {type: uses, target: b, weight: 0.5}\n"
        "  - {type: link, target: b, weight: 0.5}\n  - {target: c, weight: 0.5}\n"
        "---\n[[b]] [[b]] [[a]] [[New]] [[New]] ![[a.png]]\n",
    )
    put("b.md", "[[a]]\n")
    put("c.md", "text\n")
    put("a.png", "")
    assert edges(ws) == [
        ("a.md", "New", "link", 1.0),
        ("a.md", "b.md", "link", 1.0),
        ("a.md", "b.md", "uses", 0.5),
        ("a.md", "c.md", "link", 0.5),
        ("b.md", "a.md", "link", 1.0),
    ]
    assert edges(ws, relation="Uses") == [("a.md", "b.md", "uses", 0.5)]
    assert ("a.md", "b.md", "link", 1.0) in edges(ws, relation="LINK")


def test_typed_links_count_for_the_rank_as_others_do(put, ws):
    put("a.md", "- uses [[hub]]\n")
    put("b.md", "[[hub]]\n")
    put("hub.md", "text\n")
    hub, *rest = ws.graph.ranked().nodes
    assert hub.path == "hub.md"
    assert [node.path for node in rest] == ["a.md", "b.md"]
    assert rest[0].score == rest[1].score
    assert ws.graph.ranked(relation="uses").nodes[0].score < hub.score


def test_pages_that_are_put_away_and_their_links_are_left_out(put, ws):
    ws.settings.set("layers.archive", "archive")
    put("a.md", "[[archive/old]]\n")
    put("archive/old.md", "[[a]] [[Only here]]\n")
    answer = ws.graph.ranked()
    assert [node.path for node in answer.nodes] == ["a.md"]
    assert list(answer.edges) == []
