"""A server of models on a port of this machine that does what a script says, and notes what it was
sent."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Event, Thread
from typing import NamedTuple, TypeAlias

from tests.waiting import PATIENCE_S


class Received(NamedTuple):
    """A request, as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict:
        return json.loads(self.body)


Step: TypeAlias = Callable[[socket.socket, Event], None]


class ScriptedServer:
    """Takes one step of its script a request; the last one again and again."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.received: list[Received] = []
        self.over = Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self._threads = [Thread(target=self._serve, daemon=True)]
        self._threads[0].start()

    def then(self, *steps: Step) -> ScriptedServer:
        """Go on with these steps."""
        self.steps = list(steps)
        return self

    def close(self) -> None:
        self.over.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for thread in self._threads:
            thread.join(PATIENCE_S)
            assert not thread.is_alive()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                thread = Thread(target=self._answer, args=(connection,), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _answer(self, connection: socket.socket) -> None:
        with suppress(OSError), connection:
            received = _read(connection)
            if received is None:
                return
            self.received.append(received)
            step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
            step(connection, self.over)


def _read(connection: socket.socket) -> Received | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65_536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65_536)
    method, path, _ = first.split(" ")
    return Received(method, path, headers, body)


# --- steps ---


def raw(*pieces: bytes) -> Step:
    """Send these bytes and close."""

    def step(connection: socket.socket, over: Event) -> None:
        for piece in pieces:
            connection.sendall(piece)

    return step


def head(status: int = 200, kind: str = "application/json", **headers: str) -> bytes:
    """The head of an answer that ends with its connection."""
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {kind}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def answer(status: int, body: object = "", **headers: str) -> Step:
    """A whole answer, JSON unless it is bytes."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return raw(head(status, Content_Length=str(len(data)), **headers), data)


def fault(status: int, words: str, **headers: str) -> Step:
    """A refusal in the words of a server."""
    return answer(status, {"error": {"message": words}}, **headers)


def event(content: object) -> bytes:
    """One event of a stream."""
    text = content if isinstance(content, str) else json.dumps(content)
    return f"data: {text}\n\n".encode()


def part(text: str = "", end: str | None = None) -> dict:
    """A piece of a reply."""
    delta = {"content": text} if text else {}
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": end}]}


def usage(sent: int, answered: int) -> dict:
    """What a server counted."""
    return {"choices": [], "usage": {"prompt_tokens": sent, "completion_tokens": answered}}


def stream(*events: object) -> Step:
    """A stream of events that ends after them."""
    return raw(head(kind="text/event-stream"), *map(event, events))


def says(text: str, end: str = "stop", sent: int = 10, answered: int = 5) -> Step:
    """A whole reply, in two pieces."""
    half = len(text) // 2
    pieces = (part(text[:half]), part(text[half:]), part(end=end), usage(sent, answered))
    return stream(*pieces, "[DONE]")


def vectors(*rows: Iterable[float], order: Iterable[int] | None = None, sent: int = 7) -> Step:
    """Vectors, in any order."""
    data = [{"index": at, "embedding": list(row)} for at, row in enumerate(rows)]
    shown = [data[at] for at in (range(len(data)) if order is None else order)]
    return answer(200, {"data": shown, "usage": {"prompt_tokens": sent}})


def silent(first: bytes = b"") -> Step:
    """Say nothing more, and keep the connection."""

    def step(connection: socket.socket, over: Event) -> None:
        connection.sendall(first)
        with suppress(OSError):
            while not over.is_set() and connection.recv(1):
                pass

    return step


def dripping(first: bytes, drop: bytes, pause_seconds: float = 0) -> Step:
    """Send a drop for ever, until nobody listens any more."""

    def step(connection: socket.socket, over: Event) -> None:
        connection.sendall(first)
        while not over.wait(pause_seconds):
            connection.sendall(drop)

    return step


def reset(connection: socket.socket, over: Event) -> None:
    """Break the connection off."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
