"""Reading the files of a store does not disturb who has it open."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import permutations

import pytest

from memwiki.files.read import signature_at
from memwiki.index import raw_bytes
from memwiki.index.raw_bytes import checksum, followed, pieces_of

_LAST = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("select * from t")
db.close()
"""


@pytest.mark.skipif(not hasattr(os, "pread"), reason="locks of POSIX")
def test_another_process_does_not_take_itself_for_the_last_one_after_a_checksum(tmp_path):
    store = tmp_path / "cards.sqlite"
    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        db.execute("pragma journal_mode=wal")
        db.execute("create table t (a)")
        db.execute("select * from t").fetchall()
        assert sum(map(len, pieces_of(store))) == store.stat().st_size
        subprocess.run([sys.executable, "-c", _LAST, str(store)], check=True)
        assert (tmp_path / "cards.sqlite-wal").exists()


def test_where_no_place_can_be_read_by_itself_the_checksum_is_the_same(tmp_path, monkeypatch):
    store = tmp_path / "a.sqlite"
    store.write_bytes(bytes(range(256)) * 50)
    known, part = checksum(store), raw_bytes._sum_of(store, [1, 0])
    monkeypatch.delattr(os, "pread", raising=False)
    assert (checksum(store), raw_bytes._sum_of(store, [1, 0])) == (known, part)


def test_the_descriptor_of_a_file_that_is_gone_is_let_go(tmp_path, monkeypatch):
    monkeypatch.setattr(raw_bytes, "_kept", {})
    for number in range(3):
        store = tmp_path / f"{number}.sqlite"
        store.write_bytes(b"x" * number)
        assert b"".join(pieces_of(store)) == b"x" * number
        store.unlink()
    assert len(raw_bytes._kept) == 1


def test_a_file_in_the_place_of_another_is_read_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(raw_bytes, "_kept", {})
    store, other = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    store.write_bytes(b"old")
    assert b"".join(pieces_of(store)) == b"old"
    other.write_bytes(b"new")
    other.replace(store)
    assert b"".join(pieces_of(store)) == b"new"


def test_no_more_descriptors_are_kept_than_a_process_can_bear(tmp_path, monkeypatch):
    monkeypatch.setattr(raw_bytes, "_kept", {})
    monkeypatch.setattr(raw_bytes, "_MAX_OPEN", 2)
    for number in range(4):
        (tmp_path / f"{number}.sqlite").write_bytes(b"x")
        list(pieces_of(tmp_path / f"{number}.sqlite"))
    assert len(raw_bytes._kept) == 2


def test_the_checksum_of_a_database_follows_what_is_folded_into_it(tmp_path):
    store, rng = tmp_path / "cards.sqlite", random.Random(0)
    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        db.execute("pragma journal_mode=wal")
        db.execute("pragma wal_autocheckpoint=0")
        db.execute("create table t (a integer primary key, b blob)")
        db.execute("pragma wal_checkpoint(truncate)")
        note(store)
        for step in range(60):
            for _ in range(rng.randrange(4)):
                row = rng.randrange(300), rng.randbytes(rng.randrange(3_000))
                db.execute("insert or replace into t values (?, ?)", row)
                db.execute("delete from t where a=?", (rng.randrange(300),))
            if step % 20 == 19:
                db.execute("vacuum")
            with followed(str(store)):
                db.execute("pragma wal_checkpoint(truncate)")
            known = raw_bytes.KNOWN.get(str(store))
            assert known or step % 20 == 19
            assert not known or known == [*signature_at(store), checksum(store)]
            note(store)


def test_a_torn_end_of_a_log_is_folded_past(tmp_path):
    store = tmp_path / "cards.sqlite"
    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        db.execute("pragma journal_mode=wal")
        db.execute("pragma wal_autocheckpoint=0")
        db.execute("create table t (a)")
        note(store)
        with (tmp_path / "cards.sqlite-wal").open("ab") as log:
            log.write(bytes(5_000))
        with followed(str(store)):
            db.execute("pragma wal_checkpoint(truncate)")
        assert raw_bytes.KNOWN.get(str(store)) == [*signature_at(store), checksum(store)]


def note(store):
    raw_bytes.KNOWN[str(store)] = [*signature_at(store), checksum(store)]


def test_a_database_that_was_written_since_its_checksum_was_known_is_not_followed(tmp_path):
    store = tmp_path / "cards.sqlite"
    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        db.execute("create table t (a)")
        note(store)
        db.execute("insert into t values (zeroblob(9000))")
    with followed(str(store)):
        pass
    assert str(store) not in raw_bytes.KNOWN


def test_blocks_that_changed_places_have_another_checksum(tmp_path):
    store, blocks = tmp_path / "a.sqlite", [bytes([n]) * 4096 for n in range(5)]
    sums = set()
    for order in permutations(blocks):
        store.write_bytes(b"".join(order))
        sums.add(checksum(store))
    assert len(sums) == 120
