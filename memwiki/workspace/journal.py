"""`Workspace.journal`: what was done, read, and noted where memwiki did not do it itself."""

from __future__ import annotations

from collections.abc import Collection

from memwiki.answers.pages import LogEntry, LogList
from memwiki.numbers import limit_of
from memwiki.sync.reading import rebuilding
from memwiki.workspace.asking import Facing


class JournalFacet(Facing):
    """The journal of a workspace; NotFoundError where it keeps none."""

    def list(
        self, *, since: str = "", op: str = "", by: str = "", limit: int | None = None
    ) -> LogList:
        """Entries of the journal and of what was shelved from it, newest first.

        `since` is a day or an age such as `2w`, `by` who did it, or how that name begins.
        """
        from memwiki.history.journal import journal_entries

        names = self._hidden_names()
        return journal_entries(self.live.context, since, op, by, limit_of(limit), names)

    @rebuilding
    def _hidden_names(self) -> Collection[str]:
        """The names of what is private, which nothing is told of that has one of them."""
        if not self.live.context.is_public:
            return ()
        from memwiki.memory.privacy import names_of_private

        return names_of_private(self.live)

    def add(self, op: str, title: str, *notes: str) -> LogEntry:
        """Note what was done by other means."""
        from memwiki.history.journal import note

        return note(self.live.context, op, title, notes)
