"""What a model is to the rest of memwiki: it turns texts into vectors, or answers a request."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

Vector: TypeAlias = "array[float]"  # of type "f" (float32), its length 1


class Embedder(Protocol):
    """Turns texts into vectors that are near each other where the texts mean the same."""

    @property
    def key(self) -> str:
        """Provider, host, model and width in one word: vectors of another key are of no use."""

    @property
    def width(self) -> int:
        """How many numbers a vector has."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in their order.

        Raises:
            ModelError: It did not answer, or not with what was asked; nothing is kept of it.
        """


class ChatMessage(NamedTuple):
    """One message of a request; `role` is system, user or assistant."""

    role: str
    text: str


class Ask(NamedTuple):
    """What a model is asked."""

    job: str  # and its version, such as `extract/1`, for the ledger and the cache
    messages: tuple[ChatMessage, ...]
    schema: Mapping[str, Any] | None = None  # JSON schema of the reply; None: a plain text
    max_tokens: int = 1000
    temperature: float | None = None  # None: as it is set


class Spent(NamedTuple):
    """What an answer took: `calls` that reached the server, and tokens as it counted them."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class ModelReply(NamedTuple):
    """What a model answered, all of it."""

    text: str
    spent: Spent = Spent()


class Chat(Protocol):
    """Answers a request in words."""

    @property
    def key(self) -> str:
        """Host and model in one word."""

    @property
    def context_tokens(self) -> int:
        """How many tokens request and reply may have together."""

    def ask(self, ask: Ask) -> ModelReply:
        """The whole reply.

        Raises:
            ModelError: It did not answer, or not all of it.
        """
