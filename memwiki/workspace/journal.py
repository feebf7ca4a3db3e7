"""`Workspace.journal`: what was done, read, and noted where memwiki did not do it itself."""

from __future__ import annotations

import re
from collections.abc import Collection

from memwiki.answers.history import LogEntry, LogList
from memwiki.change import apply as applying
from memwiki.change.journal import JournalEntry
from memwiki.clock import local_day
from memwiki.errors import UsageError
from memwiki.names import require_text
from memwiki.numbers import limit_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import rebuilding

_OP = re.compile(r"[^\s|][^|\n]{0,39}")


class JournalFacet:
    """The journal of a workspace; NotFoundError where it keeps none."""

    def __init__(self, live: LiveIndex) -> None:
        self.live = live
        self._context = live.context

    def list(
        self, *, since: str = "", op: str = "", by: str = "", limit: int | None = None
    ) -> LogList:
        """Entries of the journal and of what was shelved from it, newest first.

        `since` is a day or an age such as `2w`, `by` who did it, or how that name begins.
        """
        from memwiki.history.journal import journal_entries

        names = self._hidden_names()
        return journal_entries(self._context, since, op, by, limit_of(limit), names)

    @rebuilding
    def _hidden_names(self) -> Collection[str]:
        """The names of what is private, which nothing is told of that has one of them."""
        if not self._context.is_public:
            return ()
        from memwiki.memory.privacy import names_of_private

        return names_of_private(self.live)

    def add(self, op: str, title: str, *notes: str) -> LogEntry:
        """Note what was done by other means."""
        from memwiki.history.journal import journal_path

        context = self._context
        path = journal_path(context.layers)
        require_text("log add", op, title, *notes)
        if not _OP.fullmatch(op.strip()) or not title.strip():
            raise UsageError(
                f"log add: {op!r} {title!r} has to say what was done, and to what",
                hint="for example memwiki log add ingest 'Paper on sleep' --note 'created: "
                "[[Sleep]]'",
            )
        day = local_day(context.clock()).isoformat()
        entry = JournalEntry(day, op.strip(), title.strip(), notes, by=context.actor)
        line = applying.note(context.root, entry, path)
        return LogEntry(day, entry.op, entry.title, notes, path, line, entry.by)
