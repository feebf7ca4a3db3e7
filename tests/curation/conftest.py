"""A model that answers from a list."""

from __future__ import annotations

import json

import pytest

from memwiki.cli.main import main
from memwiki.models.opening import ModelRun
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
def run(root, capsys):
    def run(*words):
        code = main(["-C", str(root), *words])
        return code, *capsys.readouterr()

    return run
