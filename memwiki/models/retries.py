"""Asking again where that may help: how often, and after how long."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from memwiki.errors import MissingExtraError, ModelError
from memwiki.models.faults import ModelBusyError

if TYPE_CHECKING:
    from tenacity import RetryCallState

_PAUSES = (0.5, 1, 2)
_MAX_JITTER = 0.25  # of a pause
T = TypeVar("T")


class Timing(NamedTuple):
    """The time that passes, and waiting."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random  # 0 to 1


def retried(attempt: Callable[[], T], timing: Timing, total_seconds: float) -> T:
    """What an attempt gives, made again while its failure is one that passes and the total allows
    the pause; else the failure."""
    try:
        from tenacity import Retrying, retry_if_exception_type
    except ImportError as error:
        raise MissingExtraError("models", "tenacity") from error
    deadline = timing.monotonic() + total_seconds

    def is_over(state: RetryCallState) -> bool:
        is_last = state.attempt_number > _retries(state)
        return is_last or timing.monotonic() + state.upcoming_sleep >= deadline

    retrying = Retrying(
        sleep=timing.sleep,
        wait=lambda state: _pause(state, timing),
        stop=is_over,
        retry=retry_if_exception_type(ModelError),
        reraise=True,
    )
    return retrying(attempt)


def _retries(state: RetryCallState) -> int:
    """How often what failed may be tried again."""
    error = state.outcome.exception() if state.outcome else None
    return error.retries if isinstance(error, ModelError) else 0


def _pause(state: RetryCallState, timing: Timing) -> float:
    """As long as the server asked for, else a little longer each time, not all at one moment."""
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, ModelBusyError) and error.wait_seconds is not None:
        return error.wait_seconds
    pause = _PAUSES[min(state.attempt_number, len(_PAUSES)) - 1]
    return pause * (1 + _MAX_JITTER * timing.jitter())
