"""Opening a store while others open or close it."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from memwiki.index import storage_sqlite


class Turned(sqlite3.Connection):
    """A connection that is turned away so many times."""

    said, times = "", 0

    def execute(self, sql, *values):
        if self.times:
            self.times -= 1
            raise sqlite3.OperationalError(self.said)
        return super().execute(sql, *values)


@pytest.fixture
def turned(monkeypatch):
    monkeypatch.setattr(storage_sqlite, "_PAUSE_S", 0)
    with closing(sqlite3.connect(":memory:", factory=Turned)) as db:
        yield db


@pytest.mark.parametrize(
    ("said", "times"), [("database is locked", 199), ("unable to open database file", 9)]
)
def test_a_store_that_others_open_or_close_is_opened_after_them(turned, said, times):
    turned.said, turned.times = said, times
    storage_sqlite.write_ahead(turned)
    assert turned.execute("pragma synchronous").fetchone() == (0,)


@pytest.mark.parametrize(
    ("said", "times"),
    [("database is locked", 200), ("unable to open database file", 10), ("disk I/O error", 1)],
)
def test_one_that_stays_closed_or_fails_is_an_error(turned, said, times):
    turned.said, turned.times = said, times
    with pytest.raises(sqlite3.OperationalError, match=said):
        storage_sqlite.write_ahead(turned)
    assert turned.times == 0


def test_who_only_reads_keeps_little_of_a_store(tmp_path):
    path = str(tmp_path / "store.sqlite")
    kept = {}
    with closing(storage_sqlite.open_file(path, "rows")) as writer:
        writer.execute("create table one (a)")
        kept["writer"] = writer.execute("pragma cache_size").fetchone()
        with closing(storage_sqlite.open_file(path, "rows", may_make=False)) as reader:
            kept["reader"] = reader.execute("pragma cache_size").fetchone()
    assert kept == {"writer": (-8_000,), "reader": (-1_000,)}
