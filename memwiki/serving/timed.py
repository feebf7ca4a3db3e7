"""A connection of uvicorn whose client has to say soon what it wants."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0
_NO_HEAD_YET = "IDLE"  # a state of h11, on which uvicorn stands


class TimedProtocol(H11Protocol):  # type: ignore[misc]
    """Closes a connection whose request, from its first byte on, does not begin in time.

    uvicorn limits only the wait for a first byte, and that only behind another request.
    """

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401 - as the protocol has it
        """A client that says nothing at all is not waited for, either."""
        super().connection_made(transport)
        self._arm()

    def data_received(self, data: bytes) -> None:
        """Time the head, and nothing that comes after it."""
        super().data_received(data)
        if str(self.conn.their_state) == _NO_HEAD_YET:
            self._arm()
        else:
            self._disarm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is left to be closed."""
        self._disarm()
        super().connection_lost(exc)

    def _arm(self) -> None:
        self._limit = self._limit or self.loop.call_later(HEADER_SECONDS, self._cut)

    def _disarm(self) -> None:
        if self._limit:
            self._limit.cancel()
        self._limit = None

    def _cut(self) -> None:
        self.transport.abort()
