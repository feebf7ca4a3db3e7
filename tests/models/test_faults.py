"""Every row of the table of faults, against a server that does it: the code, how often it was
asked, nothing of the key in what is said, and the ledger as the server counted."""

from __future__ import annotations

import json
import socket
import ssl
import traceback
from contextlib import suppress
from pathlib import Path
from threading import Event

import pytest

from memwiki.errors import MemwikiError, ModelError, NeedsModelError
from memwiki.models.endpoint import MAX_BYTES
from memwiki.models.opening import ModelRun
from tests.models.conftest import KEY, FakeTime
from tests.scripted_server import (
    ScriptedServer,
    answer,
    dripping,
    event,
    fault,
    head,
    part,
    raw,
    reset,
    says,
    silent,
    stream,
    usage,
    vectors,
)
from tests.waiting import PATIENCE_S

CERTIFICATE = Path(__file__).parents[1] / "data" / "localhost.pem"
SSE = head(kind="text/event-stream")
SCHEMA = {"type": "object"}
ECHO = f"bad key Bearer {KEY} in {KEY[:9]}{KEY[9:]}"

ROWS = {
    "401": ([fault(401, ECHO)], "model_key", 1),
    "403": ([fault(403, ECHO)], "model_key", 1),
    "402": ([fault(402, "no money " + ECHO)], "model_money", 1),
    "quota": ([fault(429, "You exceeded your current quota")], "model_money", 1),
    "404": ([fault(404, "no such model"), answer(200, {"data": []})], "model_name", 1),
    "429": ([fault(429, "slow down")], "model_busy", 4),
    "500": ([fault(500, ECHO)], "model_down", 4),
    "503": ([fault(503, "overloaded")], "model_down", 4),
    **{
        str(status): ([fault(status, "not now")], "model_down", 4)
        for status in (408, 409, 425, 502, 504)
    },
    "no JSON": ([answer(200, b"<html>")], "model_reply", 2),
    "no object": ([answer(200, [1])], "model_reply", 1),
    "empty": ([says("")], "model_reply", 1),
    "cut stream": ([stream(part("half of"))], "model_reply", 4),
    "broken stream": ([raw(SSE + b'data: {"cho')], "model_reply", 4),
    "reset": ([reset], "model_unreachable", 4),
    "error inside 200": ([answer(200, {"error": {"message": ECHO}})], "model_reply", 2),
    "error inside a stream": ([stream(part("x"), {"error": ECHO})], "model_reply", 2),
    "cut by its limit": ([says('{"a": ', end="length")], "model_cut", 1),
    "too long": ([fault(400, "maximum context length is 4096")], "model_too_long", 1),
    "too long inside": ([stream({"error": "prompt is too long"})], "model_too_long", 1),
    "filter": ([says("no", end="content_filter")], "model_refused", 1),
    "filtered": ([fault(400, "blocked by content_filter")], "model_refused", 1),
    "redirect": ([answer(307, b"", Location="https://evil.example/")], "model_address", 1),
    "refused request": ([fault(400, "no idea " + ECHO)], "model_reply", 1),
    "compressed": ([answer(200, b"x", Content_Encoding="gzip")], "model_reply", 1),
}


def told(error: BaseException) -> str:
    """All that anybody can see of an error."""
    shown = [*traceback.format_exception(error)]
    if isinstance(error, MemwikiError):
        shown += [error.message, error.hint, *error.candidates, repr(error.args)]
    return "\n".join(shown)


@pytest.mark.parametrize("name", ROWS)
def test_a_fault_has_its_code_and_tells_no_key(name, server, run, ask, ledger):
    steps, code, count = ROWS[name]
    server.then(*steps)
    chat = run().chat()
    with pytest.raises(ModelError) as failed:
        chat.ask(ask(schema=SCHEMA))
    assert failed.value.code == code
    assert failed.value.hint
    assert KEY not in told(failed.value)
    posted = [each for each in server.received if each.method == "POST"]
    assert len(posted) == count == sum(line.calls for line in ledger.lines())
    assert KEY not in ledger.location.read_text("utf-8")
    assert all(each.headers["authorization"] == f"Bearer {KEY}" for each in server.received)
    chat.close()


def test_a_key_that_comes_back_in_a_reply_is_masked(server, run, ask):
    server.then(says(f"your key is {KEY}, is it not?"))
    assert run().chat().ask(ask()).text == "your key is ***, is it not?"


def test_nobody_there_is_asked_again_and_not_counted(run, ask, time, ledger):
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    chat = run(base_url=f"http://127.0.0.1:{port}/v1").chat()
    with pytest.raises(ModelError) as failed:
        chat.ask(ask())
    assert failed.value.code == "model_unreachable"
    assert time.slept == [0.5, 1, 2]
    assert sum(line.calls for line in ledger.lines()) == 0


def test_retry_after_is_kept_where_the_total_allows_it(server, run, ask, time):
    server.then(fault(429, "busy", Retry_After="7"), says("tea"))
    assert run().chat().ask(ask()).text == "tea"
    assert time.slept == [7]
    server.then(fault(429, "busy", Retry_After="700"))
    with pytest.raises(ModelError, match="too many requests") as failed:
        run().chat().ask(ask())
    assert failed.value.hint == "wait 700 seconds"
    assert time.slept == [7]


def test_what_passes_is_asked_again_after_growing_pauses(server, run, ask, time):
    server.then(fault(503, "x"), stream(part("tea")), fault(500, "x"), says("tea"))
    assert run().chat().ask(ask()).text == "tea"
    assert time.slept == [0.5, 1, 2]


def test_a_silent_server_is_given_up(server, run, ask):
    server.then(silent())
    with pytest.raises(ModelError) as failed:
        run(idle_seconds=0.05).chat().ask(ask())
    assert failed.value.code == "model_slow"
    assert "models.chat.idle_seconds" in failed.value.hint


def test_a_server_that_falls_silent_amid_its_reply_is_given_up(server, run, ask):
    server.then(silent(SSE + event(part("tea"))))
    with pytest.raises(ModelError) as failed:
        run(idle_seconds=0.05).chat().ask(ask())
    assert failed.value.code == "model_slow"
    assert len(server.received) == 1


def test_a_server_that_drips_for_ever_is_given_up(server, run, ask):
    server.then(dripping(SSE, b": still here\n\n"))
    found: ModelRun = run(total_seconds=30)._replace(timing=FakeTime(tick=1).timing)
    with pytest.raises(ModelError) as failed:
        found.chat().ask(ask())
    assert failed.value.code == "model_slow"
    assert "models.chat.total_seconds" in failed.value.hint


def test_a_head_that_drips_for_ever_is_given_up(server, run, ask):
    server.then(dripping(b"HTTP/1.1 200 OK\r\nX-Drip: ", b"x", pause_seconds=0.01))
    found = run(total_seconds=0.3)
    with pytest.raises(ModelError) as failed:
        found.chat().ask(ask())
    assert failed.value.code == "model_slow"


def test_a_reply_over_its_size_is_given_up(server, run, ask):
    server.then(dripping(SSE, event(part("x" * 60_000))))
    with pytest.raises(ModelError, match="over 8 MB") as failed:
        run().chat().ask(ask())
    assert failed.value.code == "model_reply"
    assert len(server.received) == 1


def test_a_large_answer_that_is_no_stream_is_given_up(server, run, ask):
    server.then(answer(200, b" " * (MAX_BYTES + 1)))
    with pytest.raises(ModelError, match="over 8 MB"):
        run().chat().ask(ask())


def test_a_name_that_is_not_there_is_answered_with_those_like_it(server, run, ask):
    names = [f"qwen3:{size}b" for size in range(1, 9)]
    listed = answer(200, {"data": [{"id": name} for name in [*names, f"x{KEY}"]]})
    server.then(fault(404, "not found"), listed)
    with pytest.raises(ModelError) as failed:
        run(model="qwen3:8").chat().ask(ask())
    assert len(failed.value.candidates) == 5
    assert set(failed.value.candidates) <= set(names)
    assert KEY not in told(failed.value)


def test_a_server_that_dropped_the_beginning_is_found_out(server, run, ask):
    server.then(says("{}", sent=900))
    with pytest.raises(ModelError, match="it read 900 of about") as failed:
        run().chat().ask(ask("word " * 1600, schema=SCHEMA))
    assert failed.value.code == "model_too_long"


def test_what_cannot_fit_is_not_sent(server, run, ask):
    with pytest.raises(ModelError, match="context_tokens") as failed:
        run().chat().ask(ask("word " * 9000))
    assert failed.value.code == "model_too_long"
    assert server.received == []


@pytest.mark.parametrize(
    "url",
    [
        f"http://user:{KEY}@127.0.0.1:1/v1",
        f"https://x.example/v1?key={KEY}",
        "http://192.168.1.7/v1",
        "http://127.0.0.1.evil.example/v1",
        "ftp://127.0.0.1/v1",
        "http://127.0.0.1:99999/v1",
        "127.0.0.1:11434",
        "http://[::1/v1",
        "http://127.0.0.1/v1\n",
        "http://127.0.0.1/ü",
    ],
)
def test_an_address_that_gives_something_away_is_not_used(url, run, ask):
    with pytest.raises(ModelError) as failed:
        run(base_url=url).chat()
    assert failed.value.code == "model_address"
    assert KEY not in told(failed.value)


def test_another_machine_needs_consent_also_without_tls(run):
    with pytest.raises(ModelError) as failed:
        run(base_url="http://10.0.0.7/v1", http_hosts=("10.0.0.7",)).chat()
    assert failed.value.code == "model_not_allowed"
    assert failed.value.hint == "memwiki models allow 10.0.0.7"


def test_a_key_that_is_not_set_or_none_is_named_by_its_variable(run):
    for environ in ({}, {"TEST_KEY": "a\nb"}, {"TEST_KEY": "ü"}):
        with pytest.raises(ModelError, match=r"TEST_KEY|holds what no key") as failed:
            run()._replace(environ=environ).chat()
        assert failed.value.code == "model_key"


def test_no_model_set_is_told_with_the_next_step(run):
    with pytest.raises(NeedsModelError) as failed:
        run(base_url="").chat()
    assert failed.value.hint == "memwiki models"


def test_a_host_that_does_not_exist_is_told_at_once(run, ask, time, monkeypatch):
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(ModelError, match="there is no such host"):
        run(base_url="http://no.localhost:1/v1").chat().ask(ask())
    assert time.slept == []


def test_who_stops_listening_stops_the_server(server, run, ask, ledger):
    ended = Event()

    def step(connection: socket.socket, over: Event) -> None:
        with suppress(OSError):
            dripping(SSE, event(part("tea ")))(connection, over)
        ended.set()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    server.then(step)
    chat = run().chat()
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("memwiki.models.chat._Answer._add", interrupted)
        chat.ask(ask())
    assert ended.wait(PATIENCE_S)
    assert not server.over.is_set()
    assert sum(line.calls for line in ledger.lines()) == 1


def test_a_proxy_that_cannot_be_used_is_told(run, ask, monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "gopher://x")
    found = run(base_url="https://a.example/v1")
    allow = {str(found.root.resolve()): ("a.example",)}
    with pytest.raises(ModelError, match="the proxy or the certificates") as failed:
        found._replace(models=found.models._replace(allow=allow)).chat().ask(ask())
    assert failed.value.code == "model_address"


def test_what_goes_to_this_machine_goes_to_no_proxy(server, run, ask, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    server.then(says("tea"))
    assert run().chat().ask(ask()).text == "tea"


def test_what_goes_elsewhere_goes_through_the_proxy_of_the_user(server, run, ask, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", server.url)
    server.then(says("tea"))
    found = run(base_url="http://a.example/v1", http_hosts=("a.example",))
    allow = {str(found.root.resolve()): ("a.example",)}
    chat = found._replace(models=found.models._replace(allow=allow)).chat()
    assert chat.ask(ask()).text == "tea"
    assert server.received[0].path == "http://a.example/v1/chat/completions"


@pytest.mark.parametrize("is_trusted", [False, True])
def test_certificates_are_those_that_the_user_trusts(is_trusted, run, ask, monkeypatch, time):
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(CERTIFICATE)
    server = ScriptedServer(says("tea"), tls=tls)
    chat = run(base_url=server.url).chat()
    if is_trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        assert chat.ask(ask()).text == "tea"
    else:
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        with pytest.raises(ModelError, match="its certificate is not trusted") as failed:
            chat.ask(ask())
        assert failed.value.code == "model_unreachable"
        assert server.received == []
    assert time.slept == []
    chat.close()
    server.close()


# --- vectors ---

VECTOR_ROWS = {
    "wrong width": ([vectors([1, 2, 3])], "of 3 numbers, not of 2", 1),
    "NaN": ([answer(200, b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}')], "gave NaN", 1),
    "endless": ([answer(200, b'{"data": [{"index": 0, "embedding": [1e999, 1]}]}')], "length", 1),
    "huge": (
        [answer(200, b'{"data": [{"index": 0, "embedding": [1' + b"0" * 400 + b", 1]}]}")],
        "length",
        1,
    ),
    "no length": ([vectors([0, 0])], "without a length", 1),
    "words": ([answer(200, {"data": [{"index": 0, "embedding": ["x", 1]}]})], "no list", 1),
    "too few": ([vectors()], "0 vectors for 1 texts", 1),
    "too many": ([vectors([1, 2], [1, 2])], "2 vectors for 1 texts", 1),
    "another index": ([answer(200, {"data": [{"index": 5, "embedding": [1, 2]}]})], "1 vectors", 1),
    "error inside": ([answer(200, {"error": ECHO})], "answered with an error", 2),
    "no JSON": ([answer(200, b"<html>")], "no JSON", 2),
    "no object": ([answer(200, [])], "answered with an error", 2),
}


@pytest.mark.parametrize("name", VECTOR_ROWS)
def test_vectors_that_cannot_be_used_are_refused(name, server, run, ledger):
    steps, said, count = VECTOR_ROWS[name]
    server.then(*steps)
    with pytest.raises(ModelError) as failed:
        run(width=2).embedder().embed(["tea"])
    assert failed.value.code == "model_reply"
    assert said in failed.value.message
    assert KEY not in told(failed.value)
    assert len(server.received) == count == sum(line.calls for line in ledger.lines())


def test_replies_are_judged_by_what_they_hold_before_their_end(server, run, ask):
    server.then(says('{"a": 1}', end="length"))
    reply = run().chat().ask(ask(schema=SCHEMA))
    assert json.loads(reply.text) == {"a": 1}
    server.then(stream(part('{"a": 1}'), usage(10, 5)))  # no end was said
    assert run().chat().ask(ask(schema=SCHEMA)).text == '{"a": 1}'
