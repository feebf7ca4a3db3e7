"""`Workspace.journal`: what was done, as the journal and what was rotated out of it tell it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path

from memwiki.answers.pages import LogEntry, LogList
from memwiki.change import apply
from memwiki.change.journal import PRIVATE, JournalEntry, read_entries, rotated_folder
from memwiki.change.plan import is_called
from memwiki.clock import local_day
from memwiki.errors import NotFoundError, UsageError
from memwiki.files.read import read
from memwiki.markdown.describe import is_journal
from memwiki.markdown.source import decode
from memwiki.names import fold, require_text
from memwiki.nouns import Layers
from memwiki.numbers import limit_of
from memwiki.scope import Scope
from memwiki.sync.context import Context
from memwiki.sync.reading import Facing, rebuilding
from memwiki.text import pattern

_OP = pattern(r"[^\s|][^|\n]{0,39}")


class JournalFacet(Facing):
    """The journal of a workspace; NotFoundError where it keeps none."""

    def list(
        self, *, since: str = "", op: str = "", by: str = "", limit: int | None = None
    ) -> LogList:
        """Entries of the journal and of what was shelved from it, newest first.

        `since` is a day or an age such as `2w`, `by` who did it, or how that name begins.
        """
        context, names, most = self.live.context, self._hidden_names(), limit_of(limit)
        start = ""
        if since:
            from memwiki.times.asked import day_bound

            start = day_bound("since", since, local_day(context.clock()))
        is_of = partial(_is_of, context.scope())
        found = [
            entry
            for path in _journals(context)
            for entry in _entries(context.root, path)
            if entry.day >= start
            and is_of(entry)
            and (not op or fold(entry.op) == fold(op))
            and (not by or is_called(entry.by, by))
            and not any(name in text for text in (entry.title, *entry.notes) for name in names)
        ]
        found = sorted(found, key=lambda entry: entry.day)[::-1]
        return LogList(tuple(found[:most] if most else found), len(found))

    @rebuilding
    def _hidden_names(self) -> Collection[str]:
        """The names of what is private, and the mark of what concerns nothing else: nothing is told
        of that has one of them."""
        if not self.live.context.is_public:
            return ()
        from memwiki.memory.privacy import names_of_private

        return (*names_of_private(self.live), PRIVATE.strip())

    def add(self, op: str, title: str, *notes: str) -> LogEntry:
        """Note what was done by other means; UsageError for an operation of over 40 characters or
        with blanks, and for no title."""
        context = self.live.context
        path = journal_path(context.layers)
        require_text("log add", op, title, *notes)
        if not _OP.fullmatch(op.strip()) or not title.strip():
            raise UsageError(
                f"log add: {op!r} {title!r} has to say what was done, and to what",
                "for example memwiki log add ingest 'Paper on sleep' --note 'created: [[Sleep]]'",
            )
        day = context.today
        entry = JournalEntry(day, op.strip(), title.strip(), notes, by=context.actor)
        line = apply.note(context.root, entry, path)
        return LogEntry(day, entry.op, entry.title, notes, path, line, entry.by)


def _is_of(scope: Scope, entry: LogEntry) -> bool:
    """Whether an entry is about the namespace and about no other one; without one, all are."""
    if not scope.base:
        return True
    text = "\n".join((entry.title, *entry.notes))
    every, own = (text.count(f"{folder}/") for folder in (scope.layers.namespaces, scope.base))
    return own == every > 0


def journal_path(layers: Layers) -> str:
    """Where the journal is; NotFoundError where the workspace keeps none."""
    path = layers.log
    if not path:
        raise NotFoundError(
            "log: this workspace has no journal", "memwiki config set layers.log log.md"
        )
    return path


def _journals(context: Context) -> list[str]:
    """The files of the journal, the oldest first."""
    context.require_files()
    path = journal_path(context.layers)
    rotated = rotated_folder(path)
    names = sorted(f"{rotated}/{place.name}" for place in (context.root / rotated).glob("*.md"))
    shelved = [name for name in names if is_journal(name, context.layers)]
    return [*shelved, path] if (context.root / path).exists() else shelved


def _entries(root: Path, path: str) -> Iterator[LogEntry]:
    """The entries of one file, the oldest first, whichever way it is kept."""
    text = decode(path, read(root, path)).text
    found = list(read_entries(text.split("\n")))
    if found and found[0].day > found[-1].day:
        found.reverse()
    for each in found:
        yield LogEntry(each.day, each.op, each.title, each.details, path, each.line, each.by)
