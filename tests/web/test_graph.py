"""The graph in a browser: the map's data, what is around a page, and the pages that show both."""

import re

import pytest


@pytest.fixture
def client(put, visit):
    put("tea.md", "---\ntags: [drink]\n---\n# Green tea\n\n[[water]] [[cups]] [[Nowhere]]\n")
    put("water.md", "# Water\n\n[[cups]]\n")
    put("cups.md", "# Cups\n\nOf clay.\n")
    put("far.md", "# Far & wide\n\n[[water]]\n")
    put("secret.md", "---\nprivate: true\n---\n# Secret\n\n[[tea]]\n")
    return visit()


def around(client, path, **options):
    return client.get("/api/around", params={"path": path, **options}).json()


def test_the_map_is_that_of_the_workspace_without_what_is_private(client):
    found = client.get("/api/graph").json()
    assert found["paths"] == ["cups.md", "far.md", "tea.md", "water.md"]
    assert found["titles"][2] == "Green tea"
    links = [found["targets"][a:b] for a, b in zip(found["starts"], found["starts"][1:])]
    assert links == [[], [3], [0, 3], [0]]
    assert "secret" not in client.get("/api/graph").text.lower()


def test_what_is_private_is_on_the_map_where_it_is_served(put, visit):
    put("secret.md", "---\nprivate: true\n---\n# Secret\n")
    assert visit(has_private=True).get("/api/graph").json()["paths"] == ["secret.md"]


def test_around_a_page_are_those_that_it_is_linked_with_and_the_links_among_them(client):
    found = around(client, "tea.md")
    assert [node["path"] for node in found["nodes"]] == ["tea.md", "cups.md", "water.md", ""]
    ends = {(edge["from"], edge["to"]) for edge in found["edges"]}
    assert ends >= {("tea.md", "water.md"), ("water.md", "cups.md"), ("tea.md", "Nowhere")}


def test_further_away_is_more(client):
    paths = [node["path"] for node in around(client, "tea.md", depth=2)["nodes"]]
    assert "far.md" in paths
    assert paths[0] == "tea.md"


def test_a_hub_has_eighty_nodes_around_it_those_first_that_much_links_to(put, visit):
    put("hub.md", " ".join(f"[[p{n:03}]]" for n in range(200)))
    for n in range(200):
        put(f"p{n:03}.md", "[[p150]]\n")
    nodes = around(visit(), "hub.md", depth=3)["nodes"]
    assert len(nodes) == 80
    assert [node["path"] for node in nodes[:2]] == ["hub.md", "p150.md"]


def test_the_page_of_the_map_loads_its_scripts_and_has_nothing_inline(client):
    text = client.get("/graph").text
    assert re.search(r'<script type="module" src="/static/\w+/graph.js">', text)
    assert "style=" not in text
    assert re.findall(r"<script(?![^>]* src=)", text) == []


def test_every_field_of_the_panel_has_a_name_to_be_called_by(client):
    text = client.get("/graph").text
    fields = re.findall(r'name="(\w+)"', text)
    assert {"find", "folder", "tag", "type", "hubs", "colour", "plain", "orphans"} <= set(fields)


def test_around_a_page_is_a_list_too_and_escaped(client):
    text = client.get("/graph", params={"around": "water.md"}).text
    assert "Far &amp; wide" in text
    assert "Far & " not in text
    assert 'data-around="water.md"' in text


def test_around_no_page_is_not_found(client):
    assert client.get("/api/around", params={"path": "secret.md"}).status_code == 404
    assert client.get("/graph", params={"around": "secret.md"}).status_code == 404


def test_a_page_shows_what_is_around_it(client):
    assert 'data-around="tea.md"' in client.get("/p/tea.md").text
