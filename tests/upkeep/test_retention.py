"""Who retires by each policy, counted by hand; and what holds whatever the policy."""

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from memwiki.config import Config, MemoryConfig, RetentionConfig
from memwiki.upkeep.work import CollectionMember, RetentionRule, leaving, rule_of
from tests.effort import for_each


def member(line, age=inf, value=0.0, **more):
    return CollectionMember("notes.md", line, age, value, **more)


def lines(members, rule):
    return [each.member.line for each in leaving(members, rule)]


# Twenty members a day apart: line 1 is 1 day old, line 20 is 20; a tenth of them are two.
DAYS = [member(line, age=line, value=line / 100) for line in range(1, 21)]


def test_without_a_policy_nobody_retires():
    assert lines(DAYS, RetentionRule()) == []


def test_ttl_lets_the_oldest_go_first_two_of_twenty_a_run():
    assert lines(DAYS, RetentionRule("ttl", ttl_days=18)) == [20, 19]
    assert lines(DAYS, RetentionRule("ttl", ttl_days=20)) == [20]
    assert lines(DAYS, RetentionRule("ttl", ttl_days=20.5)) == []


def test_who_is_not_dated_never_retires_by_age():
    assert lines([member(1), member(2, age=99)], RetentionRule("ttl", ttl_days=0)) == [2]


def test_capacity_lets_the_oldest_go_until_so_many_are_left():
    assert lines(DAYS, RetentionRule("capacity", max_items=19)) == [20]
    assert lines(DAYS, RetentionRule("capacity", max_items=3)) == [20, 19]
    assert lines(DAYS, RetentionRule("capacity", max_items=20)) == []


def test_who_is_not_dated_goes_last_by_capacity():
    assert lines(
        [member(1), member(2, age=1), member(3)], RetentionRule("capacity", max_items=0)
    ) == [2]


def test_recall_lets_those_of_lowest_value_go():
    assert lines(DAYS, RetentionRule("recall", max_items=19)) == [1]
    assert lines(DAYS, RetentionRule("recall", max_items=5)) == [1, 2]


def test_hybrid_is_ttl_and_then_the_other_policy_for_who_is_left():
    # 20 is too old; of the nineteen left one is over the number.
    assert lines(DAYS, RetentionRule("hybrid", ttl_days=20, max_items=18, then="recall")) == [20, 1]
    assert lines(DAYS, RetentionRule("hybrid", ttl_days=20, max_items=18, then="capacity")) == [
        20,
        19,
    ]
    assert lines(DAYS, RetentionRule("hybrid", max_items=19)) == [1]


def test_the_floor_keeps_so_many_whatever_their_age():
    assert lines(DAYS, RetentionRule("ttl", ttl_days=0, floor=19)) == [20]
    assert lines(DAYS, RetentionRule("ttl", ttl_days=0, floor=20)) == []
    assert lines(DAYS, RetentionRule("capacity", max_items=0, floor=19)) == [20]


def test_superseded_ones_count_for_nothing_and_go_first():
    over = [member(line, age=1, is_over=True) for line in (31, 32)]
    # Twenty count and may stay; the two beside them are over the number.
    assert lines([*DAYS, *over], RetentionRule("capacity", max_items=20)) == [31, 32]
    assert lines([*DAYS, *over], RetentionRule("capacity", max_items=21)) == [31]
    assert lines([*DAYS, *over], RetentionRule("recall", max_items=0, floor=20)) == [31, 32]
    # The floor does not hold back who does not count.
    assert lines([*DAYS, *over], RetentionRule("ttl", ttl_days=1, floor=20)) == [31, 32]


def test_of_core_only_what_is_superseded_goes():
    core = [member(line, age=99, is_core=True) for line in range(1, 11)]
    over = member(11, age=1, is_core=True, is_over=True)
    for rule in (
        RetentionRule("ttl", ttl_days=0),
        RetentionRule("capacity", max_items=0),
        RetentionRule("recall", max_items=0),
    ):
        assert lines([*core, over], rule) == [11]


def test_of_memory_and_learnings_a_tenth_each_may_go():
    over = [
        CollectionMember(path, line, 5, is_core=True, is_over=True, page=path)
        for path in ("learnings.md", "memory.md")
        for line in range(1, 11)
    ]
    found = leaving(over, RetentionRule("ttl", ttl_days=1))
    assert [each.member.place for each in found] == [("learnings.md", 1), ("memory.md", 1)]


@for_each(
    ("memory", "retention", "collection", "expected"),
    [
        (MemoryConfig(), {}, "daily", RetentionRule()),
        (MemoryConfig(preset="agent"), {}, "daily", RetentionRule("ttl", 30)),
        (MemoryConfig(preset="agent"), {}, "core", RetentionRule()),
        (MemoryConfig(preset="agent", hygiene_enabled=False), {}, "daily", RetentionRule()),
        (
            MemoryConfig(hygiene_enabled=True, conversation_retention_days=7),
            {},
            "conversation",
            RetentionRule("ttl", 7),
        ),
        (MemoryConfig(preset="agent"), {"Daily": RetentionConfig()}, "daily", RetentionRule()),
        (
            MemoryConfig(min_retention_floor=3, daily_retention_floor=5),
            {"daily": RetentionConfig("ttl", 9)},
            "daily",
            RetentionRule("ttl", 9, floor=5),
        ),
        (
            MemoryConfig(min_retention_floor=3, daily_retention_floor=5),
            {"daily": RetentionConfig("capacity", max_items=9, floor=1)},
            "daily",
            RetentionRule("capacity", max_items=9, floor=3),
        ),
    ],
)
def test_the_settings_of_a_collection_go_before_those_of_the_preset(
    memory, retention, collection, expected
):
    assert rule_of(collection, Config(memory=memory, retention=retention)) == expected


AGES = st.just(inf) | st.integers(-3, 60).map(float)
MEMBERS = st.lists(
    st.builds(
        CollectionMember,
        path=st.sampled_from(["a.md", "memory.md"]),
        line=st.integers(1, 10_000),
        age_days=AGES,
        value=st.floats(0, 3),
        is_over=st.booleans(),
        is_core=st.booleans(),
        page=st.just(""),
    ),
    max_size=40,
    unique_by=lambda each: each.place,
)
RULES = st.builds(
    RetentionRule,
    st.sampled_from(["none", "ttl", "capacity", "recall", "hybrid"]),
    AGES,
    st.just(inf) | st.integers(0, 40),
    st.sampled_from(["capacity", "recall"]),
    st.integers(0, 10),
)


@given(MEMBERS, RULES)
def test_caps_floors_and_core_hold(members, rule):
    gone = [each.member for each in leaving(members, rule)]
    assert len(gone) <= max(1, len(members) // 10) if gone else True
    assert all(each.is_over or not each.is_core for each in gone)
    counting = [each for each in members if not each.is_over]
    left = [each for each in counting if each not in gone]
    assert len(left) >= min(rule.floor, len(counting))
    assert sorted(gone) == sorted(set(gone) & set(members))


@given(MEMBERS, RULES, st.randoms())
def test_the_order_in_which_members_are_given_does_not_matter(members, rule, random):
    shuffled = random.sample(members, len(members))
    assert leaving(shuffled, rule) == leaving(members, rule)


@given(MEMBERS, RULES)
def test_repeated_runs_end_and_a_stricter_rule_never_keeps_more(members, rule):
    assert len(after_all(members, rule)) >= len(after_all(members, stricter(rule)))


def stricter(rule):
    return rule._replace(ttl_days=rule.ttl_days - 5, max_items=max(0, rule.max_items - 5))


def after_all(members, rule):
    while gone := {each.member for each in leaving(members, rule)}:
        members = [each for each in members if each not in gone]
    return members
