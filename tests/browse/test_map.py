"""`graph.map`: all pages and links as arrays, the same as `graph` and `links` say."""

import pytest

from memwiki.answers.graph import MapMark
from memwiki.workspace import Workspace

PAGES = {
    "a.md": "---\ntags: [x, y]\ntype: concept\nrelations:\n"
    "  - {type: uses, target: b, weight: 0.25}\n  - {type: link, target: c, weight: 0.5}\n"
    "---\n# Ay\n\n[[b]] [[b]] [[a]] [[New]] ![[a.png]] [[deep/d]]\n",
    "b.md": "[[c]] and [a](a.md)\n",
    "c.md": "No links, but #z.\n",
    "deep/d.md": "[[b#Heading]] [[Ay]]\n",
    "memory.md": "- Likes [[b]]. ^m-aaaaaa\n",
}


@pytest.fixture
def full(put, ws):
    for path, text in PAGES.items():
        put(path, text)
    put("a.png", b"")
    return ws


def row(found, path):
    at = found.paths.index(path)
    tags = found.tags[found.tag_starts[at] : found.tag_starts[at + 1]]
    return found.titles[at], found.type_names[found.types[at]], [found.tag_names[t] for t in tags]


def test_links_are_those_of_links(full):
    found = full.graph.map()
    for path in found.paths:
        targets = {each.target for each in full.graph.links(path, "out") if each.target != path}
        assert {b for a, b in found.links() if a == path} == targets & set(found.paths), path
    assert ("a.md", "deep/d.md") in found.links()


def test_pages_edges_and_ranks_are_those_of_graph(full):
    found, ranked = full.graph.map(), full.graph.ranked()
    nodes = {node.path: node for node in ranked if node.path}
    assert sorted(nodes) == list(found.paths)
    assert {path: node.score for path, node in nodes.items()} == dict(
        zip(found.paths, found.ranks, strict=True)
    )
    edges = {(edge.source, edge.target) for edge in ranked.edges if edge.target in nodes}
    assert edges == set(found.links())
    assert all(row(found, path)[2] == list(node.tags) for path, node in nodes.items())


def test_a_page_has_its_title_type_and_tags(full):
    assert row(full.graph.map(), "a.md") == ("Ay", "concept", ["x", "y"])
    assert row(full.graph.map(), "c.md") == ("C", "page", ["z"])


def test_the_map_is_kept_until_a_page_changes(full, put):
    first = full.graph.map()
    assert full.graph.map() is first
    assert full.by("somebody").graph.map() is first
    put("c.md", "[[b]]\n")
    assert ("c.md", "b.md") in full.graph.map().links()


def test_catalogs_and_the_journal_are_marked_and_count_for_no_rank(put, ws):
    put("notes/a.md", "[[b]]\n")
    put("notes/b.md", "Text of b.\n")
    ranks = dict(zip(ws.graph.map().paths, ws.graph.map().ranks, strict=True))
    ws.settings.set("catalog.enabled", "true")
    ws.settings.set("layers.log", "log.md")
    ws.catalog.update()
    ws.pages.append("b", "More.")
    found = ws.graph.map()
    marks = [list(MapMark)[mark] for mark in found.marks]
    marked = dict(zip(found.paths, marks, strict=True))
    assert marked["log.md"] is MapMark.JOURNAL
    assert marked["notes/a.md"] is MapMark.NONE
    assert marked["index.md"] is MapMark.CATALOG
    seen = dict(zip(found.paths, found.ranks, strict=True))
    assert {path: seen[path] for path in ranks} == ranks
    assert seen["index.md"] == 0


def test_pages_of_the_type_index_and_of_a_day_are_marked_too(put, ws):
    put("a.md", "---\ntype: index\n---\n[[b]]\n")
    put("b.md", "---\ntype: Daily\n---\n[[a]]\n")
    found = ws.graph.map()
    assert [list(MapMark)[mark] for mark in found.marks] == [MapMark.CATALOG, MapMark.JOURNAL]
    assert sum(found.ranks) == pytest.approx(1)


def test_what_is_private_is_in_the_map_of_no_one_else(put, ws):
    put("a.md", "[[b]]\n")
    put("b.md", "---\nprivate: true\n---\nSecret [[a]].\n")
    assert ws.graph.map().paths == ("a.md", "b.md")
    public = ws.public().graph.map()
    assert (public.paths, list(public.links())) == (("a.md",), [])
    assert ws.graph.map().paths == ("a.md", "b.md")


def test_a_namespace_has_a_map_of_its_own(put, ws, root):
    ws.settings.set("layers.namespaces", "spaces")
    put("a.md", "[[spaces/work/b]]\n")
    put("spaces/work/b.md", "[[c]]\n")
    put("spaces/work/c.md", "[[b]] [[a]]\n")
    assert ws.graph.map().paths == ("a.md",)
    with Workspace.open(root, find=False, namespace="work", environ=ws.environ) as work:
        found = work.graph.map()
        nodes = [node.path for node in work.graph.ranked() if node.path]
    assert list(found.paths) == sorted(nodes) == ["spaces/work/b.md", "spaces/work/c.md"]
    assert list(found.links()) == [
        ("spaces/work/b.md", "spaces/work/c.md"),
        ("spaces/work/c.md", "spaces/work/b.md"),
    ]


def test_an_empty_workspace_has_an_empty_map(ws):
    found = ws.graph.map()
    assert (found.paths, list(found.links()), list(found.starts)) == ((), [], [0])
