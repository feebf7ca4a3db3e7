"""After `--hard` no byte of the workspace or the cache tells of the text, by any spelling."""

from __future__ import annotations

import base64
import json
import re
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from memwiki.files.hook_marks import leave_turn, write_state
from tests.embedding import WordEmbedder, with_vectors

_WORD = "zzqxyplover"
_SPELLINGS = ("zzqxyplover", "qxyplov")  # the word, and what is left of it by any stemmer
_PACKED = re.compile(rb"[A-Za-z0-9+/]{16,}={0,2}")

_PAGES = f"""
--- memwiki.toml ---
[catalog]
enabled = true
[layers]
sessions = "sessions"
log = "log.md"
archive = "archive"
namespaces = "spaces"
--- wiki/heron.md ---
# Heron

The heron stands in the water beside the [[pond]].
--- wiki/pond.md ---
# Pond

Water for a heron.
--- wiki/secret.md ---
---
description: About {_WORD} nests
tags: [{_WORD}-tag]
---
# On {_WORD}s

The {_WORD.upper()} lives by the [[pond]] and by [[{_WORD} lake]].

- [fact] {_WORD} eggs are blue (id: m-7k2f9b) (subject: {_WORD})
--- memory/facts.md ---
# Facts

- [fact] Water is wet (id: m-7k2f9c)
--- spaces/home/wiki/nest.md ---
# Nest of a {_WORD}

It is high. A second text about the {_WORD} bird.
"""


def _unpacked(data: bytes):
    """The bytes, and what is packed in them."""
    yield data
    for found in _PACKED.findall(data):
        for pad in (b"", b"=", b"=="):
            try:
                yield zlib.decompress(base64.b64decode(found + pad))
            except (ValueError, zlib.error):
                continue
    if data.startswith(b"SQLite format 3"):
        with closing(sqlite3.connect(":memory:")) as db:
            db.deserialize(data[:18] + b"\1\1" + data[20:])  # not in write-ahead mode
            if db.execute("select 1 from sqlite_master where name='found'").fetchone():
                for (part,) in db.execute("select problems from found"):
                    yield zlib.decompress(part)


def traces(*folders: Path) -> list[str]:
    """Where anything is left of the word: in names and bytes of files."""
    wanted = [each.encode(code) for each in _SPELLINGS for code in ("utf-8", "utf-16-le")]
    found = []
    for path in (path for folder in folders for path in folder.rglob("*")):
        held = [str(path).encode()]
        if path.is_file():
            held += [part.lower() for part in _unpacked(path.read_bytes())]
        if any(word in part for word in wanted for part in held):
            found.append(str(path))
    return found


_KINDS = {
    "open": ("", "whoosh"),
    "with something private": ("A line. [private:: true]", "whoosh"),
    "in SQLite": ("A line. [private:: true]", "sqlite"),
}


@pytest.fixture(params=_KINDS.values(), ids=_KINDS)
def busy(root, write_blocks, opened, put, request, monkeypatch):
    """A workspace in which the text was read, asked for, moved, changed and checked; where
    something is private, there are two indexes of it."""
    diary, backend = request.param
    monkeypatch.setenv("MEMWIKI_INDEX_KEYWORD", backend)
    write_blocks(_PAGES)
    put("wiki/diary.md", f"# Diary\n\n{diary}\n")
    ws = opened()
    ws.sync()
    ws.entries.add(f"The {_WORD} sings at night", type="fact", subject=_WORD)
    ws.session("design").add_message("user", f"What does a {_WORD} eat?")
    ws.session("design").add_message("assistant", f"A {_WORD} eats worms.")
    ws.pages.append("wiki/secret", f"More of the {_WORD}.")
    ws.pages.move("wiki/secret", "wiki/hidden.md")
    ws.pages.append("wiki/heron", "A line that stays.")
    for question in (_WORD, f"where do {_WORD}s live", "heron"):
        ws.recall(question)
    ws.check.run()
    ws.check.run(only=["orphan"])
    ws.graph.ranked()
    ws.graph.links("heron")
    ws.entries.usage()
    ws.browse()
    ws.catalog.update()
    ws.upkeep.snapshot()
    write_state(root, "talk", {"session": "design", "prompts": [f"and the {_WORD}?"], "offset": 3})
    leave_turn(root, {"session": "design", "text": json.dumps({"content": _WORD})})
    return ws


def _all_of_it(ws) -> list[object]:
    """Deletes everything that holds the word, and gives the answers."""
    ids = [each.id for each in ws.entries.list().entries if _WORD in each.text.lower()]
    ids = [each for each in ids if each != "m-7k2f9b"]
    return [
        *(ws.entries.delete(each, hard=True) for each in ids),
        ws.session("design").purge(hard=True),
        ws.namespaces.purge("home", hard=True).edited,
        ws.pages.delete("wiki/hidden", hard=True),
    ]


def test_nothing_is_left_of_a_text_that_was_deleted_hard(busy, root, cache):
    assert len(traces(root, cache)) > 5
    assert bool(list(cache.glob("*/public"))) == bool(busy.private_pages())
    for answer in _all_of_it(busy):
        assert not [note for note in answer.notes if "could not" in note]
    assert traces(root, cache) == []
    assert busy.search("heron").total == 2
    assert busy.index.doctor(verify=True).equal


@pytest.mark.parametrize("is_set", [True, False], ids=["another model is set", "no model is set"])
def test_nothing_is_left_in_the_vectors_of_any_model(opened, put, root, cache, is_set):
    put(f"wiki/{_WORD}.md", f"# {_WORD}\n\nThe {_WORD} sings.\n")
    put("wiki/pond.md", "# Pond\n\nWater.\n")
    ws = opened()
    for name in ("new", "old"):
        vectors = with_vectors(ws, WordEmbedder(name), "all")
        vectors.fill(ws.live, seconds=9)
        vectors.close()
    ws.live.vectors = None
    if is_set:
        vectors = with_vectors(ws, WordEmbedder("new"), "all")
    ws.pages.delete(f"wiki/{_WORD}.md", hard=True)
    assert traces(root, cache) == []
    assert vectors.is_there() is is_set


def test_nothing_is_left_in_what_was_proposed_of_it(opened, put, root, cache):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\nsessions = "sessions"\n')
    put("memory.md", f"# Memory\n\n- Water is wet. ^m-7k2f9c\n- A {_WORD} nests. ^m-7k2f9d\n")
    put(f"wiki/{_WORD}.md", f"# {_WORD}\n\nIt sings.\n")
    ws = opened()
    ws.session("design").add_message("user", f"A {_WORD} eats worms.")
    propose, said = ws.proposals.propose, f"A {_WORD} eats worms."
    add = {"do": "add_entry", "text": said, "lines": [1]}
    gone = [
        propose([add], source="design"),
        propose([{"do": "summarise_session", "session": "design", "sentences": [said]}]),
        propose([{"do": "retire_entry", "entry": "m-7k2f9d"}]),
        propose([{"do": "describe_page", "page": f"wiki/{_WORD}.md", "text": "Of birds."}]),
        propose([{"do": "add_entry", "text": "It sings."}], source=f"wiki/{_WORD}.md"),
    ]
    ws.proposals.decide(gone[0].id, accept=[1])
    extracted = [each.id for each in ws.entries.list().entries if _WORD in each.text]
    for each in extracted:
        ws.entries.delete(each, hard=True)
    ws.session("design").purge(hard=True)
    ws.pages.delete(f"wiki/{_WORD}.md", hard=True)
    assert traces(root, cache) == []
    left = {each.id for each in ws.proposals.list(all=True).proposals}
    assert left.isdisjoint(each.id for each in gone)
