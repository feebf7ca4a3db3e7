"""The one place that asks what time it is; everything else is handed a clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, date, datetime

Clock = Callable[[], int]  # nanoseconds since 1970, UTC


def now_ns() -> int:
    """The time now."""
    return time.time_ns()


def local_day(ns: int) -> date:
    """The day, where the person is, of a time in nanoseconds."""
    return local_moment(ns).date()


def local_moment(ns: int) -> datetime:
    """The time, where the person is, of a time in nanoseconds, to the microsecond."""
    seconds, rest = divmod(ns, 10**9)
    moment = datetime.fromtimestamp(seconds, tz=UTC).astimezone().replace(tzinfo=None)
    return moment.replace(microsecond=rest // 1000)


def iso_of(ns: int) -> str:
    """A time in nanoseconds as ISO 8601, in UTC, to the second."""
    moment = datetime.fromtimestamp(ns // 10**9, tz=UTC)
    return moment.isoformat().replace("+00:00", "Z")


def local_time(iso: str) -> str:
    """The time of day, where the person is, of a time as `iso_of` gives it."""
    return datetime.fromisoformat(iso).astimezone().strftime("%H:%M:%S")
