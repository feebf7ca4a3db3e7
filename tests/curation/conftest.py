"""A model that answers from a list."""

from __future__ import annotations

import json

import pytest

from memwiki.models.opening import ModelRun
from memwiki.proposals import triggers
from tests.proposals.conftest import PAGES
from tests.recorded import RecordedChat


@pytest.fixture
def space(opened, write_blocks):
    write_blocks(PAGES)
    return opened()


@pytest.fixture
def answering(monkeypatch):
    """Let the model of the user give these replies, one after the other."""

    def answer(*texts, context_tokens=4096):
        lines = [json.dumps({"text": text}) for text in texts]
        chat = RecordedChat(lines, context_tokens)
        monkeypatch.setattr(ModelRun, "chat", lambda _: chat)
        monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", "http://127.0.0.1:9/v1")
        monkeypatch.setenv("MEMWIKI_MODELS_CHAT_CONTEXT_TOKENS", str(context_tokens))
        return chat

    return answer


@pytest.fixture
def begun(monkeypatch):
    """The processes that would be begun."""
    found = []
    monkeypatch.setattr(triggers, "start", lambda command, environ: found.append(command))
    return found


@pytest.fixture
def triggered(root, opened, write_blocks, monkeypatch, tmp_path):
    """Open a workspace with settings of its own, and what the user's name it for."""
    folder = tmp_path / "user"
    folder.mkdir()
    monkeypatch.setenv("MEMWIKI_CONFIG_DIR", str(folder))

    def make(pages, settings, named, clock):
        write_blocks(pages)
        file = root / "memwiki.toml"
        file.write_text(file.read_text("utf-8") + settings, "utf-8")
        listed = json.dumps(list(named))
        text = f"[models.triggers]\n{json.dumps(str(root.resolve()))} = {listed}\n" if named else ""
        (folder / "config.toml").write_text(text, "utf-8")
        return opened(clock=clock)

    return make
