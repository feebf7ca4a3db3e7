"""Near duplicates and conflicts of all facts at once are those of all with all."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.near_pairs import conflicts, near_duplicates
from memwiki.judgement.similarity import Fact, Verdict
from tests.memory.test_similarity import judge

WORDS = (
    "user likes hates not coffee tea Tom 2 3 is favourite now always fooBar foobar "
    "喜欢 不 茶 咖啡 的 red green blue one big small cat dog C C++"
).split()
TEXTS = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
FACTS = st.builds(
    Fact,
    text=TEXTS,
    key=st.sampled_from(("", "", "", "a", "b")),
    subject=st.sampled_from(("", "", "user", "I")),
    topic=st.sampled_from(("", "city", "language")),
    object=st.sampled_from(("", "Rome", "Oslo")),
    entities=st.sampled_from(((), (), ("Tom",), ("Tom", "tea"))),
)


def retold(facts: list[Fact]) -> list[Fact]:
    """The facts, and each of them once more with a word less and in capitals."""
    less = [fact._replace(text=fact.text.rpartition(" ")[0]) for fact in facts]
    return [*facts, *less, *(fact._replace(text=fact.text.upper()) for fact in facts)]


@given(st.lists(FACTS, max_size=12).map(retold), st.sampled_from((0.5, 0.8, 0.9)))
def test_near_duplicates_are_those_of_all_with_all(facts, near):
    expected = [
        (old, new, found)
        for old, new in combinations(range(len(facts)), 2)
        if (found := judge(facts[old], facts[new], near=near)).verdict is not Verdict.DIFFERENT
    ]
    assert [*near_duplicates(facts, near=near)] == expected


@given(st.lists(FACTS, max_size=12).map(retold))
def test_conflicts_are_those_of_all_with_all(facts):
    expected = [
        (old, new, found)
        for old, new in combinations(range(len(facts)), 2)
        if (found := judge_conflict(facts[old], facts[new]))
    ]
    assert [*conflicts(facts)] == expected


def test_of_a_crowd_of_repeats_each_is_named_with_the_first():
    facts = [Fact("User likes tea" + "!" * (number % 3)) for number in range(150)]
    assert [(pair.old, pair.new) for pair in near_duplicates(facts)] == [
        (0, number) for number in range(1, 150)
    ]


def test_conflicts_are_found_in_a_crowd_about_one_subject():
    crowd = [Fact(f"user has seen film{number}") for number in range(200)]
    facts = [Fact("user likes aubergines"), *crowd, Fact("user does not like aubergines")]
    assert [(pair.old, pair.new) for pair in conflicts(facts)] == [(0, 201)]


def test_of_a_crowd_under_one_key_each_ends_the_one_before():
    facts = [Fact(f"value{number}", key="a") for number in range(150)]
    assert [(pair.old, pair.new) for pair in conflicts(facts)] == [
        (number, number + 1) for number in range(149)
    ]


def test_nothing_has_no_pairs():
    assert [*near_duplicates([]), *conflicts([])] == []
