"""A finding is true by the rules of the program that keeps the vault."""

import pytest


def found(ws, *codes):
    return sorted((each.code, each.path) for each in ws.check.run(only=codes))


def test_a_page_of_logseq_is_reached_by_tags_and_properties(ws, put):
    put("logseq/config.edn", "{}\n")
    put("pages/docs.md", "- What is to be written.\n")
    put("pages/kind.md", "- What a page is about.\n")
    put("pages/alone.md", "alone:: yes\n\n- Nobody asks for it. #alone\n")
    put("pages/tea.md", "kind:: drink\n\n- Describe how it is made #docs\n")
    put("pages/coffee.md", "- [[tea]] is another one, [[kind]]\n")
    put("pages/quiet.md", "- [[docs]]\n")
    orphans = ["pages/alone.md", "pages/coffee.md", "pages/quiet.md"]
    assert [path for _, path in found(ws, "orphan")] == orphans
    assert found(ws, "dead-end") == [("dead-end", "pages/docs.md"), ("dead-end", "pages/kind.md")]


def test_a_note_of_dendron_for_a_tag_is_reached_by_the_tag(ws, put):
    put("dendron.yml", "workspace:\n  vaults:\n    - fsPath: vault\n      name: main\n")
    put("vault/root.md", "---\nid: r\ntitle: Root\n---\nAbout #area.garden.\n")
    put("vault/tags.area.garden.md", "---\nid: g\ntitle: Garden\n---\nAll of it.\n")
    put("vault/tags.area.house.md", "---\nid: h\ntitle: House\n---\nNone of it.\n")
    assert ("orphan", "vault/tags.area.garden.md") not in found(ws, "orphan")
    assert ("orphan", "vault/tags.area.house.md") in found(ws, "orphan")


def test_tags_of_dendron_may_have_stops(ws, put):
    put("dendron.yml", "workspace:\n  vaults:\n    - fsPath: vault\n")
    put("vault/a.md", "---\ntags: [stage.seed, 'two words']\n---\nText.\n")
    (problem,) = ws.check.run(only=["tag-invalid"]).problems
    assert problem.message == "not a valid tag: `two words`"


def test_a_page_of_a_website_for_a_tag_is_reached_by_the_tag(ws, put):
    put("tags/seed.md", "What is only begun.\n")
    put("tags/fruit.md", "What is done.\n")
    put("a.md", "---\ntags: [seed, sapling]\n---\n[all](/tags/sapling) [none](/tags/none)\n")
    assert found(ws, "orphan") == [("orphan", "a.md"), ("orphan", "tags/fruit.md")]
    (problem,) = ws.check.run(only=["link-broken"]).problems
    assert problem.message.startswith("/tags/none: no such file")


def test_a_heading_in_an_item_of_an_item_is_below_it(ws, put):
    put("logseq/config.edn", "{}\n")
    put("pages/a.md", "- ## Settings\n\t- ## Menu\n\t\t- Open it.\n- ## Last\n")
    (problem,) = ws.check.run(only=["section-empty"]).problems
    assert problem.message == "section `Last` is empty"


def test_a_heading_that_is_a_link_is_called_by_its_label(ws, put):
    put("dendron.yml", "workspace:\n  vaults:\n    - fsPath: vault\n")
    put("vault/a.md", "## [[Form Letters|b.forms]]\n\nText.\n")
    put("vault/b.forms.md", "[[Letters|a#form-letters]] [[Others|a#letters]]\n")
    (problem,) = ws.check.run(only=["heading-missing"]).problems
    assert problem.message.startswith("#letters: ")


@pytest.mark.parametrize("key", ["tags", "description"])
def test_what_a_property_says_is_told_at_its_line(ws, put, key):
    put("logseq/config.edn", "{}\n")
    value = "one, " + "Y" * 220
    put("pages/a.md", f"type:: note\n{key}:: {value}\n\n- Text.\n")
    lines = [each.line for each in ws.check.run(only=["description-long"]).problems]
    assert lines == ([2] if key == "description" else [])


def test_the_page_of_a_folder_is_an_entrance_as_hugo_calls_it_too(ws, put):
    put("content/setup/_index.md", "How to set it up.\n")
    put("content/setup/a.md", "What is to be done first.\n")
    assert found(ws, "orphan") == [("orphan", "content/setup/a.md")]
