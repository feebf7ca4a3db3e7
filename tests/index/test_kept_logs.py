"""A reader that keeps a log from being folded, or a hint, costs no look at the whole of a store."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from memwiki.errors import IndexDamagedError
from memwiki.files import scan as scans
from memwiki.index import integrity, storage_sqlite
from memwiki.index.stores import KINDS


@pytest.fixture
def log(put, settled, place_of):
    """A log beside the cards, of a change that a reader kept from being folded."""
    put("a.md", "heron\n")
    settled.sync()
    build = place_of(settled)
    reader = sqlite3.connect(build / "cards.sqlite", isolation_level=None)
    with closing(reader):
        reader.execute("begin")
        reader.execute("select count(*) from sqlite_schema").fetchone()
        put("a.md", "stork\n")
        settled.live.sync_paths(["a.md"])
        assert (build / "cards.sqlite-wal").stat().st_size > 0
        yield build / "cards.sqlite-wal"


def refused(*_, **__):
    raise AssertionError("looked at all of it")


def test_the_next_change_is_taken_in_alone(log, put, settled, monkeypatch):
    monkeypatch.setattr(scans, "scan", refused)
    monkeypatch.setattr(storage_sqlite, "require_sound", refused)
    monkeypatch.setattr("memwiki.index.integrity.require_sound", refused)
    put("a.md", "egret\n")
    changes = settled.live.sync_paths(["a.md"])
    assert (changes.modified, changes.fresh) == (("a.md",), True)


def test_a_log_that_its_last_reader_folds_is_as_good(log, settled, opened, later):
    settled.close()
    with closing(sqlite3.connect(log.parent / "cards.sqlite")) as last:
        last.execute("pragma wal_checkpoint(truncate)")
    space = opened(clock=later)
    assert [hit.path for hit in space.search("stork").hits] == ["a.md"]
    assert space.live.warnings == []


def test_what_is_damaged_beside_a_log_is_built_again(log, settled, opened, later):
    settled.close()
    store = log.parent / "cards.sqlite"
    data = bytearray(store.read_bytes())
    data[len(data) // 2 :] = bytes(len(data) - len(data) // 2)
    store.write_bytes(data)
    log.write_bytes(b"")
    space = opened(clock=later)
    assert [hit.path for hit in space.search("stork").hits] == ["a.md"]


def test_a_hint_leaves_the_sums_to_the_next_sync(put, settled, place_of, monkeypatch):
    """
    --- a.md ---
    heron
    """
    settled.sync()
    summed = []
    real = integrity._checksum
    monkeypatch.setattr(integrity, "_checksum", lambda path: summed.append(path.name) or real(path))
    put("a.md", "stork\n")
    settled.live.sync_paths(["a.md"])
    assert not any(name.endswith(".sqlite") for name in summed)
    assert integrity.is_intact(place_of(settled), KINDS)
    settled.live.sync()
    assert "cards.sqlite" in summed


def test_what_is_damaged_before_its_sum_is_known_is_built_again(
    put, settled, opened, later, place_of
):
    put("a.md", "heron\n")
    settled.sync()
    put("a.md", "stork\n")
    settled.live.sync_paths(["a.md"])
    build = place_of(settled)
    settled.close()
    store = build / "cards.sqlite"
    store.write_bytes(store.read_bytes()[: store.stat().st_size // 2])
    space = opened(clock=later)
    assert [hit.path for hit in space.search("stork").hits] == ["a.md"]


@pytest.mark.parametrize("is_damaged", [False, True])
def test_a_machine_that_starts_anew_before_the_sum_is_known(
    put, settled, opened, later, place_of, monkeypatch, is_damaged
):
    put("a.md", "heron\n")
    settled.sync()
    put("a.md", "stork\n")
    settled.live.sync_paths(["a.md"])
    build = place_of(settled)
    settled.close()
    monkeypatch.setattr(integrity, "_boot", lambda: "another run")
    if is_damaged:
        store = build / "cards.sqlite"
        store.write_bytes(store.read_bytes()[:-1])
        with pytest.raises(IndexDamagedError):
            integrity.require_intact(build, KINDS)
    else:
        integrity.require_intact(build, KINDS)
    assert [hit.path for hit in opened(clock=later).search("stork").hits] == ["a.md"]


@pytest.mark.parametrize("name", ["cards.sqlite", "keyword/held.sqlite"])
def test_an_older_store_put_in_the_place_of_one_without_a_sum_is_not_believed(
    put, settled, opened, later, place_of, name
):
    put("a.md", "heron\n")
    settled.sync()
    store = place_of(settled) / name
    older = store.read_bytes()
    put("a.md", "stork\n")
    settled.live.sync_paths(["a.md"])
    settled.close()
    store.write_bytes(older)
    space = opened(clock=later)
    assert [hit.path for hit in space.search("stork").hits] == ["a.md"]
    assert space.search("heron").total == 0


def test_a_log_that_is_folded_while_it_is_summed_stops_no_writer(log, put, settled, monkeypatch):
    real = integrity._checksum

    def folding(path):
        if path == log:
            raise FileNotFoundError(path)
        return real(path)

    monkeypatch.setattr(integrity, "_checksum", folding)
    put("a.md", "egret\n")
    assert settled.live.sync_paths(["a.md"]).fresh
    assert [hit.path for hit in settled.search("egret").hits] == ["a.md"]
