"""What is private is fed where somebody says who may read it, and shown to nobody else."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("psycopg")

import psycopg

from memwiki.cli.main import main
from memwiki.errors import (
    LockedError,
    NotFoundError,
    SharedIndexError,
    UnreachableError,
    UsageError,
)
from memwiki.index.shared_stores import SharedStores, grants_sql
from memwiki.present.plain import as_json
from memwiki.share.feed import feeding
from memwiki.workspace import Workspace, share, shared
from tests.embedding import WordEmbedder, with_vectors
from tests.share.test_lost_server import HERE
from tests.share.test_reading import ASKED, PAGES, plain

PRIVATE = """
--- birds/kestrel.md ---
---
title: Kestrel
tags: [bird/hidden]
private: true
---
A kestrel hides in the river. See [[Heron]] and [[Nowhere]]. 数据库
--- diary.md ---
# Diary

- The heron knows zanzibar. #secret [private:: true] ^m-cccccc
- The heron is open. ^m-dddddd
"""
SECRETS = ("kestrel", "zanzibar", "hidden", "m-cccccc", "nowhere")
ANNA, BERT = "shared_anna", "shared_bert"  # who may read what is private, and who may not


@pytest.fixture(autouse=True)
def people(address) -> Iterator[None]:
    with psycopg.connect(address, autocommit=True) as db:
        for name in (ANNA, BERT):
            if not db.execute("select 1 from pg_roles where rolname=%s", [name]).fetchone():
                db.execute(f"create role {name} login")
    yield


@pytest.fixture
def all_fed(write_blocks, ws, address) -> None:
    write_blocks(PAGES + PRIVATE)
    ws.share.feed("notes", texts=True, private_reader=ANNA)
    with psycopg.connect(address, autocommit=True) as db:
        for statement in grants_sql():
            db.execute(statement)
        db.execute(f"grant memwiki_readers to {ANNA}, {BERT}")


@pytest.fixture
def read_by(tmp_path: Path, address, monkeypatch) -> Iterator[Callable[..., Workspace]]:
    """Open what was fed as somebody, where there are no files."""
    spaces: list[Workspace] = []

    def open_(who: str, **options: object) -> Workspace:
        monkeypatch.setenv("MEMWIKI_INDEX_SHARED", address.replace("user=owner", f"user={who}"))
        monkeypatch.setenv("MEMWIKI_CACHE_DIR", str(tmp_path / f"cache of {who}"))
        spaces.append(shared.open_shared("notes", tmp_path, **options))
        return spaces[-1]

    yield open_
    for space in spaces:
        space.close()


@pytest.mark.usefixtures("all_fed")
def test_all_is_answered_as_with_the_files_and_the_rest_shows_nothing_private(ws, read_by):
    anna, bert = read_by(ANNA), read_by(BERT)
    for name, ask in ASKED.items():
        whole, shown = plain(ask(ws)), plain(ask(ws.public()))
        assert plain(ask(anna)) == whole, name
        assert plain(ask(anna.public())) == shown, name
        seen = ask(bert)
        assert plain(seen) == plain(ask(bert.public())) == shown, name
        assert not [word for word in SECRETS if word in as_json(seen).lower()], name


@pytest.mark.usefixtures("all_fed")
def test_who_may_read_it_finds_it_and_recalls_it_when_asked(read_by):
    anna, bert = read_by(ANNA), read_by(BERT)
    assert [hit.path for hit in anna.search("kestrel").hits] == ["birds/kestrel.md"]
    assert anna.recall("zanzibar", record=False).hits == ()
    (hit,) = anna.recall("zanzibar", record=False, private=True).hits
    assert hit.id == "m-cccccc"
    assert "zanzibar" in anna.pages.get("diary.md").text
    assert "zanzibar" not in anna.public().pages.get("diary.md").text
    assert bert.recall("zanzibar", record=False, private=True).hits == ()
    with pytest.raises(NotFoundError):
        bert.pages.get("Kestrel")
    assert [row.name for row in bert.share.status().workspaces] == ["notes"]


@pytest.mark.usefixtures("all_fed")
@pytest.mark.parametrize("name", ["notes#private", "x#private"])
def test_it_is_read_under_no_name_of_its_own(read_by, tmp_path, ws, name):
    read_by(ANNA)
    with pytest.raises(UsageError):
        shared.open_shared(name, tmp_path)
    with pytest.raises(UsageError):
        ws.share.feed(name)


@pytest.mark.usefixtures("all_fed")
def test_agents_and_the_page_show_nothing_private(read_by):
    from memwiki.tools import DoorSettings, call

    anna = read_by(ANNA)
    for tool, given in (
        ("search", {"query": "heron"}),
        ("recall", {"question": "zanzibar kestrel"}),
        ("browse", {}),
        ("read", {"page": "diary.md"}),
        ("links", {"page": "Heron"}),
    ):
        text = call(anna, tool, given, settings=DoorSettings()).text.lower()
        assert "heron" in text or tool == "recall", tool
        words = {word for word in SECRETS if word in text}
        assert words <= ({"zanzibar", "kestrel"} if tool == "recall" else set()), tool


@pytest.mark.usefixtures("all_fed")
def test_a_command_shows_it_to_who_may_read_it(read_by, tmp_path, capsys):
    for who, found in ((ANNA, 1), (BERT, 0)):
        read_by(who)
        asked = ["-C", str(tmp_path), "--shared", "notes"]
        main([*asked, "search", "kestrel", "--json"])
        assert json.loads(capsys.readouterr().out)["total"] == found
        assert main([*asked, "status"]) == 0
        assert "#private" not in capsys.readouterr().out


@pytest.mark.usefixtures("all_fed")
def test_fed_without_saying_who_reads_it_it_goes(ws, address, read_by):
    with psycopg.connect(address) as db:
        rows = "select count(*) from memwiki_3.workspace where name='notes#private'"
        assert db.execute(rows).fetchone() == (1,)
    ws.share.feed("notes", texts=True)
    with psycopg.connect(address) as db:
        assert db.execute(rows).fetchone() == (0,)
        tables = db.execute(
            "select schemaname || '.' || tablename from pg_tables where schemaname like 'memwiki%'"
            " and tablename<>'workspace'"
        ).fetchall()
        said = str([db.execute(f"select * from {name}").fetchall() for (name,) in tables]).lower()
    assert not [word for word in SECRETS if word in said]
    assert read_by(ANNA).search("kestrel").hits == ()


@pytest.mark.usefixtures("all_fed")
def test_dropping_a_workspace_drops_it_too(address):
    share.drop("notes")
    with psycopg.connect(address) as db:
        assert db.execute("select count(*) from memwiki_3.workspace").fetchone() == (0,)
        assert db.execute("select count(*) from memwiki_3.all_page").fetchone() == (0,)


def test_scopes_hold_in_what_is_private(put, opened, address, tmp_path):
    put("memwiki.toml", '[layers]\nnamespaces = "spaces"\n')
    for name in ("anna", "bert"):
        put(f"spaces/{name}/memory.md", f"- {name} saw a heron. [private:: true]\n- A stork.\n")
    opened().share.feed("notes", texts=True, private_reader="owner")
    for name in ("anna", "bert"):
        with shared.open_shared("notes", tmp_path, namespace=name) as space:
            assert [hit.path for hit in space.search("heron").hits] == [f"spaces/{name}/memory.md"]
            assert space.public().search("heron").hits == ()
            assert len(space.public().search("stork").hits) == 1


def test_vectors_are_those_of_what_is_not_private(put, ws, tmp_path, address):
    put("memory.md", "- The physician sleeps. ^m-aaaaaa\n- A doctor. [private:: true] ^m-bbbbbb\n")
    ws.sync()
    with_vectors(ws, WordEmbedder()).fill(ws.live, seconds=1e9)
    ws.share.feed("notes", texts=True, private_reader="owner")
    from tests.share.test_vectors import read_with, rows_in, said

    assert rows_in(address) == (1, 1)
    with shared.open_shared("notes", tmp_path) as space:
        read_with(space, WordEmbedder())
        for asked in ({}, {"private": True}, {"vectors": "only"}):
            found, expected = (
                each.recall("the doctor", record=False, **asked) for each in (space, ws)
            )
            assert said(found) == said(expected) != []
            assert found.vectors == expected.vectors


def test_where_the_server_is_lost_what_was_shown_to_others_shows_nothing_private(
    write_blocks, root, address, monkeypatch, ws
):
    write_blocks(PAGES + PRIVATE)
    ws.share.feed("ws", texts=True, private_reader="owner")
    with shared.open_shared("ws", root) as space:
        view = space.public()
        assert view.search("kestrel").hits == ()
        assert len(space.search("kestrel").hits) == 1
        assert space.search("kestrel").fresh and view.search("heron").fresh  # by their trees
        monkeypatch.setenv("MEMWIKI_INDEX_SHARED", "host=/nowhere")
        space.environ = {**space.environ, "MEMWIKI_INDEX_SHARED": "host=/nowhere"}
        from memwiki.share.reader import SharedIndex, SharedSource

        def lost(_: object) -> object:
            raise UnreachableError.of("gone")

        monkeypatch.setattr(SharedIndex, "shared_stores", lost)
        monkeypatch.setattr(SharedSource, "found", classmethod(lambda *_: lost(None)))
        found = view.search("kestrel heron")
        assert HERE in found.reason
        assert "birds/kestrel.md" not in [hit.path for hit in found.hits]
        assert HERE in space.search("kestrel").reason
        assert len(space.search("kestrel").hits) == 1


def test_a_reader_feeds_nothing(write_blocks, ws, read_by):
    write_blocks(PAGES)
    ws.share.feed("notes")
    with pytest.raises(SharedIndexError, match="it is only read"):
        read_by("owner").share.feed("other")


@pytest.mark.usefixtures("all_fed")
def test_a_feed_that_is_refused_withdraws_nothing(ws, opened, read_by):
    options = {"texts": True, "private_reader": ANNA}
    with feeding(ws.live, ws.environ, "notes", **options) as feeder:
        feeder.feed(ws.live)
        with pytest.raises(LockedError):
            opened().share.feed("notes")
        feeder.feed(ws.live)
        assert read_by(ANNA).search("kestrel").total == 1


@pytest.mark.usefixtures("all_fed")
def test_what_another_feeder_calls_private_is_shown_to_nobody(
    ws, address, read_by, monkeypatch, tmp_path_factory
):
    ws.share.feed("notes", texts=True)  # nothing private of its own is there
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(f"grant memwiki_feeders to {BERT}")
    other = tmp_path_factory.mktemp("other")
    (other / "lie.md").write_text("The heron is a lie.\n")
    monkeypatch.setenv("MEMWIKI_INDEX_SHARED", address.replace("user=owner", f"user={BERT}"))
    with Workspace.open(other, find=False) as space:
        monkeypatch.setattr("memwiki.share.feed.require_public", lambda name: name)
        with pytest.raises(SharedIndexError):
            space.share.feed("notes#private", texts=True, reader=ANNA)
    monkeypatch.setenv("MEMWIKI_INDEX_SHARED", address)
    with Workspace.open(other, find=False) as space:  # were it there all the same
        space.share.feed("notes#private", texts=True, reader=ANNA)
    with psycopg.connect(address, autocommit=True) as db:
        taken = "update memwiki_3.workspace set feeder=%s where name='notes#private'"
        assert db.execute(taken, [BERT]).rowcount == 1
        db.execute(f"revoke memwiki_feeders from {BERT}")
    assert "lie.md" not in {hit.path for hit in read_by(ANNA).search("heron").hits}


@pytest.mark.parametrize("private", ["page", "line", "moved"])
def test_no_word_of_what_became_private_stays_for_who_may_not_read_it(put, ws, address, private):
    head = "---\nprivate: true\n---\n" if private != "line" else ""
    for number in range(5):
        put(f"{number}.md", f"# N{number}\n\nA stork.\n")
    put("heron.md", "# N\n\n- A heron. ^m-aaaaaa\n- It knows zanzibar. ^m-bbbbbb\n")
    ws.share.feed("notes", texts=True)
    assert "zanzibar" in _words_in(address)
    if private == "moved":
        (ws.root / "heron.md").unlink()
    kept = f"{head}# N\n\n- A heron. ^m-aaaaaa\n- It knows zanzibar. [private:: true] ^m-bbbbbb\n"
    put("hidden.md" if private == "moved" else "heron.md", kept)
    ws.share.feed("notes", texts=True)
    assert "zanzibar" not in _words_in(address)
    assert "stork" in _words_in(address)
    with closing(SharedStores.at(address)) as stores:
        stores.open("notes")
        assert stores.keyword.unit_count() >= 5


def test_a_word_goes_with_the_feed_that_succeeds(put, ws, address, monkeypatch):
    put("tea.md", "A stork.\n")
    put("heron.md", "It knows zanzibar.\n")
    with feeding(ws.live, ws.environ, "notes") as feeder:
        feeder.feed(ws.live)
        put("heron.md", "---\nprivate: true\n---\nIt knows zanzibar.\n")
        with monkeypatch.context() as patch, pytest.raises(LockedError):
            patch.setattr(SharedStores, "note_fed", lambda *_, **__: _lose())
            feeder.feed(ws.live)
        assert "zanzibar" in _words_in(address)
        feeder.feed(ws.live)
    assert "zanzibar" not in _words_in(address)


def _lose():
    raise LockedError.by_feeder()


def _words_in(address: str) -> str:
    """All terms of the postings, and of the units."""
    with psycopg.connect(address) as db:
        terms = [term for (term,) in db.execute("select term from memwiki_3_keyword.all_posting")]
        packed = db.execute("select terms from memwiki_3_keyword.all_units")
        return str([*terms, *(zlib.decompress(each) for (each,) in packed)])


@pytest.mark.usefixtures("all_fed")
@pytest.mark.parametrize("grants", [["feeders"], ["feeders", "readers"]])
def test_who_may_not_feed_a_workspace_is_told_to_take_another_name(
    ws, address, monkeypatch, tmp_path_factory, grants
):
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(f"revoke memwiki_readers from {BERT}")
        for each in grants:
            db.execute(f"grant memwiki_{each} to {BERT}")
    other = tmp_path_factory.mktemp("other")
    (other / "a.md").write_text("A heron.\n")
    monkeypatch.setenv("MEMWIKI_INDEX_SHARED", address.replace("user=owner", f"user={BERT}"))
    try:
        with Workspace.open(other, find=False) as space:
            with pytest.raises(SharedIndexError, match="notes is fed by others"):
                space.share.feed("notes")
            assert space.share.feed("mine").pages == 1
    finally:
        with psycopg.connect(address, autocommit=True) as db:
            db.execute(f"revoke memwiki_feeders from {BERT}")
