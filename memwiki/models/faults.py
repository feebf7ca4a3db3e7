"""What goes wrong with a model: faults with codes and next steps, what a refusal means, and asking
again where that may help: how often, and after how long."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from math import isnan
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from memwiki.clock import now_ns
from memwiki.config.models import ServerConfig
from memwiki.errors import MissingExtraError, ModelError
from memwiki.text import pattern

if TYPE_CHECKING:
    from tenacity import RetryCallState


MAX_RETRIES = 3


class ModelNotAllowedError(ModelError):
    """This workspace may not be sent to this host."""

    code = "model_not_allowed"

    def __init__(self, host: str, why: str = "") -> None:
        what = why or "nothing of this workspace may be sent there"
        super().__init__(f"{host}: {what}", "" if why else "memwiki models allow {}", host)


class ModelUnreachableError(ModelError):
    """Nobody answers at the address of the model."""

    code = "model_unreachable"

    def __init__(
        self, host: str, why: str, *, retries: int = MAX_RETRIES, was_sent: bool = False
    ) -> None:
        super().__init__(f"{host}: cannot be reached ({why})", "is the server running?")
        self.retries, self.was_sent = retries, was_sent


class ModelKeyError(ModelError):
    """The key of the model's server is missing or not accepted."""

    code = "model_key"

    def __init__(self, host: str, variable: str, why: str) -> None:
        named = f"check the key in {variable}" if variable else "name its variable in key_env"
        super().__init__(f"{host}: {why}", named)


class ModelMoneyError(ModelError):
    """The account at the model's server has no money or quota left."""

    code = "model_money"

    def __init__(self, host: str, words: str) -> None:
        super().__init__(f"{host}: takes no more requests: {words}", "look at your account there")


class ModelNameError(ModelError):
    """The server knows no such model."""

    code = "model_name"

    def __init__(self, host: str, model: str, known: tuple[str, ...] = ()) -> None:
        hint = f"it has {', '.join(known)}" if known else "check base_url and model"
        super().__init__(f"{host}: has no model {model}", hint, candidates=known)


class ModelBusyError(ModelError):
    """The server wants fewer requests."""

    code = "model_busy"
    retries = MAX_RETRIES

    def __init__(self, host: str, wait_seconds: float | None) -> None:
        wait = f"wait {wait_seconds:.0f} seconds" if wait_seconds else "try again in a minute"
        super().__init__(f"{host}: has too many requests", wait)
        self.wait_seconds = wait_seconds


class ModelDownError(ModelError):
    """The server of the model failed."""

    code = "model_down"
    retries = MAX_RETRIES

    def __init__(self, host: str, words: str) -> None:
        super().__init__(f"{host}: failed: {words}", "try again, or look at the server's log")


class ModelSlowError(ModelError):
    """The server of the model was silent, or did not end, for longer than is waited."""

    code = "model_slow"

    def __init__(self, host: str, what: str, setting: str) -> None:
        super().__init__(f"{host}: {what}", f"raise {setting}, or ask a smaller model")


class ModelReplyError(ModelError):
    """The reply of the model cannot be used."""

    code = "model_reply"

    def __init__(self, host: str, what: str, *, retries: int = 0) -> None:
        super().__init__(f"{host}: {what}", "try again, or another model")
        self.retries = retries


class ModelCutError(ModelError):
    """The reply came to its limit of tokens before it was whole."""

    code = "model_cut"

    def __init__(self, host: str, tokens: int) -> None:
        what = f"the reply was not whole after {tokens:,} tokens"
        super().__init__(f"{host}: {what}", "ask about less at once, or raise context_tokens")


class ModelTooLongError(ModelError):
    """The request is longer than the model reads."""

    code = "model_too_long"

    def __init__(self, host: str, what: str, read_tokens: int = 0) -> None:
        hint = "ask about less at once, or give the model more context"
        super().__init__(f"{host}: {what}", hint)
        self.read_tokens = read_tokens  # as far as the server told


class ModelRefusedError(ModelError):
    """The model, or a filter before it, refused to answer."""

    code = "model_refused"

    def __init__(self, host: str, words: str) -> None:
        super().__init__(f"{host}: refused: {words}", "leave out what it refuses, or ask another")


class ModelAddressError(ModelError):
    """The address of the model cannot be used, or leads elsewhere."""

    code = "model_address"


class ModelBudgetError(ModelError):
    """The next request would pass a budget that you set; it was not sent."""

    code = "model_budget"

    def __init__(self, what: str, setting: str) -> None:
        super().__init__(f"models.budget.{setting}: {what}", f"raise {setting} in config.toml")


_DOWN = frozenset({408, 409, 425, 500, 502, 503, 504, 529})
_MAX_WAIT_SECONDS = 86_400.0
_MONEY = pattern(
    r"insufficient[ _](?:quota|balance|credit|fund)|billing|exceeded your current quota",
    re.IGNORECASE,
)
_TOO_LONG = pattern(
    r"context[ _](?:length|window|size)|maximum context|too many tokens|prompt is too long"
    r"|exceed_context|input is too large",
    re.IGNORECASE,
)
_FILTERED = pattern(
    r"content[ _](?:filter|policy|management)|safety system|moderation", re.IGNORECASE
)


class StatusFault(NamedTuple):
    """An answer that is no reply."""

    status: int
    text: str
    retry_after: str = ""


class ParameterError(ModelReplyError):
    """The server does not take a part of the request; `words` say which."""

    def __init__(self, host: str, shown: str, words: str) -> None:
        super().__init__(host, f"did not take the request: {shown}")
        self.words = words


def words_of(text: str) -> str:
    """What a server says of a fault: the message in its JSON, else all of it."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    error = found.get("error", found) if isinstance(found, dict) else found
    if not isinstance(error, dict):
        return str(error)
    parts = (error.get(name) for name in ("message", "detail", "code", "type", "param"))
    return " ".join(str(part) for part in parts if part) or text


def fault_of_status(
    fault: StatusFault, host: str, server: ServerConfig, shown: Callable[[str], str]
) -> ModelError:
    """The error for an answer with another status than 200."""
    words = words_of(fault.text)
    line = shown(words) or f"status {fault.status}"
    if fault.status in (401, 403) and not _FILTERED.search(words):
        why = f"does not take the key ({fault.status})" if server.key_env else "wants a key"
        return ModelKeyError(host, server.key_env, why)
    if fault.status == 402 or (fault.status == 429 and _MONEY.search(words)):
        return ModelMoneyError(host, line)
    if fault.status == 404:
        return ModelNameError(host, server.model or "of that name")
    if fault.status == 429:
        return ModelBusyError(host, seconds_of(fault.retry_after))
    if fault.status in _DOWN:
        return ModelDownError(host, line)
    return fault_in_words(host, line, words) or ParameterError(host, line, words)


def fault_in_words(host: str, line: str, words: str) -> ModelError | None:
    """The error that the words of a server are about; `line` is how they are shown."""
    if _TOO_LONG.search(words):
        return ModelTooLongError(host, f"does not read so much: {line}")
    if _FILTERED.search(words):
        return ModelRefusedError(host, line)
    return None


def seconds_of(retry_after: str) -> float | None:
    """How long a server asks to wait: seconds, or a date; None where it does not say."""
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(retry_after).timestamp() - now_ns() / 1e9
        except (ValueError, TypeError):
            return None
    return None if isnan(seconds) else min(max(seconds, 0.0), _MAX_WAIT_SECONDS)


_PAUSES = (0.5, 1, 2)
_MAX_JITTER = 0.25  # of a pause
T = TypeVar("T")


class Timing(NamedTuple):
    """The time that passes, and waiting."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random  # 0 to 1


def retry_passing(attempt: Callable[[], T], timing: Timing, total_seconds: float) -> T:
    """What an attempt gives, made again while its failure is one that passes and the total allows
    the pause; else the failure."""
    try:
        from tenacity import Retrying, retry_if_exception_type
    except ImportError as error:
        raise MissingExtraError("models", "tenacity") from error
    deadline = timing.monotonic() + total_seconds

    def is_over(state: RetryCallState) -> bool:
        error = state.outcome.exception() if state.outcome else None
        is_last = state.attempt_number > (error.retries if isinstance(error, ModelError) else 0)
        return is_last or timing.monotonic() + state.upcoming_sleep >= deadline

    retrying = Retrying(
        sleep=timing.sleep,
        wait=lambda state: _pause(state, timing),
        stop=is_over,
        retry=retry_if_exception_type(ModelError),
        reraise=True,
    )
    return retrying(attempt)


def _pause(state: RetryCallState, timing: Timing) -> float:
    """As long as the server asked for, else a little longer each time, not all at one moment."""
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, ModelBusyError) and error.wait_seconds is not None:
        return error.wait_seconds
    pause = _PAUSES[min(state.attempt_number, len(_PAUSES)) - 1]
    return pause * (1 + _MAX_JITTER * timing.jitter())
