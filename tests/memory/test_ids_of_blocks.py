"""What Obsidian or a person calls an entry by stays last in its line, whatever becomes of it."""

from __future__ import annotations

import pytest

from memwiki.facts.identity import without_last_tags
from memwiki.markdown.edit.entries import EntrySpan
from memwiki.markdown.outline import outline_of
from memwiki.markdown.units import entries_of
from memwiki.memory.patches import strike, with_fields, with_text
from memwiki.nouns import Layers
from tests.effort import for_each

LAYERS = Layers(memory="memory.md")


def page_of(line):
    return outline_of("memory.md", f"# Memory\n\n## Facts\n{line}\n".encode(), LAYERS)


def only(page):
    (entry,) = entries_of(page).entries
    return entry


def written(page):
    return "\n".join(page.lines[3:]).rstrip("\n")


@for_each(
    ("line", "text", "tags", "id_", "block"),
    [
        ("- The code is 1. #door ^37066d", "The code is 1. #door", ("door",), "", "37066d"),
        ("- The dog is old. [a:: b] ^dog-age", "The dog is old.", (), "", "dog-age"),
        ("- The dog is old. ^m-aaaaaa ^dog-age", "The dog is old.", (), "m-aaaaaa", "dog-age"),
        ("- The dog is old. ^dog-age ^m-aaaaaa", "The dog is old. ^dog-age", (), "m-aaaaaa", ""),
        ("- one\n  two ^Cap-ID\n  - three ^four", "one\ntwo\n- three ^four", (), "", "Cap-ID"),
        ("- one ^cap-id\n  two", "one ^cap-id\ntwo", (), "", ""),
        ("- Stop it with ^C", "Stop it with ^C", (), "", ""),
        ("- A kilobyte is 2 ^10", "A kilobyte is 2 ^10", (), "", ""),
        ("- Watch ^GSPC", "Watch ^GSPC", (), "", ""),
        ("- In code `x ^abcd`", "In code `x ^abcd`", (), "", ""),
        ("- ^dog-age", "^dog-age", (), "", ""),
    ],
)
def test_the_last_word_of_a_line_may_be_an_id(line, text, tags, id_, block):
    entry = only(page_of(line))
    assert (entry.text, entry.tags, entry.id, entry.block) == (text, tags, id_, block)


@for_each(
    ("line", "now"),
    [
        ("- One. #door ^37066d", "- Two. #x ^37066d"),
        ("- One. [a:: b] ^m-aaaaaa ^37066d", "- Two. #x [a:: b] ^m-aaaaaa ^37066d"),
        ("- one\n  two ^37066d", "- Two. #x ^37066d"),
    ],
)
def test_other_words_leave_it(line, now):
    page = page_of(line)
    assert written(with_text(page, only(page), "Two. #x")) == now
    assert written(with_text(page, only(page), "Two. #x ^37066d")) == now


def test_words_of_two_lines_have_it_behind_the_last():
    page = page_of("- One. [a:: b] ^dog-age")
    assert written(with_text(page, only(page), "x\ny\n\nz")) == "- x [a:: b]\n  y ^dog-age\n\n  z"


def test_fields_and_ids_stand_before_it():
    page = page_of("- One. #door ^37066d")
    after = with_fields(page, only(page), {"a": "b"}, id_="m-aaaaaa")
    assert written(after) == "- One. #door [a:: b] ^m-aaaaaa ^37066d"
    assert after.block_ids == {"m-aaaaaa": 4, "37066d": 4}
    struck = strike(page, only(page), {"valid_to": "2026-01-01"}, id_="m-aaaaaa")
    assert written(struck) == "- ~~One. #door~~ [valid_to:: 2026-01-01] ^m-aaaaaa ^37066d"
    assert only(struck).is_superseded


def test_a_tab_between_words_stays_and_ends_no_tag():
    page = page_of("- tea\t#drink  [importance:: high]")
    entry = only(page)
    assert (entry.text, entry.tags) == ("tea\t#drink", ("drink",))
    struck = strike(page, entry, {"valid_to": "2026-01-01"}, id_="m-aaaaaa")
    assert only(struck).is_superseded
    assert written(struck).startswith("- ~~tea\t#drink~~  [importance:: high] [valid_to:: ")
    assert without_last_tags("tea\t#drink") == ("tea", ["#drink"])
    assert without_last_tags("a\tb #drink") == ("a\tb", ["#drink"])


def test_what_is_added_with_a_tab_is_one_line(space, root):
    (entry,) = space.entries.add("a\tb").added
    assert space.entries.get(entry.id).text == "a\tb"
    assert "- a\tb [created:: " in (root / "memory.md").read_text("utf-8")
    assert space.entries.add("a\tb").added == ()


def test_a_line_of_blanks_or_signs_takes_no_time():
    for sign in (" ", "^", "^a", " ^", "- ", "\n ", "^m-a ", "[", "`"):
        page = page_of(f"- x {sign * 20_000}x")
        assert EntrySpan(page, entries_of(page).entries[0]).text
        assert page.block_ids is not None


@pytest.fixture
def space(opened, write_blocks):
    write_blocks(
        """
        --- memwiki.toml ---
        [layers]
        memory = "memory.md"
        learnings = "learnings.md"
        --- memory.md ---
        # Memory

        ## Facts
        - The code is 1. #door ^37066d
        - The dog is old. #pet ^Dog-age
        --- Notes.md ---
        See [[memory#^37066d]] and ![[memory#^dog-age|the dog]].
        """
    )
    return opened()


def test_every_verb_keeps_it_and_links_follow(space, root):
    entries, memory = space.entries, root / "memory.md"
    entries.update("memory.md:4", "The code is 2.")
    entries.relate("memory.md:4", "memory.md:5", "because")
    line = memory.read_text("utf-8").split("\n")[3]
    assert line.startswith("- The code is 2. #door [updated:: ") and line.endswith(" ^37066d")
    assert "[because:: m-" in line
    entries.supersede("memory.md:5", "The dog died.")
    old, new = memory.read_text("utf-8").split("\n")[4:6]
    assert old.startswith("- ~~The dog is old. #pet~~ [") and old.endswith(" ^Dog-age")
    assert new.startswith("- The dog died. #pet [created:: ") and "^Dog-age" not in new
    assert space.check.run(only=["block-missing"]).problems == ()
    entries.move("memory.md:4", "learnings")
    entries.move("memory.md:4", "learnings")
    assert "^37066d\n" in (root / "learnings.md").read_text("utf-8")
    notes = (root / "Notes.md").read_text("utf-8")
    assert "[[learnings#^37066d]] and ![[learnings#^dog-age|the dog]]" in notes


def test_a_drawer_stays_where_an_entry_gets_other_words(put, ws, root):
    put("memory.md", "- Call Bob\n  :LOGBOOK:\n  CLOCK: 1\n  :END:\n- Tea\n")
    ws.entries.update("memory.md:1", "Call Ann")
    assert "\n  :LOGBOOK:\n  CLOCK: 1\n  :END:\n- Tea\n" in (root / "memory.md").read_text()
