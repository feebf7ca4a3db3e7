"""The answer of a search."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.nouns import Hit
from memwiki.records import FrozenRecord

MAX_COUNTED = 1_000  # hits, unless more are asked for


class SearchAnswer(FrozenRecord):
    """The best hits; `total` says how many there are, as far as they were counted."""

    query: str
    fresh: bool
    pending: int | None
    total: int
    fallback: bool
    hits: tuple[Hit, ...]
    reason: str = ""
    notes: tuple[str, ...] = ()  # what was taken otherwise than it was asked
    total_exact: bool = True  # else there are more than `total`, or it is not known
    words: tuple[str, ...] = ()  # of the excerpts, those that match
    as_of: str = ""  # when it was fresh where a watcher says so; "" where the files were looked at

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


def hits_in_words(total: int, *, is_exact: bool) -> str:
    """How many hits there are, in words."""
    if is_exact:
        return str(total)
    # Words are counted to the first that is too many, phrases as far as pages were read.
    return f"over {total:,}" if total >= MAX_COUNTED else f"at least {total}"
