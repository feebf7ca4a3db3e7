"""The order of what answers beside its scores: of two values of one thing the newer one first, and
of several times the one that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date
from functools import cache, partial
from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

from memwiki.dates import day_here, iso_date
from memwiki.facts.value import BOUNDS
from memwiki.index.keyword.tokens import query_terms
from memwiki.index.units import UnitKey
from memwiki.markdown.entries import FIELD, TYPE
from memwiki.markdown.syntax import ENTRY_ID, LIST_MARKER
from memwiki.names import fold
from memwiki.nouns import LATER, OLDER, SUPERSEDED
from memwiki.recall.channels import Passage
from memwiki.recall.fusion import ScoredPassage
from memwiki.recall.query import is_light
from memwiki.records import NamedTuple
from memwiki.text import pattern
from memwiki.times.days import days_in

if TYPE_CHECKING:
    from memwiki.judgement.similarity import ReadFact
    from memwiki.judgement.statement import Statement

ScoredRow: TypeAlias = tuple[ScoredPassage, int]  # and how many others say the same
MAX_COMPARED = 10  # best hits
ANSWERS = 3  # best memories that are compared with all others
_EQUAL = 0.7  # of the better one's total: with less they are no equals
_MAX_APART = 3  # words of one of these
_ABOUT_EQUAL = 0.95  # of the total of one that has the same words
_ALIKE = 0.25  # of their words: two stories of one person share less, two values of one thing more
_PARTS = pattern(r"[^\w=]+")  # of inc-46, as words are asked for
_USER = frozenset(("user",))  # I, in another's words
_MARKER = pattern(rf"\s*{LIST_MARKER}\s+(?:\[[ xX]\]\s)?")


def newer_first(
    rows: Sequence[ScoredRow],
    holds: Callable[[Passage], bool],
    terms: Collection[str],
) -> list[ScoredRow]:
    """The rows with each older value behind the newer one that says otherwise, and marked; what
    does not hold when it is asked for counts as older.

    Those that have days of their own are compared with what has about as good a total or the same
    key, and the best memories with all others that are of what the `terms` of the question name.
    """
    values = [_DatedValue(row.passage, holds(row.passage)) for row, _ in rows]
    pairs = list(_equals([row for row, _ in rows], values))
    if not pairs:
        return list(rows)
    from memwiki.judgement.conflicts import judge_conflicting  # not where there is none to judge

    read = cache(lambda at: statement_of(rows[at][0].passage))
    order, older = list(range(len(rows))), set[int]()
    totals = [row.total for row, _ in rows]
    for first, second, is_plain in pairs:
        is_first_older = values[first].is_older_than(values[second])
        old, new = (first, second) if is_first_older else (second, first)
        is_judged = judge_conflicting if is_plain else partial(is_contradicted, terms=terms)
        if is_judged(read(old), read(new)):
            older.add(old)
            if order.index(new) > order.index(old):
                order.remove(new)
                order.insert(order.index(old), new)
                totals[new] = max(totals[old], totals[new])  # so that totals fall
    return [(rows[i][0]._replace(is_older=i in older, total=totals[i]), rows[i][1]) for i in order]


class _DatedValue(NamedTuple):
    """What makes one value newer than another: that it holds, then when it was written."""

    passage: Passage
    is_valid: bool

    def is_older_than(self, other: _DatedValue) -> bool:
        if self.is_valid != other.is_valid:
            return other.is_valid
        return is_newer(other.passage, self.passage)


def is_newer(one: Passage, other: Passage) -> bool:
    """Whether a memory was written after another one: on a later day or, of one day, below it in
    the same section, at whose end memories are added."""
    if one.date != other.date or not one.date:
        return one.date > other.date > ""
    here, there = one.location, other.location
    are_in_one_place = (here.key.page, here.section) == (there.key.page, there.section)
    are_memories = one.is_entry and other.is_entry
    return are_memories and are_in_one_place and here.line_start > there.line_start


def _equals(
    rows: Sequence[ScoredPassage], values: Sequence[_DatedValue]
) -> Iterator[tuple[int, int, bool]]:
    """The pairs of two memories or messages of different ages, the better one first, and whether
    it is plain that they are of one thing."""
    dated = [i for i, row in enumerate(rows) if not row.passage.key.is_block and row.passage.date]
    for first, second in combinations(dated, 2):
        one, other = rows[first], rows[second]
        are_memories = one.passage.is_entry and other.passage.is_entry
        are_sure = are_memories and not (one.trust.is_low or other.trust.is_low)
        is_plain = _have_one_key(one, other) or not are_memories
        are_near = other.total >= _EQUAL * one.total or _have_one_key(one, other)
        are_apart = values[first].is_older_than(values[second]) or values[second].is_older_than(
            values[first]
        )
        if (are_near or (first < ANSWERS and are_sure)) and are_apart:
            yield first, second, is_plain


def newer_of_equals(rows: Iterable[ScoredPassage]) -> list[ScoredPassage]:
    """The rows, and of memories that have the same words of the question and score about alike the
    newer before the older one: a change says more than what it changes, and scores less."""
    ordered = list[ScoredPassage]()
    for row in rows:
        at = last = len(ordered)
        while 0 < at <= MAX_COMPARED and _is_newer_equal(row, ordered[at - 1]):
            at -= 1
        total = ordered[at].total if at < last else row.total  # so that totals fall
        ordered.insert(at, row._replace(total=total))
    return ordered


def _is_newer_equal(row: ScoredPassage, above: ScoredPassage) -> bool:
    is_equal = row.reason == above.reason and row.total >= _ABOUT_EQUAL * above.total
    both_ours = not (row.trust.is_low or above.trust.is_low)
    if not (is_equal and both_ours and row.passage.is_entry and above.passage.is_entry):
        return False
    return is_newer(row.passage, above.passage) and _are_of_one_form(row.passage, above.passage)


def _are_of_one_form(one: Passage, other: Passage) -> bool:
    """Whether two memories begin with one word, and each has few words that the other has not."""
    here, there = (query_terms(said_of(each)) for each in (one, other))
    apart = max(len({*here} - {*there}), len({*there} - {*here}))
    return here[:1] == there[:1] and apart <= _MAX_APART


def is_later(passage: Passage, until: date) -> bool:
    """Whether it was written after a day, and does not say itself that it tells of one up to it."""
    if day_here(passage.date)[:10] <= until.isoformat():
        return False
    is_bounded = any(name in passage.fields for name in BOUNDS)
    return not is_bounded and all(days.first > until for days in days_in(passage.said, until))


def held_then(passage: Passage, until: date, terms: Iterable[str]) -> bool:
    """Whether a memory was known by a day that is over, says that it held on after it, and has a
    word of the question."""
    ends = day_here(iso_date(passage.fields.get(BOUNDS[1], "")))
    if not ends or not day_here(passage.date)[:10] <= until.isoformat()[: len(ends)] <= ends:
        return False
    return not {*query_terms(said_of(passage))}.isdisjoint(t for t in terms if not is_light(t))


def age_of(each: ScoredPassage, until: date, asked: date) -> str:
    """How a passage is marked beside what it is compared with up to a day, and beside the last day
    that the question asks for."""
    if each.trust.is_superseded:
        return SUPERSEDED
    if each.is_older and not is_later(each.passage, until):
        return OLDER
    is_of_later = each.passage.is_entry and is_later(each.passage, asked)
    return LATER if each.is_older or is_of_later else ""


def times_first(rows: Sequence[ScoredRow], times: Sequence[UnitKey]) -> list[ScoredRow]:
    """The rows with those in front that say when it was, in the order of `times`; what nobody of
    ours said stays where it is."""
    by_key = {row.passage.key: (row, count) for row, count in rows if not row.trust.is_low}
    front = [by_key[key] for key in times if key in by_key]
    best = max((row.total for row, _ in rows), default=0.0)  # so that totals fall
    rest = [each for each in rows if each not in front]
    return [*((row._replace(total=best), count) for row, count in front), *rest]


def _have_one_key(one: ScoredPassage, other: ScoredPassage) -> bool:
    key = one.passage.fields.get("key", "")
    return bool(key) and fold(key) == fold(other.passage.fields.get("key", ""))


def is_contradicted(old: ReadFact, new: ReadFact, terms: Collection[str]) -> bool:
    """Whether one memory says otherwise than another that answers a question: of the same, by its
    subject or a word, and of nobody and nothing else in the place of whom the question names."""
    from memwiki.judgement.conflicts import judge_conflicting

    are_of_one = not (old.subjects.isdisjoint(new.subjects) and old.words.isdisjoint(new.words))
    mine, theirs = _subjects(old), _subjects(new)
    asked = (mine - new.words).intersection(terms) - _USER
    speaks_of_it = not new.words.isdisjoint(terms)
    is_of_another = bool(asked) and not (speaks_of_it and theirs - _USER <= mine | old.words)
    if is_of_another or not (are_of_one and judge_conflicting(old, new)):
        return False
    are_told = len(old.statements) > 1 and len(new.statements) > 1
    return not are_told or _tell_one_thing(old, new)  # of what happened each tells something else


def _tell_one_thing(old: ReadFact, new: ReadFact) -> bool:
    """Whether two memories in clauses share words enough, or two of their clauses that can hardly
    both hold do."""
    from memwiki.judgement.contrast import are_contrary
    from memwiki.judgement.similarity import jaccard

    return jaccard(old.words, new.words) >= _ALIKE or any(
        jaccard(_words_of(one), _words_of(other)) >= _ALIKE and are_contrary((one,), (other,))
        for one, other in product(old.statements, new.statements)
    )


def _subjects(read: ReadFact) -> set[str]:
    words = (word for each in read.statements for word in each.subject)
    return {part for word in words for part in _PARTS.split(word)}


def _words_of(said: Statement) -> frozenset[str]:
    return frozenset(word.text for word in said.words)


def statement_of(passage: Passage) -> ReadFact:
    """A memory or a message as it is judged for conflicts."""
    from memwiki.judgement.conflicts import read_statement
    from memwiki.judgement.similarity import Fact

    fields = passage.fields
    subject, topic, object_ = (fields.get(name, "") for name in ("subject", "topic", "object"))
    key, type_ = fields.get("key", ""), passage.location.type
    return read_statement(Fact(said_of(passage), type_, key, subject, topic, object_))


def said_of(passage: Passage) -> str:
    """The text of a memory or a message without its marks."""
    said = passage.said
    if not passage.is_entry:
        return said.strip()
    plain = ENTRY_ID.sub("", FIELD.sub("", _MARKER.sub("", said, count=1)))
    return TYPE.sub("", plain.strip(), count=1)
