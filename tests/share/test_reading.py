"""Who has no files has the answers of who has them, from what one of these feeds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("psycopg")

from memwiki.cli.main import main
from memwiki.errors import MemwikiError, NotFoundError, SharedIndexError, UnreadableError
from memwiki.index.stores import differences, dump
from memwiki.present.plain import as_json
from memwiki.share.feed import feeding, shared_stores
from memwiki.workspace import Workspace, share, shared
from tests.conftest import rebuilt

VARYING = {"fresh", "reason", "as_of", "ms", "pending", "cached"}
ASKED: dict[str, Callable[[Workspace], object]] = {
    "search": lambda ws: ws.search("heron river"),
    "search for a phrase": lambda ws: ws.search('"stands in the river"'),
    "search by a filter": lambda ws: ws.search("tag:bird is:entry"),
    "search in Chinese": lambda ws: ws.search("数据库"),
    "recall": lambda ws: ws.recall("where does the heron stand?", record=False),
    "deep recall": lambda ws: ws.recall("heron", mode="deep", record=False),
    "links": lambda ws: ws.graph.links("Heron"),
    "unresolved links": lambda ws: ws.graph.unresolved(),
    "graph": lambda ws: ws.graph.around("Heron", depth=2),
    "like": lambda ws: ws.graph.like("Heron"),
    "whole map": lambda ws: ws.graph.map(),
    "ranked": lambda ws: ws.graph.ranked(),
    "way": lambda ws: ws.graph.path("Heron", "Stork"),
    "tags": lambda ws: ws.graph.tags(),
    "browse": lambda ws: ws.browse(),
    "browse a folder": lambda ws: ws.browse("birds"),
    "list": lambda ws: ws.pages.list(),
    "list by links": lambda ws: ws.pages.list(sort="links"),
    "get": lambda ws: ws.pages.get("Heron"),
    "get by path": lambda ws: ws.pages.get("birds/stork.md"),
    "outline": lambda ws: ws.pages.outline("Heron"),
    "entries": lambda ws: ws.entries.list(),
    "suggest": lambda ws: ws.suggest("her"),
}
PAGES = """
--- birds/heron.md ---
---
title: Heron
tags: [bird/grey]
aliases: [Grey heron]
---
A heron stands in the river. See [[Stork]] and [[Ibis]].

## Food

Fish, mostly. #food
--- birds/stork.md ---
# Stork

Storks clap. They know [the heron](heron.md#food) and ![[nest.png]].
--- birds/nest.png ---
--- zh.md ---
# 数据库

向量数据库很快。[[Heron]]
--- memory.md ---
# Memory

- The heron eats at noon. #bird [topic:: heron] ^m-aaaaaa
- Likes tea, not coffee. [[Stork]] ^m-bbbbbb
"""


def plain(answer: object) -> object:
    """An answer without what says when and from where it was given."""

    def without(value: object) -> object:
        if isinstance(value, dict):
            return {key: without(each) for key, each in value.items() if key not in VARYING}
        return [without(each) for each in value] if isinstance(value, list) else value

    return without(json.loads(as_json(answer)))


def test_who_has_no_files_has_the_same_answers(write_blocks, ws, fed, reader):
    write_blocks(PAGES)
    fed(texts=True)
    for name, ask in ASKED.items():
        expected = plain(ask(ws))
        with reader() as space:
            assert plain(ask(space)) == expected, name
        assert expected not in ({}, []), name


def test_an_agent_is_told_why_memories_have_no_words(write_blocks, fed, reader):
    from memwiki.tools import DoorSettings, call

    write_blocks(PAGES)
    for has_texts in (False, True):
        fed(texts=has_texts)
        with reader() as space:
            answer = call(space, "recall", {"question": "tea?"}, settings=DoorSettings())
            assert ("feeds it with --texts" in answer.text.split("\n")[0]) is not has_texts


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_edited_and_fed_is_what_feeding_it_at_once_gives(
    write_blocks, put, root, ws, fed, seed
):
    write_blocks(PAGES)
    rng = Random(seed)
    paths = ["birds/heron.md", "zh.md", "new.md", "memory.md"]
    for _ in range(6):
        path = rng.choice(paths)
        if rng.random() < 0.3:
            (root / path).unlink(missing_ok=True)
        else:
            put(
                path,
                f"# {path} {rng.random()}\n\n[[Heron]] [[Stork]] water\n\n- entry {rng.random()}\n",
            )
        fed(texts=rng.random() < 0.5)
        with shared_stores(ws.environ) as stores:
            stores.open("notes")
            assert differences(dump(stores), rebuilt(ws)) == ()
            trees = {each.tree() for each in stores.projections()}
            assert trees == {stores.state("notes").tree}


def test_an_answer_is_fresh_while_somebody_feeds_and_says_as_of_when(ws, put, reader):
    put("heron.md", "A heron.\n")
    with feeding(ws.live, ws.environ, "notes") as feeder:
        feeder.feed(ws.live)
        answer = reader().search("heron")
        assert (answer.fresh, answer.pending, answer.reason) == (True, 0, "")
        assert answer.as_of
    answer = reader().search("heron")
    assert (answer.fresh, answer.reason) == (False, "nobody feeds the shared index now")
    assert answer.as_of and [hit.path for hit in answer.hits] == ["heron.md"]


def test_what_is_private_is_shared_with_nobody(ws, put, fed):
    put("heron.md", "A heron.\n\n- a secretword [private:: true]\n- an open word\n")
    put("hidden.md", "---\nprivate: true\n---\n# Zanzibar\n\nA secretword.\n")
    fed(texts=True)
    with shared_stores(ws.environ) as stores:
        stores.open("notes")
        tables = stores.db.execute(
            "select schemaname || '.' || tablename from pg_tables where schemaname like 'memwiki%'"
            " and tablename<>'workspace'"
        ).fetchall()
        rows = [stores.db.execute(f"select * from {name}").fetchall() for (name,) in tables]
        said = f"{rows} {stores.texts.text_of('heron.md')}"
    assert "heron.md" in said
    assert "hidden" not in said
    assert "Zanzibar".lower() not in said.lower()
    assert "secretword" not in said


def test_without_texts_descriptions_stand_in_and_phrases_are_their_words(write_blocks, fed, reader):
    write_blocks(PAGES)
    fed()
    space = reader()
    (hit,) = space.search('"mostly Fish"').hits
    assert hit.path == "birds/heron.md"
    assert hit.excerpt.startswith("A heron stands in the river.")
    assert "keeps no page texts" in " ".join(space.take_warnings())
    with pytest.raises(UnreadableError, match="its text is not in the shared index"):
        space.pages.get("Heron")
    first, *_ = space.graph.links("Heron", direction="out").links
    assert first.target == "birds/stork.md"


def test_without_texts_no_memory_is_taken_for_another_one(put, fed, reader):
    put(
        "memory.md",
        "# Memory\n\n- My dog is called Rex. ^m-aaaaaa\n"
        "- The vet says a dog should not eat grapes. ^m-bbbbbb\n"
        "- We sold the dog house to Peter in 2024. ^m-cccccc\n",
    )
    fed()
    found = reader().recall("what about the dog?")
    assert {each.id for each in found.hits} == {"m-aaaaaa", "m-bbbbbb", "m-cccccc"}


def test_the_page_in_a_browser_shows_what_was_fed(write_blocks, fed, reader):
    pytest.importorskip("starlette")
    from tests.web.conftest import visitor

    write_blocks(PAGES)
    fed(texts=True)
    page = visitor(reader(), is_read_only=True)
    for address, text in (
        ("/", "Heron"),
        ("/search?q=river", "birds/heron.md"),
        ("/p/birds/heron.md", "Fish, mostly."),
        ("/tags", "bird/grey"),
    ):
        found = page.get(address)
        assert (found.status_code, text in found.text) == (200, True), address
    page.close()
    page.site.close()


def test_nothing_is_changed_through_it(write_blocks, fed, reader):
    write_blocks(PAGES)
    fed(texts=True)
    space = reader()
    changes = [
        lambda: space.pages.new("Ibis"),
        lambda: space.pages.append("Heron", "more"),
        lambda: space.pages.move("Heron", "other.md"),
        lambda: space.entries.add("Likes cocoa."),
        space.index.reindex,
    ]
    for change in changes:
        with pytest.raises(SharedIndexError, match="it is only read"):
            change()
    assert list(Path(space.root).rglob("*.md")) == []


def test_no_export_is_made_of_what_has_no_files(write_blocks, fed, reader, tmp_path):
    write_blocks(PAGES)
    fed(texts=True)
    for name in ("notes.zip", "notes.jsonl", "notes.md"):
        with pytest.raises(SharedIndexError, match="it is only read"):
            reader().carry.export(tmp_path / name, format=name.partition(".")[2])
        assert not (tmp_path / name).exists()


FILES: dict[str, Callable[[Workspace], object]] = {
    "sync": lambda ws: ws.sync(),
    "install": lambda ws: ws.agents.install("codex", dry_run=True),
    "uninstall": lambda ws: ws.agents.uninstall("codex"),
    "curate": lambda ws: ws.curation.curate_brief(),
    "extract": lambda ws: ws.curation.extract_brief("Heron"),
    "extract a task": lambda ws: ws.curation.extract_brief(goal="a", result="b"),
    "propose": lambda ws: ws.proposals.propose([{"do": "add_entry", "text": "Tea."}]),
    "history": lambda ws: ws.pages.history("Heron"),
    "show": lambda ws: ws.pages.show("Heron", at="HEAD"),
    "embed": lambda ws: ws.models.embed(),
    "journal": lambda ws: ws.journal.list(),
}


@pytest.mark.parametrize("work", FILES.values(), ids=FILES)
def test_what_works_on_files_is_refused_where_there_are_none(write_blocks, fed, reader, work):
    write_blocks(PAGES)
    fed(texts=True)
    space = reader()
    with pytest.raises(SharedIndexError, match="it is only read"):
        work(space)
    assert {each.name for each in space.root.iterdir()} == {"memwiki.toml"}


def test_no_editor_opens_a_file_that_is_not_there(put, fed, tmp_path, monkeypatch, capsys):
    put("heron.md", "A heron.\n")
    fed(texts=True)
    monkeypatch.setenv("EDITOR", "no-such-editor")
    assert main(["-C", str(tmp_path), "--shared", "notes", "open", "heron"]) == 1
    assert "it is only read" in capsys.readouterr().err


def test_a_question_is_asked_of_the_texts_that_are_shared(write_blocks, fed, reader):
    write_blocks(PAGES)
    fed(texts=True)
    space = reader()
    brief = space.curation.ask_brief(space.recall("where does the heron stand?", record=False))
    assert "A heron stands in the river." in brief.text


def test_texts_of_any_length_stop_no_other_page(put, ws, fed, reader):
    long = "wörd " * 2_000
    put("heron.md", "A heron. [[Stork]]\n")
    put(
        "long.md",
        f"---\ntitle: {long}\ntags: ['{'x' * 5_000}']\n---\n{'y' * 9_000} [[{'z' * 5_000}]]\n",
    )
    put("nul.md", "# A\0B\n\nibis\0ibis [[Heron\0]]\n")
    fed(texts=True)
    ws.browse()
    space = reader()
    for query in ("heron", "ibis", "wörd"):
        hits, expected = space.search(query).hits, ws.search(query).hits
        assert [(hit.path, hit.score) for hit in hits] == [(h.path, h.score) for h in expected]
    (page,) = space.search("wörd").hits
    assert page.title == ws.search("wörd").hits[0].title
    assert page.tags == ()  # one of 5,000 characters is in no index of the server
    assert {row.path for row in space.pages.list().pages} == {"heron.md", "long.md", "nul.md"}


def test_a_page_that_is_not_there_is_none(fed, reader, put):
    put("heron.md", "A heron.\n")
    fed(texts=True)
    with pytest.raises(NotFoundError):
        reader().pages.get("ibis.md")


def test_a_name_that_nobody_fed_is_an_error(fed, put, tmp_path):
    put("heron.md", "A heron.\n")
    fed()
    with pytest.raises(NotFoundError, match="there is no workspace other"):
        shared.open_shared("other", tmp_path)


def test_settings_of_another_version_are_refused(fed, put, reader, monkeypatch):
    put("heron.md", "A heron.\n")
    fed()
    space = reader()
    monkeypatch.setattr("memwiki.sync.context._FORMAT", "another")
    with pytest.raises(SharedIndexError, match="another version"):
        reader()
    fed()
    for each in (space, reader()):  # who knows it goes on
        assert [hit.path for hit in each.search("heron").hits] == ["heron.md"]


def test_a_reader_goes_on_under_the_settings_of_now(fed, put, ws, reader):
    put("heron.md", "A heron.\n")
    put("bird.txt.md", "---\ntype: bird\n---\nA heron, too.\n")
    fed()
    space = reader()
    assert len(space.search("heron").hits) == 2
    put("memwiki.toml", '[layers]\nlog = "protocol.md"\n')
    ws.reload()
    ws.share.feed("notes")
    assert len(space.search("heron").hits) == 2
    assert space.config.layers.log == "protocol.md"


def test_namespaces_of_a_reader_are_those_of_who_feeds(put, ws, opened, tmp_path):
    put("memwiki.toml", '[layers]\nnamespaces = "spaces"\n')
    put("spaces/anna/memory.md", "- Anna saw a heron.\n")
    put("spaces/bert/memory.md", "- Bert saw a heron.\n")
    opened().share.feed("notes", texts=True)
    for name in ("anna", "bert"):
        space = shared.open_shared("notes", tmp_path, namespace=name)
        assert [hit.path for hit in space.search("heron").hits] == [f"spaces/{name}/memory.md"]
        space.close()


def test_where_the_server_is_gone_the_index_here_answers_with_the_reason(
    put, root, ws, monkeypatch, tmp_path
):
    put("heron.md", "A heron.\n")
    monkeypatch.setenv("MEMWIKI_INDEX_SHARED", "host=/nowhere")
    space = shared.open_shared(root.name, root)
    assert [hit.path for hit in space.search("heron").hits] == ["heron.md"]
    assert "the answer comes from the index of ws" in " ".join(space.take_warnings())
    space.close()
    for name, folder in ((root.name, tmp_path), ("another", root)):
        with pytest.raises(SharedIndexError):
            shared.open_shared(name, folder)


def test_a_workspace_cannot_choose_where_its_text_goes(put, root):
    put("memwiki.toml", '[index]\nshared = "postgresql://example.org/x"\n')
    with pytest.raises(MemwikiError, match=r"index\.shared is not read here"):
        Workspace.open(root, find=False)


def test_the_address_is_in_the_users_own_settings(put, ws, monkeypatch, address, tmp_path):
    put("heron.md", "A heron.\n")
    monkeypatch.delenv("MEMWIKI_INDEX_SHARED")
    monkeypatch.setenv("MEMWIKI_CONFIG_DIR", str(tmp_path))
    with pytest.raises(MemwikiError, match=r"index\.shared is not set"):
        share.status()
    (tmp_path / "config.toml").write_text(f'[index]\nshared = "{address}"\n')
    assert ws.share.feed("notes").pages == 1
    assert [row.name for row in share.status().workspaces] == ["notes"]
    (tmp_path / "config.toml").write_text('[index]\nother = "x"\n')
    with pytest.raises(MemwikiError, match=r"no setting index\.other"):
        share.status()


@pytest.mark.parametrize("private", ["", "---\nprivate: true\n---\nA hidden heron.\n"])
def test_who_has_the_files_and_an_index_of_them_knows_whether_they_were_fed(
    put, root, ws, address, private
):
    put("heron.md", "A heron.\n")
    if private:
        put("secret.md", private)
    ws.share.feed(root.name)
    space = shared.open_shared(root.name, root)
    assert space.search("heron").fresh  # whoever feeds it, and though nobody does
    put("stork.md", "A stork.\n")
    found = space.search("heron")
    assert (found.fresh, found.reason) == (
        False,
        "the shared index was fed from other pages than those here",
    )
    with feeding(ws.live, ws.environ, root.name) as feeder:
        feeder.feed(ws.live)
        assert space.search("heron").fresh
        put("ibis.md", "An ibis.\n")
        assert not space.search("heron").fresh
    space.close()


def test_a_status_is_that_of_a_shared_index(write_blocks, fed, reader, capsys, tmp_path):
    write_blocks(PAGES)
    fed(texts=True)
    status = reader().index.status()
    assert (status.shared.name, status.shared.texts) == ("notes", True)
    assert main(["-C", str(tmp_path), "--shared", "notes", "status"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "workspace notes of the shared index, with the texts of its pages" in said
    assert f"fed by {status.shared.by}, from the files as of" in said
    for word in ("watcher", "index folder", "on disk", "looks at the folder"):
        assert word not in said


def test_what_a_shared_workspace_is_first_asked_for_names_no_folder(fed, put, capsys):
    put("heron.md", "A heron.\n")
    fed()
    assert main(["--shared", "notes"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("notes of the shared index,")
    assert "1 page" in shown
    assert not {"/", "sync", "memwiki new", "watcher"} & {*shown.split(), *shown}
    assert main(["--shared", "notes", "watch"]) == 1
    assert "it is only read" in capsys.readouterr().err


def test_who_opens_what_others_read_changes_nothing_of_theirs(fed, put, reader):
    put("memwiki.toml", '[layers]\nlog = "protocol.md"\n')
    put("heron.md", "A heron.\n")
    fed()
    space = reader()
    seen, live = (space.root / "memwiki.toml").stat(), space.live
    reader().search("heron")
    assert (space.root / "memwiki.toml").stat() == seen
    assert space.live is live


def test_who_reads_on_after_a_drop_and_another_feed_sees_what_is_there(put, ws, fed, reader):
    put("heron.md", "A heron.\n")
    fed()
    space = reader()
    assert space.search("heron").total == 1
    share.drop("notes")
    with feeding(ws.live, ws.environ, "notes") as feeder:
        feeder.feed(ws.live)
        found = space.search("heron")
        assert (found.total, found.fresh) == (1, True)


def test_who_slept_through_other_settings_and_back_sees_no_old_page(put, opened, fed, reader):
    put("bird.md", "A heron.\n")
    fed()
    space = reader()
    assert space.search("heron").total == 1
    before = opened().root / "memwiki.toml"
    settings = before.read_text() if before.exists() else ""
    for text in ("[catalog]\nenabled = false\n", settings):
        before.write_text(text)
        put("bird.md", "A stork.\n")
        opened().share.feed("notes")
    assert space.search("heron").total == 0
    assert [hit.path for hit in space.search("stork").hits] == ["bird.md"]
