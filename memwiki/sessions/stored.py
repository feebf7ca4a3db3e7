"""A session of a workspace as its files are now, and what changes it under the lock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import NamedTuple

from memwiki.answers.edits import Edited
from memwiki.answers.sessions import MessageView
from memwiki.change.plan import Plan, edit_of
from memwiki.commit.carry_out import carry_out
from memwiki.dates import iso_date
from memwiki.errors import MemwikiError, NotEditableError, PageTooLongError, UsageError
from memwiki.files.read import current_bytes
from memwiki.markdown.fields import is_private
from memwiki.markdown.messages import WrittenMessage, checked_word, with_gap
from memwiki.markdown.source import read_source
from memwiki.markdown.syntax import CATALOG_BEGIN
from memwiki.names import require_text
from memwiki.sessions.leaving import Leaving, left_plan
from memwiki.sessions.page import SessionPage, last_number, new_page
from memwiki.sessions.paths import SessionPaths, is_windowed, not_found, require_new
from memwiki.sessions.views import compactable, first_kept, is_over
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex

_MAX_CHARS = 50
_ORIGINS = {"user": "user", "assistant": "agent", "tool": "tool"}


class StoredSession:
    """The page of a session and what left it for the archive; NotFoundError where neither is."""

    def __init__(self, live: LiveIndex, paths: SessionPaths) -> None:
        self._live, self.paths = live, paths
        self._layers = live.context.layers

    # --- as it is now ---

    def bytes_of(self, path: str) -> bytes | None:
        """The bytes of one of its files; None where there is none."""
        return current_bytes(self._live.context.root, path) if path else None

    @property
    def is_begun(self) -> bool:
        """Whether it has a page."""
        return self.bytes_of(self.paths.path) is not None

    @property
    def has_left(self) -> bool:
        """Whether anything left it for the archive."""
        return bool(self.bytes_of(self.paths.archived))

    @property
    def is_private(self) -> bool:
        """Whether its page is private as a whole."""
        return is_private(self.page().outline.front.fields)

    def data(self) -> bytes:
        """The bytes of its page."""
        data = self.bytes_of(self.paths.path)
        if data is None:
            raise not_found(self.paths)
        return data

    def page(self) -> SessionPage:
        """Its page."""
        return SessionPage(self.paths.path, self.data(), self._layers)

    def archived(self) -> SessionPage:
        """What left it."""
        data = self.bytes_of(self.paths.archived)
        if data is None:
            raise not_found(self.paths)
        return SessionPage(self.paths.archived, data, self._layers)

    def leaving(self) -> Leaving:
        """What may leave it."""
        archived = self.bytes_of(self.paths.archived)
        return Leaving(self.paths, self.data(), archived, self._layers)

    # --- changing it ---

    def commit(self, make: Callable[[], Plan], *, dry_run: bool = False) -> Edited:
        """Carry out a plan that is made under the lock."""
        return carry_out(self._live, make, dry_run=dry_run)

    def add(self, message: NewMessage) -> MessageView:
        """Add a message at its end; it begins with the message if need be."""
        found: list[AddedMessagePlan] = []

        def make() -> Plan:
            found[:] = [added(message, self.paths, self._live.context, self.bytes_of)]
            return found[0].plan

        carry_out(self._live, make, is_brief=True)
        one = found[0]
        role, text, time, name = message
        path = self.paths.path
        return MessageView(one.id, role, name, time, text, path, one.line_start, one.line_end)

    def slide(self) -> tuple[str, ...]:
        """Let the oldest messages leave where the window slides; what could not be done is a
        note: the message is there."""
        config = self._live.context.config
        if not is_windowed(config):
            return ()
        settings, done = config.session, list[Edited]()

        def make() -> Plan:
            leaving = self.leaving()
            return leaving.window_plan(first_kept(leaving.page.messages, settings))

        try:
            messages = self.page().messages
            if first_kept(messages, settings):
                done.append(self.commit(make))
                messages = self.page().messages
            if is_over(messages, settings) and compactable(messages, settings):
                done.append(self.compact())
        except MemwikiError as error:
            return (f"added, but the window did not move: {error.message}",)
        return tuple(note for each in done for note in (each.title, *each.notes))

    def compact(self, *, dry_run: bool = False) -> Edited:
        """Leave one line of each tool result but the last ones."""
        settings = self._live.context.config.session

        def make() -> Plan:
            leaving = self.leaving()
            return leaving.compact_plan(compactable(leaving.page.messages, settings))

        return self.commit(make, dry_run=dry_run)

    def purge(self, *, is_final: bool, dry_run: bool) -> Edited:
        """Move it to the archive, or delete it for good."""
        return self.commit(partial(self._purge_plan, is_final=is_final), dry_run=dry_run)

    def _purge_plan(self, *, is_final: bool) -> Plan:
        if is_final and not self.is_begun:
            return left_plan(self.paths, self.archived())
        return self.leaving().purge_plan(is_final=is_final)


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
        raise UsageError("role: is empty", "user, assistant, system, tool or a name")
    return NewMessage(role, text, time_of(at, now), checked_word("name", name or ""))


def time_of(at: datetime | str | None, now: str) -> str:
    """When something was said, to the second."""
    if at is None or at == "":
        return now
    given = at.isoformat() if isinstance(at, datetime) else at
    found = iso_date(given)
    if "T" not in found:
        raise UsageError(f"at: {given!r} is not a time", "for example 2026-11-21T10:00:00Z")
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
        raise PageTooLongError(
            paths.path,
            len(data),
            context.max_bytes,
            "memwiki session compact {}, or begin another session",
            paths.id,
        )
    last = data.count(b"\n")
    is_more = b"^s-" in base  # what it says first, catalogs say of it
    edit = edit_of(paths.path, existing, data, "message")._replace(is_addition=is_more)
    first = last - block.count("\n") + 1
    return AddedMessagePlan(Plan((edit,)), id_, first, last)


def _base(paths: SessionPaths, existing: bytes | None, context: Context, started: str) -> bytes:
    """What the message is added to; NotEditableError when that is no page of text."""
    if existing is None:
        require_new(context, paths)
        return new_page(paths.path, started, (), context.layers)
    read_source(paths.path, existing)
    if CATALOG_BEGIN.encode() in existing:
        raise NotEditableError.at(
            paths.path, "holds the markers of a catalog, which is no session", "choose another id"
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
