"""The store of reviews is in step with the cards, and never wrong: at worst it starts over."""

import sqlite3

import pytest

from memwiki.check.facts import Facts
from memwiki.check.findings import FindingsStore, Review, bring_in_step
from memwiki.check.rule import Finding
from memwiki.errors import IndexDamagedError

# Lists, not tuples: facts are kept as JSON, and thousands of them are read at every check.
FACTS = Facts(3, 1, "00ff", ["b1"], [["created", 2, "2026-01-01"]], None, *([] for _ in range(5)))


def review(path, digest="d1"):
    return Review(path, digest, (Finding("bom", 1, f"in {path}", path),), FACTS)


@pytest.fixture
def place(tmp_path):
    return str(tmp_path / "findings.sqlite")


@pytest.fixture
def store(place):
    held = FindingsStore(place, "r1")
    yield held
    held.close()


def fed(store, wanted, tree, reviewer=review):
    asked = []

    def look(path):
        asked.append(path)
        return reviewer(path, wanted[path])

    bring_in_step(store, wanted, tree, look)
    return asked


def test_a_review_is_given_back_as_it_was_taken_in(store):
    store.apply([review("a.md"), review("ü.md")], [])
    assert store.reviews() == {"a.md": review("a.md"), "ü.md": review("ü.md")}
    assert store.digests() == {"a.md": "d1", "ü.md": "d1"}


def test_only_pages_that_changed_are_reviewed(store):
    assert fed(store, {"a.md": "d1", "b.md": "d1"}, "t1") == ["a.md", "b.md"]
    assert fed(store, {"a.md": "d1", "b.md": "d2", "c.md": "d1"}, "t2") == ["b.md", "c.md"]
    assert fed(store, {"a.md": "d1"}, "t3") == []
    assert list(store.reviews()) == ["a.md"]


def test_a_store_in_step_is_not_compared(store, monkeypatch):
    fed(store, {"a.md": "d1"}, "t1")
    monkeypatch.setattr(store, "digests", lambda: pytest.fail("read"))
    assert fed(store, {"a.md": "d1"}, "t1") == []


@pytest.mark.parametrize(
    "reviewer", [lambda _path, _digest: None, lambda path, _: review(path, "newer")]
)
def test_a_page_that_is_gone_or_newer_than_the_cards_is_asked_for_again(store, reviewer):
    assert fed(store, {"a.md": "d1"}, "t1", reviewer) == ["a.md"]
    assert store.tree() == ""
    assert fed(store, {"a.md": "d1"}, "t1") == ["a.md"]
    assert store.tree() == "t1"


def test_what_an_interrupted_check_reviewed_is_kept(store):
    wanted = {f"p{n:03}.md": "d1" for n in range(600)}

    def until_tired(path):
        if path == "p550.md":
            raise KeyboardInterrupt
        return review(path)

    with pytest.raises(KeyboardInterrupt):
        bring_in_step(store, wanted, "t1", until_tired)
    assert store.tree() == ""
    again = fed(store, wanted, "t1")
    assert 50 <= len(again) < 100
    assert len(store.reviews()) == 600


def test_progress_tells_how_much_is_done(store):
    seen = []
    wanted = {f"{n}.md": "d1" for n in range(100)}
    bring_in_step(store, wanted, "t1", review, lambda *told: seen.append(told))
    assert seen == [(0, 100), (32, 100), (64, 100), (96, 100)]


def test_another_recipe_starts_over(place):
    first = FindingsStore(place, "r1")
    first.apply([review("a.md")], [])
    first.close()
    for recipe, held in (("r1", {"a.md": "d1"}), ("r2", {}), ("r1", {})):
        store = FindingsStore(place, recipe)
        assert store.digests() == held
        store.close()


@pytest.mark.parametrize(
    "damage", [b"", b"not a database at all" * 50, b"SQLite format 3\0" + b"\xff" * 4000]
)
def test_a_damaged_file_starts_over(place, damage):
    first = FindingsStore(place, "r1")
    first.apply([review("a.md")], [])
    first.close()
    with open(place, "wb") as file:
        file.write(damage)
    store = FindingsStore(place, "r1")
    assert store.digests() == {}
    store.apply([review("a.md")], [])
    assert store.reviews() == {"a.md": review("a.md")}
    store.close()


def test_a_row_that_makes_no_sense_is_damage(store, place):
    store.apply([review("a.md")], [])
    with sqlite3.connect(place) as db:
        db.execute("update page set facts='[1]'")
    db.close()
    with pytest.raises(IndexDamagedError):
        store.reviews()
    store.start_over()
    assert store.reviews() == {}
