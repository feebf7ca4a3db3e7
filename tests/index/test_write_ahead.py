"""The files of a store on disk, while others write it."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from memwiki.errors import IndexDamagedError
from memwiki.index import write_ahead
from memwiki.index.write_ahead import require_files


def test_a_log_that_ends_while_one_looks_is_no_failing_disk(tmp_path, monkeypatch):
    store = tmp_path / "cards.sqlite"
    with closing(sqlite3.connect(store)) as db:
        db.execute("create table t (a)")
    real = write_ahead.files_of

    def files_of(build, name):
        journal = build / f"{name}-journal"
        journal.write_bytes(b"x")  # a commit of another process ...
        listed = list(real(build, name))
        journal.unlink()  # ... is over
        assert journal.name in listed
        return iter(listed)

    monkeypatch.setattr(write_ahead, "files_of", files_of)
    require_files(store)


def test_a_folder_in_the_place_of_a_log_is_damage(tmp_path):
    (tmp_path / "cards.sqlite-wal").mkdir()
    with pytest.raises(IndexDamagedError, match="not a regular file"):
        require_files(tmp_path / "cards.sqlite")
