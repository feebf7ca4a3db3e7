"""Of two values of one slot, such as two addresses of one person, the newer one first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from memwiki.markdown.entries import FIELD, ID, TYPE
from memwiki.markdown.syntax import LIST_MARKER
from memwiki.patterns import pattern
from memwiki.recall.fusion import ScoredPassage

if TYPE_CHECKING:
    from memwiki.judgement.similarity import Fact

ScoredRow: TypeAlias = tuple[ScoredPassage, int]  # and how many others say the same
_MAX_COMPARED = 10  # best hits
_EQUAL = 0.7  # of the better one's total: with less they are no equals
_MARKER = pattern(rf"\s*{LIST_MARKER}\s+(?:\[[ xX]\]\s)?")


def newer_first(rows: Sequence[ScoredRow]) -> list[ScoredRow]:
    """The rows with each older value behind the newer one that says otherwise, and marked.

    Of the best ones, those that have days of their own are compared, and about as good totals.
    """
    pairs = list(_equals([row for row, _ in rows[:_MAX_COMPARED]]))
    if not pairs:
        return list(rows)
    from memwiki.judgement.conflicts import judge_conflict  # not where there is nothing to judge

    order, older = list(range(len(rows))), set[int]()
    totals = [row.total for row, _ in rows]
    for first, second in pairs:
        is_newer = _day(rows[first][0]) > _day(rows[second][0])
        old, new = (second, first) if is_newer else (first, second)
        if judge_conflict(_fact(rows[old][0]), _fact(rows[new][0])):
            older.add(old)
            if order.index(new) > order.index(old):
                order.remove(new)
                order.insert(order.index(old), new)
                totals[new] = max(totals[old], totals[new])  # so that totals fall
    return [(rows[i][0]._replace(is_older=i in older, total=totals[i]), rows[i][1]) for i in order]


def _equals(rows: Sequence[ScoredPassage]) -> Iterator[tuple[int, int]]:
    """The pairs of two memories or messages of different days, the better one first."""
    dated = [i for i, row in enumerate(rows) if not row.passage.key.is_block and _day(row)]
    for first, second in combinations(dated, 2):
        one, other = rows[first], rows[second]
        if other.total >= _EQUAL * one.total and _day(one) != _day(other):
            yield first, second


def _day(row: ScoredPassage) -> str:
    return row.passage.date


def _fact(row: ScoredPassage) -> Fact:
    from memwiki.judgement.similarity import Fact

    fields = row.passage.fields
    subject, topic, object_ = (fields.get(name, "") for name in ("subject", "topic", "object"))
    return Fact(_said(row), "", fields.get("key", ""), subject, topic, object_)


def _said(row: ScoredPassage) -> str:
    """The text of a memory or a message without its marks."""
    body = row.passage.body
    if not row.passage.is_entry:
        return body.partition("\n")[2].strip() if body.startswith("#") else body
    plain = ID.sub("", FIELD.sub("", _MARKER.sub("", body, count=1)))
    return TYPE.sub("", plain.strip(), count=1)
