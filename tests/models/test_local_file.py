"""A small model in a file, served by this process."""

from __future__ import annotations

import json
import socket

import pytest

from memwiki.errors import ModelError
from memwiki.models.local_file import served_chat
from memwiki.models.report import check_model
from tests.models.conftest import KEY
from tests.small_model import small_model

SCHEMA = {
    "type": "object",
    "properties": {"word": {"enum": ["tea", "milk"]}},
    "required": ["word"],
    "additionalProperties": False,
}


@pytest.fixture
def model() -> str:
    return small_model()


def test_a_file_answers_in_the_form_that_is_asked_for_and_frees_its_port(run, ask, model, ledger):
    chat = served_chat(run(file=model, base_url="", model=""))
    port = int(chat.served.listening_address.rpartition(":")[2])
    reply = chat.ask(ask("Name a drink.", schema=SCHEMA))
    assert json.loads(reply.text)["word"] in ("tea", "milk")
    assert reply.spent.tokens_in > 0
    assert KEY not in reply.text
    chat.close()
    with pytest.raises(OSError), socket.create_connection(("127.0.0.1", port)):
        pass
    assert sum(line.calls for line in ledger.lines()) == 1


def test_the_port_answers_nobody_without_the_key(run, model):
    import httpx2

    chat = served_chat(run(file=model, base_url=""))
    address = chat.served.listening_address
    body = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 1}
    found = httpx2.post(f"{address}/v1/chat/completions", json=body, trust_env=False)
    assert found.status_code == 401
    chat.close()


def test_a_file_is_checked_like_any_server(run, model):
    found = check_model(run(file=model, base_url="", context_tokens=512), is_measured=True)
    assert found.format == "json_schema"
    assert 300 < found.read_tokens <= 512


@pytest.mark.parametrize(("data", "said"), [(b"PK", "is no GGUF file"), (None, "cannot be read")])
def test_what_is_no_model_is_named(run, tmp_path, data, said):
    file = tmp_path / "m.gguf"
    if data:
        file.write_bytes(data)
    with pytest.raises(ModelError, match=said):
        run(file=str(file), base_url="").chat()
