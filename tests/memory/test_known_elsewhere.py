"""Words that an entry of another page has already: that one is named, and no page is made."""

from __future__ import annotations

from datetime import datetime

import pytest

LAYERS = {"memory": "memory.md", "learnings": "learnings.md", "daily": "daily", "wiki": "wiki"}
SETTINGS = "\n".join(f'{name} = "{path}"' for name, path in LAYERS.items())
LESSON = "Never deploy on a Friday."


@pytest.fixture
def space(opened, write_blocks):
    write_blocks(f"--- memwiki.toml ---\n[layers]\n{SETTINGS}\n")
    return opened()


@pytest.mark.parametrize("given", [{"type": "fact"}, {"to": "wiki/rules.md"}])
def test_an_entry_of_another_page_is_named_and_no_page_is_made(space, root, given):
    (known,) = space.entries.add(LESSON, type="lesson").added
    pages = sorted(root.rglob("*.md"))
    report = space.entries.add(LESSON, **given)
    assert [each.id for each in report.repeated] == [known.id]
    assert (report.added, sorted(root.rglob("*.md"))) == ((), pages)


def test_of_several_one_that_is_known_elsewhere_makes_no_page(space, root):
    (known,) = space.entries.add(LESSON, type="lesson").added
    given = [{"text": LESSON, "to": "wiki/a.md"}, {"text": "Uses Postgres.", "to": "wiki/b.md"}]
    report = space.entries.add_all(given)
    assert [each.id for each in report.repeated] == [known.id]
    assert [each.path for each in report.added] == ["wiki/b.md"]
    assert not (root / "wiki/a.md").exists()
    space.undo()
    assert not (root / "wiki").exists()


def test_on_another_day_the_same_words_are_another_entry(space):
    days = datetime(2025, 11, 1), datetime(2025, 11, 8)
    for day in days:
        (entry,) = space.entries.add("Took the pills.", to="daily", at=day).added
        assert entry.path == f"daily/{day.date()}.md"
    report = space.entries.add("Took the pills.", to="daily", at=days[0])
    assert [each.path for each in report.repeated] == ["daily/2025-11-01.md"]


def test_what_is_remembered_twice_is_one_entry(space):
    one = space.entries.remember("Anna", "fact", "home", "Kiel", staged=False)
    other = space.entries.remember("Anna", "lesson", "home", "Kiel", staged=False)
    assert one.id == other.id
