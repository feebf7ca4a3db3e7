"""Changes of entries that are refused, and what is said then; nothing is written."""

import pytest

from memwiki.errors import ConflictError, UsageError


@pytest.mark.parametrize("name", ["created", "valid_from", "valid_to"])
def test_a_field_that_says_when_takes_a_date(ws, root, name):
    """
    --- memory.md ---
    - Prefers tea. ^m-aaaaaa
    """
    before = (root / "memory.md").read_bytes()
    with pytest.raises(UsageError, match=f"{name}: never is not a date or time"):
        ws.entries.update("m-aaaaaa", fields={name: "never"})
    assert (root / "memory.md").read_bytes() == before
    ws.entries.update("m-aaaaaa", fields={name: "2026-09-01T10:00"})
    assert f"[{name}:: 2026-09-01T10:00]" in (root / "memory.md").read_text()
    ws.entries.update("m-aaaaaa", fields={name: "today"})
    assert "today" not in (root / "memory.md").read_text()


@pytest.mark.parametrize("name", ["created", "updated", "valid_from", "valid_to"])
def test_a_field_that_says_when_is_a_date_also_where_an_entry_is_added(ws, root, name):
    """
    --- memory.md ---
    """
    for text, fields in (("Likes tea.", {name: "never"}), (f"Likes tea. [{name}:: never]", {})):
        with pytest.raises(UsageError, match=f"{name}: never is not a date or time"):
            ws.entries.add(text, attributes=fields)
    assert (root / "memory.md").read_text().strip() == ""
    ws.entries.add(f"Likes tea. [{name}:: today]")
    ws.entries.add("Likes bread.", attributes={name: "2026-09-01"})
    written = (root / "memory.md").read_text()
    assert "today" not in written and f"[{name}:: 2026-09-01]" in written


@pytest.mark.parametrize("other", ["m-aaaaaa", "self/x", "memory.md:1"])
def test_an_entry_is_not_related_to_itself(ws, root, other):
    """
    --- memory.md ---
    - Prefers tea. [key:: self/x] ^m-aaaaaa
    - The sea is near. ^m-bbbbbb
    """
    before = (root / "memory.md").read_bytes()
    with pytest.raises(UsageError, match="m-aaaaaa: cannot be related to itself"):
        ws.entries.relate("self/x", other, "because")
    assert (root / "memory.md").read_bytes() == before
    ws.entries.relate("self/x", "m-bbbbbb", "because")


@pytest.mark.parametrize("type_", ["weird type!", "a]b", "1st", "[x]"])
def test_a_type_that_cannot_be_written_is_named(ws, root, type_):
    """
    --- memory.md ---
    - Prefers tea. ^m-aaaaaa
    """
    before = (root / "memory.md").read_bytes()
    with pytest.raises(UsageError, match="a type is letters, digits, _ and -, a letter first") as e:
        ws.entries.add("Bar", type=type_)
    assert e.value.message.startswith(f'type="{type_}": ')
    assert (root / "memory.md").read_bytes() == before


@pytest.mark.parametrize("type_", ["fact", "how-to", "x_1", "习惯", "Ärger"])
def test_a_type_of_letters_is_taken(ws, type_):
    assert ws.entries.add("Bar is green.", type=type_).added[0].type == type_.lower()


def test_a_change_of_an_entry_leaves_the_markers_of_a_merge_conflict(ws, root):
    """
    --- memory.md ---
    - The sea is near. ^m-aaaaaa
    <<<<<<< HEAD
    - The office is in Kiel. ^m-bbbbbb
    =======
    - The office is in Ulm. ^m-cccccc
    >>>>>>> other
    """
    ws.entries.supersede("m-bbbbbb", "The office is in Bonn.")
    ws.entries.update("m-aaaaaa", "The sea is far.")
    ws.entries.delete("m-cccccc")
    lines = (root / "memory.md").read_text().splitlines()
    assert [line.split(" [")[0] for line in lines] == [
        "- The sea is far.",
        "<<<<<<< HEAD",
        "- ~~The office is in Kiel.~~",
        "- The office is in Bonn.",
        "=======",
        ">>>>>>> other",
    ]


def test_what_is_over_is_not_superseded_once_more(opened, write_blocks):
    write_blocks('--- memwiki.toml ---\n[layers]\nmemory = "memory.md"\n')
    space = opened()
    (entry,) = space.entries.add("The door is red.", key="door").added
    space.entries.supersede(entry.id, "The door is blue.")
    with pytest.raises(ConflictError, match=f"{entry.id}: was superseded by m-"):
        space.entries.supersede(entry.id, "The door is green.")
    assert space.entries.get("door").text == "The door is blue."


@pytest.mark.parametrize("by", ["user/door", "[[Door]]"])
def test_what_is_over_by_a_key_or_a_page_is_not_superseded_once_more(opened, put, by):
    put("memory.md", f"# Memory\n\n- ~~The door is red.~~ [superseded_by:: {by}] ^m-aaaaaa\n")
    with pytest.raises(ConflictError, match="was superseded by"):
        opened().entries.supersede("m-aaaaaa", "The door is green.")


def test_what_is_over_is_superseded_again_where_what_took_its_place_is_gone(opened, write_blocks):
    write_blocks('--- memwiki.toml ---\n[layers]\nmemory = "memory.md"\n')
    space = opened()
    (entry,) = space.entries.add("The door is red.").added
    space.entries.supersede(entry.id, "The door is blue.")
    (blue,) = space.entries.list().entries
    space.entries.delete(blue.id)
    space.entries.supersede(entry.id, "The door is green.")
    (green,) = space.entries.list().entries
    old = space.entries.get(entry.id)
    assert (old.status, old.fields["superseded_by"]) == ("superseded", green.id)
    assert green.fields["supersedes"] == entry.id
