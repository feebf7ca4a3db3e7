"""Failures as models read them: a code, what is wrong, and the next step."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from memwiki.doors.tools.hints import in_words_of_tools
from memwiki.doors.tools.packing import PLAIN
from memwiki.doors.tools.table import Answer
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

_MOST_CANDIDATES = 8
_LONGEST = 600
_LONGEST_CANDIDATE = 160
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


def failure(error: MemwikiError, offered: Collection[str] | None = None) -> Answer:
    """What is said of an error, the next step as a call of the tools that are `offered`.

    Hints and candidates name titles and headings of pages, so they are fenced as these are.
    """
    error.spell(_as_argument)
    message = _NOT_MADE_HERE if isinstance(error, NotYoursError) else error.message
    first = f"error {error.code}: {_short(message, _LONGEST)}"
    about = list(_about(error, offered))
    if about and not isinstance(error, _OWN_WORDS):
        about = [PLAIN, *about, CLOSING]
    return Answer("\n".join([first, *about]), is_error=True)


def _about(error: MemwikiError, offered: Collection[str] | None) -> Iterator[str]:
    """The next step, and what was probably meant."""
    is_own = isinstance(error, (NotYoursError, NoWorkspaceError))
    hint = _NOT_YOURS if isinstance(error, NotYoursError) else error.hint
    hint = hint if is_own else in_words_of_tools(hint, offered)
    if hint:
        yield f"next: {_short(hint, _LONGEST)}"
    near = (_short(each, _LONGEST_CANDIDATE) for each in error.candidates[:_MOST_CANDIDATES])
    if said := " | ".join(near):
        yield f"candidates: {said}"


def _as_argument(name: str, value: str | None) -> str:
    return name if value is None else f"{name}={value}"


def _short(text: str, most: int) -> str:
    said = one_line(text[: 4 * most])
    return said if len(said) <= most else f"{said[:most]}..."
