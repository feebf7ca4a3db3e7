"""Links of wikis that agents keep: the sources of a page, and lists of related ones by any name."""

from __future__ import annotations

import pytest


def links_of(space, page):
    return [(row.relation, row.target) for row in space.graph.links(page, "out")]


def test_no_page_is_its_own_source_and_a_source_in_raw_comes_first(opened, put, root):
    put("raw/ima.md", "# IMA\n")
    put("wiki/sources/ima.md", "---\nsources: [ima.md]\n---\n# IMA\n")
    put("wiki/boot.md", "---\nsources:\n  - ima.md\n---\n# Boot\n")
    space = opened()
    assert links_of(space, "wiki/sources/ima.md") == [("", "raw/ima.md")]
    assert links_of(space, "wiki/boot.md") == [("", "raw/ima.md")]
    space.pages.move("wiki/sources/ima.md", "wiki/sources/ima-paper.md")
    assert "sources: [ima.md]" in (root / "wiki/sources/ima-paper.md").read_text()
    assert "- ima.md" in (root / "wiki/boot.md").read_text()
    assert links_of(space, "wiki/sources/ima-paper.md") == [("", "raw/ima.md")]


@pytest.mark.parametrize("key", ["related_pages", "see-too", "prerequisites", "depends_on"])
def test_lists_of_pages_are_links_where_they_name_one(opened, put, root, key):
    put("wiki/a.md", f"---\n{key}:\n  - home\n  - ../docs/spec.md\n  - no page\n---\n# A\n")
    put("wiki/home.md", "# Home\n")
    put("docs/spec.md", "# Spec\n")
    space = opened()
    assert links_of(space, "wiki/a.md") == [(key, "wiki/home.md"), (key, "docs/spec.md")]
    assert not [each for each in space.check.run().problems if each.code.startswith("link-")]
    space.pages.move("docs/spec.md", "docs/plan.md")
    assert "  - ../docs/plan.md\n  - no page\n" in (root / "wiki/a.md").read_text()


def test_a_link_under_any_key_is_one(opened, put, root):
    put("a.md", '---\nnext: "[the other](b.md)"\ntitle: "[not](b.md)"\n---\n# A\n')
    put("b.md", "# B\n")
    space = opened()
    assert links_of(space, "a.md") == [("next", "b.md")]
    space.pages.move("b.md", "c.md")
    assert 'next: "[the other](c.md)"' in (root / "a.md").read_text()
