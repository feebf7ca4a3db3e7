"""Entities as a workspace lists, compares and merges them."""

import pytest

from memwiki.errors import AlreadyExistsError, AmbiguousError, NotFoundError, UsageError

ENTRIES = """# Memory

## Facts
- They make lamps. #lamp [subject:: I] [topic:: employer] [object:: Northwind Traders]
- They sell lamps. #shop [topic:: Northwind Traders]
- They repair lamps. [entities:: Northwind-Traders, Engine 4]
- ~~They sold shoes.~~ [topic:: Shoe] [superseded_by:: m-aaaaaa]
"""


@pytest.fixture
def lamps(put, opened):
    put("memwiki.toml", '[layers]\nwiki = "wiki"\nlog = "log.md"\narchive = "archive"\n')
    put("memory.md", ENTRIES)
    return opened()


def rows(ws, *asked):
    return [(each.name, each.path, each.entries) for each in ws.entries.entities(*asked)]


def test_what_holds_is_counted(lamps):
    assert rows(lamps) == [
        ("Northwind Traders", "", 2),
        ("employer", "", 1),
        ("Engine 4", "", 1),
        ("Northwind-Traders", "", 1),
        ("user", "", 1),
    ]


def test_entries_in_the_archive_name_nothing(lamps, put):
    put("archive/memory/2026-01.md", "---\ntype: memory\n---\n- One. [topic:: Bread]\n")
    assert rows(lamps, "bread") == []


def test_a_prefix_is_of_any_spelling_in_any_case(lamps, put):
    put("wiki/nw.md", "---\ntitle: NW\naliases: [Northwind Traders]\n---\nLamps.\n")
    assert rows(lamps, "northwind t") == rows(lamps, "n") == [("NW", "wiki/nw.md", 3)]


HOSTILE = [
    "x" * 300_000,
    "ab " * 100_000,
    "茶" * 60_000,
    "e\u0301\u0300" * 1_000,
    "\x1b[31m",
    "|",
    "[[",
]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_no_name_stops_the_others(ws, put, name):
    put("memory.md", f"- One. [topic:: {name}]\n- Two. [topic:: Oil]\n- 3. [object:: {name}s]\n")
    assert ("Oil", "", 1) in rows(ws)
    assert ws.entries.entity_candidates().fresh
    assert ws.entries.entity_candidates(name).fresh
    assert ws.check.run().fresh


def test_a_limit_leaves_the_total(lamps):
    answer = lamps.entries.entities(limit=2)
    assert (len(answer.entities), answer.total) == (2, 5)


def test_a_page_of_a_type_to_be_named_is_named_by_a_link_in_the_text(ws, put):
    put("anna.md", "---\ntype: person\n---\n# Anna\n")
    put("tea.md", "# Tea\n")
    put("memory.md", "# M\n[[anna]]\n\n## Facts\n- [[Anna]] has [[tea]].\n  And [[anna]].\n")
    assert rows(ws) == [("Anna", "anna.md", 1)]


def test_a_page_that_is_only_a_subject_is_no_candidate(ws, put):
    put("anna.md", "---\ntype: person\ntitle: Anna Berg\n---\nAnna.\n")
    put("memory.md", "- One. [subject:: [[anna]]]\n- Two. [object:: Anna-Bergs] ^m-aaaaaa\n")
    assert rows(ws) == [("Anna Berg", "anna.md", 1), ("Anna-Bergs", "", 1)]
    assert list(ws.entries.entity_candidates()) == []
    put("memory.md", "- One. [object:: [[anna]]]\n- Two. [object:: Anna-Bergs] ^m-aaaaaa\n")
    assert len(ws.entries.entity_candidates().pairs) == 1


def test_a_page_shows_its_own_tags_and_a_name_those_of_what_names_it(ws, put):
    put("anna.md", "---\ntype: person\ntags: [friend]\n---\n# Anna\n")
    put(
        "memory.md",
        "---\ntags: [home]\n---\n## Facts\n- One. #lamp [topic:: Anna] [object:: Oil]\n",
    )
    assert {each.name: each.tags for each in ws.entries.entities()} == {
        "Anna": ("friend",),
        "Oil": ("home", "lamp"),
    }


def test_a_name_shows_at_most_as_many_tags_as_an_entry_may_have(ws, put):
    tags = " ".join(f"#t{chr(97 + number)}" for number in range(12))
    put("memory.md", f"## Facts\n- One. {tags} [topic:: Oil]\n")
    assert len(ws.entries.entities().entities[0].tags) == 8


def test_attributes_in_the_settings_name_entities(ws, put):
    put("memory.md", "## Facts\n- One. [maker:: Northwind]\n")
    assert rows(ws) == []
    ws.settings.set("memory.entity_attributes", "maker")
    assert rows(ws) == [("Northwind", "", 1)]


def test_candidates_are_pairs_with_the_one_to_keep(lamps):
    (pair,) = lamps.entries.entity_candidates()
    assert (pair.entity.name, pair.other.name) == ("Northwind-Traders", "Northwind Traders")
    assert (pair.similarity, pair.verdict) == (1.0, "same")
    assert list(lamps.entries.entity_candidates("northwind-traders")) == [pair]
    assert list(lamps.entries.entity_candidates("Engine 5")) == []


def test_what_is_near_is_a_setting(lamps, put):
    put("memory.md", "## Facts\n- One. [topic:: Northwind]\n- Two. [topic:: Northwinds]\n")
    assert [pair.verdict for pair in lamps.entries.entity_candidates()] == ["near"]
    lamps.settings.set("entities.near", "0.99")
    lamps.settings.set("entities.same", "1")
    assert list(lamps.entries.entity_candidates()) == []


# --- merging ---


def test_two_names_without_a_page_get_one(lamps):
    edited = lamps.entries.merge_entities("Northwind-Traders", "Northwind Traders")
    assert edited.paths == ("wiki/entities/northwind-traders.md",)
    page = lamps.pages.get("Northwind-Traders")
    assert (page.path, page.type) == (edited.paths[0], "entity")
    assert rows(lamps, "north") == [("Northwind Traders", edited.paths[0], 3)]


def test_without_a_layer_for_the_wiki_the_page_is_at_the_root(ws, put):
    put("memory.md", ENTRIES)
    edited = ws.entries.merge_entities("Northwind-Traders", "Northwind Traders")
    assert edited.paths == ("northwind-traders.md",)


@pytest.mark.parametrize("pair", [("NW", "Northwind Traders"), ("Northwind Traders", "NW")])
def test_the_one_with_a_page_gets_the_other_name(lamps, put, pair):
    put("wiki/nw.md", "---\ntitle: NW # short\naliases:\n  - North\n---\nLamps.\n")
    edited = lamps.entries.merge_entities(*pair)
    assert edited.paths == ("wiki/nw.md",)
    text = lamps.pages.get("wiki/nw.md").text
    assert text == (
        "---\ntitle: NW # short\naliases:\n  - North\n  - Northwind Traders\n---\nLamps.\n"
    )
    assert bool(edited.notes) == (pair[0] == "NW")
    assert lamps.pages.get("Northwind Traders").path == "wiki/nw.md"


def test_two_pages_are_not_merged(lamps, put):
    put("wiki/nw.md", "# NW\n")
    put("wiki/traders.md", "# Traders\n")
    with pytest.raises(AlreadyExistsError) as raised:
        lamps.entries.merge_entities("NW", "Traders")
    assert "memwiki delete wiki/nw.md" in raised.value.hint
    assert lamps.pages.get("wiki/nw.md").text == "# NW\n"


def test_an_entity_is_not_merged_into_itself(lamps):
    with pytest.raises(AlreadyExistsError):
        lamps.entries.merge_entities("northwind traders", "Northwind Traders")


def test_a_name_that_nothing_says_is_not_merged(lamps):
    with pytest.raises(NotFoundError) as raised:
        lamps.entries.merge_entities("Northwind Trader", "Engine 4")
    assert raised.value.hint == "did you mean Northwind Traders?"
    with pytest.raises(NotFoundError):
        lamps.entries.merge_entities("Engine 4", "x" * 100_000)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\0b", "\ud800"])
def test_what_is_no_name_is_refused(lamps, name):
    with pytest.raises((UsageError, NotFoundError)):
        lamps.entries.merge_entities("Engine 4", name)
    with pytest.raises((UsageError, NotFoundError)):
        lamps.entries.merge_entities(name, "Engine 4")


def test_a_name_that_several_pages_have_is_refused_with_them(lamps, put):
    put("a/nw.md", "# A\n")
    put("b/nw.md", "# B\n")
    with pytest.raises(AmbiguousError) as raised:
        lamps.entries.merge_entities("nw", "Engine 4")
    assert set(raised.value.candidates) == {"a/nw.md", "b/nw.md"}


def test_names_that_differ_in_a_number_are_merged_with_a_word(lamps, put):
    put("memory.md", "## Facts\n- One. [topic:: Engine 4]\n- Two. [topic:: Engine 5]\n")
    edited = lamps.entries.merge_entities("Engine 4", "Engine 5", dry_run=True)
    assert edited.notes == ("Engine 4 and Engine 5 differ in a number; memwiki undo takes it back",)


@pytest.mark.parametrize("name", ["yes", "1917", "C#", "a: b", "- y", "'q'", "茶", "é", "A, B"])
def test_whatever_a_name_looks_like_it_is_one_alias(lamps, put, name):
    put("memory.md", f"## Facts\n- One. [topic:: {name}]\n")
    put("wiki/nw.md", "# NW\n")
    lamps.entries.merge_entities(name, "NW")
    assert rows(lamps) == [("NW", "wiki/nw.md", 1)]


def test_a_merge_is_one_line_of_the_journal_and_is_undone(lamps):
    before = rows(lamps)
    shown = lamps.entries.merge_entities("Engine 4", "employer", dry_run=True)
    assert "+aliases: [Engine 4]" in shown.diff
    assert rows(lamps) == before
    lamps.entries.merge_entities("Engine 4", "employer")
    (entry,) = lamps.journal.list()
    assert entry.title == "merged Engine 4 into employer in wiki/entities/employer.md"
    lamps.undo()
    assert rows(lamps) == before
    assert not (lamps.root / "wiki/entities/employer.md").exists()


def test_a_page_made_of_names_that_only_private_entries_say_is_private(lamps, put):
    hidden = "- Met. [topic:: Lou] [private:: true]\n- Wrote. [topic:: Lulu] [private:: true]\n"
    put("memory.md", ENTRIES + hidden)
    lamps.entries.merge_entities("Lulu", "Lou")
    assert "private: true\n" in (lamps.root / "wiki/entities/lou.md").read_text()
    assert not lamps.public().entries.entities("lou").entities
    assert not lamps.public().journal.list().entries
    lamps.undo()
    lamps.entries.merge_entities("Engine 4", "employer")
    page = "wiki/entities/employer.md"
    assert "private" not in (lamps.root / page).read_text()
    told = lamps.entries.merge_entities("Lou", "employer").notes
    assert told == (f"Lou was said by what is private alone; {page} is not",)


def test_tags_are_suggested_with_those_in_use_first(ws, put):
    put("tea.md", "---\ntags: [green-tea]\n---\n# Tea\n")
    answer = ws.entries.suggest_tags("Green tea is brewed with Kettles.")
    assert answer.tags[0] == "green-tea"
    assert list(answer) == list(answer.tags)
    assert answer.fresh


@pytest.mark.parametrize("named", ["[[Ann]], Bob", "Ann、Bob", "Ann; Bob"])
def test_a_new_entry_and_a_known_one_name_the_same_however_the_names_are_set_apart(
    lamps, put, named
):
    text = "The office of the firm is in the old harbour of Kiel."
    put("learnings.md", f"# Learnings\n\n## Facts\n- {text} [entities:: {named}]\n")
    report = lamps.entries.add(text, attributes={"entities": named}, to="memory")
    assert not report.added
    assert report.edited.title.endswith("in learnings.md")
