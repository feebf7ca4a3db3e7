"""What a model is to the rest of memwiki: it turns texts into vectors, or answers a request."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Protocol, TypeAlias

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
