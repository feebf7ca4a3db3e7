"""Vectors from a server: what it is sent of a workspace, and what never."""

from __future__ import annotations

import json

import pytest

from tests.scripted_server import ScriptedServer, answer

ENTRIES = "# Memory\n\n- The physician wants more sleep. ^m-aaaaaa\n- Tea is green. ^m-bbbbbb\n"


@pytest.fixture
def configure(tmp_path):
    def write(text: str) -> None:
        (tmp_path / "config").mkdir(exist_ok=True)
        (tmp_path / "config" / "config.toml").write_text(text)

    return write


@pytest.fixture
def server():
    def step(connection, over) -> None:
        texts = found.received[-1].json["input"]
        rows = [{"index": i, "embedding": [1, len(text), 0]} for i, text in enumerate(texts)]
        answer(200, {"data": rows})(connection, over)

    found = ScriptedServer(step)
    yield found
    found.close()


def sent_to(server: ScriptedServer) -> str:
    return json.dumps([each.json["input"] for each in server.received])


def test_a_server_is_sent_nothing_that_is_private_secret_or_of_a_namespace(
    put, opened, configure, server, monkeypatch, tmp_path
):
    monkeypatch.setenv("MEMWIKI_STATE_DIR", str(tmp_path / "state"))
    configure(f'[models.embed]\nprovider = "openai"\nbase_url = "{server.url}"\nmodel = "tiny"\n')
    put("memwiki.toml", '[layers]\nnamespaces = "spaces"\n[vectors]\nof = "all"\n')
    put(
        "memory.md",
        ENTRIES
        + "- The safe is behind the door. [private:: true] ^m-cccccc\n"
        + "- The token is ghp_16C7e42F292c6912E7710c838347Ae178B4a. ^m-dddddd\n",
    )
    put("secret.md", "---\nprivate: true\n---\n# Hidden\n\nNobody knows this.\n")
    put("spaces/ben/memory.md", "# Memory\n\n- Ben likes cheese. ^m-eeeeee\n")
    ws = opened()
    ws.sync()
    said = sent_to(server)
    assert "Tea is green." in said
    for word in ("safe", "ghp_16C7", "Hidden", "Nobody", "cheese"):
        assert word not in said
    ws.recall("what is behind the door", private=True)
    assert "safe" not in sent_to(server)
    ws.close()
