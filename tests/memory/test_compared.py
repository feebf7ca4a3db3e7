"""Facts compared with what is known of an earlier comparison: what is found is the same."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory.test_near_pairs import FACTS, retold

from memwiki.judgement import near_pairs, statement, statement_words
from memwiki.judgement.lexicon import ConflictRules
from memwiki.judgement.meetings import Compared, packed, unpacked
from memwiki.judgement.near_pairs import FactBounds, JudgedFact, compare, conflicts, near_duplicates
from memwiki.judgement.similarity import Fact, Likeness, Verdict
from memwiki.judgement.statement import beginning_of, statements_of

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
    known = unpacked([*packed(known, "key").values()], "key")
    assert compared(cases, bounds, known) == compared(cases, bounds, Compared())


def test_each_fact_is_asked_for_once_to_find_whom_it_meets():
    asked = list[int]()

    def fact_at(at: int) -> JudgedFact:
        asked.append(at)
        return JudgedFact(Fact(f"{'abcde'[at]} alone"))

    compare([*"abcde"], fact_at, BOUNDS, Compared())
    assert asked == [*range(5)]


@given(CASES.map(many))
def test_how_a_text_begins_is_how_its_first_statement_does(cases):
    for fact, _ in cases:
        text = f"{fact.text}, and {cases[0][0].text}"
        for each in (fact.text, text, f"Note: {text}; {text}", f"{text}。{fact.text}"):
            first = statements_of(each)[:1]
            words = tuple(word.text for said in first for word in said.words[:2])
            assert beginning_of(each) == words


SAID_WORDS = sorted(
    {*re.findall(r"[a-z]{2,}", " ".join(form.pattern for _, form, _ in statement_words.PHRASES))}
    | {*re.findall(r"[a-z]{2,}", statement_words.UNSAID_USER.pattern)}
    | {"half an hour", "smoking", "unable", "Anna:", "up", "on", "2", "9am", "the *", "left The"}
)


@given(st.lists(st.sampled_from(SAID_WORDS), min_size=1, max_size=7).map(" ".join))
def test_what_could_have_no_verb_states_nothing(text):
    with patch.object(statement, "may_have_verb", lambda _: True):
        read = statements_of.__wrapped__(text)
    assert statements_of.__wrapped__(text) == read


def meeting(words: set[str], others: set[str], text: str) -> str:
    """The keys of a made-up fact."""
    alike = ["\4" + "".join(sorted(words))] if words else []
    return "\0".join(("", *sorted(words), *sorted(others), f"\3{text}", *alike, ""))


MEETINGS = st.builds(
    meeting,
    st.sets(st.sampled_from("abcdefgh"), max_size=7),
    st.sets(st.sampled_from(("\1", "\1s", "\1t", "\2v", "\2w")), max_size=4),
    st.sampled_from("xyz"),
)


@pytest.fixture
def judged_alike(monkeypatch):
    """Whoever meets is near and in conflict."""
    near = Likeness(Verdict.NEAR, 1)
    monkeypatch.setattr(near_pairs, "read", lambda fact, _rules: fact)
    monkeypatch.setattr(near_pairs, "with_statements", lambda fact: fact)
    monkeypatch.setattr(near_pairs, "meeting_of", lambda fact, *_, **__: fact.text)
    monkeypatch.setattr(near_pairs, "judge_readings", lambda *_, **__: near)
    monkeypatch.setattr(near_pairs, "judge_conflicting", lambda *_: near)


@pytest.mark.parametrize("most", [0, 100])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(
    st.lists(MEETINGS, max_size=24),
    st.randoms(),
    st.sampled_from((0.5, 0.8)),
    st.sampled_from(("added", "removed", "moved", "all")),
)
def test_who_meets_is_known_whatever_changed(judged_alike, most, meetings, dice, near, change):
    bounds = BOUNDS._replace(near=near)

    def compared(places: list[int], known: Compared) -> Compared:
        facts = [JudgedFact(Fact(meetings[at])) for at in places]
        return compare([*map(str, places)], facts.__getitem__, bounds, known)

    before, now = [*range(len(meetings))], [*range(len(meetings))]
    if change in ("added", "all"):
        before = [at for at in before if dice.random() < 0.8]
    if change in ("removed", "all"):
        now = [at for at in now if dice.random() < 0.8]
    if change in ("moved", "all") and now:
        now.insert(0, now.pop(dice.randrange(len(now))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(near_pairs, "_MAX_LOOKED_UP", most)
        known = unpacked([*packed(compared(before, Compared()), "key").values()], "key")
        assert compared(now, known) == compared(now, Compared())


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
    for parts, key in (([*packed(known, "one").values()], "other"), ([], "one")):
        with pytest.raises(ValueError, match=r"not what was kept|not enough"):
            unpacked(parts, key)
