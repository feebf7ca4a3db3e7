"""Entries that are near in meaning: found and told, and no reason to change anything."""

from __future__ import annotations

import pytest

from tests.embedding import WordEmbedder, with_vectors

ENTRIES = (
    "# Memory\n\n- The physician bought an automobile. ^m-aaaaaa\n- Tea is green. ^m-bbbbbb\n"
    "- ~~The physician sold an automobile.~~ [superseded_by:: m-aaaaaa] ^m-cccccc\n"
)
SAID = "The doctor bought an car."


@pytest.fixture
def embedder(put, ws) -> WordEmbedder:
    put("memory.md", ENTRIES)
    ws.sync()
    found = WordEmbedder()
    found.is_loaded = True
    with_vectors(ws, found).fill(ws.live, seconds=1e9)
    return found


def similar(ws) -> list[str]:
    return [each.entry.id for each in ws.entries.similar(SAID).entries]


def test_what_is_similar_is_so_by_meaning_too(ws, embedder):
    found = ws.entries.similar(SAID).entries
    assert [each.entry.id for each in found] == ["m-aaaaaa"]
    assert found[0].similarity > 0.9


def test_without_a_model_words_alone_tell(put, ws):
    put("memory.md", ENTRIES)
    (found,) = ws.entries.similar(SAID).entries[:1]
    assert found.similarity < 0.9


def test_what_is_near_in_meaning_is_named_when_it_is_added(ws, embedder):
    report = ws.entries.add(SAID)
    assert [each.entry.id for each in report.near] == ["m-aaaaaa"]
    assert len(report.added) == 1
    assert report.replaced == report.superseded == ()


@pytest.mark.parametrize("on_near", ["replace", "merge"])
def test_meaning_alone_replaces_nothing(ws, embedder, root, on_near):
    report = ws.entries.add(SAID, on_near=on_near)
    assert report.replaced == ()
    assert "- The physician bought an automobile. ^m-aaaaaa" in (root / "memory.md").read_text()


def test_a_model_that_is_not_loaded_or_at_a_server_is_not_asked_to_add(ws, embedder):
    embedder.is_loaded = False
    embedder.given.clear()
    assert ws.entries.add(SAID).near == ()
    embedder.is_loaded = True
    ws.live.vectors = with_vectors(ws, embedder, is_local=False)
    assert ws.entries.add("The doctor has a car.").near == ()
    assert embedder.given == []
