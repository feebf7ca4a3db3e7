"""A text that was deleted for good, as far as nothing else says the same: to find what is left of
it elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from memwiki.index.keyword.tokens import count_terms, is_cjk

_MIN_TERM = 3
_MIN_LINE = 20  # a shorter one, such as a heading, may stand anywhere


class ErasedText(NamedTuple):
    """The terms that no page holds any more, and the lines."""

    terms: frozenset[str]
    lines: frozenset[str]

    def is_in(self, text: str) -> bool:
        """Whether a text repeats any of it."""
        if not self.lines.isdisjoint(_lines(text)):
            return True
        return bool(self.terms) and not self.terms.isdisjoint(count_terms(text))


def erased_text(texts: Iterable[str], is_held: Callable[[str], bool]) -> ErasedText:
    """What was only in these texts; `is_held` tells whether a page still has a term."""
    terms, lines = set[str](), set[str]()
    for text in texts:
        terms.update(term for term in count_terms(text) if _is_telling(term))
        lines.update(line for line in _lines(text) if len(line) >= _MIN_LINE)
    return ErasedText(frozenset(term for term in terms if not is_held(term)), frozenset(lines))


def _is_telling(term: str) -> bool:
    return len(term) >= _MIN_TERM or is_cjk(term)


def _lines(text: str) -> Iterable[str]:
    return map(str.strip, text.casefold().splitlines())
