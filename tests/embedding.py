"""An embedder without a model: a text is its words, and words that mean the same are one."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Sequence
from math import sqrt
from zlib import crc32

from memwiki.models.port import Vector
from memwiki.sync.embedder import EmbeddingModel
from memwiki.sync.embedding import VectorIndex
from memwiki.workspace import Workspace

_SAME = {
    "physician": "doctor",
    "medicus": "doctor",
    "automobile": "car",
    "residence": "house",
    "医生": "doctor",
}
_WORD = re.compile(r"[一-鿿]{2}|\w+")


class WordEmbedder:
    """Remembers every text that it was given."""

    def __init__(self, key: str = "words 1", width: int = 64, *, sign: int = 1) -> None:
        self.key, self.width, self._sign = key, width, sign
        self.given: list[str] = []
        self.before: Callable[[Sequence[str]], None] = lambda _: None

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.before(texts)
        self.given += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        found = array("f", [0.001] * self.width)
        for word in _WORD.findall(text.lower()):
            found[crc32(_SAME.get(word, word).encode()) % self.width] += self._sign
        length = sqrt(sum(number * number for number in found))
        return array("f", (number / length for number in found))


def with_vectors(
    workspace: Workspace, embedder: WordEmbedder, of: str = "memories", *, is_local: bool = True
) -> VectorIndex:
    """Set an embedder for a workspace, as its settings would."""
    live = workspace.live
    assert live.cache_folder is not None
    model = EmbeddingModel(embedder, embedder.key, is_local)
    vectors = VectorIndex(live.cache_folder.whole, model, of, live.settings.digest())
    live.vectors = vectors
    return vectors
