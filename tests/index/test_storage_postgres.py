"""What is stored on a server comes back as it went in, for one workspace alone."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("psycopg")

from postings import stores_on_a_server

from memwiki.errors import SharedIndexError
from memwiki.index.keyword import backend, segments
from memwiki.index.keyword.backend import decode, encode
from memwiki.index.shared_stores import SharedStores
from memwiki.index.sql import STATE
from memwiki.index.storage import SqlTable
from memwiki.index.storage_postgres import PostgresStorage
from memwiki.recall.bm25 import BM25
from tests import postgres
from tests.effort import for_each
from tests.memory_backend import MemoryBackend

WORDS = ("heron", "stork", "ibis", "egret", "鹭鸶", "water")


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SharedStores]:
    with closing(stores_on_a_server(tmp_path)) as one:
        yield one


def test_the_character_of_number_0_is_stored_as_another(stores):
    stores.cards.note("a\0b", "c\0")
    assert stores.cards.state("a\0b") == "c�"
    assert stores.cards.remarks() == {"a�b": "c�"}


def test_values_of_every_kind_come_back_as_they_were_written(stores):
    table = SqlTable("kinds", "a integer,b real,c text,d blob", "a")
    db, low, high = stores.db, -(2**63), 2**63 - 1
    rows = [
        (low, -1.5, "", b""),
        (high, 1e300, "数据库 ü \U0001f33f", bytes(range(256))),
        (0, None, None, None),
        (True, 0.1, "'\"\\,{}NULL", b"\\x00"),
    ]
    db.create(table, db.main)
    db.upsert(table, db.main, [(0, 9.0, "first", b"first"), *rows])  # one statement, one key twice
    assert db.execute("select * from kinds order by a").fetchall() == sorted(rows)
    unkeyed = SqlTable("loose", "a integer,b text")
    db.create(unkeyed, db.main)
    db.upsert(unkeyed, db.main, [(1, "a"), (1, "a"), (None, None)])
    assert db.execute("select count(*) from loose").fetchone() == (3,)


def test_a_row_whose_key_no_index_holds_is_left_out(stores):
    stores.cards.upsert(STATE, [("x" * 3_000, "1"), ("y", "2"), ("y", "3")])
    assert stores.cards.remarks() == {"y": "3"}


def test_two_workspaces_see_nothing_of_each_other(stores, tmp_path, puts):
    stores.cards.apply(puts({"fox.md": "# Fox\n"}), [])
    with closing(stores_on_a_server(tmp_path / "other")) as other:
        other.cards.apply(puts({"fox.md": "# Vixen\n", "dog.md": "# Dog\n"}), [])
        held = [each.cards.digests() for each in (stores, other)]
        assert [set(each) for each in held] == [{"fox.md"}, {"fox.md", "dog.md"}]
        other.cards.make("new")
    assert stores.cards.page_count() == 1


def test_what_fails_within_a_transaction_leaves_nothing(stores, puts):
    with pytest.raises(ZeroDivisionError), stores.db.transaction():
        stores.cards.apply(puts({"fox.md": "# Fox\n"}), [])
        raise ZeroDivisionError
    assert stores.cards.page_count() == 0
    assert not stores.db.in_transaction


def test_a_moment_does_not_see_what_is_committed_meanwhile(stores, tmp_path, puts):
    with closing(stores_on_a_server(tmp_path)) as writer, stores.db.one_moment():
        assert stores.cards.page_count() == 0
        writer.cards.apply(puts({"fox.md": "# Fox\n"}), [])
        assert stores.cards.page_count() == 0
    assert stores.cards.page_count() == 1


@for_each("address", ["host=/nowhere/at/all", "no address", "host=\0"])
def test_a_server_that_is_not_there_is_an_error_of_ours(address):
    postgres.server()
    with pytest.raises(SharedIndexError, match="shared index: "):
        PostgresStorage(address)


def test_a_database_without_tables_is_an_error_of_ours():
    with closing(SharedStores.at(postgres.server().database())) as stores:
        with pytest.raises(SharedIndexError, match="there is none of this version"):
            stores.states()


@pytest.mark.parametrize("seed", range(3))
def test_scores_are_those_of_the_reference_whatever_was_merged(stores, puts, monkeypatch, seed):
    monkeypatch.setattr(segments, "_MAX_UNITS", 12)
    monkeypatch.setattr(backend, "_MERGE_WIDTH", 3)
    rng, reference, keyword = Random(seed), MemoryBackend(), stores.keyword
    for _ in range(15):
        text = (
            f"# P\n\n{' '.join(rng.choices(WORDS, k=3))}\n\n- {' '.join(rng.choices(WORDS, k=2))}\n"
        )
        given, gone = puts({f"{rng.randrange(9)}.md": text}), [f"{rng.randrange(9)}.md"]
        gone = [path for path in gone if path != given[0].path]
        for each in (keyword, reference):
            each.apply(given, gone)
        with closing(keyword.snapshot()) as ours, closing(reference.snapshot()) as theirs:
            for word in WORDS:
                assert ours.frequency(word) == theirs.frequency(word)
            scores, expected = BM25(ours, WORDS).every(), BM25(theirs, WORDS).every()
            keyed = zip(theirs.keys(expected), expected.values(), strict=True)
            assert dict(zip(ours.keys(scores), scores.values(), strict=True)) == dict(keyed)


def test_packed_numbers_are_the_same_bytes_on_every_machine(monkeypatch):
    documents, weights = array("I", [1, 700]), bytearray(b"\5\6")
    assert encode(documents, weights) == b"\0H" + b"\1\0" + b"\xbb\2" + b"\5\6"
    monkeypatch.setattr(sys, "byteorder", "big")
    swapped = encode(documents, weights)  # what this machine would be there
    assert swapped == b"\0H" + b"\0\1" + b"\2\xbb" + b"\5\6"
    assert decode(swapped) == ([1, 700], b"\5\6")
