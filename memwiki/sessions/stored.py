"""A session of a workspace as its files are now, and what changes it under the lock."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from memwiki.answers.edits import Edited
from memwiki.answers.sessions import MessageView
from memwiki.change.plan import Plan
from memwiki.commit.carry_out import add_locked, carry_out_locked
from memwiki.errors import MemwikiError
from memwiki.files.read import current_bytes
from memwiki.markdown.fields import is_private
from memwiki.sessions.adding import AddedMessagePlan, NewMessage, added
from memwiki.sessions.leaving import Leaving, left_plan
from memwiki.sessions.page import SessionPage
from memwiki.sessions.paths import SessionPaths, is_windowed, not_found
from memwiki.sessions.window import compactable, first_kept, is_over
from memwiki.sync.live import LiveIndex


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
        return carry_out_locked(self._live, make, dry_run=dry_run)

    def add(self, message: NewMessage) -> MessageView:
        """Add a message at its end; it begins with the message if need be."""
        found: list[AddedMessagePlan] = []

        def make() -> Plan:
            found[:] = [added(message, self.paths, self._live.context, self.bytes_of)]
            return found[0].plan

        add_locked(self._live, make)
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
