"""What a server over HTTP takes for itself, and how long it waits for the head of a request."""

from __future__ import annotations

import asyncio
import socket

import pytest
import uvicorn
from uvicorn.server import ServerState

from memwiki.serving.listening import Listening, host_of, is_asked_for, is_from_here, listener
from memwiki.serving.timed import HEADER_SECONDS, TimedProtocol
from tests.effort import for_each

NAMES = frozenset(map(host_of, ("127.0.0.1", "localhost", "[::1]", "notes.example")))
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


@for_each(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1:8717",
        "localhost",
        "LOCALHOST:1",
        "LocalHost.",
        "localhost.:80",
        "[::1]",
        "[::1]:8717",
        "[0:0:0:0:0:0:0:1]",
        "notes.example",
        "NOTES.example.:443",
    ],
)
def test_every_spelling_of_a_known_host_is_served(host):
    assert is_asked_for([host], NAMES)
    assert is_from_here([f"http://{host}"], NAMES)
    assert is_from_here([f"HTTPS://{host}"], NAMES)


@for_each(
    "host",
    [
        "127.0.0.1.evil.com",
        "localhost.evil.com",
        "evil.com",
        "localhost:99999",
        "localhost:",
        "",
        "localhost:80:80",
        "localhost:x",
        "user@localhost",
        "localhost@evil.com",
        "localhost#x",
        "::1",
        "[::1",
        "[::1]x",
        "[::1%25lo]",
        "[::ffff:127.0.0.1]",
        "127.1",
        "0x7f.0.0.1",
        ".",
        "127.0.0.01",
        "2130706433",
        "localhost..",
        ".localhost",
        "localhost/",
        " localhost",
        "localhost,evil.com",
        "locаlhost",
        "localhost\\@evil.com",
        "*",
        "[*]",
        "a" * 300,
    ],
)
def test_no_other_host_is(host):
    assert not is_asked_for([host], NAMES)
    assert not is_from_here([f"http://{host}"], NAMES)


@for_each(
    "origin",
    [
        "null",
        "",
        "localhost",
        "file://",
        "file://localhost",
        "http:localhost",
        "http://",
        "http://localhost/",
        "http://localhost/x",
        "ws://localhost",
        "http://localhost http://e.com",
    ],
)
def test_an_origin_is_a_scheme_and_a_known_host(origin):
    assert not is_from_here([origin], NAMES)


def test_a_header_that_is_given_twice_or_not_at_all_is_no_address():
    assert not is_asked_for([], NAMES)
    assert not is_asked_for(["localhost", "localhost"], NAMES)
    assert not is_from_here(["http://localhost", "http://evil.com"], NAMES)
    assert is_from_here([], NAMES)


# --- time ---


class Clock(asyncio.BaseEventLoop):
    """A loop whose timers are run by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.timers: list[tuple[float, asyncio.TimerHandle]] = []

    def call_later(self, delay, callback, *args, context=None):
        handle = asyncio.TimerHandle(delay, callback, args, self)
        self.timers.append((delay, handle))
        return handle

    def create_task(self, coroutine, **_named):
        coroutine.close()
        return asyncio.Future(loop=self)

    def pass_time(self, seconds: float) -> None:
        for delay, handle in self.timers:
            if delay <= seconds and not handle.cancelled():
                handle._run()


class Wire(asyncio.Transport):
    """A connection that remembers whether it was cut."""

    is_cut = False

    def abort(self) -> None:
        self.is_cut = True

    def close(self) -> None:
        """Nothing is left to be written."""

    def is_closing(self) -> bool:
        return self.is_cut

    def write(self, data) -> None:
        """Nobody reads."""


@pytest.fixture
def client():
    async def app(scope, receive, send):
        """Answers nothing."""

    config = uvicorn.Config(app, http=TimedProtocol, log_config=None)
    config.load()
    clock, wire = Clock(), Wire()
    protocol = TimedProtocol(config, ServerState(), {}, _loop=clock)
    protocol.connection_made(wire)
    yield protocol, clock, wire
    clock.close()


def test_a_head_that_drips_in_is_cut_after_a_time_in_all(client):
    protocol, clock, wire = client
    for byte in HEAD:
        protocol.data_received(bytes([byte]))
    assert len([delay for delay, _ in clock.timers if delay == HEADER_SECONDS]) == 1
    clock.pass_time(HEADER_SECONDS)
    assert wire.is_cut


def test_who_says_nothing_is_cut(client):
    _, clock, wire = client
    clock.pass_time(HEADER_SECONDS)
    assert wire.is_cut


def test_a_request_whose_head_is_whole_has_its_time(client):
    protocol, clock, wire = client
    protocol.data_received(HEAD)
    protocol.data_received(b"Content-Length: 5\r\n\r\n1")
    clock.pass_time(HEADER_SECONDS)
    protocol.data_received(b"2")
    clock.pass_time(10 * HEADER_SECONDS)
    assert not wire.is_cut


def test_a_connection_that_ended_is_not_timed(client):
    protocol, clock, wire = client
    protocol.connection_lost(None)
    clock.pass_time(HEADER_SECONDS)
    assert not wire.is_cut


def test_the_second_piece_of_an_answer_does_not_wait_for_word_of_the_first():
    with listener(Listening("127.0.0.1", 0, (), "", has_token=False)) as taken:
        with socket.create_connection(taken.getsockname()), taken.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
