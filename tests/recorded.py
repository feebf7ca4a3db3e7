"""Replies and vectors from lines of JSON, which ask nobody."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from typing import Any

from memwiki.models.faults import ModelReplyError
from memwiki.models.port import Ask, ModelReply, Spent, Vector

_HOST = "recorded"


class RecordedChat:
    """A Chat that gives the lines `{"job": ..., "text": ...}` one after the other; a line without a
    job answers any."""

    def __init__(self, lines: Iterable[str], context_tokens: int = 1_000_000) -> None:
        self._rows = _rows(lines)
        self._context_tokens = context_tokens
        self.asked: list[Ask] = []

    @property
    def key(self) -> str:
        """Host and model in one word."""
        return f"{_HOST} {_HOST}"

    @property
    def context_tokens(self) -> int:
        """How many tokens request and reply may have together."""
        return self._context_tokens

    def close(self) -> None:
        """Nothing is held."""

    def ask(self, ask: Ask) -> ModelReply:
        """The next reply. Raises ModelReplyError where it is none of this job."""
        self.asked.append(ask)
        row = next(self._rows, {})
        text, job = row.get("text"), row.get("job", ask.job)
        if not isinstance(text, str) or job != ask.job:
            raise ModelReplyError(_HOST, f"there is no reply to {ask.job}")
        return ModelReply(text, Spent())


class RecordedEmbedder:
    """An Embedder that gives the lines `{"text": ..., "vector": [...]}`."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._vectors = {str(row.get("text")): row.get("vector") for row in _rows(lines)}

    @property
    def key(self) -> str:
        """Provider, host, model and width in one word."""
        return f"{_HOST}:{self.width}"

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return max((len(each) for each in self._vectors.values() if each), default=0)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in their order. Raises ModelReplyError for a text without one."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        numbers = self._vectors.get(text) or ()
        length = hypot(*numbers)
        if len(numbers) != self.width or not length:
            raise ModelReplyError(_HOST, "there is no vector of a text")
        return array("f", [each / length for each in numbers])


def _rows(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        if line.strip():
            yield json.loads(line)
