"""A session of a workspace as its files are now, what changes it under the lock, and what leaves it
for the archive: old messages, long tool results, or all of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import NamedTuple

from memwiki.answers.curation import AddReport
from memwiki.answers.entries import AddedMessage, MessageView
from memwiki.answers.pages import Edited
from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.clock import iso_of
from memwiki.commit.carry_out import carry_out
from memwiki.commit.copies import with_copies_gone
from memwiki.dates import iso_date
from memwiki.errors import MemwikiError, NotEditableError, PageTooLongError, UsageError
from memwiki.files.read import current_bytes
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.fields import is_private
from memwiki.markdown.messages import WrittenMessage, checked_word, with_gap
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.source import Patch, read_source
from memwiki.markdown.syntax import CATALOG_BEGIN
from memwiki.names import require_text
from memwiki.nouns import Layers, Message
from memwiki.numbers import counted
from memwiki.sessions.page import (
    SessionPage,
    SessionPaths,
    archive_page,
    as_private_as,
    end_plan,
    is_windowed,
    last_number,
    new_page,
    not_found,
    require_archive,
    require_new,
    start_plan,
)
from memwiki.sessions.views import (
    COMPACTED,
    compactable,
    first_kept,
    history_of,
    in_a_line,
    is_over,
    last,
    message_views,
    window_messages,
)
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.text import pattern

_LEFT = pattern(
    r"(\d+) earlier messages? \((\d+) characters\) moved to (.*)\.(?=\r?$)", re.MULTILINE
)
_NO_LINK = "[]|#^"


class Leaving:
    """A session and what of it is in the archive already, both as they are under the lock."""

    def __init__(
        self, paths: SessionPaths, data: bytes, archived: bytes | None, layers: Layers
    ) -> None:
        self.paths, self.archived, self._layers = paths, archived, layers
        self.page = SessionPage(paths.path, data, layers)

    @cached_property
    def earlier(self) -> SessionPage | None:
        """What is in the archive; NotEditableError when that is no session."""
        if self.archived is None:
            return None
        return SessionPage(self.paths.archived, self.archived, self._layers)

    def window_plan(self, count: int) -> Plan:
        """A plan that moves the oldest messages out."""
        gone = self.page.messages[:count]
        title = f"moved {_messages(gone)} of {self.paths.path} to {self.paths.archived}"
        return self._plan(gone, self._without(gone), title, "window")

    def compact_plan(self, results: Sequence[Message]) -> Plan:
        """A plan that leaves one line of each of these tool results; those without an id stay."""
        named = [each for each in results if each.id]
        patches = [Patch(*self.page.span(each), self._shortened(each)) for each in named]
        what = counted(len(named), "tool result")
        return self._plan(named, patches, f"compacted {what} of {self.paths.path}", "compact")

    def purge_plan(self, *, is_final: bool) -> Plan:
        """A plan that takes the session away: put together again in the archive, or for good."""
        page, archived = self.page, self.archived
        gone = edit_of(page.outline.path, page.data, None, "purged")
        data = None if is_final else self._whole()
        beside = edit_of(self.paths.archived, archived, data, "purged")
        if is_final:
            edits = (gone,) if archived is None else (gone, beside)
            return _purged_for_good(page, edits)
        if archived is None:
            beside = beside._replace(was=page.outline.path)
        title = f"moved {page.outline.path} to {beside.path}: {_messages(page.messages)}"
        return Plan((beside, gone), title, "purge")

    # --- the archive ---

    def _plan(self, gone: Sequence[Message], patches: Sequence[Patch], title: str, op: str) -> Plan:
        page, path = self.page, self.page.outline.path
        if not gone:
            return Plan((), f"{path}: nothing to move", op)
        after = page.outline.patched(patches).data
        kept = self._with(gone)
        edits = [edit_of(path, page.data, after, "moved out")]
        if kept != self.archived:
            before, path = self.archived, self.paths.archived
            moved = edit_of(path, before, kept, "moved in")._replace(is_addition=True)
            edits.insert(0, moved)
        return Plan(tuple(edits), title, op)

    def _with(self, gone: Sequence[Message]) -> bytes:
        """The archive with these messages, but for the line of one whose text is there."""
        page, path, earlier = self.page.outline, self.paths.archived, self.earlier
        start = earlier.outline if earlier else outline_of(path, archive_page(page), self._layers)
        parts = [as_private_as(start, page).data]
        for each in gone:
            if not self._is_there(each):
                block = self.page.written(each)
                parts.append(with_gap(parts[-1], block).encode())
        return b"".join(parts)

    def _is_there(self, message: Message) -> bool:
        earlier = self.earlier if COMPACTED in message.fields else None
        return earlier is not None and message.id in earlier.ids

    def _whole(self) -> bytes:
        """The session as one page: its front matter and what stands above the messages, what had
        left, and what is there."""
        page, earlier = self.page, self.earlier
        if earlier is None:
            return page.data
        stubs = [page.span(e) for e in page.messages if self._is_there(e)]
        text, first, start = page.outline.text, _body(page.outline), len(page.outline.text)
        if page.messages:
            start = page.span(page.messages[0])[0]
        below = page.outline.patched(Patch(*span, "") for span in stubs).text[start:]
        front = _unite(page.outline, earlier.outline)
        inner = earlier.outline.text[_body(earlier.outline) :]
        parts = (front.text[: _body(front)], _LEFT.sub("", text[first:start]), inner, below)
        bare = (part.strip("\r\n") for part in parts)
        return (page.outline.mark + "\n\n".join(filter(None, bare)) + "\n").encode()

    # --- the session ---

    def _without(self, gone: Sequence[Message]) -> list[Patch]:
        """The patches that take messages out, and say in one line how many left so far."""
        page, text = self.page, self.page.outline.text
        size = sum(len(each.text) for each in gone)
        above = page.span(gone[0])[0] if gone else 0
        line = _LEFT.search(text, _body(page.outline), above) if gone else None
        count = len(gone) + (int(line[1]) if line else 0)
        if line:
            size += int(line[2])
        new = f"{counted(count, 'earlier message')} ({size} characters) moved to {self._where}."
        patches = [Patch(*page.span(each), "") for each in gone]
        if line:
            return [Patch(line.start(), line.end(), new), *patches]
        gap = "" if not above or text[:above].endswith(("\n\n", "\r\n\r\n")) else "\n"
        return [Patch(above, above, f"{gap}{new}\n\n"), *patches]

    def _shortened(self, message: Message) -> str:
        fields = {**message.fields, COMPACTED: str(len(message.text))}
        name, text = fields.pop("name", ""), in_a_line(message, self._where)
        more = tuple(fields.items())
        role, time = message.role, message.time
        block = WrittenMessage(role, text, time, message.id, name, more).block
        is_last = self.page.span(message)[1] >= len(self.page.outline.text)
        return block if is_last else f"{block}\n"

    @property
    def _where(self) -> str:
        path = self.paths.archived
        return f"`{path}`" if set(_NO_LINK) & set(path) else f"[[{path.removesuffix('.md')}]]"


def left_plan(paths: SessionPaths, archived: SessionPage) -> Plan:
    """A plan that deletes for good what is left of a session that is in the archive alone."""
    gone = edit_of(paths.archived, archived.data, None, "purged")
    return _purged_for_good(archived, (gone,))


def _purged_for_good(page: SessionPage, edits: tuple[Edit, ...]) -> Plan:
    title = f"purged {page.outline.path} for good: {_messages(page.messages)}"
    return Plan(edits, title, "purge", is_final=True)


def _messages(gone: Sequence[Message]) -> str:
    return counted(len(gone), "message")


def _body(page: Outline) -> int:
    """Where the text below the front matter begins."""
    return page.starts[page.start]


def _unite(page: Outline, earlier: Outline) -> Outline:
    """The page with the fields that only an earlier session of its name has, and its start."""
    for name, value in earlier.front.fields.items():
        is_simple = isinstance(value, str) or all(isinstance(each, str) for each in value)
        if is_simple and (name == "started" or name not in page.front.fields):
            page = set_field(page, name, value if isinstance(value, str) else list(map(str, value)))
    return page


_MAX_CHARS = 50
_HARD_NOTE = "changes of this session before cannot be undone; git may still have it"
_ORIGINS = {"user": "user", "assistant": "agent", "tool": "tool"}


def begin(live: LiveIndex, id_: str, participants: Sequence[str]) -> str:
    """Begin a session; gives its id, which is by the time where none is given."""
    now, found = iso_of(live.context.clock()), list[str]()

    def make() -> Plan:
        plan, paths = start_plan(live.context, id_, participants, now)
        found[:] = [paths.id]
        return plan

    carry_out(live, make, is_brief=True)
    return found[0]


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
    def _is_private(self) -> bool:
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

    def add(self, message: WrittenMessage) -> MessageView:
        """Add a message at its end; it begins with the message if need be."""
        found: list[AddedMessagePlan] = []

        def make() -> Plan:
            found[:] = [plan_message(message, self.paths, self._live.context, self.bytes_of)]
            return found[0].plan

        carry_out(self._live, make, is_brief=True)
        one = found[0]
        return MessageView(
            one.id,
            message.role,
            message.name,
            message.time,
            message.text,
            self.paths.path,
            one.line_start,
            one.line_end,
        )

    def say(
        self,
        message: WrittenMessage,
        note: Callable[[Mapping[str, object]], AddReport],
        *,
        is_daily: bool | None,
    ) -> AddedMessage:
        """Add a message, let the oldest ones leave, and have its first words noted on the page of
        the day; of agents by default that of a user is."""
        view, entry = self.add(message), ""
        notes = self._slide()
        if notes:  # what left stood above it
            view = next((each for each in self.window() if each.id == view.id), view)
        if self._is_kept(message.role) if is_daily is None else is_daily:
            try:
                report = note(daily_request(view, self.paths.id, is_private=self._is_private))
            except MemwikiError as error:
                notes += (f"added, but not to today's page: {error.message}",)
            else:
                entry = next((each.id for each in (*report.added, *report.repeated)), "")
        return AddedMessage(view, entry, notes)

    def _is_kept(self, role: str) -> bool:
        """Whether the page of the day gets what somebody in this role says by itself."""
        is_for_agents = self._live.context.config.memory.is_for_agents
        return is_for_agents and bool(self._layers.daily) and role.lower() == "user"

    def window(self) -> tuple[MessageView, ...]:
        """The messages that a model is shown."""
        kept = window_messages(self.page().messages, self._live.context.config.session)
        return message_views(kept, self.paths.path)

    def history(self, limit: int | None) -> tuple[MessageView, ...]:
        """All that was ever said, or the last messages of it."""
        return last(history_of(self.page(), self.archived() if self.has_left else None), limit)

    def _slide(self) -> tuple[str, ...]:
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
        require_archive(self.paths, "compact")
        settings = self._live.context.config.session

        def make() -> Plan:
            leaving = self.leaving()
            return leaving.compact_plan(compactable(leaving.page.messages, settings))

        return self.commit(make, dry_run=dry_run)

    def end(self, summary: str | None, *, dry_run: bool) -> Edited:
        """Note that it ended, and what it was about."""
        now = iso_of(self._live.context.clock())

        def make() -> Plan:
            return end_plan(self.paths.path, self.data(), self._layers, now, summary)

        return self.commit(make, dry_run=dry_run)

    def purge(self, *, is_final: bool, dry_run: bool) -> Edited:
        """Move it to the archive, or delete it for good."""
        if not is_final:
            require_archive(self.paths, "purge")
        plan = partial(self._purge_plan, is_final=is_final)
        edited = carry_out(self._live, plan, dry_run=dry_run, asks_index=is_final)
        return edited._replace(notes=(*edited.notes, _HARD_NOTE)) if is_final else edited

    def _purge_plan(self, *, is_final: bool) -> Plan:
        if is_final and not self.is_begun:
            plan = left_plan(self.paths, self.archived())
        else:
            plan = self.leaving().purge_plan(is_final=is_final)
        return with_copies_gone(self._live, self.paths.path, plan) if is_final else plan


class AddedMessagePlan(NamedTuple):
    """The plan that adds a message, the id that it gets, and its first and last line."""

    plan: Plan
    id: str
    line_start: int
    line_end: int


def new_message(
    role: str, text: str, name: str | None, at: datetime | str | None, now: str
) -> WrittenMessage:
    """A message that can be written, whose id is drawn under the lock; UsageError when it
    cannot."""
    require_text("session add", role, text, name or "")
    role = checked_word("role", role)
    if not role:
        raise UsageError("role: is empty", "user, assistant, system, tool or a name")
    return WrittenMessage(role, text, time_of(at, now), "", checked_word("name", name or ""))


def time_of(at: datetime | str | None, now: str) -> str:
    """When something was said, to the second."""
    if at is None or at == "":
        return now
    given = at.isoformat() if isinstance(at, datetime) else at
    found = iso_date(given)
    if "T" not in found:
        raise UsageError(f"at: {given!r} is not a time", "for example 2026-11-21T10:00:00Z")
    return found


def plan_message(
    message: WrittenMessage,
    paths: SessionPaths,
    context: Context,
    read: Callable[[str], bytes | None],
) -> AddedMessagePlan:
    """The message at the end of its session as it is now, which begins with it if need be."""
    existing = read(paths.path)
    base = _base(paths, existing, context, message.time)
    archived = read(paths.archived) if paths.archived and not last_number(base) else None
    id_ = f"s-{max(last_number(base), last_number(archived or b'')) + 1:04}"
    block = message._replace(id=id_).block
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
