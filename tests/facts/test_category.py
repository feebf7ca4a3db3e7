"""The category of a memory follows from its file."""

from memwiki.facts.value import category_of
from memwiki.nouns import Layers
from tests.effort import for_each

LAYERS = Layers(
    daily="daily", sessions="sessions", wiki="wiki", inbox="inbox", namespaces="namespaces"
)


@for_each(
    ("path", "type_", "category"),
    [
        ("memory.md", "memory", "core"),
        ("Learnings.md", "", "core"),
        ("wiki/concepts/tea.md", "concept", "core"),
        ("notes/tea.md", "Memory", "core"),
        ("daily/2026-11-21.md", "daily", "daily"),
        ("daily/2026-11-21.md", "memory", "core"),
        ("sessions/a.md", "", "conversation"),
        ("notes/talk.md", "session", "conversation"),
        ("namespaces/work/memory.md", "", "core"),
        ("namespaces/work/daily/2026-11-21.md", "", "daily"),
        ("recipes.md", "", "recipes"),
        ("notes/Recipes 2026.md", "page", "Recipes 2026"),
        ("inbox/2026-11-21.md", "", "inbox"),
        ("daily notes.md", "", "daily notes"),
    ],
)
def test_a_file_gives_its_entries_a_category(path, type_, category):
    assert category_of(path, LAYERS, type_) == category


@for_each("name", ["core", "daily", "conversation"])
def test_a_page_of_that_name_is_not_taken_for_the_category(name):
    assert category_of(f"notes/{name}.md", LAYERS, "") == f"{name}.md"


def test_a_vault_without_layers_has_core_and_pages_alone():
    assert category_of("daily/2026-11-21.md", Layers(), "") == "2026-11-21"
    assert category_of("wiki/tea.md", Layers(), "") == "tea"
    assert category_of("memory.md", Layers(), "") == "core"
