"""`Workspace.journal`: what was done, read, and noted where memwiki did not do it itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path

from memwiki.answers.journal import LogEntry, LogList
from memwiki.change import apply as applying
from memwiki.change.actor import is_called
from memwiki.change.journal import JournalEntry, read_entries, rotated_folder
from memwiki.clock import Clock, day_of, local_day
from memwiki.dates import named_day
from memwiki.errors import NotFoundError, UsageError
from memwiki.files.read import read
from memwiki.markdown.describe import is_journal
from memwiki.markdown.text import decode
from memwiki.model import Layers
from memwiki.names import fold, require_text
from memwiki.numbers import limit_of
from memwiki.scope import Scope
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.rebuild import rebuilding

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
        context, most, names = self._context, limit_of(limit), self._hidden_names()
        start = _day(context.clock, since) if since else ""
        is_of = partial(_is_of, context.scope())
        found = [
            entry
            for path in _journals(context)
            for entry in _entries(context.root, path)
            if entry.day >= start
            and is_of(entry)
            and (not op or fold(entry.op) == fold(op))
            and (not by or is_called(entry.by, by))
            and not any(name in said for said in (entry.title, *entry.notes) for name in names)
        ]
        found = sorted(found, key=lambda entry: entry.day)[::-1]
        return LogList(tuple(found[:most] if most else found), len(found))

    @rebuilding
    def _hidden_names(self) -> Collection[str]:
        """The names of what is private, which nothing is told of that has one of them."""
        if not self._context.is_public:
            return ()
        from memwiki.memory.private import names_of_private

        return names_of_private(self.live)

    def add(self, op: str, title: str, *notes: str) -> LogEntry:
        """Note what was done by other means."""
        context = self._context
        path = _journal(context.layers)
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


def _is_of(scope: Scope, entry: LogEntry) -> bool:
    """Whether an entry is about the namespace and about no other one; without one, all are."""
    if not scope.base:
        return True
    text = "\n".join((entry.title, *entry.notes))
    every, own = (text.count(f"{folder}/") for folder in (scope.layers.namespaces, scope.base))
    return own == every > 0


def _journal(layers: Layers) -> str:
    path = layers.log
    if not path:
        raise NotFoundError(
            "log: this workspace has no journal", hint="memwiki config set layers.log log.md"
        )
    return path


def _journals(context: Context) -> list[str]:
    """The files of the journal, the oldest first."""
    path = _journal(context.layers)
    rotated = rotated_folder(path)
    names = sorted(f"{rotated}/{place.name}" for place in (context.root / rotated).glob("*.md"))
    shelved = [name for name in names if is_journal(name, context.layers)]
    return [*shelved, path] if (context.root / path).exists() else shelved


def _entries(root: Path, path: str) -> Iterator[LogEntry]:
    """The entries of one file, the oldest first, whichever way it is kept."""
    text = decode(path, read(root, path)[0]).text
    found = list(read_entries(text.split("\n")))
    if found and found[0].day > found[-1].day:
        found.reverse()
    for each in found:
        yield LogEntry(each.day, each.op, each.title, each.details, path, each.line, each.by)


def _day(clock: Clock, text: str) -> str:
    day = named_day(text, day_of(clock()), is_end=False)
    if day is None:
        raise UsageError(
            "{since}: not a day",
            hint="for example {since:2026-09-01} or {since:2w}",
            arguments={"since": text},
        )
    return day.isoformat()
