"""All facts compared with each other, in about linear time: which are near duplicates, and which
conflict; most were compared before.

Which facts meet depends on all of them, and is worked out anew, for those of before and for those
of now; only pairs that meet now and did not then are judged.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, filterfalse, pairwise, product
from math import ceil
from typing import NamedTuple

from memwiki.digest import text_hash
from memwiki.judgement.conflicts import Conflict, judge_conflicting, read_statement
from memwiki.judgement.lexicon import DEFAULT_RULES, ConflictRules, lexicon
from memwiki.judgement.meetings import Compared, Meeting, Pair
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
_MAX_LIST = 300  # long texts that share a rare word; of more, the last ones in order of length
_BEGINNING = 2  # words of a statement
_ROUNDING = 1e-9
_TEXT_BYTES = 4  # two texts of one number only meet in vain


def meeting_of(reading: ReadFact) -> Meeting:
    """The same of a fact that was read."""
    return Meeting(
        text_hash(reading.text, _TEXT_BYTES).hex(),
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

    Of more than a hundred facts of the same words each is judged with the first alone; of more than
    three hundred long ones that share a rare word, with those nearest in length.
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
    pairs = {pair for group in groups if len(group) > 1 for pair in _few_pairs(group, group)}
    for one, other in _alike_sets([*sets], near):
        pairs |= {*_few_pairs(sets[one], sets[other])}
    return pairs


def _few_pairs(one: list[int], other: list[int]) -> Iterator[Pair]:
    """Each place of one list with each of the other, of a crowd with the first."""
    first = other if len(one) <= _CROWD and len(other) <= _CROWD else other[:1]
    for pair in product(one, first):
        if pair[0] != pair[1]:
            yield min(pair), max(pair)


def _alike_sets(
    sets: Sequence[frozenset[str]], near: float
) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Sets that have a Jaccard of `near`: they share one of their rarest words.

    Source: Xiao et al. 2008, prefix filtering with shorter prefixes for the shorter sets.
    """
    counts = Counter(chain.from_iterable(sets))
    rank = {word: at for at, word in enumerate(sorted(counts, key=lambda w: (counts[w], w)))}
    met: dict[str, deque[frozenset[str]]] = defaultdict(lambda: deque(maxlen=_MAX_LIST))
    for words in sorted(sets, key=len):
        count = len(words)
        if count < near * (count + 1) - _ROUNDING:
            continue  # too short to differ in a word
        rarest = sorted(words, key=rank.__getitem__)
        least = ceil(near * count - _ROUNDING)
        others = {other for word in rarest[: count - least + 1] for other in met[word]}
        yield from ((other, words) for other in others if jaccard(other, words) >= near)
        shared = ceil(2 * near / (1 + near) * count - _ROUNDING)  # with one that is no shorter
        for word in rarest[: count - shared + 1]:
            met[word].append(words)


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
        is_crowd = len(places) > _CROWD
        pairs |= {*(_in_crowd(meetings, places) if is_crowd else combinations(places, 2))}
    for places in rows.values():
        pairs |= {*(combinations(places, 2) if len(places) <= _CROWD else pairwise(places))}
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
        yield f"topic {fold(fact.subject)}\0{fold(fact.topic)}"


def _in_crowd(meetings: Sequence[Meeting], places: list[int]) -> Iterator[Pair]:
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
    alike = likely_near(meetings, bounds.near)
    is_known: Callable[[Pair], bool] = {*_moved(before.alike, places)}.__contains__
    near = _found(alike, is_known, is_near, before.near, places)
    is_known = _met_before(before, places)
    opposed = _found(likely_opposed(meetings), is_known, is_opposed, before.opposed, places)
    return Compared([fact.name for fact in facts], meetings, sorted(alike), near, opposed)


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
