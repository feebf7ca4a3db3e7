"""The one way into the tools: arguments checked, limits kept, every failure an answer, as models
read it: a code, what is wrong, and the next step in the words of a tool."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from memwiki import clock as clocks
from memwiki.errors import (
    ConflictError,
    EtagRequiredError,
    InvalidArgumentsError,
    MemwikiError,
    NeedsModelError,
    NotYoursError,
    NoWorkspaceError,
    PrivateError,
    RateLimitedError,
    ReadOnlyError,
    TooLargeError,
    UnknownToolError,
)
from memwiki.fence import CLOSING, one_line
from memwiki.nouns import Json
from memwiki.text import pattern
from memwiki.tools.aliases import OF_OTHER_TOOLS
from memwiki.tools.arguments import note, place_paths, understood
from memwiki.tools.packing import PLAIN
from memwiki.tools.profiles import tools
from memwiki.tools.schema import faults, fill_defaults
from memwiki.tools.table import Call, Tool, ToolAnswer

if TYPE_CHECKING:
    from memwiki.tools.table import DoorSettings
    from memwiki.workspace import Workspace


_MAX_CANDIDATES = 8
_MAX_MESSAGE_CHARS = 600
_MAX_CANDIDATE_CHARS = 160
# Raised at the doors, with hints that quote nothing that is stored.
_OWN_WORDS = (
    EtagRequiredError,
    InvalidArgumentsError,
    NeedsModelError,
    NoWorkspaceError,
    NotYoursError,
    PrivateError,
    RateLimitedError,
    ReadOnlyError,
    TooLargeError,
    UnknownToolError,
)
# Titles of changes and names of clients are untrusted text: who did what, the log says, fenced.
_NOT_MADE_HERE = "undo: somebody else made the {}; nothing was undone"
_NOT_YOURS = "status what=log says who did what; only the person can take it back"


def failure(error: MemwikiError, offered: Collection[str] | None = None) -> ToolAnswer:
    """What is said of an error, the next step as a call of the tools that are `offered`.

    Hints and candidates name titles and headings of pages, so they are fenced as these are.
    """
    error.spell(_as_argument)
    message = error.message
    if isinstance(error, NotYoursError):
        which = f"change before your last {error.later}" if error.later else "last change"
        message = _NOT_MADE_HERE.format(which)
    first = f"error {error.code}: {_short(message, _MAX_MESSAGE_CHARS)}"
    about = list(_about(error, offered))
    if about and not isinstance(error, _OWN_WORDS):
        about = [PLAIN, *about, CLOSING]
    return ToolAnswer("\n".join([first, *about]), is_error=True)


def _about(error: MemwikiError, offered: Collection[str] | None) -> Iterator[str]:
    """The next step, and what was probably meant."""
    is_own = isinstance(error, (NotYoursError, NoWorkspaceError))
    hint = error.hint
    if isinstance(error, NotYoursError):
        hint = f"undo steps={error.later} takes back yours" if error.later else _NOT_YOURS
    hint = hint if is_own else in_words_of_tools(hint, offered)
    if hint:
        yield f"next: {_short(hint, _MAX_MESSAGE_CHARS)}"
    near = (_short(each, _MAX_CANDIDATE_CHARS) for each in error.candidates[:_MAX_CANDIDATES])
    if said := " | ".join(near):
        yield f"candidates: {said}"


def _as_argument(name: str, value: str | None) -> str:
    name = {"expect": "etag"}.get(name, name)
    return name if value is None else f"{name}={value}"


def _short(text: str, most: int) -> str:
    said = one_line(text[: 4 * most])
    return said if len(said) <= most else f"{said[:most]}..."


_WORD = r"('(?:[^']|'\"'\"')*'|[^\s;,)]+)"


# Commands, with `%` for each word that they take, and the same as calls of a tool; the longer form
# of a command goes before the shorter one.
_ROWS = (
    ("get NAME --json gives it as digest, and its beginning as etag", "read name=NAME gives it"),
    ("entry get %", r"read name=\1"),
    ("entry list", "browse what=memories"),
    ("entry similar TEXT", "recall question=TEXT"),
    ("entity list", "entities action=list"),
    ("add %", r"add memories=[\1]"),
    ("get %", r"read name=\1"),
    ("list", "browse"),
    ("browse", "browse"),
    ("tags", "browse what=tags"),
    ("search %", r"search query=\1"),
    ("recall %", r"recall question=\1"),
    ("recall", "recall"),
    ("links % --out", r"links name=\1 direction=out"),
    ("links %", r"links name=\1"),
    ("graph % --depth %", r"links name=\1 depth=\2"),
    ("graph %", r"links name=\1"),
    ("history %", r"history name=\1"),
    ("show % --at %", r"history name=\1 at=\2"),
    ("undo --dry-run", "undo dry_run=true"),
    ("log show", "status what=log"),
    ("status %", r"status path=\1"),
    ("status", "status"),
    ("new %", r"write action=create name=\1"),
    ("append % TEXT", r"write action=append name=\1 text=TEXT"),
    ("set NAME key=value", "write action=set_fields name=NAME fields={key: value}"),
    ("set", "write action=set_fields"),
    ("move OLD NEW", "move name=OLD to=NEW"),
    ("move %", r"move name=\1"),
    ("tag merge % %", r"tag action=merge old=\1 new=\2"),
    ("tag rename % %", r"tag action=rename old=\1 new=\2"),
    ("unlink % % --relation %", r"relate a=\1 b=\2 as=\3 remove=true"),
    ("unlink % %", r"relate a=\1 b=\2 remove=true"),
    ("entity merge % %", r"entities action=merge a=\1 b=\2"),
    ("session list", "session action=show"),
    ("session start %", r"session action=start id=\1"),
    ("session add % TEXT", r"session action=add id=\1 text=TEXT"),
    ("session end % --summary TEXT", r"session action=end id=\1 summary=TEXT"),
    ("undo", "undo"),
)
_SAID_OF_IT = "can|could|does|lists|makes|names|shows|takes|updates|writes"
_ANY = pattern(rf"\bmemwiki (?=-|(?!(?:{_SAID_OF_IT})\b)[a-z]+\b)")
_BY_A_PERSON = "ask the person to run: memwiki "


def in_words_of_tools(hint: str, offered: Collection[str] | None = None) -> str:
    """A hint with each command as a call of a tool that is offered, of which None means all; what
    no tool does, the person is asked for."""
    for command, call in _ROWS:
        if offered is None or call.split()[0] in offered:
            hint = _pattern(command).sub(call, hint)
    return _ANY.sub(_BY_A_PERSON, hint, count=1)


def _pattern(command: str) -> re.Pattern[str]:
    words = (_WORD if word == "%" else re.escape(word) for word in command.split())
    return re.compile(rf"\bmemwiki {' '.join(words)}(?![\w-])(?! --)")


UNEXPECTED = "error unexpected: a bug in memwiki\nnext: try another way, or tell the person"
_MAX_FAULTS = 20
_UNSETTLED = ConflictError("what is private is being changed", "ask again")
_TEXTLESS = "the shared index has no words of pages and memories: the person feeds it with --texts"
_MISLED = "the settings cannot be used: nothing is written until the person mends memwiki.toml"
_MAX_ATTEMPTS = 5  # for an answer from one state, while others write without a pause


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
    tries = _MAX_ATTEMPTS if tool and tool.hints.is_read_only else 1
    try:
        for _ in range(tries):
            with ws.one_sweep(progress) as is_current:
                shown = ws if settings.has_private else ws.public()
                private = shown.private_pages()
                ask = partial(
                    _call, shown, name, arguments, settings, limiter, is_structured, progress
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
        return ToolAnswer(UNEXPECTED, is_error=True)


def _answered(ask: Callable[[], ToolAnswer], settings: DoorSettings) -> ToolAnswer:
    try:
        return ask()
    except MemwikiError as error:
        offered = tools(settings.profile, is_read_only=settings.is_read_only)
        return failure(error, offered)


def _call(
    ws: Workspace,
    name: str,
    arguments: object,
    settings: DoorSettings,
    limiter: Limiter | None,
    is_structured: bool,
    progress: Callable[[int, int], None] | None,
) -> ToolAnswer:
    tool = _tool_named(name, settings)
    meant, readings = understood(tool, arguments)
    given = fitting(tool, meant)
    require_size(given, settings.max_text_kb)
    known = place_paths(fill_defaults(tool.schema, given), ws.root)
    misled = ws.settings_error
    if misled and not tool.hints.is_read_only:
        raise misled
    remarks = (note(readings), _MISLED if misled else "", _TEXTLESS if ws.lacks_texts else "")
    said = "; ".join(filter(None, remarks))
    made = Call(ws, known, settings, is_structured, progress, said)
    if limiter and not tool.hints.is_read_only and not made.flag("dry_run"):
        limiter.take(settings.writes_per_minute)
    return tool.run(made)


def _tool_named(name: str, settings: DoorSettings) -> Tool:
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
        asked = given.get("action") if isinstance(given, Mapping) else ""
        hint = OF_OTHER_TOOLS.get(f"{tool.name} {asked}", f"it takes {known}")
        raise InvalidArgumentsError(f"{tool.name}: {'; '.join(wrong)}", hint)
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
