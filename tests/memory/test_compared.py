"""Facts compared with what is known of an earlier comparison: what is found is the same."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory.test_near_pairs import FACTS, retold

from memwiki.judgement import near_pairs
from memwiki.judgement.lexicon import ConflictRules
from memwiki.judgement.meetings import Compared, packed, unpacked
from memwiki.judgement.near_pairs import FactBounds, JudgedFact, compare, conflicts, near_duplicates
from memwiki.judgement.similarity import Fact

BOUNDS = FactBounds(0.8, 0.95, ConflictRules())
WORDED = FactBounds(0.8, 0.95, ConflictRules(negation_words=("tea",), preference_words=("cat",)))
CASES = st.lists(st.tuples(FACTS, st.booleans()), max_size=10)


def compared(cases: list[tuple[Fact, bool]], bounds: FactBounds, known: Compared) -> Compared:
    return compare([*map(repr, cases)], lambda at: JudgedFact(*cases[at]), bounds, known)


def many(cases: list[tuple[Fact, bool]]) -> list[tuple[Fact, bool]]:
    """The facts, and each once more with a word less and in capitals."""
    told = retold([fact for fact, _ in cases])
    return [(fact, cases[at % len(cases)][1]) for at, fact in enumerate(told)]


@pytest.fixture(autouse=True)
def small_crowds(monkeypatch):
    """Every bound is met by a few facts."""
    monkeypatch.setattr(near_pairs, "_CROWD", 4)
    monkeypatch.setattr(near_pairs, "_RARE", 3)
    monkeypatch.setattr(near_pairs, "_MAX_LIST", 2)


anew = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@anew
@given(CASES.map(many), st.sampled_from((BOUNDS, WORDED)))
def test_what_is_found_from_nothing_is_what_all_at_once_gives(cases, bounds):
    found = compared(cases, bounds, Compared())
    facts = [fact for fact, _ in cases]
    near = near_duplicates(facts, near=bounds.near, same=bounds.same)
    assert found.near == [(pair.old, pair.new) for pair in near]
    open_ = [at for at, (_, is_open) in enumerate(cases) if is_open]
    opposed = conflicts([facts[at] for at in open_], bounds.rules)
    assert found.opposed == [(open_[pair.old], open_[pair.new]) for pair in opposed]


@anew
@given(CASES.map(many), st.randoms(), st.sampled_from((BOUNDS, WORDED)))
def test_what_was_compared_before_changes_nothing(cases, dice, bounds):
    before = [each for each in cases if dice.random() < 0.8]
    cases = [each for each in cases if each not in before or dice.random() < dice.choice((0.8, 1))]
    for _ in range(dice.choice((0, 0, 1, 2))):
        if before:
            before.insert(0, before.pop(dice.randrange(len(before))))
    known = compared(before, bounds, Compared())
    known = unpacked(packed(known, "key"), "key")
    assert compared(cases, bounds, known) == compared(cases, bounds, Compared())


def test_only_what_is_new_is_read_and_judged(monkeypatch):
    facts = [Fact(f"The boiler {number} has valve {number} by the tank.") for number in range(60)]
    known = compared([(fact, True) for fact in facts[:-1]], BOUNDS, Compared())
    read, judged = list[Fact](), list[int]()
    real = near_pairs.judge_conflicting, near_pairs.judge_readings
    monkeypatch.setattr(
        near_pairs, "judge_conflicting", lambda *args: judged.append(1) or real[0](*args)
    )
    monkeypatch.setattr(
        near_pairs,
        "judge_readings",
        lambda *args, **named: judged.append(1) or real[1](*args, **named),
    )
    names = [repr((fact, True)) for fact in facts]
    found = compare(
        names, lambda at: read.append(facts[at]) or JudgedFact(facts[at]), BOUNDS, known
    )
    assert len(found.names) == 60
    assert 0 < read.count(facts[-1]) <= 2
    assert len(judged) <= 2 * 59


def test_another_key_or_nothing_is_no_knowledge():
    known = Compared(["a"], ["\0a\0"])
    assert unpacked(packed(known, "one"), "other") == unpacked(b"", "one") == Compared()
