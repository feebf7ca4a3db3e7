"""All facts compared with each other, in about linear time: which are near duplicates, and which
conflict; most were compared before.

Which facts meet depends on all of them. Of some that came, only the crowds that they join are
looked at; where others went, who meets is worked out for those of before and for those of now, and
only pairs that meet now and did not then are judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial
from itertools import chain, combinations, compress, islice, pairwise, product, repeat
from math import ceil
from operator import contains
from typing import NamedTuple, TypeAlias

from memwiki.digest import text_hash
from memwiki.facts.identity import normal_form
from memwiki.judgement.conflicts import (
    Conflict,
    judge_conflicting,
    read_statement,
    subjects_of,
    with_statements,
)
from memwiki.judgement.lexicon import DEFAULT_RULES, ConflictRules, lexicon, tokens_of
from memwiki.judgement.meetings import Compared, Pair
from memwiki.judgement.similarity import (
    Fact,
    Likeness,
    Verdict,
    jaccard,
    judge_readings,
    read,
    without_correction,
    words_of,
)
from memwiki.judgement.statement import beginning_of
from memwiki.names import fold
from memwiki.records import grouped
from memwiki.sequences import shared_start

_CROWD = 100  # facts about one subject, or with one text, that are all compared with each other
_RARE = 30  # facts of a crowd that share a word; of more, the word says nothing
_MAX_LIST = 300  # facts that share a word; of more, it says nothing about who may be near
_MAX_LOOKED_UP = 8  # facts of which each key is looked for among all
_ROUNDING = 1e-9
_Pairing: TypeAlias = Callable[[Sequence[int]], Iterable[Pair]]  # of a crowd: who meets in it


# What begins the keys of a fact that are no words.
_SUBJECT, _VALUE, _TEXT, _SET = "\1", "\2", "\3", "\4"
_STATEMENT = _SUBJECT  # of all statements, as if they had one subject
_WORDS = "\5"  # none comes before it


def meeting_of(
    fact: Fact, rules: ConflictRules = DEFAULT_RULES, *, may_conflict: bool = False
) -> str:
    """What decides with which other facts a fact is judged: keys with a NUL before and behind each,
    as no text has one. Of what it states no more is read than how it begins."""
    keys = sorted(words_of(fact.text))
    if keys:
        keys.append(_SET + text_hash(" ".join(keys), 8).hex())
    keys.append(_TEXT + text_hash(normal_form(fact.text), 8).hex())
    if may_conflict:
        text = without_correction(fact.text)
        subjects = subjects_of(fact, tokens_of(text, lexicon(rules)))
        keys += sorted(map(_SUBJECT.__add__, subjects))
        beginning = beginning_of(text)
        if beginning:
            keys.append(_STATEMENT)
        keys += map(_VALUE.__add__, _one_valued(fact, beginning))
    return "\0".join(("", *keys, ""))


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
    for old, new in sorted(likely_near([*map(meeting_of, facts)], near)):
        found = judge_readings(readings[old], readings[new], near=near, same=same)
        if found.verdict is not Verdict.DIFFERENT:
            yield NearPair(old, new, found)


def likely_near(meetings: Sequence[str], near: float) -> AbstractSet[Pair]:
    """The pairs of facts that are judged: all that may be near."""
    return _Crowds(meetings, range(len(meetings))).pairs(near)[0]


def _pairs_in(places: Sequence[int], most: int, pairing: _Pairing) -> Iterable[Pair]:
    """All pairs; of more than `most` facts, those that `pairing` gives."""
    return combinations(places, 2) if len(places) <= most else pairing(places)


def _no_pairs(_: Sequence[int]) -> Iterable[Pair]:
    return ()


def _pairs_with_first(places: Sequence[int]) -> Iterable[Pair]:
    return product(places[:1], places[1:])


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
    meetings = [meeting_of(each, rules, may_conflict=True) for each in facts]
    for old, new in sorted(_Crowds(meetings, range(len(facts))).pairs(1)[1]):
        found = judge_conflicting(readings[old], readings[new], rules)
        if found:
            yield ConflictPair(old, new, found)


def _one_valued(fact: Fact, beginning: Sequence[str]) -> Iterator[str]:
    """What has one value at a time."""
    if beginning:
        yield " ".join(("begins", *beginning))
    if fact.key:
        yield f"key {fold(fact.key)}"
    if fact.subject and fact.topic:
        yield f"topic {fold(fact.subject)}\1{fold(fact.topic)}"


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
    judge = _PairJudge(fact_at, bounds)
    alignment = _alignment(_distinct(before.names), _distinct(names))
    lines = alignment.lines(before.lines, len(names), judge.meeting)
    near, opposed = _candidates(lines, before, alignment, bounds.near)
    near.known.update(filter(judge.are_near, near.unjudged))
    opposed.known.update(filter(judge.are_opposed, opposed.unjudged))
    return Compared(names, lines, sorted(near.known), sorted(opposed.known))


class _PairJudge:
    """Judges pairs of facts by their places; each fact is read once."""

    def __init__(self, fact_at: Callable[[int], JudgedFact], bounds: FactBounds) -> None:
        plain = cache(lambda at: read(fact_at(at).fact, bounds.rules))
        self._statement = cache(lambda at: with_statements(plain(at)))
        # How alike two facts are does not depend on the words of a workspace.
        is_default = lexicon(bounds.rules) == lexicon(DEFAULT_RULES)
        self._plain = plain if is_default else cache(lambda at: read(fact_at(at).fact))
        self._fact_at, self._bounds = fact_at, bounds

    def meeting(self, at: int) -> str:
        fact, may_conflict = self._fact_at(at)
        return meeting_of(fact, self._bounds.rules, may_conflict=may_conflict)

    def are_near(self, pair: Pair) -> bool:
        old, new = map(self._plain, pair)
        found = judge_readings(old, new, near=self._bounds.near, same=self._bounds.same)
        return found.verdict is not Verdict.DIFFERENT

    def are_opposed(self, pair: Pair) -> bool:
        old, new = map(self._statement, pair)
        return judge_conflicting(old, new, self._bounds.rules) is not None


class _Alignment(NamedTuple):
    """Where the facts of before are now."""

    unmoved: int  # so many at the start are where they were
    moved: Mapping[int, int]  # the places of the others, of before -> of now
    added: AbstractSet[int]
    is_longer: bool  # none went, and none changed its order

    def lines(
        self, before: Sequence[str], count: int, meeting: Callable[[int], str]
    ) -> Sequence[str]:
        """The lines of all facts of now: those of before, and of what was added."""
        known = {now: before[then] for then, now in self.moved.items()}
        others = range(self.unmoved, count)
        return [*before[: self.unmoved], *(known.get(at) or meeting(at) for at in others)]

    def pairs(self, before: Iterable[Pair]) -> Iterator[Pair]:
        """Pairs by their places of now; not those that change their order."""
        places = {**dict(enumerate(range(self.unmoved))), **self.moved}
        for old, new in before:
            if old in places and new in places and places[old] < places[new]:
                yield places[old], places[new]


def _alignment(then: Sequence[str], now: Sequence[str]) -> _Alignment:
    """Where names are found again; most stand where they stood."""
    unmoved = shared_start(now, then)
    by_name = {name: at for at, name in enumerate(now[unmoved:], unmoved)}
    others = enumerate(then[unmoved:], unmoved)
    moved = {at: by_name[name] for at, name in others if name in by_name}
    places = [*moved.values()]
    is_longer = unmoved + len(moved) == len(then) and places == sorted(places)
    added = {*range(unmoved, len(now))}.difference(places)
    return _Alignment(unmoved, moved, added, is_longer)


class _Candidates(NamedTuple):
    """Pairs that meet: those that were found before, and those that nobody has judged."""

    known: set[Pair]
    unjudged: AbstractSet[Pair]


def _candidates(
    lines: Sequence[str], before: Compared, alignment: _Alignment, near: float
) -> Sequence[_Candidates]:
    """Of what may be near, and of what may conflict."""
    known = [{*alignment.pairs(pairs)} for pairs in (before.near, before.opposed)]
    if alignment.is_longer:
        crowds = _Crowds(lines, alignment.added)
        unjudged = crowds.pairs(near)
        if crowds.gone.isdisjoint(known[0] | known[1]):
            return [*map(_Candidates, known, unjudged)]
    meeting, met = (_Crowds(each, range(len(each))).pairs(near) for each in (lines, before.lines))
    return [
        _Candidates(found & now, now - {*alignment.pairs(then)})
        for found, now, then in zip(known, meeting, met, strict=True)
    ]


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


class _Crowds:
    """Who meets whom among facts, of which some were added."""

    def __init__(self, meetings: Sequence[str], added: Iterable[int]) -> None:
        self._added = frozenset(added)
        self.gone = set[Pair]()  # meet in a crowd no more, but perhaps in another one
        # Nothing here holds what holds it: so it is gone at once when it is done with.
        keys = self._keys = cache(lambda at: meetings[at][1:-1].split("\0"))
        self._words = cache(lambda at: frozenset(filter(_WORDS.__le__, keys(at))))
        is_many, places = len(self._added) > _MAX_LOOKED_UP, range(len(meetings))
        pairs = ((key, at) for at in places for key in self._keys(at)) if is_many else ()
        self._by_key = grouped(pairs)
        self._shared = {key for key, having in self._by_key.items() if len(having) > 1}
        self._has_old = len(self._added) < len(meetings)
        # Each word of a fact is asked for twice.
        self._search = partial(_search, meetings, len(self._added) + 1)
        self._search_all = cache(partial(self._search, places))

    def pairs(self, near: float) -> tuple[AbstractSet[Pair], AbstractSet[Pair]]:
        """What is judged now and was not: of what may be near, and of what may conflict, one crowd
        after the other: what was read of its facts is at hand."""
        alike, opposed = set[Pair](), dict[Pair, None]()
        keys = chain.from_iterable(map(self._keys, self._added))
        for key in self._shared.intersection(keys) if self._by_key else {*keys}:
            if key[0] in (_TEXT, _SET):
                alike.update(self._new_pairs(self._facts_with(key), _CROWD, _pairs_with_first))
            elif key[0] == _VALUE:
                one_valued = self._new_pairs(self._facts_with(key), _CROWD, pairwise)
                opposed.update(dict.fromkeys(one_valued))
            elif key[0] == _SUBJECT:
                opposed.update(dict.fromkeys(self._about(key)))
            elif len(crowd := self._facts_with(key, _MAX_LIST)) > _MAX_LIST:
                self._new_pairs(crowd, _MAX_LIST, _no_pairs)
        for at in self._added:
            alike.update(self._alike(at, near))
        return alike, opposed.keys()

    def _about(self, key: str) -> Iterator[Pair]:
        """Those about one subject; of a crowd, those that share a word that is rare in it."""
        block = self._facts_with(key)
        if key != _STATEMENT:
            yield from self._new_pairs(block, _CROWD, _no_pairs)
            if len(block) <= _CROWD:
                return
        new = self._added.intersection(block)
        sharing: Iterable[Sequence[int]]
        if self._by_key:
            counts = Counter(chain.from_iterable(map(self._words, block)))
            most = len(block) if self._has_old else _RARE  # they met before as fewer
            telling = {word for word, count in counts.items() if 1 < count <= most}
            pairs = ((word, at) for at in block for word in telling & self._words(at))
            sharing = grouped(pairs).values()
        else:
            words = frozenset[str]().union(*map(self._words, new))
            sharing = (self._search(block, word, _RARE) for word in words)
        for each in sharing:
            yield from self._new_pairs(each, _RARE, _no_pairs)

    def _alike(self, at: int, near: float) -> Iterator[Pair]:
        """Those with a Jaccard of `near` but of other words: they share one of the rarest words of
        each, which tells something where few facts have it.

        Source: Xiao et al. 2008, prefix filtering.
        """
        words = self._words(at)
        if self._by_key and words.isdisjoint(self._shared):
            return
        apart = _most_apart(words, near)
        rarest = sorted((self._facts_with(word, _MAX_LIST) for word in words), key=len)[: apart + 1]
        for other in {other for crowd in rarest if len(crowd) <= _MAX_LIST for other in crowd}:
            theirs = self._words(other)
            if theirs != words and jaccard(theirs, words) >= near:
                yield (at, other) if at < other else (other, at)

    def _facts_with(self, key: str, most: int | None = None) -> Sequence[int]:
        """The facts that have a key; not all where more than `most` had it before."""
        return self._by_key.get(key) or self._search_all(key, most)

    def _new_pairs(self, members: Sequence[int], most: int, pairing: _Pairing) -> AbstractSet[Pair]:
        """The pairs of a crowd that did not meet in it before."""
        if len(members) < 2:
            return frozenset()
        old = [at for at in members if at not in self._added] if self._has_old else []
        before, now = ({*_pairs_in(each, most, pairing)} for each in (old, members))
        self.gone |= before - now
        return now - before


def _search(
    meetings: Sequence[str], more: int, places: Sequence[int], key: str, most: int | None
) -> Sequence[int]:
    has = map(contains, map(meetings.__getitem__, places), repeat(f"\0{key}\0"))
    return [*islice(compress(places, has), None if most is None else most + more)]
