"""The graph: links resolved as they are read, neighbours, ways, ranks, relations and orphans."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.index import graph as graphs
from memwiki.index.graph import LinkGraph, page_rank, tag_counts
from memwiki.index.meanings.lookup import Edge
from memwiki.nouns import Layers, LinkStatus
from memwiki.scope import scope_of

CHAIN = {
    "a.md": "# A\n\n[[b]] and again [[b]], [[b|B]]\n",
    "b.md": "# B\n\n[[c]]\n",
    "c.md": "# C\n\n[[d]] [[a new page]]\n",
    "d.md": "# D\n",
    "lonely.md": "# Lonely\n\n[[lonely]] [self](lonely.md)\n",
}


@pytest.fixture
def graph(cards, lookup) -> Callable[..., LinkGraph]:
    def make(pages, files=()):
        lookup(pages, files)
        return LinkGraph(cards, scope_of(Layers()))

    return make


def test_a_neighbourhood_goes_along_links_either_way_and_says_how_far(graph):
    reached, edges = graph(CHAIN).neighbourhood("b.md", 1)
    assert [(r.target, r.distance) for r in reached] == [("b.md", 0), ("a.md", 1), ("c.md", 1)]
    assert {(e.source, e.target) for e in edges} == {("a.md", "b.md"), ("b.md", "c.md")}
    reached, _ = graph({}).neighbourhood("b.md", 2)
    assert {r.target for r in reached} == {"a.md", "b.md", "c.md", "d.md"}
    assert {r.target: r.score for r in reached}["d.md"] == pytest.approx(1 / 3)


def test_a_neighbourhood_of_any_depth_ends_where_nothing_is_left_to_reach(graph):
    everything, _ = graph(CHAIN).neighbourhood("b.md", 10)
    assert graph(CHAIN).neighbourhood("b.md", 99_999_999_999)[0] == everything


def test_a_neighbourhood_of_depth_0_is_the_page(graph):
    reached, edges = graph(CHAIN).neighbourhood("b.md", 0)
    assert [r.target for r in reached] == ["b.md"]
    assert edges == []


@pytest.mark.parametrize(
    ("link", "by"),
    [
        ("[[Python|lang.python]]", "label"),
        ("[[Python|lang.python#Use]]", "label"),
        ("[[Python|notes/lang.python.md]]", "label"),
        ("uses:: [[Python|lang.python]]", "label"),
        ("[[other|lang.python]]", "path"),  # the left side leads somewhere
        ("[[Python|word]]", ""),  # one plain word is a label
        ("[[Python|see lang.python]]", ""),
        ("[[Python|title.alone]]", ""),  # only files are meant
        ("![[Python|lang.python]]", "label"),
        ("[lang.python](Python)", ""),
    ],
)
def test_a_name_of_a_file_in_the_place_of_a_label_leads_there_when_nothing_else_does(
    graph, link, by
):
    graph = graph(
        {
            "notes/lang.python.md": "text\n",
            "word.md": "---\ntitle: title.alone\n---\n",
            "other.md": "text\n",
            "page.md": f"{link}\n",
        }
    )
    rows = graph.outgoing("page.md")
    assert [row.by for row in rows] == [by]
    assert [row.by for row in graph.everything()] == [by]
    found = graph.incoming("notes/lang.python.md")
    assert [row.by for row in found] == (["label"] if by == "label" else [])


def test_wanted_pages_are_edges_without_a_page(graph):
    _, edges = graph(CHAIN).neighbourhood("c.md", 1)
    assert [e.target for e in edges if e.is_wanted] == ["a new page"]


def test_the_weights_of_relations_multiply_along_the_way(graph):
    pages = {
        "a.md": "---\nrelations:\n  - {type: uses, target: b, weight: 0.5}\n---\n",
        "b.md": "---\nrelations:\n  - {type: uses, target: c, weight: 0.5}\n---\n",
        "c.md": "text\n",
    }
    reached, edges = graph(pages).neighbourhood("a.md", 2)
    assert {r.target: r.score for r in reached} == {"a.md": 1.0, "b.md": 0.25, "c.md": 0.25 / 3}
    assert {(e.source, e.target, e.type, e.weight) for e in edges} == {
        ("a.md", "b.md", "uses", 0.5),
        ("b.md", "c.md", "uses", 0.5),
    }


def test_a_relation_narrows_what_is_walked(graph):
    pages = {
        "a.md": "- uses [[b]]\n- part_of [[c]]\nplain [[d]]\n",
        "b.md": "text\n",
        "c.md": "text\n",
        "d.md": "text\n",
    }
    built = graph(pages)
    assert {r.target for r in built.neighbourhood("a.md", 1, "uses")[0]} == {"a.md", "b.md"}
    assert {r.target for r in built.neighbourhood("a.md", 1, "Part_Of")[0]} == {"a.md", "c.md"}
    assert built.shortest_path("b.md", "c.md", "uses") == []
    assert len(built.shortest_path("b.md", "c.md")) == 2


def test_a_shortest_way_may_go_against_links(graph):
    way = graph(CHAIN).shortest_path("d.md", "a.md")
    assert [(e.source, e.target) for e in way] == [
        ("c.md", "d.md"),
        ("b.md", "c.md"),
        ("a.md", "b.md"),
    ]


def test_there_is_no_way_to_an_island_and_none_needed_to_oneself(graph):
    built = graph(CHAIN)
    assert built.shortest_path("a.md", "lonely.md") == []
    assert built.shortest_path("a.md", "a.md") == []


def test_links_to_oneself_do_not_make_a_page_known(graph):
    assert graph(CHAIN).orphans() == {"a.md", "lonely.md"}


def test_several_links_to_one_page_are_one_edge_and_several_references(graph):
    built = graph(CHAIN)
    assert built.neighbourhood("a.md", 1)[1] == [Edge("a.md", "b.md", "link", 1.0)]
    assert built.reference_counts(["b.md"])["b.md"] == 3
    assert built.reference_counts(["b.md", *map(str, range(99))])["b.md"] == 3


def test_sources_count_as_links_only_where_they_name_a_page(graph):
    pages = {"a.md": "---\nsources: [b, Some Book, https://example.org]\n---\n", "b.md": "text\n"}
    built = graph(pages)
    assert [(row.target, row.kind) for row in built.outgoing("a.md")] == [("b.md", "source")]
    assert [row.source for row in built.incoming("b.md")] == ["a.md"]


def test_a_link_says_its_line_label_heading_and_how_it_was_resolved(graph):
    (row,) = graph({"a.md": "# A\n\nsee [[b#Part|the part]]\n", "b.md": "# B\n"}).outgoing("a.md")
    assert (row.source, row.target, row.line) == ("a.md", "b.md", 3)
    assert (row.written, row.text) == ("b#Part", "the part")
    assert (row.status, row.by) == (LinkStatus.RESOLVED, "path")


# --- ranks ---------------------------------------------------------------------------------------

SOURCES = st.integers(1, 8).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, size - 1), max_size=12), min_size=size, max_size=size
    )
)


def ranks_by_rounds(sources: list[list[int]]) -> list[float]:
    """The definition, 30 rounds of it."""
    pages = range(len(sources))
    links = [sum(each.count(page) for each in sources) for page in pages]
    rank = [1 / len(sources) for _ in pages]
    for _ in range(30):
        lost = sum(rank[page] for page in pages if not links[page])
        rank = [
            0.15 / len(sources)
            + 0.85 * (lost / len(sources) + sum(rank[page] / links[page] for page in each))
            for each in sources
        ]
    return rank


@given(SOURCES)
def test_ranks_are_those_of_thirty_rounds_in_their_sixth_digit(sources):
    ranks = page_rank(sources)
    assert ranks == pytest.approx(ranks_by_rounds(sources), rel=0, abs=5e-7)
    assert sum(ranks) == pytest.approx(1.0)
    assert all(rank > 0 for rank in ranks)


def test_a_page_that_others_link_to_ranks_higher():
    first, second, third, hub = page_rank([[], [], [], [0, 1, 2]])
    assert hub > first
    assert first == pytest.approx(second) == pytest.approx(third)


def test_no_pages_have_no_ranks():
    assert page_rank([]) == []


# --- tags ----------------------------------------------------------------------------------------


def test_tags_are_counted_by_page_with_their_parents_and_shown_as_most_spell_them():
    pairs = [
        (1, "Project/A"),
        (1, "project/a"),
        (2, "project/B"),
        (3, "project"),
        (3, "Other"),
        (4, "other"),
        (5, "other"),
    ]
    assert [tuple(row) for row in tag_counts(pairs)] == [
        ("other", 3),
        ("project", 3),
        ("Project/A", 1),
        ("project/B", 1),
    ]
    assert [row.tag for row in tag_counts(pairs, "#project/")] == ["Project/A", "project/B"]


def test_a_tag_of_many_pages_is_folded_as_often_as_one_of_few(monkeypatch):
    folded: list[str] = []
    monkeypatch.setattr(graphs, "fold", lambda name: folded.append(name) or name.lower())
    counts = {}
    for pages in (1, 500):
        folded.clear()
        assert tag_counts((f"{page}.md", "Area/tea") for page in range(pages))[0].count == pages
        counts[pages] = len(folded)
    assert counts[1] == counts[500]


# --- entries ------------------------------------------------------------------------------------

NOTED = {
    "memory.md": (
        "# Memory\n\nIn short: [[tea]].\n\n- Anna likes [[tea]]. [subject:: Anna] ^m-aaaaaa\n"
        "- So buy it.\n  [because:: m-aaaaaa 0.5] [[memory#^m-aaaaaa]] ^m-bbbbbb\n- [[tea]]\n"
    ),
    "tea.md": "# Tea\n\n[[memory#^m-bbbbbb]] [[memory#^other]]\n",
    "Anna.md": "# Anna\n",
}


def test_a_link_says_of_which_entry_it_is_and_which_it_names(graph):
    rows = [row for path in NOTED for row in graph(NOTED).outgoing(path)]
    assert [(row.written, row.line, row.source_id, row.target_id) for row in rows] == [
        ("tea", 3, "", ""),
        ("tea", 5, "m-aaaaaa", ""),
        ("Anna", 5, "m-aaaaaa", ""),
        ("memory#^m-aaaaaa", 7, "m-bbbbbb", "m-aaaaaa"),
        ("^m-aaaaaa", 7, "m-bbbbbb", "m-aaaaaa"),
        ("tea", 8, "", ""),
        ("memory#^m-bbbbbb", 3, "", "m-bbbbbb"),
        ("memory#^other", 3, "", ""),
    ]
    (backlink,) = graph({}).incoming("Anna.md")
    assert backlink == rows[2]


def test_what_an_entry_says_leads_from_the_entry_and_not_from_its_page(graph):
    reached, edges = graph(NOTED).neighbourhood("Anna.md", 2)
    assert [(each.target, each.distance) for each in reached] == [
        ("Anna.md", 0),
        ("memory.md#^m-aaaaaa", 1),
        ("memory.md#^m-bbbbbb", 2),
    ]
    assert set(edges) == {
        Edge("memory.md#^m-aaaaaa", "Anna.md", "subject", 1.0),
        Edge("memory.md#^m-bbbbbb", "memory.md#^m-aaaaaa", "because", 0.5),
    }
    around = graph({}).neighbourhood("memory.md#^m-bbbbbb", 9)[0]
    assert [each.target for each in around] == [
        *("memory.md#^m-bbbbbb", "memory.md#^m-aaaaaa", "Anna.md")
    ]
    assert [each.target for each in graph({}).neighbourhood("memory.md", 9)[0]] == [
        *("memory.md", "tea.md")
    ]


def test_entries_are_on_the_shortest_way(graph):
    way = graph(NOTED).shortest_path("memory.md#^m-bbbbbb", "Anna.md")
    assert [(edge.source, edge.type) for edge in way] == [
        *(("memory.md#^m-bbbbbb", "because"), ("memory.md#^m-aaaaaa", "subject"))
    ]


def test_entries_without_ids_and_names_without_pages_are_in_the_graph(graph):
    pages = {
        "memory.md": "- a\n- b [entities:: tea, Bert] [so:: m-none]\n\n\n- c [subject:: memory]\n",
        "log/memory.md": "- d [topic:: tea] [because:: m-twice]\n- e ^m-twice\n- f ^M-TWICE\n",
        "tea.md": "text\n",
    }
    built = graph(pages)
    reached, edges = built.neighbourhood("tea.md", 2)
    assert {each.target for each in reached} == {
        *("tea.md", "memory.md:2", "log/memory.md:1", "log/memory.md#^m-twice")
    }
    wanted = [(edge.target, edge.type) for edge in edges if edge.is_wanted]
    assert wanted == [("Bert", "entities"), ("^m-none", "so")]
    assert [e.target for e in built.neighbourhood("memory.md", 1)[1]] == ["memory.md"]
    with built.meanings() as meanings:
        assert [*meanings.plain_edges(), *meanings.other_edges()] == []
