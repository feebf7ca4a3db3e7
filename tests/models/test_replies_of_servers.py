"""What a server takes is learned from what it refuses, and is remembered; a reply becomes a
value."""

from __future__ import annotations

import json
import os

import pytest
from pydantic import BaseModel

from memwiki.errors import ModelError
from memwiki.models.chat import (
    Capabilities,
    KnownServers,
    first_object,
    objects_in,
    without_last_commas,
)
from memwiki.models.replies import Replies
from memwiki.models.reply import ask_for, parse_reply
from tests.effort import for_each
from tests.models.conftest import KEY
from tests.scripted_server import answer, fault, part, says, stream

SCHEMA = {"type": "object"}


class Tea(BaseModel):
    name: str
    cups: int


def test_the_request_is_the_dry_run_to_the_byte(server, run, ask):
    server.then(says("tea"))
    chat = run(price_in=1.0, price_out=2.0).chat()
    outgoing = chat.outgoing(ask("茶 \ud800?"))
    chat.ask(ask("茶 \ud800?"))
    (received,) = server.received
    assert received.body == outgoing.body.encode()
    assert received.path == "/v1/chat/completions"
    assert outgoing.url == f"{server.url}/chat/completions"
    assert outgoing.price == (outgoing.tokens_in + 2 * 50) / 1e6
    assert received.json["messages"] == [{"role": "user", "content": "茶 ??"}]
    assert KEY not in outgoing.body


@pytest.mark.parametrize(
    ("words", "name", "expected"),
    [
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            "max_completion_tokens",
            50,
        ),
        ("Unsupported value: 'temperature' does not support 0.2", "temperature", None),
        ("extra fields not permitted: stream_options", "stream_options", None),
    ],
)
def test_a_parameter_that_is_refused_is_left_out_from_then_on(
    words, name, expected, server, run, ask
):
    server.then(fault(400, words), says("tea"))
    assert run().chat().ask(ask()).text == "tea"
    assert run().chat().ask(ask()).text == "tea"  # as another process
    first, second, third = (each.json for each in server.received)
    assert first.get(name) != second.get(name) == third.get(name) == expected
    assert ("max_tokens" in second) == (name != "max_completion_tokens")


def test_replies_are_held_to_their_form_by_the_best_means_that_a_server_has(server, run, ask):
    no = "response_format of this type is not supported"
    server.then(fault(400, no), fault(422, no), says('{"a": 1}'))
    run().chat().ask(ask(schema=SCHEMA))
    forms = [each.json.get("response_format", {}).get("type") for each in server.received]
    assert forms == ["json_schema", "json_object", None]
    roles = [[each["role"] for each in one.json["messages"]] for one in server.received]
    assert roles == [["user"], ["system", "user"], ["system", "user"]]
    assert json.dumps(SCHEMA) in server.received[1].json["messages"][0]["content"]
    run().chat().ask(ask(schema=SCHEMA))
    assert "response_format" not in server.received[-1].json


def test_a_form_that_is_set_is_not_left(server, run, ask):
    server.then(fault(400, "response_format is not supported"))
    with pytest.raises(ModelError, match="did not take the request"):
        run(format="json_schema").chat().ask(ask(schema=SCHEMA))
    assert len(server.received) == 1


def test_a_server_that_refuses_whatever_it_is_sent_is_given_up(server, run, ask, ledger):
    server.then(fault(400, "max_tokens max_completion_tokens temperature"))
    with pytest.raises(ModelError) as failed:
        run().chat().ask(ask(schema=SCHEMA))
    assert failed.value.code == "model_reply"
    assert len(server.received) == sum(line.calls for line in ledger.lines()) < 10


def test_a_server_that_does_not_stream_is_understood(server, run, ask):
    message = {"message": {"content": "tea"}, "finish_reason": "stop"}
    counted = {"prompt_tokens": 3, "completion_tokens": 1}
    server.then(answer(200, {"choices": [message], "usage": counted}))
    reply = run().chat().ask(ask())
    assert (reply.text, reply.spent) == ("tea", (1, 3, 1))


def test_a_refusal_of_the_model_is_told(server, run, ask):
    server.then(
        stream({"choices": [{"delta": {"refusal": "I must not"}, "finish_reason": "stop"}]})
    )
    with pytest.raises(ModelError, match="refused: I must not"):
        run().chat().ask(ask())


def test_thoughts_that_come_apart_are_no_part_of_the_reply(server, run, ask):
    thought = {"choices": [{"delta": {"reasoning_content": "hm {"}}]}
    server.then(stream(thought, part("tea", "stop"), "[DONE]"))
    assert run().chat().ask(ask()).text == "tea"


def test_a_broken_note_of_what_a_server_takes_is_learned_anew(tmp_path):
    known = KnownServers(tmp_path)
    known.keep("a", Capabilities(format="text"))
    assert known.of("a").format == "text"
    (file,) = (tmp_path / "servers").iterdir()
    for broken in ("{", "[]", '{"format": "xml"}', '{"width": "x"}', '{"odd": 1}'):
        file.write_text(broken, "utf-8")
        assert known.of("a") == Capabilities()
    assert KnownServers(None).of("a") == Capabilities()


# --- a value ---


@for_each(
    ("text", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ('Here it is:\n```json\n{"a": 1}\n```\nDone. {"b": 2}', {"a": 1}),
        ('<think>{"b": 2} or</think> {"a": 1}', {"a": 1}),
        ('{"b": 2} was wrong</think>{"a": 1}', {"a": 1}),
        ('{broken {"a": 1}', {"a": 1}),
        ('{"a": NaN} {"a": 1}', {"a": 1}),
        ('{"a": "\\ud800"} {"a": 1}', {"a": 1}),
        ('{"a": 1', None),
        ("[1, 2]", None),
        ("", None),
        ("{" * 100_000, None),
        ('{"a":' * 100_000, None),
        ('{"a": ' + "9" * 5000 + "}", None),
    ],
)
def test_the_first_whole_object_is_found(text, found):
    assert first_object(text) == found


def test_an_object_within_another_is_none_of_its_own():
    assert list(objects_in('{"a": {"b": 1}} {"c": 2}')) == [{"a": {"b": 1}}, {"c": 2}]


def test_a_reply_that_does_not_fit_is_asked_for_once_more_with_the_reasons(server, run, ask):
    server.then(says('{"name": "Assam", "cups": "many"}'), says('{"name": "Assam", "cups": 3}'))
    found = ask_for(run().chat(), ask(), Tea)
    assert found == Tea(name="Assam", cups=3)
    again = server.received[1].json["messages"][-1]["content"]
    assert "cups: Input should be a valid integer" in again
    assert server.received[0].json["response_format"]["json_schema"]["schema"]["required"]


def test_the_object_that_fits_is_taken_of_several(server, run, ask):
    server.then(says('{"name": 1} {"name": "Assam", "cups": 3}'))
    assert ask_for(run().chat(), ask(), Tea).cups == 3


def test_two_replies_that_do_not_fit_are_a_fault_and_are_not_kept(server, run, ask, tmp_path):
    server.then(says("no idea"))
    replies = Replies(tmp_path / "kept")
    with pytest.raises(ModelError, match="no whole JSON object") as failed:
        ask_for(run().chat(), ask(), Tea, replies)
    assert failed.value.code == "model_reply"
    assert len(server.received) == 2
    assert replies.size() == (0, 0)


def test_a_valid_reply_is_kept_for_its_user_alone_and_asks_nobody_again(server, run, ask, tmp_path):
    server.then(says('{"name": "Assam", "cups": 3}'))
    replies = Replies(tmp_path / "kept")
    ask_for(run().chat(), ask(), Tea, replies)
    again = ask_for(run().chat(), ask(), Tea, replies)
    assert again.cups == 3
    assert len(server.received) == 1
    (file,) = (tmp_path / "kept" / "replies").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    for other in (ask("Other."), ask(temperature=1.0), ask(max_tokens=51)):
        assert replies.get(run().chat().key, other._replace(schema=Tea.model_json_schema())) is None
    file.write_bytes(b"\xff")
    assert ask_for(run().chat(), ask(), Tea, replies).cups == 3
    assert len(server.received) == 2
    assert replies.forget() == 1


def test_the_oldest_replies_give_way(tmp_path, ask, monkeypatch):
    monkeypatch.setattr("memwiki.models.replies.MAX_BYTES", 25)
    replies = Replies(tmp_path)
    for number in range(4):
        replies.put("k", ask(str(number)), "0123456789")
        for file in (tmp_path / "replies").iterdir():
            written_ns = file.stat().st_mtime_ns - 10**9  # a second passes
            os.utime(file, ns=(written_ns, written_ns))
    assert replies.size() == (2, 20)
    assert [replies.get("k", ask(str(each))) is None for each in range(4)] == [
        True,
        True,
        False,
        False,
    ]


class _Fact(BaseModel):
    text: str
    subject: str = ""


class _Facts(BaseModel):
    facts: list[_Fact]


@for_each(
    "text",
    [
        '{"facts": [{"text": "a, ]", "subject": null}]}',
        '{"facts": [{"text": "a, ]", "subject": "",},\n ],\n}',
        'A 5" pipe. {"facts": [{"text": "a, ]",}]}',
        'Here: ```json\n{"facts": [{"text": "a, ]"} , ] }\n```',
    ],
)
def test_what_is_null_is_not_given_and_a_last_comma_is_passed_over(text):
    value, _ = parse_reply(text, _Facts)
    assert value and value.facts == [_Fact(text="a, ]")]


def test_a_required_value_that_is_null_is_missing():
    assert parse_reply('{"facts": [{"text": null}]}', _Facts)[1] == "facts.0.text: Field required"


@for_each("many", ['\\"', '"', ",", ", ", '{"', '",'])
def test_commas_are_looked_for_in_one_pass(many):
    text = many * 300_000
    assert len(without_last_commas(text)) <= len(text)
