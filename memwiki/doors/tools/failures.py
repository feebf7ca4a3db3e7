"""Failures as models read them: a code, what is wrong, and the next step."""

from __future__ import annotations

import re

from memwiki.doors.tools.table import Answer
from memwiki.errors import MemwikiError, NotYoursError
from memwiki.fence import one_line

_MOST_CANDIDATES = 8
_LONGEST = 600
_LONGEST_CANDIDATE = 160
# Hints name commands; a model has the tool of that name, or one that does the same.
_COMMANDS = re.compile(r"\bmemwiki (?=(?:search|recall|links|undo|history|status|move)\b)")
_READS = re.compile(r"\bmemwiki get\b")
_NOT_YOURS = "status what=log says who did what; only the person can take it back"


def failure(error: MemwikiError) -> Answer:
    """What is said of an error."""
    error.spell(_as_argument)
    lines = [f"error {error.code}: {_short(error.message, _LONGEST)}"]
    hint = _NOT_YOURS if isinstance(error, NotYoursError) else _as_tools(error.hint)
    lines += [f"next: {_short(hint, _LONGEST)}"] if hint else []
    shown = error.candidates[:_MOST_CANDIDATES]
    near = " | ".join(_short(each, _LONGEST_CANDIDATE) for each in shown)
    return Answer("\n".join([*lines, *([f"candidates: {near}"] if near else [])]), is_error=True)


def _as_tools(hint: str) -> str:
    return _READS.sub("read", _COMMANDS.sub("", hint))


def _as_argument(name: str, value: str | None) -> str:
    return name if value is None else f"{name}={value}"


def _short(text: str, most: int) -> str:
    said = one_line(text[: 4 * most])
    return said if len(said) <= most else f"{said[:most]}..."
