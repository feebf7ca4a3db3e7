"""How much may be asked: counted before it is sent, in this process and in the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock as ThreadLock

from memwiki.config.models import BudgetConfig
from memwiki.errors import ModelError
from memwiki.models.faults import ModelBudgetError, ModelUnreachableError
from memwiki.models.ledger import Ledger, LedgerLine
from memwiki.models.port import Spent


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
        self._limits, self._ledger = limits, ledger
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
    def request(
        self, host: str, model: str, job: str, tokens_in: int, tokens_out: int
    ) -> Iterator[Request]:
        """Count a request that takes so many tokens at most; what it really took after it.

        Raises ModelBudgetError before anything is sent.
        """
        line = LedgerLine(self._ledger.now(), host, model, job, 1, tokens_in, tokens_out)
        request = Request(line)
        with self._lock:
            self._require_run(line)
            self._ledger.add(line, lambda month: self._require_month(month, line))
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
                    self._ledger.add(request.difference)
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
            left = max(self._limits.tokens_per_run - sent - answered, 0)
            what = f"{line.tokens:,} tokens are wanted, and this run has {left:,} left"
            raise ModelBudgetError(what, "tokens_per_run")

    def _require_month(self, tokens: int, line: LedgerLine) -> None:
        if tokens + line.tokens > self._limits.tokens_per_month:
            left = max(self._limits.tokens_per_month - tokens, 0)
            what = f"{line.tokens:,} tokens are wanted, and this month has {left:,} left"
            raise ModelBudgetError(what, "tokens_per_month")
