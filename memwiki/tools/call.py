"""The one way into the tools: arguments checked, limits kept, every failure an answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from memwiki import clock as clocks
from memwiki.errors import (
    ConflictError,
    InvalidArgumentsError,
    MemwikiError,
    RateLimitedError,
    ReadOnlyError,
    TooLargeError,
    UnknownToolError,
)
from memwiki.fence import one_line
from memwiki.tools.arguments import note, understood
from memwiki.tools.failures import failure
from memwiki.tools.profiles import tools
from memwiki.tools.schema import faults, filled
from memwiki.tools.table import Call, Tool, ToolAnswer

if TYPE_CHECKING:
    from memwiki.nouns import Json
    from memwiki.tools.table import DoorSettings
    from memwiki.workspace import Workspace


_UNEXPECTED = "error unexpected: a bug in memwiki\nnext: try another way, or tell the person"
_MAX_FAULTS = 20
_UNSETTLED = ConflictError("what is private is being changed", "ask again")
_TRIES = 5  # for an answer from one state, while others write without a pause


def call(
    ws: Workspace,
    name: str,
    arguments: object,
    *,
    settings: DoorSettings,
    limiter: Limiter | None = None,
    is_structured: bool = False,
    tell: Callable[[str], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ToolAnswer:
    """Run a tool; `tell` is given the frames of a bug, without what was asked or found, `progress`
    how many of how many changed files are read first.

    All that a tool asks rests on one sweep, begun after the call came. What reads is run again when
    others changed meanwhile what is private: it shows nothing that is private at its end.
    """
    tool = tools(settings.profile).get(name)
    tries = _TRIES if tool and tool.hints.is_read_only else 1
    try:
        for _ in range(tries):
            with ws.one_sweep(progress) as is_current:
                shown = ws if settings.has_private else ws.public()
                private = shown.private_pages()
                ask = partial(
                    _called, shown, name, arguments, settings, limiter, is_structured, progress
                )
                answer = _answered(ask, settings)
                if settings.has_private or is_current() or shown.private_pages() == private:
                    return answer
        return answer if tries == 1 else failure(_UNSETTLED)
    except MemwikiError as error:  # before anything was asked
        return failure(error)
    except Exception as error:  # noqa: BLE001 - at the door
        if tell:
            tell(frames(error))
        return ToolAnswer(_UNEXPECTED, is_error=True)


def _answered(ask: Callable[[], ToolAnswer], settings: DoorSettings) -> ToolAnswer:
    try:
        return ask()
    except MemwikiError as error:
        offered = tools(settings.profile, is_read_only=settings.is_read_only)
        return failure(error, offered)


def _called(
    ws: Workspace,
    name: str,
    arguments: object,
    settings: DoorSettings,
    limiter: Limiter | None,
    is_structured: bool,
    progress: Callable[[int, int], None] | None,
) -> ToolAnswer:
    tool = _named(name, settings)
    meant, readings = understood(tool, arguments)
    given = fitting(tool, meant)
    require_size(given, settings.max_text_kb)
    known = filled(tool.schema, given)
    made = Call(ws, known, settings, is_structured, progress, note(readings))
    if limiter and not tool.hints.is_read_only and not made.flag("dry_run"):
        limiter.take(settings.writes_per_minute)
    return tool.run(made)


def _named(name: str, settings: DoorSettings) -> Tool:
    known = tools(settings.profile, is_read_only=settings.is_read_only)
    if name in known:
        return known[name]
    if name in tools(settings.profile):
        raise ReadOnlyError(name)
    near = tuple(get_close_matches(str(name)[:40], known))
    raise UnknownToolError(
        f"{one_line(str(name)[:40])}: no such tool", f"one of {', '.join(known)}", candidates=near
    )


def fitting(tool: Tool, arguments: object) -> Mapping[str, Json]:
    """Arguments that fit the schema; InvalidArgumentsError with everything that is wrong."""
    given = {} if arguments is None else arguments
    wrong = list(_first(faults(tool.schema, given), _MAX_FAULTS))
    if wrong or not isinstance(given, Mapping):
        known = ", ".join(tool.schema["properties"])
        raise InvalidArgumentsError(f"{tool.name}: {'; '.join(wrong)}", f"it takes {known}")
    return given


def _first(found: Iterator[str], most: int) -> Iterator[str]:
    for at, each in enumerate(found):
        if at == most:
            yield "and more"
            return
        yield each


def require_size(given: Mapping[str, Json], most_kb: int) -> None:
    """Refuse a text that is longer than this door takes."""
    for name, text in _texts(given):
        if len(text) > most_kb * 256 and len(text.encode()) > most_kb * 1024:
            raise TooLargeError(f"{name}: has more than {most_kb} KB", "write it in several parts")


def _texts(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _texts(each, str(key))
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each, name)


def frames(error: BaseException | None) -> str:
    """Where it went wrong, without messages, which may hold what was asked."""
    import traceback

    found = traceback.extract_tb(error.__traceback__) if error else []
    where = "\n".join(f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in found)
    return f"{type(error).__name__} at\n{where}"


_MINUTE_NS = 60 * 10**9


class Limiter:
    """Counts changes; one for each connection."""

    def __init__(self, clock: clocks.Clock = clocks.now_ns) -> None:
        self._clock, self._lock = clock, Lock()
        self._times: deque[int] = deque()

    def take(self, most: int) -> None:
        """Count one change. RateLimitedError where `most` were made in the last minute."""
        if seconds := self._wait_seconds(most):
            raise RateLimitedError(most, seconds)

    def _wait_seconds(self, most: int) -> int:
        """How long to wait for the next change; 0 where this one was counted."""
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
