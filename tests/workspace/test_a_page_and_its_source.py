"""A page that was made of a source of the same name is the one that the name means."""

import pytest

from memwiki.errors import AmbiguousError

LAYERS = '[layers]\nwiki = "wiki"\nraw = "raw"\narchive = "archive"\n'


@pytest.fixture
def space(put, opened):
    """The pattern of every wiki that is made of sources."""
    put("memwiki.toml", LAYERS)
    put("raw/x.md", "As it came.\n")
    put("wiki/entities/x.md", "---\nsources: [x]\n---\nWhat is known. [[y]]\n")
    put("wiki/entities/y.md", "[[x]]\n")
    return opened()


def test_reading_and_changing_it_by_its_name_does_not_fail(space, root):
    assert space.pages.get("x").path == "wiki/entities/x.md"
    assert [row.target for row in space.graph.links("x", direction="out").links][-1] == (
        "wiki/entities/y.md"
    )
    space.pages.set("x", {"status": "stable"})
    assert "status: stable" in (root / "wiki/entities/x.md").read_text()
    assert (root / "raw/x.md").read_text() == "As it came.\n"
    assert space.check.run(only=["link-ambiguous"]).problems == ()


def test_moving_and_deleting_it_still_ask_for_the_path(space, root):
    for verb in (space.pages.delete, lambda name: space.pages.move(name, "z")):
        with pytest.raises(AmbiguousError) as caught:
            verb("x")
        assert caught.value.candidates == ("wiki/entities/x.md", "raw/x.md")
    assert (root / "wiki/entities/x.md").exists()
    space.pages.move("wiki/entities/x.md", "z")
    assert (root / "wiki/entities/y.md").read_text() == "[[z]]\n"


def test_a_page_that_moves_beside_its_source_keeps_its_links(space, root, put):
    put("raw/z.md", "Of another name.\n")
    space.pages.move("wiki/entities/x.md", "z")
    assert (root / "wiki/entities/y.md").read_text() == "[[z]]\n"
    assert space.pages.get("z").path == "wiki/entities/z.md"


def test_in_a_wiki_of_projects_a_name_means_the_page_of_its_own_project(put, opened):
    for name in ("alpha", "beta", "gamma"):
        put(f"projects/{name}/overview.md", f"# Overview of {name}\n")
        put(f"projects/{name}/notes/day.md", "[[overview]] [o](../overview.md)\n")
    space = opened()
    for name in ("alpha", "beta", "gamma"):
        rows = space.graph.links(f"projects/{name}/notes/day.md", direction="out").links
        assert {row.target for row in rows} == {f"projects/{name}/overview.md"}
