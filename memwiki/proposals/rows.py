"""Rows of a table and named items of a list: what one says of its name is said of no other name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, takewhile
from typing import NamedTuple

from memwiki.patterns import pattern
from memwiki.proposals.numbering import SourceLine

_MAX_ROWS = 20  # on each side of a cited one
_ROW = pattern(
    r"\s*(?:[-*+]|[0-9]+[.)])\s+"
    r"(?P<item>\*\*[^*]{1,60}\*\*|`[^`]{1,60}`|[^:：|]{1,60}?)\s*(?:[:：]|\s[-–—]+\s)(?P<says>.*\w.*)"
    r"|\s*\|(?P<cell>[^|\w]*\w[^|]*)\|(?P<tells>.*\w.*)"
)


class NamedRow(NamedTuple):
    """The terms of a row's name, and of what it says."""

    name: frozenset[str]
    says: frozenset[str]


def rows_around(
    lines: Sequence[SourceLine], cited: Sequence[int], terms_of: Callable[[str], frozenset[str]]
) -> list[NamedRow]:
    """The rows that are cited, numbered from 1, with those of the same table or list near them."""
    places = {at for number in cited for at in _run(lines, number - 1)}
    parts = (_parts(lines[at].text) for at in sorted(places))
    return [NamedRow(terms_of(name), terms_of(says)) for name, says in filter(None, parts)]


def _run(lines: Sequence[SourceLine], at: int) -> Iterator[int]:
    above = range(at - 1, max(at - 1 - _MAX_ROWS, -1), -1)
    below = range(at, min(at + 1 + _MAX_ROWS, len(lines)))
    if _parts(lines[at].text):
        for side in (above, below):
            yield from takewhile(lambda each: _parts(lines[each].text), side)


def _parts(text: str) -> tuple[str, str] | None:
    found = _ROW.match(text)
    return found and (found["item"] or found["cell"], found["says"] or found["tells"])


def is_of_another_row(terms: frozenset[str], rows: Sequence[NamedRow]) -> bool:
    """Whether the terms name rows, and all that they have of one row alone is of rows that they
    do not name."""
    counts = Counter(chain.from_iterable(row.name | row.says for row in rows))

    def own(terms: frozenset[str]) -> frozenset[str]:
        """Those that stand in no other row."""
        return frozenset(term for term in terms if counts[term] == 1)

    named = [row for row in rows if (own(row.name) or row.name) <= terms]
    if not any(_is_alone(row, rows) for row in named):
        return False
    rest = terms.difference(*(row.name for row in named))
    said = [row for row in rows if own(row.says) & rest]
    return bool(said) and not any(row in named for row in said)


def _is_alone(row: NamedRow, rows: Sequence[NamedRow]) -> bool:
    """Whether no other row has all of its name."""
    return not any(row.name <= other.name | other.says for other in rows if other is not row)
