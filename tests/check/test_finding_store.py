"""The store of reviews is up to date with the cards, and never wrong: at worst it starts over."""

import sqlite3

import pytest

from memwiki.check.facts import Facts
from memwiki.check.rule import Finding
from memwiki.check.store import BATCH, FindingStore, Review
from memwiki.errors import IndexDamagedError
from memwiki.index.projection import fill
from tests.third import tree_digest

# Lists, not tuples: facts are kept as JSON, and thousands of them are read at every check.
FACTS = Facts(
    *(3, 1, "00ff", 1, "", [], ["b1"], [["created", 2, "2026-01-01"]], None),
    *([] for _ in range(5)),
    properties=[],
)


def review(path, digest="d1"):
    return Review(path, digest, (Finding("bom", 1, f"in {path}", path),), FACTS)


@pytest.fixture
def place(tmp_path):
    return str(tmp_path / "findings.sqlite")


@pytest.fixture
def store(place):
    held = FindingStore(place, "r1")
    yield held
    held.close()


class Cards:
    """What a store is compared with."""

    name = "cards"

    def __init__(self, digests):
        self.held = digests

    def digests(self):
        return self.held

    def tree(self):
        return tree_digest(self.held)


def fed(store, wanted, reviewer=review):
    asked = []

    def look(path, digest):
        asked.append(path)
        return reviewer(path, digest)

    fill(store, Cards(wanted), look, batch=BATCH)
    return asked


def test_a_review_is_given_back_as_it_was_taken_in(store):
    store.apply([review("a.md"), review("ü.md")], [])
    assert store.facts() == {"a.md": FACTS, "ü.md": FACTS}
    assert list(store.findings()) == [*review("a.md").findings, *review("ü.md").findings]


def test_a_catalog_is_held_and_not_reviewed(store):
    store.apply([review("a.md"), Review("index.md", "d1")], [])
    assert store.digests() == {"a.md": "d1", "index.md": "d1"}
    assert store.paths() == list(store.facts()) == ["a.md"]


def test_only_pages_that_changed_are_reviewed(store):
    assert fed(store, {"a.md": "d1", "b.md": "d1"}) == ["a.md", "b.md"]
    assert fed(store, {"a.md": "d1", "b.md": "d2", "c.md": "d1"}) == ["b.md", "c.md"]
    assert fed(store, {"a.md": "d1"}) == []
    assert store.paths() == ["a.md"]


def test_a_store_in_step_is_not_compared(store, monkeypatch):
    fed(store, {"a.md": "d1"})
    monkeypatch.setattr(store, "digests", lambda: pytest.fail("read"))
    assert fed(store, {"a.md": "d1"}) == []


@pytest.mark.parametrize(
    "reviewer", [lambda _path, _digest: None, lambda path, _: review(path, "newer")]
)
def test_a_page_that_is_gone_or_newer_than_the_cards_is_asked_for_again(store, reviewer):
    wanted = {"a.md": "d1"}
    assert fed(store, wanted, reviewer) == ["a.md"]
    assert store.tree() == tree_digest(store.digests()) != tree_digest(wanted)
    assert fed(store, wanted) == ["a.md"]
    assert store.tree() == tree_digest(wanted)


def test_what_an_interrupted_check_reviewed_is_kept(store):
    wanted = {f"p{n:03}.md": "d1" for n in range(600)}

    def until_tired(path, digest):
        if path == "p550.md":
            raise KeyboardInterrupt
        return review(path, digest)

    with pytest.raises(KeyboardInterrupt):
        fed(store, wanted, until_tired)
    assert store.tree() == tree_digest(store.digests())
    again = fed(store, wanted)
    assert 50 <= len(again) < 100
    assert len(store.facts()) == 600


def test_progress_tells_how_much_is_done(store):
    seen = []
    wanted = {f"{n}.md": "d1" for n in range(100)}
    fill(store, Cards(wanted), review, progress=lambda *told: seen.append(told))
    assert seen == [(0, 100), (32, 100), (64, 100), (96, 100)]


def test_another_recipe_starts_over(place):
    first = FindingStore(place, "r1")
    first.apply([review("a.md")], [])
    first.close()
    for recipe, held in (("r1", {"a.md": "d1"}), ("r2", {}), ("r1", {})):
        store = FindingStore(place, recipe)
        assert store.digests() == held
        store.close()


@pytest.mark.parametrize(
    "damage", [b"", b"not a database at all" * 50, b"SQLite format 3\0" + b"\xff" * 4000]
)
def test_a_damaged_file_starts_over(place, damage):
    first = FindingStore(place, "r1")
    first.apply([review("a.md")], [])
    first.close()
    with open(place, "wb") as file:
        file.write(damage)
    store = FindingStore(place, "r1")
    assert store.digests() == {}
    store.apply([review("a.md")], [])
    assert store.facts() == {"a.md": FACTS}
    store.close()


def test_a_row_that_makes_no_sense_is_damage(store, place):
    store.apply([review("a.md")], [])
    with sqlite3.connect(place) as db:
        db.execute("update page set facts='[1]'")
    db.close()
    with pytest.raises(IndexDamagedError):
        store.facts()
    store.start_over()
    assert store.facts() == {}
