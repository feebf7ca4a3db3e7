"""A reader that keeps a log from being folded, or a hint, costs no look at the whole of a store."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing

import pytest

from memwiki.errors import IndexDamagedError
from memwiki.files import scan as scans
from memwiki.index import integrity, raw_bytes, storage_sqlite
from memwiki.index.stores import KINDS, Stores


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


@pytest.fixture
def summed(monkeypatch):
    """The names of the files that were read whole for their checksums."""
    names, real = [], integrity.checksum
    monkeypatch.setattr(integrity, "checksum", lambda path: names.append(path.name) or real(path))
    return names


def sums_in(build):
    """The checksums in the record of a build, by file."""
    stores = json.loads((build / "stores.json").read_text())["stores"].values()
    return {name: row[4:] for store in stores for name, row in store["files"].items()}


def test_the_sum_of_a_store_follows_what_a_commit_changes_of_it(put, settled, place_of, summed):
    for number in range(30):
        put(f"{number}.md", f"# Heron {number}\n\nword{number} [[stork]]\n" * number)
    settled.sync()
    rng = random.Random(0)
    for step in range(12):
        summed.clear()
        names = [f"{rng.randrange(40)}.md" for _ in range(rng.choice((1, 1, 15)))]
        for name in names:
            put(name, f"# Egret {step}\n\n" + f"other{step} [[{rng.randrange(40)}]]\n" * step * 9)
        settled.live.sync_paths(names) if step % 3 else settled.live.sync()
        assert not any(name.endswith(".sqlite") for name in summed)
        build = place_of(settled)
        found = sums_in(build)
        assert {"cards.sqlite", "keyword/held.sqlite"} <= found.keys()
        for name, sums in found.items():
            assert sums == [raw_bytes.checksum(build / name)], (step, name)


def test_what_others_write_into_a_store_is_not_followed(put, settled, place_of):
    put("a.md", "heron\n")
    settled.sync()
    build = place_of(settled)
    settled.close()
    with closing(sqlite3.connect(build / "cards.sqlite")) as other:
        other.execute("create table strange (a)")
    with pytest.raises(IndexDamagedError):
        integrity.require_intact(build, KINDS)
    integrity.open_record(build, KINDS)
    with closing(Stores(build)) as stores:
        stores.cards.note("a", "b")
        stores.note_intact()
    assert sums_in(build)["cards.sqlite"] == [raw_bytes.checksum(build / "cards.sqlite")]


def test_what_is_damaged_after_a_hint_is_built_again(put, settled, opened, later, place_of):
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
def test_a_machine_that_starts_anew_after_a_hint(
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
def test_an_older_store_put_in_the_place_of_one_is_not_believed(
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
    real = integrity.checksum

    def folding(path):
        if path == log:
            raise FileNotFoundError(path)
        return real(path)

    monkeypatch.setattr(integrity, "checksum", folding)
    put("a.md", "egret\n")
    assert settled.live.sync_paths(["a.md"]).fresh
    assert [hit.path for hit in settled.search("egret").hits] == ["a.md"]
