"""One suite for all that answers in words: the whole reply, one word for itself, a coded error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from memwiki.errors import ModelError
from memwiki.models.port import Ask, Chat, ChatMessage
from tests.recorded import RecordedChat
from tests.scripted_server import ScriptedServer, answer, says

REPLIES = ("tea", '{"word": "茶"}')
ASK = Ask("test/1", (ChatMessage("system", "Be brief."), ChatMessage("user", "?")), max_tokens=9)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    found = ScriptedServer(*map(says, REPLIES), answer(400, {"error": "no more"}))
    yield found
    found.close()


def recorded(run) -> Chat:
    return RecordedChat(json.dumps({"text": text}) for text in REPLIES)


def http(run) -> Chat:
    return run().chat()


@pytest.fixture(params=[recorded, http])
def chat(request: pytest.FixtureRequest, run: Callable) -> Chat:
    return request.param(run)


def test_each_request_has_its_whole_reply_and_then_a_coded_error(chat):
    assert [chat.ask(ASK).text for _ in REPLIES] == [*REPLIES]
    with pytest.raises(ModelError) as failed:
        chat.ask(ASK)
    assert failed.value.code == "model_reply"
    assert failed.value.hint


def test_it_says_how_much_it_reads_and_who_it_is(chat):
    assert chat.context_tokens > 1000
    assert chat.key
    assert chat.key == chat.key.strip()
