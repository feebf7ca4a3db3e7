"""Entries that say the same in other words: found by the vectors that are there, with no model."""

from __future__ import annotations

import pytest

from memwiki.errors import IndexDamagedError
from memwiki.index.storage_sqlite import ReplacedError
from memwiki.index.vectors.store import VectorStore
from tests.embedding import WordEmbedder, with_vectors

ENTRIES = """# Memory

- The physician bought a large automobile in May. ^m-aaaaaa
- The doctor bought a large car in May. ^m-bbbbbb
- The doctor sold 12 old red cars at the north gate of the town last winter. ^m-cccccc
- The physician sold 13 old red cars at the north gate of the town last winter. ^m-dddddd
- Tea is green. ^m-eeeeee
"""
CODE = "entry-near-duplicate"


def found(ws):
    return [(p.path, p.line, p.message) for p in ws.check.run().problems if p.code == CODE]


@pytest.fixture
def embedder():
    return WordEmbedder()


def test_other_words_of_one_meaning_are_near(put, ws, embedder):
    put("memory.md", ENTRIES)
    ws.sync()
    assert found(ws) == []
    vectors = with_vectors(ws, embedder)
    assert found(ws) == []  # nothing is embedded yet, and nothing is for it
    assert embedder.given == []
    vectors.fill(ws.live, seconds=60)
    given = len(embedder.given)
    [(path, line, message)] = found(ws)  # not of another number
    assert (path, line) == ("memory.md", 4)
    assert "says nearly the same as" in message
    assert "m-aaaaaa" in message or "physician" in message
    assert len(embedder.given) == given


def test_a_pair_is_gone_with_its_vectors_or_its_text(put, ws, embedder):
    put("memory.md", ENTRIES)
    vectors = with_vectors(ws, embedder)
    ws.sync()
    vectors.fill(ws.live, seconds=60)
    assert len(found(ws)) == 1
    assert len(found(ws)) == 1  # as it was kept
    ws.live.vectors = None
    assert found(ws) == []
    ws.live.vectors = vectors
    put("memory.md", ENTRIES.replace("doctor bought a large car", "heron ate a small fish"))
    ws.sync()
    vectors.fill(ws.live, seconds=60)
    assert found(ws) == []


def test_what_denies_the_other_is_not_near(put, ws, embedder):
    put(
        "memory.md",
        "# Memory\n\n"
        "- The physician may park the large old red car at the north gate. ^m-aaaaaa\n"
        "- The doctor may not park the large old red car at the north gate. ^m-bbbbbb\n",
    )
    ws.sync()
    with_vectors(ws, embedder).fill(ws.live, seconds=60)
    assert found(ws) == []


def test_the_newest_are_compared_with_all(put, ws, embedder):
    texts = [f"The doctor number {'abcdefghij'[n]} bought a car." for n in range(10)]
    put("memory.md", "# Memory\n\n" + "".join(f"- {text}\n" for text in texts))
    ws.sync()
    vectors = with_vectors(ws, embedder)
    vectors.fill(ws.live, seconds=60)
    every = {(one, other) for other in range(10) for one in range(other)}
    assert {*vectors.alike(texts, 0.5, 10)} == every
    newest = {pair for pair in every if pair[1] >= 7}
    assert {*vectors.alike(texts, 0.5, 3)} == newest
    assert vectors.alike(["nothing of it is embedded", *texts[:1]], 0.5, 3) == []


@pytest.mark.parametrize(
    "error", [IndexDamagedError("rows: differ"), OSError("gone"), ReplacedError("")]
)
def test_vectors_that_cannot_be_read_leave_what_words_find(put, ws, embedder, monkeypatch, error):
    def fails(*_):
        raise error

    put(
        "memory.md",
        ENTRIES
        + "- The heron stands still at dawn. ^m-ffffff\n"
        + "- The heron stands still, at dawn. ^m-gggggg\n",
    )
    vectors = with_vectors(ws, embedder)
    ws.sync()
    vectors.fill(ws.live, seconds=60)
    monkeypatch.setattr(VectorStore, "rows_of", fails)
    monkeypatch.setattr(VectorStore, "mark", fails)
    assert [line for _, line, _ in found(ws)] == [9]
