"""Where a new entry goes, and what is said of what was not written."""


def test_an_h1_that_names_a_type_takes_entries_of_that_type(ws, root):
    """
    --- memory.md ---
    # Facts
    - a fact that is here

    # Preferences
    - b is liked
    """
    ws.entries.add("The office is in Hamburg.", type="fact")
    lines = (root / "memory.md").read_text().split("\n")
    assert lines.index("# Preferences") > 2
    assert lines[2].startswith("- The office is in Hamburg.")


def test_one_h1_that_names_a_type_is_no_title(ws, root):
    """
    --- memory.md ---
    # Facts
    - a fact that is here
    """
    ws.entries.add("The office is in Hamburg.")
    assert "## Facts" not in (root / "memory.md").read_text()


def test_fields_given_with_a_text_that_is_known_are_named_and_not_written(ws, root):
    """
    --- memory.md ---
    - The office is in Hamburg. ^m-aaaaaa
    """
    before = (root / "memory.md").read_bytes()
    report = ws.entries.add("the office is in Hamburg", importance=0.9, data={"floor": 3})
    assert [each.id for each in report.repeated] == ["m-aaaaaa"]
    assert "not written: importance, data" in report.edited.notes[0]
    assert (root / "memory.md").read_bytes() == before


def test_fields_that_a_known_entry_has_already_are_not_named(ws):
    given = {"source": "a.jsonl", "importance": 0.9, "data": {"floor": 3}}
    ws.entries.add("The office is in Hamburg.", **given)
    assert ws.entries.add("The office is in Hamburg.", **given).edited.notes == ()
    report = ws.entries.add("The office is in Hamburg.", source="b.jsonl", data={"floor": 4})
    assert "not written: source, data (" in report.edited.notes[0]


def test_a_type_and_tags_given_with_a_text_that_is_known_are_named_and_not_written(ws):
    """
    --- memory.md ---
    ## Facts
    - Prefers green tea. #drink ^m-aaaaaa
    """
    report = ws.entries.add("Prefers green tea. #home", type="preference", tags=["Drink", "warm"])
    assert [each.id for each in report.repeated] == ["m-aaaaaa"]
    assert "not written: type, #home, #warm (" in report.edited.notes[0]
    assert ws.entries.add("Prefers green tea.", type="fact", tags=["drink"]).edited.notes == ()


def test_a_short_text_with_one_letter_more_is_another_one(ws):
    """
    --- memory.md ---
    - Plan b
    """
    assert ws.entries.add("Plan a b").added


def test_a_page_is_found_by_its_name_before_one_is_made(ws, root):
    """
    --- wiki/tea.md ---
    ---
    type: memory
    ---
    - It is green.
    """
    ws.entries.add("It is hot.", to="tea.md")
    assert not (root / "tea.md").exists()
    assert "- It is hot." in (root / "wiki/tea.md").read_text()


def test_of_two_texts_with_one_key_in_one_call_the_later_one_is_written(ws):
    """
    --- memory.md ---
    # Memory
    """
    ws.entries.add_all(
        [{"text": "Red.", "key": "k"}, {"text": "Blue.", "key": "k", "type": "fact"}]
    )
    (entry,) = ws.entries.list()
    assert (entry.key, entry.text) == ("k", "Blue.")


def test_what_replaces_an_item_stands_in_its_list_with_its_marker(ws, root):
    """
    --- memory.md ---
    ## Facts

    1. Lives in Bonn. ^m-aaaaaa
    2. Has a dog.
       It is brown.

    * Likes tea. ^m-cccccc
    * Likes rain.
    """
    ws.entries.supersede("m-aaaaaa", "Lives in Köln.\nNear the river.")
    ws.entries.supersede("m-cccccc", "Likes coffee.")
    lines = (root / "memory.md").read_text().split("\n")
    firsts = [line.split(" [")[0] for line in lines]
    assert firsts[3:5] == ["1. Lives in Köln.", "   Near the river."]
    assert firsts[8:10] == ["* ~~Likes tea.~~", "* Likes coffee."]
    ws.undo()
    ws.undo()
    assert "Köln" not in (root / "memory.md").read_text()


def test_the_memory_file_of_an_agent_takes_entries(put, root, opened):
    put("MEMORY.md", "# Memory\n\n- User prefers tea.\n")
    put("memory/2026-10-02.md", "- The door is green.\n")
    workspace = opened()
    (added,) = workspace.entries.add("The port is 8080.").added
    assert added.path == "MEMORY.md"
    names = {path.name for path in root.iterdir()}
    assert "MEMORY.md" in names and "memory.md" not in names
    assert "- 2026-10-02 | The door is green." in workspace.prompt().text
