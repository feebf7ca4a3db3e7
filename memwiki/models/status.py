"""What the status and the words of a refusal mean."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from memwiki.clock import now_ns
from memwiki.config.models import ServerConfig
from memwiki.errors import ModelError
from memwiki.models.faults import (
    ModelBusyError,
    ModelDownError,
    ModelKeyError,
    ModelMoneyError,
    ModelNameError,
    ModelRefusedError,
    ModelReplyError,
    ModelTooLongError,
)
from memwiki.patterns import pattern

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
    return min(max(seconds, 0.0), _MAX_WAIT_SECONDS) if seconds == seconds else None  # noqa: PLR0124 - nan
