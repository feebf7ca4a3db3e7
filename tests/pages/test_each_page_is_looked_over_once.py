"""An edit looks a page over once as it is and once as it will be, however many verbs ask what it
holds."""

from collections import Counter

import pytest

from memwiki.commit import carry_out
from memwiki.markdown import frontmatter, outline
from memwiki.pages import relink
from memwiki.sync import feed


@pytest.fixture
def looks(monkeypatch):
    """How often the front matter and the structure of each text were looked for."""
    counts = Counter()

    def counted(real, what, first):
        def count(*arguments):
            counts[what, "\n".join(arguments[first])] += 1
            return real(*arguments)

        return count

    monkeypatch.setattr(frontmatter, "load", counted(frontmatter.load, "front matter", 1))
    for name in ("scan", "structure_of"):
        monkeypatch.setattr(outline, name, counted(getattr(outline, name), "structure", 0))
    return counts


def assert_looked_over(counts, pages):
    """So many pages as they are and as they will be, none of them twice."""
    for what in ("front matter", "structure"):
        assert sum(n for (each, _), n in counts.items() if each == what) <= pages, counts
    assert set(counts.values()) == {1}


def test_an_append_looks_at_the_page_and_at_what_becomes_of_it(ws, looks):
    """
    --- wiki/tea.md ---
    # Tea

    ```
    code
    ```

    ## Kinds
    - Sencha
    """
    ws.sync()
    looks.clear()
    ws.pages.append("tea", "- Gyokuro", section="Kinds", dry_run=True)
    del looks["structure", "- Gyokuro\n\n# what follows"]  # the text itself, before it goes in
    assert_looked_over(looks, 2)


def test_a_move_looks_at_each_page_twice_at_most(ws, looks):
    """
    --- wiki/tea.md ---
    ---
    title: Tea
    related: ["[[wiki/kettle]]"]
    ---
    # Tea

    Of the [kettle](kettle.md), see [[kettle]].
    --- wiki/kettle.md ---
    # Kettle

    For [[wiki/tea]] and [tea](tea.md).
    """
    ws.sync()
    looks.clear()
    assert "notes/green/tea" in ws.pages.move("tea", "notes/green/", dry_run=True).diff
    assert_looked_over(looks, 4)


@pytest.mark.parametrize("many", [500, 1])  # pages that a sync gives to other processes
def test_the_sync_after_a_move_looks_at_none_of_its_pages_again(ws, looks, monkeypatch, many):
    """
    --- wiki/tea.md ---
    # Tea

    Of the [kettle](kettle.md).
    --- wiki/kettle.md ---
    # Kettle

    For [[wiki/tea]] and [tea](tea.md).
    """
    monkeypatch.setattr(feed, "_MANY", many)
    ws.sync()
    looks.clear()
    ws.pages.move("tea", "notes/green/")
    assert_looked_over(looks, 4)
    assert {row.target for row in ws.graph.links("kettle", "out")} == {"notes/green/tea.md"}


def test_a_page_that_another_saves_before_the_sync_is_indexed_as_it_is(ws, put, monkeypatch):
    """
    --- wiki/tea.md ---
    # Tea
    --- wiki/kettle.md ---
    For [[wiki/tea]].
    """
    ws.sync()
    followed = carry_out._followed

    def saved_before(*arguments):
        put("wiki/kettle.md", "For [[notes/tea]] and samovars.\n")
        return followed(*arguments)

    monkeypatch.setattr(carry_out, "_followed", saved_before)
    ws.pages.move("tea", "notes/")
    assert [hit.path for hit in ws.search("samovars").hits] == ["wiki/kettle.md"]


def test_a_move_that_changes_no_link_looks_at_each_page_once(ws, looks):
    """
    --- wiki/tea.md ---
    # Tea
    --- wiki/kettle.md ---
    For [[tea]].
    """
    ws.sync()
    looks.clear()
    ws.pages.move("tea", "notes/", dry_run=True)
    assert_looked_over(looks, 2)


def test_several_fields_are_set_one_after_the_other(ws, looks):
    """
    --- wiki/tea.md ---
    ---
    title: Tea
    ---
    """
    ws.sync()
    looks.clear()
    ws.pages.set("tea", {"status": "draft", "x": "1"}, unset=["title"], dry_run=True)
    assert sum(looks.values()) == 4


@pytest.mark.parametrize("verb", ["tag_add", "tag_remove"])
def test_a_tag_looks_at_the_page_and_at_what_becomes_of_it(ws, looks, verb):
    """
    --- wiki/tea.md ---
    ---
    tags: [drink]
    ---
    Tea #hot
    """
    ws.sync()
    looks.clear()
    getattr(ws.pages, verb)("tea", ["hot" if verb == "tag_remove" else "green"], dry_run=True)
    assert_looked_over(looks, 2)


def test_a_move_asks_what_links_to_its_page_mean_and_no_others(ws, put, monkeypatch):
    names = [f"other {number}" for number in range(40)]
    for name in names:
        put(f"{name}.md", f"# {name}\n\nSee [[hub]] and {' '.join(f'[[{n}]]' for n in names)}.\n")
    put("hub.md", "# Hub\n")
    ws.sync()
    asked = set()

    class Asked(relink.Resolver):
        def resolve(self, link, source):
            asked.add(link.written)
            return super().resolve(link, source)

    monkeypatch.setattr(relink, "Resolver", Asked)
    assert len(ws.pages.move("hub", "notes/centre", dry_run=True).paths) == 42
    assert asked <= {"hub", "centre", "notes/centre"}


def test_an_added_entry_has_its_page_looked_over_as_it_was_and_as_it_is(ws, looks):
    """
    --- memory.md ---
    # Memory

    ## Facts

    - Ana drinks green tea in the morning. ^m-aaaaaa
    """
    ws.sync()
    looks.clear()
    assert ws.entries.add("Ana drinks black tea in the evening.", type="fact").edited.fresh
    del looks["structure", "- Ana drinks black tea in the evening.\n\n# what follows"]  # its text
    assert_looked_over(looks, 2)
