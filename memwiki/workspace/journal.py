"""Reading the journal of a workspace, and adding to it what memwiki did not do itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memwiki.answers.journal import LogEntry, LogList
from memwiki.change import apply as applying
from memwiki.change.journal import JournalEntry, read_entries, shelf_of
from memwiki.clock import day_of, local_day
from memwiki.dates import named_day
from memwiki.errors import NotFoundError, UsageError
from memwiki.files.read import read
from memwiki.markdown.describe import is_journal
from memwiki.markdown.text import decode
from memwiki.names import fold, require_text
from memwiki.sync.keeper import Keeper

_OP = re.compile(r"[^\s|][^|\n]{0,39}")


def show(keeper: Keeper, since: str, op: str, limit: int | None) -> LogList:
    """Entries of the journal and of what was shelved from it, newest first."""
    start = _day(keeper, since) if since else ""
    found = [
        entry
        for path in _journals(keeper)
        for entry in _entries(keeper, path)
        if entry.day >= start and (not op or fold(entry.op) == fold(op))
    ]
    found = sorted(found, key=lambda entry: entry.day)[::-1]
    return LogList(tuple(found[:limit] if limit else found), len(found))


def add(keeper: Keeper, op: str, title: str, notes: tuple[str, ...]) -> LogEntry:
    """Note what was done by other means."""
    path = _journal(keeper)
    require_text("log add", op, title, *notes)
    if not _OP.fullmatch(op.strip()) or not title.strip():
        raise UsageError(
            f"log add: {op!r} {title!r} does not say what was done to what",
            hint="for example memwiki log add ingest 'Paper on sleep' --note 'created: [[Sleep]]'",
        )
    entry = JournalEntry(local_day(keeper.clock()).isoformat(), op.strip(), title.strip(), notes)
    line = applying.note(keeper.root, entry, path)
    return LogEntry(entry.day, entry.op, entry.title, notes, path, line)


def _journal(keeper: Keeper) -> str:
    path = keeper.config.layers.log
    if not path:
        raise NotFoundError(
            "log: this workspace keeps no journal", hint="memwiki config set layers.log log.md"
        )
    return path


def _journals(keeper: Keeper) -> list[str]:
    """The files of the journal, the oldest first."""
    path = _journal(keeper)
    shelf = shelf_of(path)
    names = sorted(f"{shelf}/{place.name}" for place in (keeper.root / shelf).glob("*.md"))
    shelved = [name for name in names if is_journal(name, keeper.config.layers)]
    return [*shelved, path] if (keeper.root / path).exists() else shelved


def _entries(keeper: Keeper, path: str) -> Iterator[LogEntry]:
    """The entries of one file, the oldest first, whichever way it is kept."""
    text = decode(path, read(keeper.root, path)[0]).text
    found = list(read_entries(text.split("\n")))
    if found and found[0].day > found[-1].day:
        found.reverse()
    for each in found:
        yield LogEntry(each.day, each.op, each.title, each.details, path, each.line)


def _day(keeper: Keeper, text: str) -> str:
    day = named_day(text, day_of(keeper.clock()), is_end=False)
    if day is None:
        raise UsageError(
            "{since}: not a day",
            hint="for example {since:2026-09-01} or {since:2w}",
            arguments={"since": text},
        )
    return day.isoformat()
