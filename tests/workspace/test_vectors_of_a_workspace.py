"""Vectors as a person sets them: nothing without a setting, and then what goes where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memwiki.errors import ModelError, NeedsModelError
from memwiki.models import local_embed
from memwiki.present.plain import as_json
from tests.embedding import WordEmbedder
from tests.waiting import until

ENTRIES = "# Memory\n\n- The physician wants more sleep. ^m-aaaaaa\n- Tea is green. ^m-bbbbbb\n"
QUESTION = "what did the doctor say?"
LOCAL = '[models.embed]\nprovider = "local"\n'


@pytest.fixture
def embedder(monkeypatch) -> WordEmbedder:
    found = WordEmbedder()
    found.name, found.is_loaded = "words", True
    monkeypatch.setattr(local_embed, "local_embedder", lambda _: found)
    return found


@pytest.fixture
def configure(tmp_path: Path):
    def write(text: str) -> None:
        (tmp_path / "config").mkdir(exist_ok=True)
        (tmp_path / "config" / "config.toml").write_text(text)

    return write


def test_with_nothing_set_nothing_is_embedded_and_no_answer_speaks_of_it(put, ws, cache):
    put("memory.md", ENTRIES)
    assert ws.sync().notes == ()
    assert "vectors" not in json.loads(as_json(ws.recall(QUESTION)))
    assert "vectors" not in json.loads(as_json(ws.index.status()))
    assert not list(cache.rglob("vectors"))
    with pytest.raises(NeedsModelError, match="no model is set"):
        ws.models.embed()


def test_an_explicit_sync_embeds_and_recall_finds_by_meaning(put, opened, configure, embedder):
    configure(LOCAL)
    put("memory.md", ENTRIES)
    ws = opened()
    ws.sync()
    assert len(embedder.given) == 2
    answer = json.loads(as_json(ws.recall(QUESTION)))
    assert answer["vectors"] == {
        "used": True,
        "model": "local words",
        "covered": 1.0,
        "reason": "",
    }
    assert answer["hits"][0]["id"] == "m-aaaaaa"
    assert json.loads(as_json(ws.index.status()))["vectors"]["vectors"] == 2
    assert ws.index.doctor(verify=True).healthy


def test_what_is_left_is_said_and_embedded_on_demand(put, opened, configure, embedder):
    configure(LOCAL)
    put("memory.md", "# Memory\n\n" + "".join(f"- Number {i} is here.\n" for i in range(20)))
    ws = opened()
    ws.live.vectors.after_sync_s = -1
    assert ws.sync().notes == ("12 texts to be embedded: memwiki models embed",)
    assert ws.models.embed(limit=5)[1:3] == (5, 7)
    assert ws.models.embed()[1:3] == (7, 0)


def test_without_deferring_a_sync_embeds_all(put, opened, configure, embedder):
    configure(LOCAL + "defer = false\n")
    put("memory.md", "# Memory\n\n" + "".join(f"- Number {i} is here.\n" for i in range(200)))
    opened().sync()
    assert len(embedder.given) == 200


def test_a_reading_command_embeds_nothing(put, opened, configure, embedder):
    configure(LOCAL)
    put("memory.md", ENTRIES)
    assert opened().recall("tea").vectors.reason.startswith("nothing is embedded yet")
    assert embedder.given == []


def test_what_is_new_is_embedded_before_a_process_ends(put, opened, configure, embedder):
    configure(LOCAL)
    put("memory.md", ENTRIES)
    ws = opened()
    ws.sync()
    put("memory.md", ENTRIES + "- The boat is red.\n")
    ws.close()
    assert embedder.given[-1] == "The boat is red."
    brief = opened()
    brief.ends_soon()
    brief.recall(QUESTION)
    put("memory.md", ENTRIES + "- The boat is blue.\n")
    brief.close()
    assert embedder.given[-1] == QUESTION


def test_a_watcher_embeds_when_nothing_happens(put, opened, configure, embedder):
    configure(LOCAL)
    put("memory.md", ENTRIES)
    ws = opened()
    with ws.watch():
        until(lambda: len(embedder.given) == 2)


def test_the_workspace_can_say_no(put, opened, configure, embedder):
    configure(LOCAL)
    put("memory.md", ENTRIES)
    put("memwiki.toml", "[models]\nenabled = false\n")
    ws = opened()
    ws.sync()
    assert embedder.given == []
    assert ws.recall(QUESTION).vectors is None
    with pytest.raises(ModelError, match=r"models\.enabled"):
        ws.models.embed()


def test_files_that_are_withheld_are_not_embedded(put, opened, configure, embedder):
    configure(LOCAL)
    put("memory.md", ENTRIES)
    put("clients/acme.md", "# Acme\n\n## Facts\n\n- Acme pays late. ^m-cccccc\n")
    put("memwiki.toml", '[models]\nwithhold = ["clients/**"]\n[vectors]\nof = "all"\n')
    opened().sync()
    assert embedder.given
    assert not any("Acme" in text for text in embedder.given)


@pytest.mark.parametrize("settings", [LOCAL + 'model = "bert"\n', "[models.embed]\nbad = 1\n"])
def test_what_cannot_be_used_is_said_and_words_answer(put, opened, configure, settings):
    configure(settings)
    put("memory.md", ENTRIES)
    ws = opened()
    ws.sync()
    assert ws.recall("tea").hits[0].id == "m-bbbbbb"
    assert any("models.embed" in each for each in ws.take_warnings())


def test_a_host_that_was_not_allowed_is_sent_nothing(put, opened, configure):
    configure(
        '[models.embed]\nprovider = "openai"\nbase_url = "https://models.example/v1"\n'
        'model = "tiny"\nwidth = 3\n'
    )
    put("memory.md", ENTRIES)
    ws = opened()
    ws.sync()
    assert ws.recall("tea").vectors is None
    assert any("models.example" in each for each in ws.take_warnings())
    with pytest.raises(ModelError, match=r"models\.example"):
        ws.models.embed()
