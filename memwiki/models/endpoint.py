"""HTTP to the server of a model, streamed and bounded; the one home of httpx2.

Proxies and certificates are those of the user, but what goes to this machine goes to no proxy.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from memwiki.config.models import ServerConfig
from memwiki.errors import MissingExtraError, ModelError
from memwiki.models.faults import (
    MAX_RETRIES,
    ModelAddressError,
    ModelKeyError,
    ModelReplyError,
    ModelSlowError,
    ModelUnreachableError,
    StatusFault,
    Timing,
    fault_in_words,
    fault_of_status,
    words_of,
)
from memwiki.models.outgoing import Address
from memwiki.text import pattern

if TYPE_CHECKING:
    from httpx2 import Response


try:
    import httpx2
except ImportError as missing:
    raise MissingExtraError("models", "httpx2") from missing


MAX_BYTES = 8_000_000  # of one reply
_MAX_FAULT_BYTES = 64_000
_MAX_SHOWN = 200
_CONNECT_SECONDS = 10
_MASK = "***"
_CONTROL = pattern(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")
T = TypeVar("T")


class Endpoint:
    """One server: what is sent to it, and what it answers, event by event."""

    def __init__(
        self, address: Address, server: ServerConfig, key: str, timing: Timing, table: str
    ) -> None:
        self.address, self.server, self.timing = address, server, timing
        self._key, self._table = key, table
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            what = "the key holds what no key holds"
            raise ModelKeyError(address.host, server.key_env, what)
        self._client: httpx2.Client | None = None
        self._socket: socket.socket | None = None
        self._is_begun = self._is_hung_up = False  # the answer; the connection, by us
        self._turn = Lock()  # one connection takes one request at a time

    @property
    def host(self) -> str:
        """The host, as errors call it."""
        return self.address.host

    def masked(self, text: str) -> str:
        """A text without the key."""
        return text.replace(self._key, _MASK) if self._key else text

    def shown(self, text: str) -> str:
        """What a server said, as an error may show it: a line without the key."""
        line = " ".join(_CONTROL.sub(" ", self.masked(text)).split())
        return line if len(line) <= _MAX_SHOWN else f"{line[:_MAX_SHOWN]}…"

    def fault(self, text: str) -> ModelError:
        """What is raised for an answer that tells of an error."""
        words = words_of(self.masked(text))
        line = self.shown(words)
        what = f"answered with an error: {line}"
        return fault_in_words(self.host, line, words) or ModelReplyError(self.host, what, retries=1)

    def post(self, path: str, body: str, take: Callable[[Iterator[str]], T]) -> T:
        """What `take` makes of the events of the answer; an answer that is no stream is one.

        Closing it, as by an exception in `take`, ends the answer at the server. Raises ModelError.
        """
        return self._request("POST", path, body.encode(), take)

    def get(self, path: str) -> str:
        """The text of an answer. Raises ModelError."""
        return self._request("GET", path, None, "".join)

    def close(self) -> None:
        """Let go of the connection."""
        if self._client:
            self._client.close()
            self._client = None

    def __repr__(self) -> str:
        return f"Endpoint({self.address.url})"

    def _request(
        self, method: str, path: str, body: bytes | None, take: Callable[[Iterator[str]], T]
    ) -> T:
        with self._turn:
            self._is_begun = self._is_hung_up = False
            with (
                self._faults(),
                self._ended_in_time() as deadline,
                self._open().stream(
                    method,
                    f"{self.address.url}{path}",
                    content=body,
                    headers=self._headers(),
                    extensions={"trace": self._traced},
                ) as response,
            ):
                self._is_begun = True
                self._bound(response, deadline)
                if response.status_code != 200:
                    self._refuse(response)
                return take(_events(response))

    def _open(self) -> httpx2.Client:
        if self._client is None:
            try:
                self._client = self._make()
            except (ImportError, ValueError, OSError):
                what = "the proxy or the certificates of your environment cannot be used"
                hint = "check HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE"
                raise ModelAddressError(f"{self.host}: {what}", hint) from None
        return self._client

    def _make(self) -> httpx2.Client:
        is_local, idle = self.address.is_local, self.server.idle_seconds
        return httpx2.Client(
            # To make what checks certificates takes 50 ms, which a local server needs not.
            verify=httpx2.create_ssl_context() if self.address.is_tls or not is_local else False,
            trust_env=not is_local,
            follow_redirects=False,
            timeout=httpx2.Timeout(idle, connect=min(idle, _CONNECT_SECONDS), pool=None),
            limits=httpx2.Limits(max_connections=1, max_keepalive_connections=1),
        )

    def _headers(self) -> Mapping[str, str]:
        own = {
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "memwiki",
        }
        return {**own, "Authorization": f"Bearer {self._key}"} if self._key else own

    def _bound(self, response: Response, deadline: float) -> None:
        """Let an answer have so many bytes and seconds and no more."""
        if response.headers.get("content-encoding", "identity") != "identity":
            raise ModelReplyError(self.host, "answers in a compressed form that was not asked for")
        stream = response.stream
        if isinstance(stream, httpx2.SyncByteStream):
            response.stream = _Bounded(stream, lambda size: self._require(size, deadline))

    def _require(self, size: int, deadline: float) -> None:
        if size > MAX_BYTES:
            raise ModelReplyError(self.host, f"the reply is over {MAX_BYTES // 10**6} MB")
        if self.timing.monotonic() > deadline:
            self._refuse_slow()

    def _refuse_slow(self) -> NoReturn:
        what = f"did not end within {self.server.total_seconds:g} seconds"
        raise ModelSlowError(self.host, what, f"{self._table}.total_seconds")

    def _refuse(self, response: Response) -> NoReturn:
        if response.is_redirect or 300 <= response.status_code < 400:
            what = "leads to another address, where nothing is sent"
            raise _free(ModelAddressError(f"{self.host}: {what}", "set base_url to the final one"))
        text = ""
        with suppress(httpx2.HTTPError):
            for piece in response.iter_text():
                text += piece
                if len(text) > _MAX_FAULT_BYTES:
                    break
        fault = StatusFault(
            response.status_code, self.masked(text), response.headers.get("retry-after", "")
        )
        raise _free(fault_of_status(fault, self.host, self.server, self.shown))

    @contextmanager
    def _ended_in_time(self) -> Iterator[float]:
        """End a connection that drips its head, of which nobody is told, for ever; gives the time
        at which all has to be there."""
        timer = Timer(self.server.total_seconds, self._hang_up)
        timer.daemon = True
        timer.start()
        try:
            yield self.timing.monotonic() + self.server.total_seconds
        finally:
            timer.cancel()

    def _hang_up(self) -> None:
        self._is_hung_up = True
        if self._socket:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _traced(self, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Tell what went wrong in our words; theirs may hold the request, and so the key."""
        try:
            yield
        except httpx2.TimeoutException as error:
            if isinstance(error, httpx2.ConnectTimeout):
                raise ModelUnreachableError(self.host, "no answer") from None
            what = f"was silent for {self.server.idle_seconds:g} seconds"
            raise ModelSlowError(self.host, what, f"{self._table}.idle_seconds") from None
        except (httpx2.ConnectError, httpx2.ProxyError) as error:
            raise self._unreachable(error) from None
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, httpx2.LocalProtocolError):
            raise ModelAddressError(f"{self.host}: cannot be asked", "check base_url") from None
        except httpx2.SSEError:
            what = "the reply is no stream of events as it has to be"
            raise ModelReplyError(self.host, what) from None
        except (httpx2.HTTPError, httpx2.StreamError):
            if self._is_hung_up:
                self._refuse_slow()
            if not self._is_begun:
                why = "it closed the connection"
                raise ModelUnreachableError(self.host, why, was_sent=True) from None
            what = "the connection ended before the reply did"
            raise ModelReplyError(self.host, what, retries=MAX_RETRIES) from None

    def _unreachable(self, error: Exception) -> ModelError:
        chain: BaseException | None = error
        while chain:
            if isinstance(chain, socket.gaierror):
                return ModelUnreachableError(self.host, "there is no such host", retries=0)
            if "CERTIFICATE" in str(chain):
                why = "its certificate is not trusted"
                return ModelUnreachableError(self.host, why, retries=0)
            chain = chain.__cause__ or chain.__context__
        return ModelUnreachableError(self.host, self.shown(str(error)) or "no connection")


def _free(error: ModelError) -> ModelError:
    """The error of a request that no model was given."""
    error.is_free = True
    return error


class _Bounded(httpx2.SyncByteStream):
    """A stream of bytes that is looked at before each piece is given on."""

    def __init__(self, stream: httpx2.SyncByteStream, require: Callable[[int], None]) -> None:
        self._stream, self._require = stream, require

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for piece in self._stream:
            size += len(piece)
            self._require(size)
            yield piece

    def close(self) -> None:
        self._stream.close()


def _events(response: Response) -> Iterator[str]:
    """The data of each event; an answer that is no stream of events is one piece."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "text/event-stream":
        yield from (event.data for event in httpx2.EventSource(response))
    else:
        yield response.read().decode("utf-8", "replace")
