"""All facts compared with each other, in about linear time: which are near duplicates, and which
conflict; most were compared before.

Which facts meet depends on all of them, and is worked out for those of before and for those of now;
only pairs that meet now and did not then are judged. Of a few that came, only the crowds that they
join are looked at.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial
from itertools import chain, combinations, compress, islice, pairwise, product, repeat
from math import ceil
from operator import contains
from typing import NamedTuple, TypeAlias

from memwiki.digest import text_hash
from memwiki.judgement.conflicts import Conflict, judge_conflicting, read_statement
from memwiki.judgement.lexicon import DEFAULT_RULES, ConflictRules, lexicon
from memwiki.judgement.meetings import (
    SET,
    STATEMENT,
    SUBJECT,
    TEXT,
    VALUE,
    Compared,
    Meeting,
    Pair,
    meeting_in,
)
from memwiki.judgement.similarity import (
    Fact,
    Likeness,
    ReadFact,
    Verdict,
    jaccard,
    judge_readings,
    read,
)
from memwiki.names import fold

_CROWD = 100  # facts about one subject, or with one text, that are all compared with each other
_RARE = 30  # facts of a crowd that share a word; of more, the word says nothing
_MAX_LIST = 300  # facts that share a word; of more, it says nothing about who may be near
_InCrowd: TypeAlias = Callable[[Sequence[int]], Iterable[Pair]]
_MAX_ADDED = 8  # facts that are compared without a look at how all others meet
_BEGINNING = 2  # words of a statement
_ROUNDING = 1e-9


def meeting_of(reading: ReadFact) -> Meeting:
    """The same of a fact that was read."""
    return Meeting(
        text_hash(reading.text, 4).hex(),
        reading.words,
        reading.subjects,
        frozenset(_one_valued(reading)),
        bool(reading.statements),
    )


class NearPair(NamedTuple):
    """The places of two facts, the earlier first."""

    old: int
    new: int
    likeness: Likeness


class ConflictPair(NamedTuple):
    """The places of two facts, the earlier first."""

    old: int
    new: int
    conflict: Conflict


# --- near duplicates ---


def near_duplicates(
    facts: Sequence[Fact], *, near: float = 0.9, same: float = 0.95
) -> Iterator[NearPair]:
    """All pairs of which the later fact is the same as the earlier one or near it, in order.

    Of more than a hundred facts of the same words each is judged with the first alone; others are
    judged where they share a word that at most three hundred have.
    """
    readings = [read(fact) for fact in facts]
    for old, new in sorted(likely_near([*map(meeting_of, readings)], near)):
        found = judge_readings(readings[old], readings[new], near=near, same=same)
        if found.verdict is not Verdict.DIFFERENT:
            yield NearPair(old, new, found)


def likely_near(meetings: Sequence[Meeting], near: float) -> set[Pair]:
    """The pairs of facts that are judged: all that may be near."""
    texts: dict[str, list[int]] = defaultdict(list)
    sets: dict[frozenset[str], list[int]] = defaultdict(list)
    for at, meeting in enumerate(meetings):
        texts[meeting.text].append(at)
        sets[meeting.words].append(at)
    sets.pop(frozenset(), None)
    groups = chain(texts.values(), sets.values())
    pairs = {pair for group in groups for pair in _met(group, _CROWD, _with_first)}
    counts = Counter(chain.from_iterable(meeting.words for meeting in meetings))
    for one, other in _alike_sets([*sets], counts, near):
        pairs |= {_in_order(*pair) for pair in product(sets[one], sets[other])}
    return pairs


def _met(places: Sequence[int], most: int, crowd: _InCrowd) -> Iterable[Pair]:
    """All pairs, of more than so many those of a crowd."""
    return combinations(places, 2) if len(places) <= most else crowd(places)


def _nobody(_: Sequence[int]) -> Iterable[Pair]:
    return ()


def _with_first(places: Sequence[int]) -> Iterable[Pair]:
    return product(places[:1], places[1:])


def _in_order(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def _alike_sets(
    sets: Sequence[frozenset[str]], counts: Mapping[str, int], near: float
) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Different sets that have a Jaccard of `near`: they share one of their rarest words. How many
    facts have a word says whether it tells anything.

    Source: Xiao et al. 2008, prefix filtering with shorter prefixes for the shorter sets.
    """
    rank = {word: at for at, word in enumerate(sorted(counts, key=lambda w: (counts[w], w)))}
    met: dict[str, list[frozenset[str]]] = defaultdict(list)
    for words in sorted(sets, key=len):
        count, most = len(words), _most_apart(words, near)
        if most < 0:
            continue
        rarest = sorted(words, key=rank.__getitem__)
        others = {other for word in rarest[: most + 1] for other in met[word]}
        yield from ((other, words) for other in others if jaccard(other, words) >= near)
        shared = ceil(2 * near / (1 + near) * count - _ROUNDING)  # with one that is no shorter
        for word in rarest[: count - shared + 1]:
            if counts[word] <= _MAX_LIST:
                met[word].append(words)


def _most_apart(words: frozenset[str], near: float) -> int:
    """How many of the words another set may lack that has a Jaccard of `near`; -1 for so few words
    that none but the same may."""
    count = len(words)
    if count < near * (count + 1) - _ROUNDING:
        return -1
    return count - ceil(near * count - _ROUNDING)


# --- conflicts ---


def conflicts(
    facts: Sequence[Fact], rules: ConflictRules = DEFAULT_RULES
) -> Iterator[ConflictPair]:
    """All pairs of facts in conflict, in order; the later fact is taken for the newer.

    Facts meet under a key, a subject, an entity, or the words they begin with, statements under any
    rare word. Of a crowd of more than a hundred those meet that share a word which at most thirty
    of them have, and those with one key, beginning, or subject and topic, one after the other:
    conflicts share the rare words as a rule.
    """
    readings = [read_statement(fact, rules) for fact in facts]
    for old, new in sorted(likely_opposed([*map(meeting_of, readings)])):
        found = judge_conflicting(readings[old], readings[new], rules)
        if found:
            yield ConflictPair(old, new, found)


def likely_opposed(meetings: Sequence[Meeting]) -> set[Pair]:
    """The pairs of facts that are judged: all that share what says that they may conflict."""
    blocks: dict[str, list[int]] = defaultdict(list)
    rows: dict[str, list[int]] = defaultdict(list)
    for at, meeting in enumerate(meetings):
        for key in meeting.subjects:
            blocks[key].append(at)
        for key in meeting.values:
            rows[key].append(at)
    statements = [at for at, meeting in enumerate(meetings) if meeting.is_statement]
    pairs = {*_in_crowd(meetings, statements)}
    for places in blocks.values():
        pairs.update(_met(places, _CROWD, partial(_in_crowd, meetings)))
    for places in rows.values():
        pairs.update(_met(places, _CROWD, pairwise))
    return pairs


def _one_valued(reading: ReadFact) -> Iterator[str]:
    """What has one value at a time."""
    fact = reading.fact
    if reading.statements:
        first = reading.statements[0].words[:_BEGINNING]
        yield " ".join(("begins", *(word.text for word in first)))
    if fact.key:
        yield f"key {fold(fact.key)}"
    if fact.subject and fact.topic:
        yield f"topic {fold(fact.subject)}\1{fold(fact.topic)}"


def _in_crowd(meetings: Sequence[Meeting], places: Sequence[int]) -> Iterator[Pair]:
    """Pairs that share a word that is rare among them."""
    counts = Counter(chain.from_iterable(meetings[at].words for at in places))
    rare = {word for word, count in counts.items() if 1 < count <= _RARE}
    having: dict[str, list[int]] = defaultdict(list)
    for at in places:
        for word in meetings[at].words & rare:
            having[word].append(at)
    for sharing in having.values():
        yield from combinations(sharing, 2)


class FactBounds(NamedTuple):
    """From which likeness on facts are near or the same, and what makes them conflict."""

    near: float
    same: float
    rules: ConflictRules


class JudgedFact(NamedTuple):
    """A fact that is compared with others."""

    fact: Fact
    may_conflict: bool = True  # it has not ended


def compare(
    names: Sequence[str],
    fact_at: Callable[[int], JudgedFact],
    bounds: FactBounds,
    before: Compared,
) -> Compared:
    """Compare the facts of these names; what comes out is the same whatever is known of those of
    `before`."""
    is_default = lexicon(bounds.rules) == lexicon(DEFAULT_RULES)

    @cache
    def reading(at: int) -> ReadFact:
        return read_statement(fact_at(at).fact, bounds.rules)

    def line(at: int) -> str:
        found = meeting_of(reading(at))
        return (found if fact_at(at).may_conflict else Meeting(found.text, found.words)).line

    def is_near(pair: Pair) -> bool:
        old, new = (reading(at) if is_default else read(fact_at(at).fact) for at in pair)
        found = judge_readings(old, new, near=bounds.near, same=bounds.same)
        return found.verdict is not Verdict.DIFFERENT

    def is_opposed(pair: Pair) -> bool:
        old, new = map(reading, pair)
        return judge_conflicting(old, new, bounds.rules) is not None

    now, then = _distinct(names), _distinct(before.names)
    known = dict(zip(then, before.lines, strict=True))
    lines = [known.get(name) or line(at) for at, name in enumerate(now)]
    place = {name: at for at, name in enumerate(now) if name in known}
    places = {at: place[name] for at, name in enumerate(then) if name in place}
    near, opposed = ({*_moved(pairs, places)} for pairs in (before.near, before.opposed))
    came = None
    is_longer = len(places) == len(then) and [*places.values()] == [*place.values()]
    if is_longer and len(now) <= len(then) + _MAX_ADDED:
        added = {*range(len(now))}.difference(places.values())
        came = _JoinedCrowds(lines, added).pairs(bounds.near, near | opposed)
    if came is None:
        met, met_before = ([*map(meeting_in, each)] for each in (lines, before.lines))
        came = likely_near(met, bounds.near), likely_opposed(met)
        near, opposed = near & came[0], opposed & came[1]
        came[0].difference_update(_moved(likely_near(met_before, bounds.near), places))
        came[1].difference_update(_moved(likely_opposed(met_before), places))
    near.update(filter(is_near, came[0]))
    opposed.update(filter(is_opposed, came[1]))
    return Compared(names, lines, sorted(near), sorted(opposed))


def _distinct(names: Sequence[str]) -> Sequence[str]:
    """Names that come more than once are told apart by their number."""
    if len(frozenset(names)) == len(names):
        return names
    counts = Counter[str]()
    numbered = []
    for name in names:
        counts[name] += 1
        numbered.append(f"{name}\0{counts[name]}" if counts[name] > 1 else name)
    return numbered


def _moved(pairs: Iterable[Pair], places: Mapping[int, int]) -> Iterator[Pair]:
    """Pairs of before by their places of now; not those that change their order."""
    for old, new in pairs:
        if old in places and new in places and places[old] < places[new]:
            yield places[old], places[new]


class _JoinedCrowds:
    """The crowds of facts, by their lines, that some of them joined."""

    def __init__(self, lines: Sequence[str], added: AbstractSet[int]) -> None:
        self._lines, self._added = lines, added
        self._gone = set[Pair]()  # meet in a crowd no more, but perhaps in another one

    def pairs(self, near: float, found: AbstractSet[Pair]) -> tuple[set[Pair], set[Pair]] | None:
        """What is judged now and was not: of what may be near, and of what may conflict; None where
        pairs that were found may not meet any more."""
        alike, opposed = set[Pair](), set[Pair]()
        for at in self._added:
            for key in self._lines[at][1:-1].split("\0"):
                if key[0] in (TEXT, SET):
                    alike.update(self._came(self._having(key), _CROWD, _with_first))
                elif key[0] == VALUE:
                    opposed.update(self._came(self._having(key), _CROWD, pairwise))
                elif key[0] == SUBJECT:
                    opposed.update(self._about(key, at))
                else:
                    alike.update(self._alike(key, near))
        return (alike, opposed) if self._gone.isdisjoint(found) else None

    def _about(self, key: str, at: int) -> Iterator[Pair]:
        """Those of one subject that came with a fact."""
        block = self._having(key)
        if key != STATEMENT:
            yield from self._came(block, _CROWD, _nobody)
        if key == STATEMENT or len(block) > _CROWD:
            for word in meeting_in(self._lines[at]).words:
                yield from self._came(self._having(word, block, _RARE), _RARE, _nobody)

    def _alike(self, word: str, near: float) -> Iterator[Pair]:
        """Those with a Jaccard of `near` that share a word."""
        for pair in self._came(self._having(word, most=_MAX_LIST), _MAX_LIST, _nobody):
            one, other = (meeting_in(self._lines[at]).words for at in pair)
            if one != other and _most_apart(one, near) >= 0 and jaccard(one, other) >= near:
                yield pair

    def _having(
        self, key: str, among: Sequence[int] | None = None, most: int | None = None
    ) -> Sequence[int]:
        """The facts that have a key; not all where more than so many had it before."""
        places = range(len(self._lines)) if among is None else among
        has = map(contains, map(self._lines.__getitem__, places), repeat(f"\0{key}\0"))
        stop = None if most is None else most + len(self._added) + 1
        return [*islice(compress(places, has), stop)]

    def _came(self, members: Sequence[int], most: int, crowd: _InCrowd) -> AbstractSet[Pair]:
        """The pairs of a crowd that did not meet before in it."""
        old = [at for at in members if at not in self._added]
        if len(members) <= most:
            new = self._added & {*members}
            return {_in_order(*pair) for pair in product(new, members) if pair[0] != pair[1]}
        before, now = {*_met(old, most, crowd)}, {*crowd(members)}
        self._gone |= before - now
        return now - before
