"""What models were asked, in the user's state folder: sums without any content, a line a request.

A line is written before a request is sent, with what it may take at most, and a second one with the
difference when it is known: what a killed process sent is counted, and lines need only be added up.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from memwiki.clock import Clock, iso_of, now_ns
from memwiki.errors import WriteError
from memwiki.files.lock import Lock
from memwiki.files.read import NO_FOLLOW, bytes_of
from memwiki.files.temporary import write_whole

_FILE = "spent.jsonl"
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_FOLLOW | getattr(os, "O_BINARY", 0)
_MAX_BYTES = 16_000_000
_MAX_PLAIN_BYTES = 1_000_000  # from there on, months that are over are summed up


class LedgerLine(NamedTuple):
    """What was spent, or is taken back: by day or month, host, model and job."""

    at: str
    host: str
    model: str
    job: str
    calls: int
    tokens_in: int
    tokens_out: int

    @property
    def month(self) -> str:
        """The month, such as 2026-11."""
        return self.at[:7]

    @property
    def tokens(self) -> int:
        """Sent and answered."""
        return self.tokens_in + self.tokens_out

    def plus(self, other: LedgerLine) -> LedgerLine:
        """The sum of two, at the time of this one."""
        return self._replace(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
        )


class Ledger:
    """The file of one user; deleting caches does not touch it."""

    def __init__(self, folder: Path, clock: Clock = now_ns) -> None:
        self.location = folder / _FILE
        self._clock = clock

    def now(self) -> str:
        """The time, as lines have it."""
        return iso_of(self._clock())

    def lines(self) -> list[LedgerLine]:
        """All lines that can be read."""
        with suppress(FileNotFoundError):
            return list(_parsed(bytes_of(self.location, _MAX_BYTES)))
        return []

    def add(self, line: LedgerLine, require: Callable[[int], None] | None = None) -> None:
        """Add a line; first `require` is given the tokens of the month, and may refuse.

        Raises WriteError where nothing can be counted.
        """
        try:
            self.location.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with Lock(self.location.with_suffix(".lock")):
                if require:
                    require(tokens_of_month(self.lines(), line.month))
                self._append(_written(line))
        except OSError as error:
            hint = "name another folder in MEMWIKI_STATE_DIR"
            raise WriteError.at(self.location, "cannot be written", hint, cause=error) from error

    def _append(self, line: bytes) -> None:
        descriptor = os.open(self.location, _FLAGS, 0o600)
        try:
            size = os.lseek(descriptor, 0, os.SEEK_END)
            os.write(descriptor, line)
        finally:
            os.close(descriptor)
        if size > _MAX_PLAIN_BYTES:
            self._sum_up()

    def _sum_up(self) -> None:
        """Leave one line a month, host, model and job of the months that are over."""
        this = self.now()[:7]
        known = self.lines()
        old = [each for each in known if each.month < this]
        if old:
            summed = summed_by(old, lambda each: (each.month, each.host, each.model, each.job))
            new = [*summed, *(each for each in known if each.month >= this)]
            write_whole(self.location, b"".join(map(_written, new)))


def summed_by(lines: Iterable[LedgerLine], key: Callable[[LedgerLine], object]) -> list[LedgerLine]:
    """One line for all that have one key, in the order in which they come."""
    found: dict[object, LedgerLine] = {}
    for line in lines:
        known = found.get(key(line))
        found[key(line)] = known.plus(line) if known else line
    return list(found.values())


def tokens_of_month(lines: Iterable[LedgerLine], month: str) -> int:
    """What a month has taken."""
    return sum(line.tokens for line in lines if line.month == month)


def _written(line: LedgerLine) -> bytes:
    return json.dumps(line._asdict(), separators=(",", ":")).encode() + b"\n"


def _parsed(data: bytes) -> Iterator[LedgerLine]:
    for text in data.splitlines():
        with suppress(ValueError, TypeError, RecursionError):
            line = LedgerLine(**json.loads(text))
            is_right = all(isinstance(each, int) for each in line[4:])
            if is_right and all(isinstance(each, str) for each in line[:4]):
                yield line
