"""The keyword index in one file of SQLite: chosen, merged, damaged, and asked as Whoosh is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from postings import terms_of

from memwiki.index.keyword import backend, segment_rows, segments
from memwiki.index.keyword.segment_rows import PackedRows
from memwiki.index.keyword.segments import SqliteSegments
from memwiki.index.storage_sqlite import ReplacedError
from memwiki.index.units import KEY_BYTES, UnitKey
from memwiki.recall.bm25 import BM25
from tests.memory_backend import MemoryBackend

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
    monkeypatch.setattr(backend, "_MERGE_WIDTH", 3)
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


def test_of_few_units_the_keys_of_few_are_read(store, puts):
    store.apply(puts({f"{number}.md": f"# N{number}\n\nheron\n" for number in range(300)}), [])
    known = store.known
    with closing(store.snapshot()) as snapshot:
        assert [UnitKey(key).page for key in snapshot.keys([70, 71])] == [
            UnitKey(key).page for key in snapshot.keys(range(300))[70:72]
        ]
        snapshot.keys(range(300))
        assert known.size_bytes < 300 * KEY_BYTES + 5 * 300
    fresh = PackedRows()
    store.__dict__["known"] = fresh
    with closing(store.snapshot()) as snapshot:
        page = UnitKey(*snapshot.keys([130])).page
        assert fresh.size_bytes < 2_000
        assert 130 in snapshot.documents_of([page])
        assert not snapshot.has_messages
        assert fresh.size_bytes < 2_000


def test_a_snapshot_outlives_a_merge_and_says_when_it_cannot(store, puts, monkeypatch):
    monkeypatch.setattr(backend, "_MERGE_WIDTH", 2)
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


def test_what_is_rolled_back_is_not_known_under_a_number_that_is_given_again(
    store, puts, monkeypatch
):
    monkeypatch.setattr(backend, "_MERGE_WIDTH", 2)
    store.apply(puts({"a.md": "heron\n"}), [])
    with pytest.raises(OSError, match="full"), store.transaction():
        store.apply(puts({"b.md": "stork\n"}), [])  # merged, for which its keys are read
        raise OSError("full")
    store.apply(puts({"c.md": "ibis\n"}), [])
    reference = MemoryBackend()
    reference.apply(puts({"a.md": "heron\n", "c.md": "ibis\n"}), [])
    with closing(store.snapshot()) as ours, closing(reference.snapshot()) as theirs:
        assert terms_of(ours) == terms_of(theirs)


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


# --- what a question reads -----------------------------------------------------------------------


@pytest.fixture
def packed_read(store, puts, monkeypatch) -> list[tuple[bytes, list[int]]]:
    """What is read beside heads of a common word, of which there are 8 segments, and rare ones."""
    monkeypatch.setattr(segments, "_MAX_UNITS", 20)
    monkeypatch.setattr(segment_rows, "_FEW_UNITS", 10)
    pages = {f"{n:03}.md": "heron stork\n" if n % 50 == 7 else "heron egret\n" for n in range(160)}
    store.apply(puts(pages), [])
    seen, read = [], store.packed_of

    def packed_of(term: bytes, some: list[int]):
        seen.append((term, list(some)))
        return read(term, some)

    monkeypatch.setattr(store, "packed_of", packed_of)
    return seen


def test_a_common_word_is_read_where_a_unit_may_still_count(store, packed_read, monkeypatch):
    with closing(store.snapshot()) as snapshot:
        every = BM25(snapshot, ["heron", "stork"]).every()
    low = max(every.values()) * 0.99
    monkeypatch.setattr(store, "known", segment_rows.PackedRows())
    packed_read.clear()
    with closing(store.snapshot()) as snapshot:
        best = BM25(snapshot, ["heron", "stork"]).best(lambda _: low)
    ((term, some),) = packed_read
    assert (term, len(some)) == (b"heron", 4)
    assert best == {unit: score for unit, score in every.items() if score >= low}


def test_heads_say_how_often_and_how_much_a_word_weighs(store, packed_read):
    with closing(store.snapshot()) as snapshot:
        snapshot.prefetch(["heron", "egret"])
        assert (snapshot.frequency("heron"), snapshot.frequency("egret")) == (160, 156)
        assert snapshot.highest("heron") > 0
    assert packed_read == []


def test_how_often_a_word_stands_is_known_without_its_postings_whatever_was_deleted(
    store, puts, packed_read
):
    store.apply(puts({"000.md": "stork stork\n"}), [f"{n:03}.md" for n in range(20, 70)])
    with closing(store.snapshot()) as snapshot:
        words = ("heron", "egret", "stork")
        assert [snapshot.frequency(word) for word in words] == [109, 106, 4]
    assert packed_read == []


def test_an_older_snapshot_counts_what_was_deleted_later(store, puts, packed_read):
    with closing(store.snapshot()) as snapshot:
        store.apply([], [f"{n:03}.md" for n in range(20, 70)])
        assert snapshot.frequency("heron") == 160
    assert [(term, len(some)) for term, some in packed_read] == [(b"heron", 3)]


def test_hits_are_counted_a_segment_after_the_other(store, packed_read):
    with closing(store.snapshot()) as snapshot:
        units = next(iter(BM25(snapshot, ["heron"]).holders()))
    assert len(units) == 20
    assert [len(some) for _, some in packed_read] == [1]


def test_what_was_read_is_known_up_to_so_many_bytes_and_to_the_next_snapshot(
    store, puts, packed_read, monkeypatch
):
    monkeypatch.setattr(segment_rows, "MAX_KNOWN_BYTES", 4 * 300)
    for _ in range(2):
        with closing(store.snapshot()) as snapshot:
            assert sum(len(run) for run, _ in snapshot.postings("heron")) == 160
        store.apply(puts({"new.md": "egret\n"}), [])
    first, again = (set(some) for _, some in packed_read)
    assert len(first) == 8
    assert len(again) in range(3, 8)
    assert store.known.size_bytes <= 1200


def test_what_a_merge_dropped_between_head_and_postings_is_asked_for_again(
    store, puts, packed_read, monkeypatch
):
    with closing(store.snapshot()) as snapshot:
        assert snapshot.frequency("heron") == 160
        monkeypatch.setattr(backend, "_MERGE_WIDTH", 2)
        monkeypatch.setattr(segments, "_MAX_UNITS", 200)
        for number in range(2):
            store.apply(puts({f"new{number}.md": "egret\n"}), [])
        with pytest.raises(ReplacedError):
            list(snapshot.postings("heron"))


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


@pytest.mark.usefixtures("chosen")
def test_terms_of_units_that_are_gone_are_damage(settled, opened, put, assert_in_step):
    """
    --- a.md ---
    heron
    --- b.md ---
    stork
    """
    stores = settled.live.stores()
    stores.keyword.db.execute("delete from units")
    stores.note_intact()  # as if nobody could tell
    put("a.md", "ibis\n")
    later = opened()
    assert later.search("ibis").total == 1
    assert any("rebuilt" in each for each in later.take_warnings())
    assert_in_step(later)
