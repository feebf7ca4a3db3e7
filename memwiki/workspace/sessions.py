"""`Workspace.session` and `Workspace.sessions`: one conversation, and all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memwiki.answers.pages import Edited
from memwiki.clock import iso_of
from memwiki.errors import MemwikiError
from memwiki.nouns import Environ
from memwiki.numbers import limit_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import rebuilding
from memwiki.workspace.asking import Facing, delete_for_good

if TYPE_CHECKING:
    from datetime import datetime

    from memwiki.answers.entries import (
        AddedMessage,
        MessageView,
        SessionImport,
        SessionList,
        SessionView,
    )
    from memwiki.change.plan import Plan

_HARD_NOTE = "changes of this session before cannot be undone; git may still have it"


class SessionFacet:
    """A session by its id; what changes it as a whole shows that with `dry_run`."""

    def __init__(self, live: LiveIndex, id: str, environ: Environ | None = None) -> None:
        from memwiki.sessions.page import paths_of
        from memwiki.sessions.stored import StoredSession

        self.live, self._environ = live, environ
        self.paths = paths_of(live.context, id)
        self._stored = StoredSession(live, self.paths)

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
        from memwiki.answers.entries import AddedMessage
        from memwiki.sessions.stored import new_message

        message = new_message(role, text, name, at, iso_of(self.live.context.clock()))
        view = self._stored.add(message)
        notes, entry = self._stored.slide(), ""
        if notes:  # what left stood above it
            view = next((each for each in self.window() if each.id == view.id), view)
        if self._is_kept(message.role) if daily is None else daily:
            entry, more = self._daily(view)
            notes += more
        return AddedMessage(view, entry, notes)

    def _is_kept(self, role: str) -> bool:
        """Whether the page of the day gets what somebody in this role says by itself."""
        context = self.live.context
        return (
            context.config.memory.is_for_agents
            and bool(context.layers.daily)
            and role.lower() == "user"
        )

    def record(self, transcript: str, *, wait_ms: int | None = None) -> int:
        """Add what a transcript of an agent's program says and this session lacks; say how much.

        In any form that `sessions.import_` reads. Output of tools is shortened, and what looks like
        a secret replaced. Raises UsageError when it holds no conversation, LockedError when others
        write for longer than `wait_ms`.
        """
        from memwiki.sessions.importing import record_transcript

        before = len(self.history()) if self._stored.is_begun else 0
        record_transcript(self.live, self.paths.id, transcript, wait_ms)
        return len(self.history()) - before

    def get(self, limit: int | None = None) -> SessionView:
        """The session with its messages, or the last of them, as the file is now.

        Raises NotFoundError.
        """
        from memwiki.sessions.views import session_view

        return session_view(self.paths.id, self._stored.page(), limit_of(limit))

    def history(self, limit: int | None = None) -> tuple[MessageView, ...]:
        """All that was ever said, or the last messages of it; with what left for the archive."""
        from memwiki.sessions.views import history_of, last

        stored = self._stored
        page, archived = stored.page(), stored.archived() if stored.has_left else None
        return last(history_of(page, archived), limit_of(limit))

    def window(self) -> tuple[MessageView, ...]:
        """The messages that a model is shown: all, or under `session.strategy = sliding_window`
        the last turns, with old tool results in a line each where all are too long."""
        from memwiki.sessions.views import message_views, windowed

        kept = windowed(self._stored.page().messages, self.live.context.config.session)
        return message_views(kept, self.paths.path)

    # --- the session as a whole ---

    def end(self, summary: str | None = None, *, dry_run: bool = False) -> Edited:
        """Note that the session ended, and what it was about; where `extract.on` and the user say
        so, another process then extracts its facts."""
        from memwiki.sessions.page import end_plan

        context, stored = self.live.context, self._stored
        now = iso_of(context.clock())

        def make() -> Plan:
            return end_plan(self.paths.path, stored.data(), context.layers, now, summary)

        edited = stored.commit(make, dry_run=dry_run)
        if context.config.extract.on and self._environ is not None and not dry_run:
            from memwiki.proposals.triggers import session_ended

            session_ended(context, self._environ, self.paths.id)
        return edited

    def compact(self, *, dry_run: bool = False) -> Edited:
        """Leave one line of each tool result but the last `session.keep_recent`; their text goes to
        the archive."""
        from memwiki.sessions.page import require_archive

        require_archive(self.paths, "compact")
        return self._stored.compact(dry_run=dry_run)

    def purge(self, *, hard: bool = False, dry_run: bool = False) -> Edited:
        """Move the session to the archive, together with what left it before; `hard` deletes both
        for good."""
        from memwiki.sessions.page import require_archive

        if not hard:
            require_archive(self.paths, "purge")
            return self._stored.purge(is_final=False, dry_run=dry_run)
        if dry_run:
            return self._purged_for_good(dry_run=True)
        from memwiki.commit.erasing import doomed_files

        paths = list(filter(None, (self.paths.path, self.paths.archived)))
        doomed = doomed_files(self.live, paths, self.paths.id)
        return delete_for_good(self.live, doomed, self._purged_for_good)

    def _purged_for_good(self, *, dry_run: bool = False) -> Edited:
        edited = self._stored.purge(is_final=True, dry_run=dry_run)
        return edited._replace(notes=(*edited.notes, _HARD_NOTE))

    def _daily(self, message: MessageView) -> tuple[str, tuple[str, ...]]:
        """The id of an entry of today's page with the first words of a message, and notes."""
        from memwiki.sessions.stored import daily_request
        from memwiki.workspace.entries import EntriesFacet

        try:
            is_private = self._stored.is_private
            asked = daily_request(message, self.paths.id, is_private=is_private)
            report = EntriesFacet(self.live, {}).add_all([asked])
        except MemwikiError as error:
            return "", (f"added, but not to today's page: {error.message}",)
        return next((each.id for each in (*report.added, *report.repeated)), ""), ()


class SessionsFacet(Facing):
    """All conversations of a workspace."""

    def start(self, id: str = "", *, participants: Sequence[str] = ()) -> SessionView:
        """Begin a session; without an id it is called by the time.

        Raises AlreadyExistsError when there is one of this id.
        """
        from memwiki.sessions.stored import begin

        return self.get(begin(self.live, id, participants))

    def get(self, id: str, *, limit: int | None = None) -> SessionView:
        """A session with its messages, or the last of them, as the file is now.

        Raises NotFoundError.
        """
        return SessionFacet(self.live, id).get(limit)

    @rebuilding
    def list(self, *, limit: int | None = None) -> SessionList:
        """The sessions, the last changed first."""
        from memwiki.sessions.views import list_of

        return list_of(self.live, limit_of(limit))

    @rebuilding
    def import_(self, text: str, *, name: str = "import", dry_run: bool = False) -> SessionImport:
        """Add the conversations of an export: ChatGPT, Claude, Claude Code or JSON lines.

        Messages that are there already are not added again. `name` is the id of the session for
        messages that do not name theirs.
        """
        from memwiki.sessions.importing import import_export

        return import_export(self.live, text, name, dry_run=dry_run)
