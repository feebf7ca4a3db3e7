"""What models were asked, in the user's state folder: sums without content; and the budgets.

A line is written before a request is sent, with what it may take at most, and a second one with the
difference when it is known: what a killed process sent is counted, and lines need only be added up.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock as ThreadLock
from typing import NamedTuple

from memwiki.answers.curation import OutgoingRequest
from memwiki.clock import Clock, iso_of, now_ns
from memwiki.config.models import BudgetConfig
from memwiki.errors import ModelError, WriteError
from memwiki.files.lock import Lock
from memwiki.files.read import NO_FOLLOW, bytes_of
from memwiki.files.temporary import write_whole
from memwiki.models.faults import ModelBudgetError, ModelUnreachableError
from memwiki.models.port import Spent

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
                self._append(_line_bytes(line))
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
            new = [*sum_lines(old), *(each for each in known if each.month >= this)]
            write_whole(self.location, b"".join(map(_line_bytes, new)))


def sum_lines(lines: Iterable[LedgerLine]) -> list[LedgerLine]:
    """One line a month, host, model and job, in the order in which they come."""
    found: dict[tuple[str, ...], LedgerLine] = {}
    for line in lines:
        key = line.month, line.host, line.model, line.job
        found[key] = found[key].plus(line) if key in found else line
    return list(found.values())


def tokens_of_month(lines: Iterable[LedgerLine], month: str) -> int:
    """What a month has taken."""
    return sum(line.tokens for line in lines if line.month == month)


def _line_bytes(line: LedgerLine) -> bytes:
    return json.dumps(line._asdict(), separators=(",", ":")).encode() + b"\n"


def _parsed(data: bytes) -> Iterator[LedgerLine]:
    for text in data.splitlines():
        with suppress(ValueError, TypeError, RecursionError):
            line = LedgerLine(**json.loads(text))
            is_right = all(isinstance(each, int) for each in line[4:])
            if is_right and all(isinstance(each, str) for each in line[:4]):
                yield line


class Request:
    """One request that is under way, and what it took, once that is known."""

    def __init__(self, line: LedgerLine) -> None:
        self.line = line
        self.spent = Spent(line.calls, line.tokens_in, line.tokens_out)

    def settle(self, tokens_in: int, tokens_out: int) -> None:
        """Say what it took."""
        self.spent = Spent(self.spent.calls, tokens_in, tokens_out)

    @property
    def difference(self) -> LedgerLine:
        """What the ledger has to take back or add."""
        calls, sent, answered = self.spent
        return self.line._replace(
            calls=calls - self.line.calls,
            tokens_in=sent - self.line.tokens_in,
            tokens_out=answered - self.line.tokens_out,
        )


class Budget:
    """What one run may ask, and has asked; may be shared by threads."""

    def __init__(self, limits: BudgetConfig, ledger: Ledger) -> None:
        self._limits, self.ledger = limits, ledger
        self._spent = Spent()
        self._lock = ThreadLock()

    @property
    def spent(self) -> Spent:
        """What this run has asked."""
        return self._spent

    def begin(self) -> None:
        """Begin another run, for which what the last one asked does not count."""
        with self._lock:
            self._spent = Spent()

    @contextmanager
    def request(self, job: str, outgoing: OutgoingRequest) -> Iterator[Request]:
        """Count a request by what it takes at most; what it really took after it.

        Raises ModelBudgetError before anything is sent.
        """
        taken = 1, outgoing.tokens_in, outgoing.tokens_out
        line = LedgerLine(self.ledger.now(), outgoing.host, outgoing.model, job, *taken)
        request = Request(line)
        with self._lock:
            self._require_run(line)
            self.ledger.add(line, lambda month: self._require_month(month, line))
            self._count(line)
        try:
            yield request
        except ModelError as error:
            was_sent = not isinstance(error, ModelUnreachableError) or error.was_sent
            if error.is_free or not was_sent:
                request.spent = Spent(calls=int(was_sent))
            raise
        finally:
            with self._lock:
                if any(request.difference[4:]):
                    self.ledger.add(request.difference)
                    self._count(request.difference)

    def _count(self, line: LedgerLine) -> None:
        calls, sent, answered = self._spent
        self._spent = Spent(calls + line.calls, sent + line.tokens_in, answered + line.tokens_out)

    def _require_run(self, line: LedgerLine) -> None:
        calls, sent, answered = self._spent
        if calls + 1 > self._limits.calls_per_run:
            what = f"this run made all of its {self._limits.calls_per_run} requests"
            raise ModelBudgetError(what, "calls_per_run")
        if sent + answered + line.tokens > self._limits.tokens_per_run:
            left = self._limits.tokens_per_run - sent - answered
            raise _too_many_tokens(line, "run", left)

    def _require_month(self, tokens: int, line: LedgerLine) -> None:
        if tokens + line.tokens > self._limits.tokens_per_month:
            raise _too_many_tokens(line, "month", self._limits.tokens_per_month - tokens)


def _too_many_tokens(line: LedgerLine, period: str, left: int) -> ModelBudgetError:
    what = f"{line.tokens:,} tokens are wanted, and this {period} has {max(left, 0):,} left"
    return ModelBudgetError(what, f"tokens_per_{period}")
