"""The sum of all usage files, in tables beside the cards, under the signatures of the files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from memwiki.digest import text_hash
from memwiki.files.read import signature_of
from memwiki.files.usage_log import (
    MAX_TRAILS,
    Subject,
    Sum,
    Tally,
    Trail,
    bytes_from,
    newest,
    tally_of,
    usage_files,
    whole_lines,
)
from memwiki.index.sql import STATE, SqlStore
from memwiki.index.storage import SqlTable, Storage
from memwiki.index.storage_sqlite import MEMORY, connect, decoding
from memwiki.names import fold

_REMARK = "usage"
_SUMS = SqlTable(
    "usage", "kind text,name text,recalls integer,score integer,at integer", "kind, name"
)
_TRAILS = SqlTable(
    "usage_trail",
    "at integer,query text,folded text,subjects text",
    indexes=("index usage_trail_folded on usage_trail (folded)",),
)
_ADD = (
    "insert into usage values (?, ?, ?, ?, ?) on conflict (kind, name) do update set"
    " recalls=usage.recalls+excluded.recalls, score=usage.score+excluded.score,"
    " at=case when excluded.at > usage.at then excluded.at else usage.at end"
)
_SAMPLE_BYTES = 64

Marks = Mapping[str, Sequence[object]]  # file name -> size, mtime, inode, offset, head, tail


class UsageTable(SqlStore):
    """Questions about usage, and the tables that answer them."""

    tables = (_SUMS, _TRAILS)

    def __init__(self, db: Storage, root: Path) -> None:
        super().__init__(db)
        self._root = root

    def is_current(self) -> bool:
        """Whether the tables hold what the files say."""
        known = self._marks()
        found = {file.name: _signature(file) for file in usage_files(self._root)}
        return found == {name: tuple(mark[:3]) for name, mark in known.items()}

    def update(self) -> None:
        """Take in what was added to the files; all of them when one was rewritten or is gone."""
        with self.transaction():
            self.create()
            files = {file.name: file for file in usage_files(self._root)}
            known = dict(self._marks())
            if not all(name in files and _is_grown(files[name], known[name]) for name in known):
                self.db.execute("delete from usage")
                self.db.execute("delete from usage_trail")
                known = {}
            marks = {name: self._take_file(file, known.get(name)) for name, file in files.items()}
            self._trim()
            self.note(_REMARK, json.dumps(marks))

    def _take_file(self, file: Path, mark: Sequence[object] | None) -> Sequence[object]:
        """Add what a file says beyond its mark; give its mark now."""
        signature = _signature(file)  # first: what is added while it is read is seen next time
        offset = int(str(mark[3])) if mark else 0
        if mark and tuple(mark[:3]) == signature:
            return mark
        data = whole_lines(bytes_from(file, offset))
        self._add(tally_of(data))
        offset += len(data)
        return (*signature, offset, *_samples(file, offset))

    def _add(self, tally: Tally) -> None:
        self.db.executemany(_ADD, ((*subject, *total) for subject, total in tally.sums.items()))
        rows = ((t.at, t.query, fold(t.query), json.dumps(t.subjects)) for t in tally.trails)
        self.upsert(_TRAILS, rows)

    def _trim(self) -> None:
        """Keep the newest trails, as a fold of all lines does."""
        (count,) = self._row("select count(*) from usage_trail")
        if count > MAX_TRAILS:
            tally = Tally()
            tally.trails = newest(self._trails())
            self.db.execute("delete from usage_trail")
            self._add(tally)

    def _marks(self) -> Marks:
        with suppress(ValueError):
            marks = json.loads(self.state(_REMARK, "{}"))
            if isinstance(marks, dict):
                return marks
        return {}

    def of(self, subject: Subject) -> Sum:
        """How a subject was used."""
        sql = "select recalls, score, at from usage where kind=? and name=?"
        return Sum(*((self._is_filled() and self._row(sql, *subject)) or ()))

    def all(self) -> list[tuple[Subject, Sum]]:
        """All subjects that were recalled."""
        if not self._is_filled():
            return []
        rows = self._rows("select kind, name, recalls, score, at from usage")
        return [(Subject(kind, name), Sum(*total)) for kind, name, *total in rows]

    def found_by(self, query: str) -> list[Trail]:
        """The trails of a query, the newest first."""
        rows = self._trails("where folded=?", fold(query)) if self._is_filled() else ()
        return sorted(rows, reverse=True)

    def trails(self) -> list[Trail]:
        """All trails that are kept, the newest first."""
        return sorted(self._trails() if self._is_filled() else (), reverse=True)

    def _is_filled(self) -> bool:
        return bool(self._marks())

    def _trails(self, where: str = "", *values: str) -> Iterator[Trail]:
        sql = f"select at, query, subjects from usage_trail {where}"
        for at, query, subjects in list(self._rows(sql, *values)):
            with decoding("usage"):
                yield Trail(at, query, tuple(Subject(*each) for each in json.loads(subjects)))


def table_in_memory(root: Path) -> UsageTable:
    """The same where the tables beside the cards cannot be written."""
    table = UsageTable(connect(MEMORY), root)
    table.create(STATE)
    table.update()
    return table


def _signature(file: Path) -> tuple[int, int, int]:
    with suppress(OSError):
        size, written, _, inode = signature_of(file.lstat())
        return size, written, inode
    return 0, 0, 0


def _is_grown(file: Path, mark: Sequence[object]) -> bool:
    """Whether a file begins with what was read of it: lines were added at most."""
    size, _, inode = _signature(file)
    offset = int(str(mark[3]))
    return size >= offset and inode == mark[2] and [*_samples(file, offset)] == [*mark[4:]]


def _samples(file: Path, offset: int) -> tuple[str, str]:
    """What stands at both ends of what was read: a file that was rewritten differs there."""
    start = max(offset - _SAMPLE_BYTES, 0)
    head = bytes_from(file, 0, min(offset, _SAMPLE_BYTES))
    tail = bytes_from(file, start, offset - start)
    return text_hash(head.hex(), 8).hex(), text_hash(tail.hex(), 8).hex()
