"""A SQLite that takes few values with one statement: before 3.32 that was 999."""

from __future__ import annotations

import sqlite3

import pytest

from memwiki.index import storage_sqlite

_PAGES, _GONE = 1_100, 500


@pytest.fixture
def few(monkeypatch):
    connect = storage_sqlite.connect

    def connected(*given, **named):
        db = connect(*given, **named)
        db.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 999)
        return db

    monkeypatch.setattr(storage_sqlite, "connect", connected)


@pytest.mark.parametrize("keyword", ["whoosh", "sqlite"])
def test_many_pages_come_and_go(few, root, put, opened, keyword, assert_in_step):
    put("memwiki.toml", f'[index]\nkeyword = "{keyword}"\n')
    for number in range(_PAGES):
        text = f"# Page {number}\n\nOf heron{number} and [[{number + 1:04}]]. #t{number}\n"
        put(f"{number:04}.md", f"{text}\n- [fact] Of tea, {number}. ^m-{number:06}\n")
    ws = opened()
    assert len(ws.sync().added) == _PAGES
    assert ws.search("heron7 OR tea", limit=_PAGES, count=True).total >= _PAGES
    assert ws.recall("what is heron700 about?", limit=500).hits
    ws.graph.map()
    ws.check.run()
    for number in range(_GONE):
        (root / f"{number:04}.md").unlink()
    assert len(ws.sync().removed) == _GONE
    assert_in_step(ws)
