"""The keyword index in one file of SQLite: chosen, merged, damaged, and asked as Whoosh is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from postings import terms_of

from memwiki.index.damage import ReplacedError
from memwiki.index.keyword import segments
from memwiki.index.keyword.memory_backend import MemoryBackend
from memwiki.index.keyword.segments import SqliteSegments
from memwiki.recall.bm25 import BM25

WORDS = ("heron", "stork", "ibis", "egret", "鹭鸶", "water")
CHOSEN = "MEMWIKI_INDEX_KEYWORD"


@pytest.fixture
def store() -> Iterator[SqliteSegments]:
    with closing(SqliteSegments(":memory:")) as one:
        yield one


@pytest.fixture
def chosen(monkeypatch) -> None:
    monkeypatch.setenv(CHOSEN, "sqlite")


def page(rng: Random) -> str:
    return f"# P\n\n{' '.join(rng.choices(WORDS, k=3))}\n\n- {' '.join(rng.choices(WORDS, k=2))}\n"


# --- segments ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_merged_it_holds_what_a_rebuild_does(store, puts, monkeypatch, seed):
    monkeypatch.setattr(segments, "_MAX_UNITS", 12)
    monkeypatch.setattr(segments, "_MERGE_WIDTH", 3)
    monkeypatch.setattr(segments, "_TIDY_UNITS", 5)
    rng, reference = Random(seed), MemoryBackend()
    for step in range(40):
        given = puts({f"{rng.randrange(20)}.md": page(rng) for _ in range(rng.choice((1, 1, 9)))})
        gone = [f"{rng.randrange(20)}.md" for _ in range(rng.randrange(3))]
        gone = [path for path in gone if path not in {put.path for put in given}]
        for each in (store, reference):
            each.apply(given, gone)
        rng.choice((store.tidy, store.scrub, lambda: None))()
        assert all(segment.units <= 12 for segment in store.segments()), step
        assert store.unit_count() == reference.unit_count()
        assert store.tree() == reference.tree()
        with closing(store.snapshot()) as ours, closing(reference.snapshot()) as theirs:
            assert terms_of(ours) == terms_of(theirs)
            for word in WORDS:  # no deleted unit counts
                assert ours.frequency(word) == theirs.frequency(word)
            scores, expected = BM25(ours, WORDS).every(), BM25(theirs, WORDS).every()
            keyed = zip(theirs.keys(expected), expected.values(), strict=True)
            assert dict(zip(ours.keys(scores), scores.values(), strict=True)) == dict(keyed)


def test_a_snapshot_outlives_a_merge_and_says_when_it_cannot(store, puts, monkeypatch):
    monkeypatch.setattr(segments, "_MERGE_WIDTH", 2)
    store.apply(puts({"a.md": "heron\n"}), [])
    snapshot = store.snapshot()
    store.apply(puts({"b.md": "stork\n"}), [])
    assert len(store.segments()) == 1
    assert snapshot.frequency("heron") == 1
    assert [len(key) for key in snapshot.keys([0])] == [18]
    store.apply(puts({"c.md": "ibis\n"}), [])
    for ask in (
        lambda: snapshot.frequency("stork"),
        lambda: snapshot.expand("h", 3),
        lambda: list(snapshot.all_postings()),
    ):
        with pytest.raises(ReplacedError):
            ask()


def test_many_units_are_several_segments(store, puts, monkeypatch):
    monkeypatch.setattr(segments, "_MAX_UNITS", 10)
    store.apply(puts({f"{n}.md": f"heron {n}\n" for n in range(35)}), [])
    assert [segment.living for segment in store.segments()] == [10, 10, 10, 5]
    with closing(store.snapshot()) as snapshot:
        assert [len(documents) for documents, _ in snapshot.postings("heron")] == [10, 10, 10, 5]


def test_one_edit_writes_no_large_segment_anew(store, puts, monkeypatch):
    """Where there are many of them, one that holds a deleted unit has room in one: in itself."""
    monkeypatch.setattr(segments, "_MAX_UNITS", 64)
    store.apply(puts({f"{n}.md": f"heron {n}\n" for n in range(640)}), [])
    before = {segment.id for segment in store.segments()}
    store.apply(puts({"7.md": "stork\n"}), [])
    assert {segment.id for segment in store.segments()} > before


# --- in a workspace ------------------------------------------------------------------------------


def answers(space) -> list[tuple[str, float]]:
    return [(hit.path, hit.score) for hit in space.search("heron water").hits]


def test_it_is_chosen_by_a_setting_and_answers_as_whoosh_does(settled, opened, later, monkeypatch):
    """
    --- a.md ---
    A heron stands in the water.
    --- b.md ---
    Water for a heron, and more water.
    --- c.md ---
    - the heron eats
    """
    expected = answers(settled)
    assert settled.index.status().index.backend == "whoosh"
    settled.close()
    for name in ("sqlite", "whoosh", "sqlite"):  # each is built by itself
        monkeypatch.setenv(CHOSEN, name)
        space = opened(clock=later)
        assert answers(space) == expected
        assert space.index.status().index.backend == name
        assert space.index.doctor(verify=True).equal
        assert not space.live.warnings
        space.close()
    files = [path.name for path in space.live.stores().build.glob("keyword/*")]
    assert files == ["postings.sqlite"]


HARMS = {
    "cut": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "emptied": lambda path: path.write_bytes(b""),
    "scrambled": lambda path: path.write_bytes(Random(7).randbytes(path.stat().st_size)),
    "deleted": Path.unlink,
    "made a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
@pytest.mark.usefixtures("chosen")
def test_a_damaged_one_is_built_again(settled, opened, later, place_of, assert_in_step, harm):
    """
    --- a.md ---
    A heron stands in the water.
    """
    expected = answers(settled)
    settled.close()
    harm(place_of(settled) / "keyword" / "postings.sqlite")
    space = opened(clock=later)
    assert answers(space) == expected
    assert_in_step(space)


@pytest.mark.usefixtures("chosen")
def test_a_row_that_is_no_posting_is_damage(settled, opened, later, assert_in_step):
    """
    --- a.md ---
    A heron stands in the water.
    """
    expected = answers(settled)
    with settled.live.amending() as stores:
        stores.keyword.db.execute("update posting set packed=x'0142ffff' where term=x'6865726f6e'")
    space = opened(clock=later)
    assert answers(space) == expected
    assert_in_step(space)
