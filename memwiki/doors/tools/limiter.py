"""How many changes one connection makes in a minute."""

from __future__ import annotations

from collections import deque
from threading import Lock

from memwiki import clock as clocks

_MINUTE_NS = 60 * 10**9


class Limiter:
    """Counts changes; one for each connection."""

    def __init__(self, clock: clocks.Clock = clocks.now_ns) -> None:
        self._clock, self._lock = clock, Lock()
        self._times: deque[int] = deque()

    def wait_seconds(self, most: int) -> int:
        """Count one change, where fewer than `most` were made in the last minute; else how long to
        wait for the next one."""
        with self._lock:
            now = self._clock()
            # A clock that was set back frees what it counted in the future.
            while self._times and not 0 <= now - self._times[0] < _MINUTE_NS:
                self._times.popleft()
            if len(self._times) < most:
                self._times.append(now)
                return 0
            first = self._times[0] if self._times else now
            return (first + _MINUTE_NS - now) // 10**9 + 1
