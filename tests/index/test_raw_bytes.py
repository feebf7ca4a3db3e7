"""Reading the files of a store does not disturb who has it open."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from memwiki.index import cache_files
from memwiki.index.cache_files import pieces_of

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


def test_the_descriptor_of_a_file_that_is_gone_is_let_go(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_files, "_kept", {})
    for number in range(3):
        store = tmp_path / f"{number}.sqlite"
        store.write_bytes(b"x" * number)
        assert b"".join(pieces_of(store)) == b"x" * number
        store.unlink()
    assert len(cache_files._kept) == 1


def test_a_file_in_the_place_of_another_is_read_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_files, "_kept", {})
    store, other = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    store.write_bytes(b"old")
    assert b"".join(pieces_of(store)) == b"old"
    other.write_bytes(b"new")
    other.replace(store)
    assert b"".join(pieces_of(store)) == b"new"


def test_no_more_descriptors_are_kept_than_a_process_can_bear(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_files, "_kept", {})
    monkeypatch.setattr(cache_files, "_MAX_OPEN", 2)
    for number in range(4):
        (tmp_path / f"{number}.sqlite").write_bytes(b"x")
        list(pieces_of(tmp_path / f"{number}.sqlite"))
    assert len(cache_files._kept) == 2
