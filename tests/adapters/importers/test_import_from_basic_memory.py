"""A folder of basic-memory comes in as it is, and memwiki reads what it says.

Modelled on the notes in github.com/basicmachines-co/basic-memory, examples/tool-reference/.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from imported import Files, imported

from memwiki.adapters.importers import basic_memory
from memwiki.markdown.entries import read_marks
from memwiki.nouns import Layers

NOTE = """\
---
title: Slow Bread
type: guide
permalink: kitchen/slow-bread
tags:
- baking
- flour
---

# Slow Bread

## Observations
- [technique] Let it rest overnight #dough #patience (from the old book)
- [design idea] Two small loaves

## Relations
- requires [[Sourdough Starter]] (a lively one)
- "bakes well in" [[kitchen/iron-pot]]
- see also [[Ovens]]
"""


def test_a_folder_is_recognised_by_its_notes():
    assert basic_memory.is_kind(Files({"a/b.md": NOTE}))
    assert basic_memory.is_kind(Files({"a/b.md": NOTE.replace("\n", "\r\n")}))
    assert not basic_memory.is_kind(Files({"b.md": NOTE.partition("\n# ")[0]}))
    assert not basic_memory.is_kind(Files({"b.md": NOTE.replace("kitchen/", "/kitchen/", 1)}))
    assert basic_memory.is_kind(Files({".basic-memory/config.json": "{}", "a.md": ""}))


def test_a_note_keeps_its_bytes_and_is_read_whole():
    pot = "---\ntitle: Pot\ntype: note\npermalink: kitchen/iron-pot\n---\nIron.\n"
    made = imported(basic_memory, {"kitchen/bread.md": NOTE, "kitchen/pot.md": pot, "a.pdf": b"%"})
    assert made.files["wiki/kitchen/bread.md"] == NOTE.encode()
    assert made.files["wiki/a.pdf"] == b"%"
    page = made.pages["wiki/kitchen/bread.md"]
    assert (page.title, page.type) == ("Slow Bread", "guide")
    assert page.ids == ("kitchen/slow-bread",)
    assert page.tags == ("baking", "flour", "dough", "patience")
    assert [(link.relation, link.written) for link in page.links] == [
        ("requires", "Sourdough Starter"),
        ("bakes well in", "kitchen/iron-pot"),
        ("", "Ovens"),
    ]
    assert made.targets(page.path)[1] == "wiki/kitchen/pot.md"
    assert made.named("kitchen/slow-bread") == page.path


def test_an_observation_says_its_category_tags_and_context():
    line = NOTE.split("\n")[12].removeprefix("- ")
    entry = read_marks(line)
    assert (entry.type, entry.tags) == ("technique", ("dough", "patience"))
    assert entry.text.endswith("(from the old book)")
    notes = imported(basic_memory, {"a.md": NOTE}).incoming.notes
    assert notes == (
        "2 observations are lines of their pages",
        "1 category of several words is text of its line",
        "1 (context) of a relation is text of its line",
    )


def test_relations_that_memwiki_does_not_read_are_added_as_fields():
    text = NOTE.replace('"bakes well in"', "'bakes well in'").replace("requires", "needs:flour")
    made = imported(basic_memory, {"a.md": text})
    page = made.pages["wiki/a.md"]
    assert [(link.relation, link.written) for link in page.links][:2] == [
        ("needs:flour", "Sourdough Starter"),
        ("bakes well in", "kitchen/iron-pot"),
    ]
    assert made.text("wiki/a.md").endswith(text.partition("flour\n---\n")[2])


def test_links_to_addresses_of_notes_lead_to_the_notes():
    text = "[b](memory://kitchen/slow-bread) [c](memory://kitchen/*) memory://kitchen/slow-bread\n"
    made = imported(basic_memory, {"x/a.md": text, "kitchen/bread.md": NOTE})
    assert made.text("wiki/x/a.md") == (
        "[b](../kitchen/bread.md) [c](memory://kitchen/*) memory://kitchen/slow-bread\n"
    )
    assert made.targets("wiki/x/a.md")[0] == "wiki/kitchen/bread.md"


def test_a_vault_without_layers_gets_the_same_paths():
    files = {"a/b.md": NOTE, ".obsidian/app.json": "{}", "bad.md": b"\xff"}
    made = imported(basic_memory, files, layers=Layers())
    assert made.files == {"a/b.md": NOTE.encode(), "bad.md": b"\xff"}
    assert made.incoming.notes[:2] == (
        "1 hidden file was not taken",
        "1 note is not valid UTF-8, taken as it is",
    )


WORDS = st.text("ab 文é", min_size=1, max_size=8).map(str.strip).filter(bool)
TYPES = (
    st.text("abz_-:'/ ", min_size=1, max_size=6)
    .map(str.strip)
    .filter(lambda text: bool(text) and text[0] in "abz" and text != "a")  # an article is none
)


@given(st.lists(st.tuples(TYPES, WORDS), max_size=4), st.lists(st.tuples(WORDS, WORDS), max_size=4))
def test_nothing_of_any_note_is_lost(relations, observations):
    lines = [f"- [{category}] {words}" for category, words in observations]
    named = {type_: f"'{type_}'" if " " in type_ else type_ for type_, _ in relations}
    lines += [f"- {named[type_]} [[{target}]]" for type_, target in relations if "'" not in type_]
    text = "---\ntitle: T\ntype: note\npermalink: t\n---\n" + "\n".join(lines) + "\n"
    made = imported(basic_memory, {"t.md": text})
    page = made.pages["wiki/t.md"]
    assert page.text.endswith("\n".join(lines) + "\n")
    links = {(link.relation, link.written) for link in page.links}
    assert {pair for pair in relations if "'" not in pair[0]} <= links
    assert imported(basic_memory, {"t.md": text}, made.files).files == made.files
