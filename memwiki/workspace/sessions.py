"""`Workspace.session` and `Workspace.sessions`: one conversation, and all of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from memwiki.answers.entries import (
    AddedMessage,
    MessageView,
    SessionImport,
    SessionList,
    SessionView,
)
from memwiki.answers.pages import Edited
from memwiki.clock import iso_of
from memwiki.names import texts
from memwiki.nouns import Environ
from memwiki.numbers import limit_of
from memwiki.sessions.page import paths_of
from memwiki.sessions.stored import StoredSession, begin, new_message
from memwiki.sessions.views import list_of, session_view
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Facing, rebuilding
from memwiki.workspace.deletion import delete_files


class SessionFacet:
    """A session by its id; what changes it as a whole shows that with `dry_run`."""

    def __init__(self, live: LiveIndex, id: str, environ: Environ | None = None) -> None:
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
        from memwiki.workspace.entries import EntriesFacet

        message = new_message(role, text, name, at, iso_of(self.live.context.clock()))
        note = EntriesFacet(self.live).add_all
        return self._stored.say(message, lambda asked: note([asked]), is_daily=daily)

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
        return session_view(self.paths.id, self._stored.page(), limit_of(limit))

    def history(self, limit: int | None = None) -> tuple[MessageView, ...]:
        """All that was ever said, or the last messages of it; with what left for the archive."""
        return self._stored.history(limit_of(limit))

    def window(self) -> tuple[MessageView, ...]:
        """The messages that a model is shown: all, or under `session.strategy = sliding_window`
        the last turns, with old tool results in a line each where all are too long."""
        return self._stored.window()

    # --- the session as a whole ---

    def end(self, summary: str | None = None, *, dry_run: bool = False) -> Edited:
        """Note that the session ended, and what it was about; where `extract.on` and the user say
        so, another process then extracts its facts."""
        context = self.live.context
        edited = self._stored.end(summary, dry_run=dry_run)
        if context.config.extract.on and self._environ is not None and not dry_run:
            from memwiki.proposals.triggers import session_ended

            session_ended(context, self._environ, self.paths.id)
        return edited

    def compact(self, *, dry_run: bool = False) -> Edited:
        """Leave one line of each tool result but the last `session.keep_recent`; their text goes to
        the archive."""
        return self._stored.compact(dry_run=dry_run)

    def purge(self, *, hard: bool = False, dry_run: bool = False) -> Edited:
        """Move the session to the archive, together with what left it before; `hard` deletes both
        for good."""
        take = partial(self._stored.purge, is_final=hard, dry_run=dry_run)
        paths = list(filter(None, (self.paths.path, self.paths.archived)))
        is_final = hard and not dry_run
        return delete_files(self.live, paths, take, is_final=is_final, session=self.paths.id)


class SessionsFacet(Facing):
    """All conversations of a workspace."""

    def start(self, id: str = "", *, participants: Sequence[str] = ()) -> SessionView:
        """Begin a session; without an id it is called by the time.

        Raises AlreadyExistsError when there is one of this id.
        """
        return self.get(begin(self.live, id, texts(participants)))

    def get(self, id: str, *, limit: int | None = None) -> SessionView:
        """A session with its messages, or the last of them, as the file is now.

        Raises NotFoundError.
        """
        return SessionFacet(self.live, id).get(limit)

    @rebuilding
    def list(self, *, limit: int | None = None) -> SessionList:
        """The sessions, the last changed first."""
        return list_of(self.live, limit_of(limit))

    @rebuilding
    def import_(self, text: str, *, name: str = "import", dry_run: bool = False) -> SessionImport:
        """Add the conversations of an export: ChatGPT, Claude, Claude Code or JSON lines.

        Messages that are there already are not added again. `name` is the id of the session for
        messages that do not name theirs.
        """
        from memwiki.sessions.importing import import_export

        return import_export(self.live, text, name, dry_run=dry_run)
