"""How much a term counts in a unit: the saturated, length-normalised part of BM25, as 1..255.

The length is compared with a constant instead of the collection's mean, so that a weight depends on
its unit alone: a page that is added never changes the rows of another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memwiki.errors import IndexDamagedError
from memwiki.index.keyword.tokens import count_terms, is_cjk
from memwiki.index.projection import Terms
from memwiki.nouns import Unit, UnitKind

SCALE = 100  # weights are hundredths; the largest, k1 + 1, is 2.5


class _Normalisation(NamedTuple):
    """BM25's k1 and b, and the average length of a unit in characters (CJK counts double)."""

    k1: float
    b: float
    average_length: float


# Short units want little length normalisation, blocks of mixed length want much.
_BLOCK = _Normalisation(k1=1.2, b=0.75, average_length=1000)
_SHORT = _Normalisation(k1=0.9, b=0.6, average_length=200)


def packed(unit: Unit) -> Terms:
    """The terms of a unit with their weights; in few bytes, as the units of 2,000 pages wait for a
    commit."""
    text = f"{unit.names}\n{unit.text}"
    counts = count_terms(text)
    k1, b, average_length = _BLOCK if unit.kind is UnitKind.BLOCK else _SHORT
    norm = k1 * (1 - b + b * _size(text) / average_length)
    top = SCALE * (k1 + 1)
    # Few distinct counts occur in a unit, so the formula is worked out once for each.
    weight = {n: max(1, min(255, round(top * n / (n + norm)))) for n in set(counts.values())}
    names = "\n".join(counts).encode("utf-8", "surrogatepass")
    return Terms(names, bytes(map(weight.__getitem__, counts.values())))


def weights_of(unit_or_terms: Unit | Terms | None) -> Iterable[tuple[bytes, int]]:
    """The weight of each term, in UTF-8: 1 to 255; IndexDamagedError for a unit of which nothing
    was made, as the index should have it."""
    if unit_or_terms is None:
        raise IndexDamagedError("keyword index: it lacks units of a page that it holds")
    terms = packed(unit_or_terms) if isinstance(unit_or_terms, Unit) else unit_or_terms
    return zip(terms.names.split(b"\n"), terms.weights, strict=True) if terms.weights else ()


def _size(text: str) -> int:
    if text.isascii() or not is_cjk(text):
        return len(text)
    # A CJK character takes three bytes in UTF-8 and says about as much as two letters.
    return (len(text.encode("utf-8", "surrogatepass")) + len(text)) // 2
