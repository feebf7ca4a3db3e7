"""Cards of a few pages, in memory."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping

import pytest

from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.store import CardFile, Cards


@pytest.fixture
def collected() -> Iterator[None]:
    """What Whoosh left open is closed before the next test; what was there before it is passed
    over, since thousands of tests have left more than this one."""
    gc.freeze()
    yield
    gc.collect()


@pytest.fixture
def cards() -> Iterator[Cards]:
    one = CardFile(":memory:")
    yield one
    one.close()


@pytest.fixture
def lookup(cards: Cards, puts) -> Callable[..., Lookup]:
    """The cards of these pages: {path: text}, or paths alone; `files` are no pages."""

    def make(pages: Mapping[str, str] | Iterable[str], files: Iterable[str] = ()) -> Lookup:
        texts = pages if isinstance(pages, Mapping) else dict.fromkeys(pages, "text\n")
        cards.apply(puts(texts), [])
        cards.attach(files)
        return Lookup(cards.db)

    return make
