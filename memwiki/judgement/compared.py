"""All facts compared with each other, where most of them were compared before.

Which facts meet depends on all of them, and is worked out anew, for those of before and for those
of now; only pairs that meet now and did not then are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import filterfalse
from typing import NamedTuple

from memwiki.judgement.conflicts import judge_conflicting, read_statement
from memwiki.judgement.lexicon import DEFAULT_RULES, ConflictRules, lexicon
from memwiki.judgement.meetings import Compared, Meeting, Pair
from memwiki.judgement.near_pairs import likely_near, likely_opposed, meeting_of
from memwiki.judgement.similarity import Fact, ReadFact, Verdict, judge_readings, read


class FactBounds(NamedTuple):
    """From which likeness on facts are near or the same, and what makes them conflict."""

    near: float
    same: float
    rules: ConflictRules


class NamedFact(NamedTuple):
    """A fact that is read when it is not known by its name."""

    name: str
    fact: Callable[[], Fact]
    may_conflict: bool = True  # it has not ended


def compare(facts: Sequence[NamedFact], bounds: FactBounds, before: Compared) -> Compared:
    """Compare the facts: what comes out is the same whatever is known of `before`."""
    names = [*_distinct(fact.name for fact in facts)]
    at_before = {name: at for at, name in enumerate(_distinct(before.names))}
    places = {at_before[name]: at for at, name in enumerate(names) if name in at_before}
    is_default = lexicon(bounds.rules) == lexicon(DEFAULT_RULES)

    @cache
    def reading(at: int) -> ReadFact:
        return read_statement(facts[at].fact(), bounds.rules)

    def plain(at: int) -> ReadFact:
        return reading(at) if is_default else read(facts[at].fact())

    def is_near(pair: Pair) -> bool:
        old, new = map(plain, pair)
        found = judge_readings(old, new, near=bounds.near, same=bounds.same)
        return found.verdict is not Verdict.DIFFERENT

    def is_opposed(pair: Pair) -> bool:
        old, new = map(reading, pair)
        return judge_conflicting(old, new, bounds.rules) is not None

    def meeting(at: int) -> Meeting:
        found = meeting_of(reading(at))
        return found if facts[at].may_conflict else Meeting(found.text, found.words)

    known = {at: before.meetings[then] for then, at in places.items()}
    meetings = [known[at] if at in known else meeting(at) for at in range(len(facts))]
    alike = partial(likely_near, near=bounds.near)
    is_known: Callable[[Pair], bool] = {*_moved(alike(before.meetings), places)}.__contains__
    near = _found(alike(meetings), is_known, is_near, before.near, places)
    is_known = _met_before(before, places)
    opposed = _found(likely_opposed(meetings), is_known, is_opposed, before.opposed, places)
    return Compared([fact.name for fact in facts], meetings, near, opposed)


def _distinct(names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Names that come more than once are told apart by their number."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
        yield name, counts[name]


def _met_before(before: Compared, places: Mapping[int, int]) -> Callable[[Pair], bool]:
    """Whether a pair was judged for conflicts."""
    if [*places] == [*range(len(before.names))]:
        # Where facts were only added, fewer of the others meet: who meets now, met before.
        return frozenset(places.values()).issuperset
    return {*_moved(likely_opposed(before.meetings), places)}.__contains__


def _found(
    pairs: set[Pair],
    is_known: Callable[[Pair], bool],
    is_so: Callable[[Pair], bool],
    before: Sequence[Pair],
    places: Mapping[int, int],
) -> list[Pair]:
    """The pairs of which something is so: of those that are known, those of before."""
    kept = pairs.intersection(_moved(before, places))
    return sorted([*kept, *filter(is_so, filterfalse(is_known, pairs))])


def _moved(pairs: Iterable[Pair], places: Mapping[int, int]) -> Iterator[Pair]:
    """Pairs of before by their places of now; not those that change their order."""
    for old, new in pairs:
        if old in places and new in places and places[old] < places[new]:
            yield places[old], places[new]
