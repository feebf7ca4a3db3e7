"""Failures as models read them: a code, what is wrong, and the next step in the words of a tool."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from memwiki.errors import (
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
from memwiki.text import pattern
from memwiki.tools.packing import PLAIN
from memwiki.tools.table import ToolAnswer

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
_NOT_MADE_HERE = "undo: somebody else made the last change; nothing was undone"
_NOT_YOURS = "status what=log says who did what; only the person can take it back"


def failure(error: MemwikiError, offered: Collection[str] | None = None) -> ToolAnswer:
    """What is said of an error, the next step as a call of the tools that are `offered`.

    Hints and candidates name titles and headings of pages, so they are fenced as these are.
    """
    error.spell(_as_argument)
    message = _NOT_MADE_HERE if isinstance(error, NotYoursError) else error.message
    first = f"error {error.code}: {_short(message, _MAX_MESSAGE_CHARS)}"
    about = list(_about(error, offered))
    if about and not isinstance(error, _OWN_WORDS):
        about = [PLAIN, *about, CLOSING]
    return ToolAnswer("\n".join([first, *about]), is_error=True)


def _about(error: MemwikiError, offered: Collection[str] | None) -> Iterator[str]:
    """The next step, and what was probably meant."""
    is_own = isinstance(error, (NotYoursError, NoWorkspaceError))
    hint = _NOT_YOURS if isinstance(error, NotYoursError) else error.hint
    hint = hint if is_own else in_words_of_tools(hint, offered)
    if hint:
        yield f"next: {_short(hint, _MAX_MESSAGE_CHARS)}"
    near = (_short(each, _MAX_CANDIDATE_CHARS) for each in error.candidates[:_MAX_CANDIDATES])
    if said := " | ".join(near):
        yield f"candidates: {said}"


def _as_argument(name: str, value: str | None) -> str:
    return name if value is None else f"{name}={value}"


def _short(text: str, most: int) -> str:
    said = one_line(text[: 4 * most])
    return said if len(said) <= most else f"{said[:most]}..."


_WORD = r"('(?:[^']|'\"'\"')*'|[^\s;,)]+)"


# Commands, with `%` for each word that they take, and the same as calls of a tool; the longer form
# of a command goes before the shorter one.
_ROWS = (
    ("get NAME --json", "read name=NAME"),
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
    ("new %", r"write action=create name=\1"),
    ("append % TEXT", r"write action=append name=\1 text=TEXT"),
    ("set NAME key=value", "write action=set_fields name=NAME fields={key: value}"),
    ("set", "write action=set_fields"),
    ("move OLD NEW", "move name=OLD to=NEW"),
    ("move %", r"move name=\1"),
    ("tag merge % %", r"tag action=merge old=\1 new=\2"),
    ("tag rename % %", r"tag action=rename old=\1 new=\2"),
    ("unlink % %", r"relate a=\1 b=\2 remove=true"),
    ("entity merge % %", r"entities action=merge a=\1 b=\2"),
    ("session list", "session action=show"),
    ("session start %", r"session action=start id=\1"),
    ("session add % TEXT", r"session action=add id=\1 text=TEXT"),
    ("undo", "undo"),
)
_ANY = pattern(r"\bmemwiki (?=-|[a-z]+\b)")
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
