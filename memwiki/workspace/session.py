"""`Workspace.session`: one conversation, message by message."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memwiki.answers.edits import Edited
from memwiki.clock import iso_of
from memwiki.errors import MemwikiError
from memwiki.numbers import limit_of
from memwiki.sync.live import LiveIndex

if TYPE_CHECKING:
    from datetime import datetime

    from memwiki.answers.sessions import AddedMessage, MessageView, SessionView
    from memwiki.change.plan import Plan
    from memwiki.importing import ConversationExport
    from memwiki.sessions.adding import Adding, NewMessage
    from memwiki.sessions.leaving import Leaving
    from memwiki.sessions.page import SessionPage

_HARD_NOTE = "changes of this session before cannot be undone; git may still have it"


class SessionFacet:
    """A session by its id; what changes it as a whole shows that with `dry_run`."""

    def __init__(self, live: LiveIndex, id: str) -> None:
        from memwiki.sessions.paths import paths_of

        self.live = live
        self.paths = paths_of(live.context, id)

    # --- what was said ---

    def add_message(
        self,
        role: str,
        text: str,
        name: str | None = None,
        at: datetime | str | None = None,
        *,
        daily: bool | None = None,
    ) -> AddedMessage:
        """Add a message at the end; the session begins with it if need be.

        With `daily` today's page gets an entry of its first words; with the preset agent what users
        say does by itself. Under a sliding window the oldest messages leave for the archive.
        """
        from memwiki.answers.sessions import AddedMessage
        from memwiki.sessions.adding import new_message

        context = self.live.context
        message = new_message(role, text, name, at, iso_of(context.clock()))
        view = self._added(message)
        notes, entry = self._slid(), ""
        if notes:  # what left stood above it
            view = next((each for each in self.window() if each.id == view.id), view)
        if daily is None:
            is_kept = context.config.memory.is_for_agents and bool(context.layers.daily)
            daily = is_kept and message.role.lower() == "user"
        if daily:
            entry, said = self._daily(view)
            notes += said
        return AddedMessage(view, entry, notes)

    def record(self, transcript: str, *, wait_ms: int | None = None) -> int:
        """Add what a transcript of an agent's program says and this session lacks; say how much.

        In any form that `sessions.import_` reads. Output of tools is shortened, and what looks like
        a secret replaced. Raises UsageError when it holds no conversation, LockedError when others
        write for longer than `wait_ms`.
        """
        from functools import partial

        from memwiki.files.read import current_bytes
        from memwiki.importing import adapter
        from memwiki.sessions.importing import Importing
        from memwiki.sessions.recording import recorded
        from memwiki.workspace.carry_out import add_locked

        context = self.live.context
        read_export = adapter("conversations").read_export
        export: ConversationExport = read_export(transcript, self.paths.id)
        before = len(self.history()) if self._bytes(self.paths.path) is not None else 0
        read = partial(current_bytes, context.root)

        def make() -> Plan:
            importing = Importing(context, read, iso_of(context.clock()))
            return recorded(export.conversations, self.paths.id, importing)

        add_locked(self.live, make, wait_ms)
        return len(self.history()) - before

    def get(self, limit: int | None = None) -> SessionView:
        """The session with its messages, or the last of them, as the file is now.

        Raises NotFoundError.
        """
        from memwiki.sessions.views import session_view

        return session_view(self.paths.id, self._page(), limit_of(limit))

    def history(self, limit: int | None = None) -> tuple[MessageView, ...]:
        """All that was ever said, or the last messages of it; with what left for the archive."""
        from memwiki.sessions.views import history_of, last

        page, data = self._page(), self._bytes(self.paths.archived)
        return last(history_of(page, self._archived() if data else None), limit_of(limit))

    def window(self) -> tuple[MessageView, ...]:
        """The messages that a model is shown: all, or under `session.strategy = sliding_window`
        the last turns, with old tool results in a line each where all are too long."""
        from memwiki.sessions.views import message_views
        from memwiki.sessions.window import windowed

        page = self._page()
        kept = windowed(page.messages, self.live.context.config.session)
        return message_views(kept, self.paths.path)

    # --- the session as a whole ---

    def end(self, summary: str | None = None, *, dry_run: bool = False) -> Edited:
        """Note that the session ended, and what it was about."""
        from memwiki.sessions.ending import end_plan

        context = self.live.context
        now = iso_of(context.clock())

        def make() -> Plan:
            return end_plan(self.paths.path, self._held(), context.layers, now, summary)

        return self._carried_out(make, dry_run=dry_run)

    def compact(self, *, dry_run: bool = False) -> Edited:
        """Leave one line of each tool result but the last `session.keep_recent`; their text goes to
        the archive."""
        from memwiki.sessions.paths import require_archive
        from memwiki.sessions.window import compactable

        require_archive(self.paths, "compact")
        settings = self.live.context.config.session

        def make() -> Plan:
            leaving = self._leaving()
            return leaving.compact_plan(compactable(leaving.page.messages, settings))

        return self._carried_out(make, dry_run=dry_run)

    def purge(self, *, hard: bool = False, dry_run: bool = False) -> Edited:
        """Move the session to the archive, together with what left it before; `hard` deletes both
        for good."""
        from memwiki.sessions.leaving import left_plan
        from memwiki.sessions.paths import require_archive

        if not hard:
            require_archive(self.paths, "purge")

        def make() -> Plan:
            if hard and self._bytes(self.paths.path) is None:
                return left_plan(self.paths, self._archived())
            return self._leaving().purge_plan(is_final=hard)

        if not hard:
            return self._carried_out(make, dry_run=dry_run)

        def purge() -> Edited:
            edited = self._carried_out(make, dry_run=dry_run)
            return edited._replace(notes=(*edited.notes, _HARD_NOTE))

        if dry_run:
            return purge()
        from memwiki.workspace.erasing import doomed_files, erasing

        paths = list(filter(None, (self.paths.path, self.paths.archived)))
        return erasing(self.live, doomed_files(self.live, paths, self.paths.id), purge)

    # --- what they share ---

    def _added(self, message: NewMessage) -> MessageView:
        from memwiki.answers.sessions import MessageView
        from memwiki.sessions.adding import added
        from memwiki.workspace.carry_out import add_locked

        found: list[Adding] = []

        def make() -> Plan:
            found[:] = [added(message, self.paths, self.live.context, self._bytes)]
            return found[0].plan

        add_locked(self.live, make)
        one = found[0]
        role, text, time, name = message
        path = self.paths.path
        return MessageView(one.id, role, name, time, text, path, one.line_start, one.line_end)

    def _slid(self) -> tuple[str, ...]:
        """Let the oldest messages leave where the window slides; what could not be done is a
        note: the message is there."""
        from memwiki.sessions.paths import is_windowed
        from memwiki.sessions.window import compactable, first_kept, is_over

        config = self.live.context.config
        if not is_windowed(config):
            return ()
        settings, done = config.session, list[Edited]()

        def make() -> Plan:
            leaving = self._leaving()
            return leaving.window_plan(first_kept(leaving.page.messages, settings))

        try:
            messages = self._page().messages
            if first_kept(messages, settings):
                done.append(self._carried_out(make))
                messages = self._page().messages
            if is_over(messages, settings) and compactable(messages, settings):
                done.append(self.compact())
        except MemwikiError as error:
            return (f"added, but the window did not move: {error.message}",)
        return tuple(note for each in done for note in (each.title, *each.notes))

    def _daily(self, said: MessageView) -> tuple[str, tuple[str, ...]]:
        """The id of an entry of today's page with the first words of a message."""
        from memwiki.markdown.fields import is_private
        from memwiki.sessions.daily import daily_request
        from memwiki.workspace.entries import EntriesFacet

        try:
            hidden = is_private(self._page().outline.front.fields)
            asked = daily_request(said, self.paths.id, is_private=hidden)
            report = EntriesFacet(self.live, {}).add_all([asked])
        except MemwikiError as error:
            return "", (f"added, but not to today's page: {error.message}",)
        return next((each.id for each in (*report.added, *report.repeated)), ""), ()

    def _page(self) -> SessionPage:
        from memwiki.sessions.page import SessionPage

        return SessionPage(self.paths.path, self._held(), self.live.context.layers)

    def _archived(self) -> SessionPage:
        """What left the session; NotFoundError when nothing did."""
        from memwiki.sessions.page import SessionPage
        from memwiki.sessions.paths import not_found

        data = self._bytes(self.paths.archived)
        if data is None:
            raise not_found(self.paths)
        return SessionPage(self.paths.archived, data, self.live.context.layers)

    def _leaving(self) -> Leaving:
        from memwiki.sessions.leaving import Leaving

        archived = self._bytes(self.paths.archived)
        return Leaving(self.paths, self._held(), archived, self.live.context.layers)

    def _held(self) -> bytes:
        from memwiki.sessions.paths import not_found

        data = self._bytes(self.paths.path)
        if data is None:
            raise not_found(self.paths)
        return data

    def _bytes(self, path: str) -> bytes | None:
        from memwiki.files.read import current_bytes

        return current_bytes(self.live.context.root, path) if path else None

    def _carried_out(self, make: Callable[[], Plan], *, dry_run: bool = False) -> Edited:
        from memwiki.workspace.carry_out import carry_out_locked

        return carry_out_locked(self.live, make, dry_run=dry_run)
