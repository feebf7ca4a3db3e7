"""The law of catalogs: after any history of edits, the bytes are those of a generation from
nothing."""

from __future__ import annotations

import pytest
from histories import World
from hypothesis import given
from hypothesis import strategies as st
from reader import catalog_files

from memwiki.catalog import refresh
from memwiki.index.meanings.change import LinkChange
from tests.effort import IS_WIDE, examples

FOLDERS = ("", "wiki/", "wiki/a/", "wiki/b/c/", "raw/", "archive/", "namespaces/x/")
NAMES = (
    "one",
    "two",
    "three",
    "README",
    "index",
    "2026-01-02",
    "2026-02-03",
    "héron",
    "苍鹭",
    "z z",
)
paths = st.builds(
    lambda folder, name: f"{folder}{name}.md", st.sampled_from(FOLDERS), st.sampled_from(NAMES)
)
bodies = st.sampled_from(
    (
        "# One\n",
        "# One\n\nSome words.\n",
        "see [[two]] and [[Nowhere]]\n",
        "see [[Nowhere]], [[z z]]\n",
        "---\ntitle: two\naliases: [Nowhere]\nupdated: 2026-03-04\ntags: [x]\n---\n[[one]]\n",
        "# Untitled\n",
        "",
        "[a](one.md) [b](two.md)\n",
    )
)
edits = st.one_of(
    st.tuples(st.just("write"), paths, bodies),
    st.tuples(st.just("write"), paths, bodies),
    st.tuples(st.just("write"), paths, bodies),
    st.tuples(st.just("delete"), paths, st.just("")),
    st.tuples(st.just("sync"), st.just(""), st.just("")),
)


def play(world: World, history) -> None:
    for what, path, body in history:
        if what == "write":
            world.write(path, body)
        elif what == "delete":
            world.delete(path)
        else:
            world.sync()


@given(st.lists(edits, min_size=5, max_size=60))
@examples(10)
def test_incremental_equals_generation_from_nothing(history):
    world = World()
    try:
        play(world, history)
        world.sync()
        world.check()
    finally:
        world.close()


@pytest.fixture
def world():
    one = World()
    yield one
    one.close()


def many(world: World, count: int = 40) -> None:
    for number in range(count):
        world.write(f"wiki/{number:03}.md", f"# {chr(97 + number % 26)}{number}\n\n[[000]]\n")


def test_pages_that_come_and_go_one_by_one(world):
    many(world, 30)
    world.sync()
    for number in range(30, 45):
        world.write(f"wiki/{number:03}.md", f"# b{number}\n")
        world.sync()
    for number in range(5, 40):
        world.delete(f"wiki/{number:03}.md")
        if number % 3 == 0:
            world.sync()
    world.sync()
    world.check()


def test_a_name_that_appears_changes_what_others_mean(world):
    many(world)
    world.write("wiki/x.md", "[[Later]]\n")
    world.write("wiki/y.md", "[[Later]]\n")
    world.sync()
    assert "Later — wanted by 2 pages" in catalog_files(world.root)["index.md"]
    world.write("later.md", "# Later\n")
    world.sync()
    text = catalog_files(world.root)["index.md"]
    assert "wanted by" not in text
    assert "[Later](later.md) — linked from 2 pages" in text
    world.check()
    world.write("later.md", "# Something else\n")
    world.write("wiki/z.md", "---\naliases: [Later]\n---\n")
    world.sync()
    world.check()
    world.delete("later.md")
    world.sync()
    assert "](wiki/z.md) — linked from 2 pages" in catalog_files(world.root)["index.md"]
    world.check()


def test_hand_written_text_survives_every_edit(world):
    many(world)
    world.sync()
    for path, text in catalog_files(world.root).items():
        world.write(path, f"# Mine {path}\n\n{text}\nbelow\n")
    for number in range(40, 60):
        world.write(f"wiki/{number:03}.md", f"# q{number}\n")
        world.sync()
    for path, text in catalog_files(world.root).items():
        if text.startswith("# Mine"):
            assert text.startswith(f"# Mine {path}\n\n")
            assert text.endswith("\nbelow\n")
    assert sum(text.startswith("# Mine") for text in catalog_files(world.root).values()) > 3


def test_many_pages_twice_give_identical_bytes(world, monkeypatch):
    monkeypatch.undo()
    for number in range(5_000 if IS_WIDE else 700):
        world.write(
            f"p/{number % 3}/{number}.md", f"# {chr(97 + number * 7 % 26)} {number}\n\ntext\n"
        )
    space = world.open()
    space.sync()
    first = catalog_files(world.root)
    assert space.catalog.check().stale == ()
    for path in first:
        world.delete(path)
    space.sync()
    assert catalog_files(world.root) == first
    space.close()


# --- the law has teeth ---------------------------------------------------------------------------


def without_other_links(patch) -> None:
    """A page whose names change leaves the links of others as they were counted."""
    patch.setattr(LinkChange, "concerned", lambda self: self.new)


def trusting_the_marks(patch) -> None:
    """A catalog is taken to be right whatever its mark."""
    patch.setattr(refresh, "_compare", lambda survey, wanted, path: None)


def without_removals(patch) -> None:
    """A catalog that is no longer needed stays."""
    patch.setattr(refresh, "_retire", lambda survey, path: None)


@pytest.mark.parametrize("breakage", [without_other_links, trusting_the_marks, without_removals])
def test_the_law_fails_when_it_is_broken(world, monkeypatch, breakage):
    many(world)
    world.write("wiki/x.md", "[[Later]]\n")
    world.write("wiki/y.md", "[[Later]]\n")
    world.sync()
    with monkeypatch.context() as patch:
        breakage(patch)
        world.write("later.md", "# Later\n")
        for number in range(35):
            world.delete(f"wiki/{number:03}.md")
        world.sync()
    with pytest.raises(AssertionError):
        world.check()
