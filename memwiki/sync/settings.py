"""What the index depends on besides the files."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.digest import blake2b
from memwiki.nouns import Layers

_FORMAT = "21"  # of the index; another number builds it anew


class IndexSettings(NamedTuple):
    """What the index depends on besides the files."""

    layers: Layers
    max_bytes: int
    is_public: bool = False  # without what is private

    def digest(self) -> str:
        """A short name for them and for the format of the index."""
        parts = (_FORMAT, tuple(self.layers), self.max_bytes, self.is_public)
        return blake2b(repr(parts).encode(), digest_size=8).hexdigest()
