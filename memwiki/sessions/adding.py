"""A message on its way to the end of a session's page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from memwiki.answers.sessions import MessageView
from memwiki.change.plan import Edit, Plan
from memwiki.dates import iso_date
from memwiki.digest import digest_if_any
from memwiki.errors import NotEditableError, PageTooLongError, UsageError, shell_word
from memwiki.markdown.edit.messages import WrittenMessage, checked_word, with_gap
from memwiki.markdown.source import read_source
from memwiki.markdown.syntax import CATALOG_BEGIN
from memwiki.names import require_text
from memwiki.sessions.page import last_number, new_page
from memwiki.sessions.paths import SessionPaths, require_new
from memwiki.sync.context import Context

_MAX_CHARS = 50
_ORIGINS = {"user": "user", "assistant": "agent", "tool": "tool"}


class NewMessage(NamedTuple):
    """What was said, as it is to be written; the id is drawn under the lock."""

    role: str
    text: str
    time: str
    name: str


class AddedMessagePlan(NamedTuple):
    """The plan that adds a message, the id that it gets, and its first and last line."""

    plan: Plan
    id: str
    line_start: int
    line_end: int


def new_message(
    role: str, text: str, name: str | None, at: datetime | str | None, now: str
) -> NewMessage:
    """A message that can be written; UsageError when it cannot."""
    require_text("session add", role, text, name or "")
    role = checked_word("role", role)
    if not role:
        raise UsageError("role: is empty", hint="user, assistant, system, tool or a name")
    return NewMessage(role, text, time_of(at, now), checked_word("name", name or ""))


def time_of(at: datetime | str | None, now: str) -> str:
    """When something was said, to the second."""
    if at is None or at == "":
        return now
    given = at.isoformat() if isinstance(at, datetime) else at
    found = iso_date(given)
    if "T" not in found:
        raise UsageError(f"at: {given!r} is not a time", hint="for example 2026-11-21T10:00:00Z")
    return found


def added(
    message: NewMessage, paths: SessionPaths, context: Context, read: Callable[[str], bytes | None]
) -> AddedMessagePlan:
    """The message at the end of its session as it is now, which begins with it if need be."""
    existing = read(paths.path)
    base = _base(paths, existing, context, message.time)
    archived = read(paths.archived) if paths.archived and not last_number(base) else None
    id_ = f"s-{max(last_number(base), last_number(archived or b'')) + 1:04}"
    written = WrittenMessage(message.role, message.text, message.time, id_, message.name)
    block = written.block
    data = base + with_gap(base, block).encode()
    if len(data) > context.max_bytes:
        hint = f"memwiki session compact {shell_word(paths.id)}, or begin another session"
        raise PageTooLongError(paths.path, len(data), context.max_bytes, hint=hint)
    last = data.count(b"\n")
    is_more = b"^s-" in base  # what it says first, catalogs say of it
    edit = Edit(paths.path, digest_if_any(existing), data, "message", existing, is_addition=is_more)
    first = last - block.count("\n") + 1
    return AddedMessagePlan(Plan((edit,)), id_, first, last)


def _base(paths: SessionPaths, existing: bytes | None, context: Context, started: str) -> bytes:
    """What the message is added to; NotEditableError when that is no page of text."""
    if existing is None:
        require_new(context, paths)
        return new_page(paths.path, started, (), context.layers)
    read_source(paths.path, existing)
    if CATALOG_BEGIN.encode() in existing:
        raise NotEditableError(
            f"{paths.path}: holds the markers of a catalog, which is no session",
            hint="choose another id",
            path=paths.path,
        )
    return existing


def daily_request(message: MessageView, session: str, *, is_private: bool) -> Mapping[str, object]:
    """The entry that is asked for."""
    return {
        "text": first_words(message.text),
        "to": "daily",
        "session": session,
        "at": message.time,
        "private": is_private,
        "origin": _ORIGINS.get(message.role.lower(), ""),
    }


def first_words(text: str) -> str:
    """The beginning of a text on one line, cut at a word boundary."""
    whole = " ".join(text[: 20 * _MAX_CHARS].split())
    if len(whole) <= _MAX_CHARS:
        return whole
    head, blank, _ = whole[: _MAX_CHARS + 1].rpartition(" ")
    return head if blank else whole[:_MAX_CHARS]
