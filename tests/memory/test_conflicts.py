"""What contradicts something known, and when the older fact is over."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.lexicon import ConflictRules
from memwiki.judgement.similarity import Fact
from tests.effort import for_each


def conflict(old: str, new: str):
    return judge_conflict(Fact(old), Fact(new))


def said(topic: str, thing: str, kind: str = "") -> Fact:
    return Fact(f"{topic}: {thing}", type=kind, subject="user", topic=topic, object=thing)


@for_each(
    ("old", "new"),
    [
        ("User likes coffee", "User does not like coffee"),
        ("I like spicy food.", "I don't like spicy food anymore."),
        ("The user eats meat", "The user no longer eats meat"),
        ("Always use tabs", "Never use tabs"),
        ("Meetings on Friday are fine", "No meetings on Friday are fine"),
        ("Not all commands take a token", "All commands take a token"),
        ("User loves jazz", "User hates jazz"),
        ("My favourite editor is vim", "My favourite editor is emacs"),
        ("User prefers tabs over spaces", "User prefers spaces over tabs"),
        ("Prefers tabs over spaces.", "Prefers spaces over tabs."),
        ("用户喜欢吃辣", "用户不喜欢吃辣"),
        ("用户有车", "用户没有车"),
        ("我喜欢喝咖啡", "我不再喜欢喝咖啡了"),
        ("用户喜欢爵士乐", "用户讨厌爵士乐"),
        ("用户最喜欢的颜色是蓝色", "用户最喜欢的颜色是绿色"),
    ],
)
def test_a_flip_with_all_other_words_alike_ends_the_older_fact(old, new):
    assert conflict(old, new).supersedes
    assert conflict(new, old).supersedes


@for_each(
    ("old", "new"),
    [
        ("User likes coffee with milk", "User does not like coffee with sugar"),
        ("If the list is empty it is read", "If the list is empty it is not read"),
        ("A button that is selected is blue", "A button that is not selected is blue"),
        ("User also eats meat", "User does not eat meat"),
        ("Does the user eat meat?", "The user does not eat meat"),
        ("This plugin needs a token", "This plugin does not need a token"),
        ("User wants to be called", "User wants not to be called"),
        ("Equal comparison of two objects", "Not equal comparison of two objects"),
        ("It is done", "It is never done"),
        ("Nobody likes the new office", "Likes the new office"),
        ("User's favourite book is Dune", "User's favourite film is Dune"),
        ("User's favourite colour is blue", "User's favourite colour is blue and green"),
        ("User prefers dark mode", "User prefers light mode"),
        ("User likes green tea", "User likes black tea"),
        ("User prefers tabs over spaces", "User prefers tabs over blanks"),
        ("选中的按钮的颜色是蓝", "没有选中的按钮的颜色是蓝"),
        ("如果列表为空则返回真", "如果列表不为空则返回真"),
        ("Rent is 1200 euros", "Rent is 1350 euros"),
        ("User is happy", "User is not happy at work"),
    ],
)
def test_whatever_may_be_true_beside_the_other_retires_nothing(old, new):
    found = conflict(old, new)
    assert not (found and found.supersedes)


def test_an_event_that_did_not_happen_again_retires_none():
    old, new = Fact("user eats out", type="event"), Fact("user does not eat out", type="event")
    assert judge_conflict(old, new).supersedes is False


@for_each(
    ("old", "new", "reasons"),
    [
        ("User likes coffee", "User does not like coffee", ("negation",)),
        ("User likes red wine now", "User hates white wine now", ("negation", "preference")),
        ("User prefers dark mode", "User prefers light mode", ("preference",)),
        ("User always drinks tea", "User now drinks tea", ("change",)),
        ("Rent is 1200 euros", "Rent is 1350 euros", ("value",)),
        (
            "Next public release is on 2025-03-01",
            "Next public release is on 2025-03-08",
            ("value",),
        ),
        ("User has two cats", "User has three cats", ("value",)),
        ("国际学生占百分之十五", "国际学生占百分之十六", ("value",)),
    ],
)
def test_the_signals_are_named(old, new, reasons):
    assert conflict(old, new).reasons == reasons


def test_the_score_is_the_likeness_and_three_tenths_of_the_signals():
    assert conflict("User can swim well", "User can't swim well").score == pytest.approx(
        4 / 5 + 0.3 * 0.4
    )


@for_each(
    ("old", "new"),
    [
        ("User likes hiking", "User likes hiking in the Alps"),  # no signal
        ("User likes coffee", "Server does not like coffee"),  # two subjects
        ("User is happy", "User was not seen at the office on that day"),  # hardly alike
        ("Service 3 listens on port 8003", "Service 4 listens on port 8004"),
        ("Python 3.10 is supported", "Python 3.11 is supported"),
        ("User likes coffee", "user likes coffee."),
        ("第三章讲安装", "第四章讲安装"),
    ],
)
def test_without_a_signal_or_one_subject_there_is_no_conflict(old, new):
    assert conflict(old, new) is None


def test_a_higher_threshold_finds_less():
    old, new = Fact("Rent is 1200 euros"), Fact("Rent is 1350 euros")
    assert judge_conflict(old, new, ConflictRules(threshold=0.9)) is None


def test_words_of_the_settings_are_added_to_ours():
    old, new = Fact("Tom mag Kaffee sehr"), Fact("Tom mag Kaffee nicht sehr")
    assert judge_conflict(old, new) is None
    assert judge_conflict(old, new, ConflictRules(negation_words=("nicht",))).supersedes
    old, new = Fact("Tom always drinks tea"), Fact("Tom lately drinks tea")
    assert judge_conflict(old, new).reasons == ("change",)
    rules = ConflictRules(preference_words=("mag",))
    old, new = Fact("Tom mag roten starken Tee"), Fact("Tom mag roten starken Wein")
    assert judge_conflict(old, new, rules).reasons == ("preference",)
    rules = ConflictRules(change_words=("of late",))
    old, new = Fact("Tom always drinks tea"), Fact("Tom of late drinks tea")
    assert judge_conflict(old, new, rules).reasons == ("change",)


def test_one_key_has_one_value_however_unlike_the_texts_are():
    old, new = Fact("blue", key="user/color"), Fact("all shades of green", key="User/Color")
    assert judge_conflict(old, new).supersedes
    assert judge_conflict(old, new._replace(key="user/colour")) is None
    assert judge_conflict(old, Fact("Blue.", key="user/color")) is None


def test_one_subject_and_topic_have_one_object():
    assert judge_conflict(said("city", "Paris"), said("city", "London")).supersedes
    assert judge_conflict(said("city", "Paris"), said("city", "paris")) is None
    old = Fact("I moved to Rome", subject="I", topic="city", object="Rome")
    assert judge_conflict(said("city", "Paris"), old).supersedes


OF_MANY = (
    "language visited medication food_allergy Projects dependencies preference travel surgery "
    "朋友 常用工具 旅行 愿望"
)


@for_each(("topic", "kind"), [*((topic, "") for topic in OF_MANY.split()), ("city", "event")])
def test_topics_of_many_and_events_keep_all_their_objects(topic, kind):
    found = judge_conflict(said(topic, "one of these", kind), said(topic, "another", kind))
    assert found is None or not found.supersedes


@for_each(
    "topic", ["status", "home address", "working_hours", "editor", "住址", "lives-in", "居住地"]
)
def test_another_object_of_what_there_is_one_of_supersedes(topic):
    assert judge_conflict(said(topic, "one of these"), said(topic, "another")).supersedes


ONCE = """
I was at the gym. | I was not at the gym.
It didn't rain. | It did rain.
小明没去上学。 | 小明去上学了。
"""


def test_what_was_never_done_is_over_once_it_was():
    assert judge_conflict(Fact("他没去过日本。"), Fact("他去过日本。")).supersedes


@for_each("pair", ONCE.strip().splitlines())
def test_what_was_so_on_one_day_ends_nothing(pair):
    old, new = map(Fact, pair.split(" | "))
    assert not judge_conflict(old, new).supersedes


def test_of_an_unknown_topic_an_object_ends_another_where_the_texts_cannot_both_hold():
    old, new = (
        Fact(f"The office is in {city}", subject="office", topic="nest", object=city)
        for city in ("Ulm", "Bonn")
    )
    assert judge_conflict(old, new).supersedes


def test_other_subjects_never_conflict():
    old, new = said("city", "Paris"), said("city", "London")._replace(subject="Tom")
    assert judge_conflict(old, new) is None


def test_a_shared_entity_is_a_subject():
    old = Fact("In spring Tom likes tea", entities=("Tom",))
    new = Fact("Tom does not like tea in spring", entities=("tom",))
    assert judge_conflict(old, new).reasons[0] == "negation"


def test_no_fact_of_a_series_retires_another():
    facts = [Fact(f"fact number {one} {two} about cats") for one in range(9) for two in range(9)]
    assert [pair for pair in combinations(facts, 2) if judge_conflict(*pair)] == []


def test_two_true_facts_about_one_subject_stay():
    facts = [
        Fact(f"user {fact}")
        for fact in (
            "likes coffee", "likes tea", "has a dog", "has a cat", "lives in Oslo", "works in Oslo",
            "does not like milk", "does not like eggs", "speaks French", "speaks German",
        )
    ]  # fmt: skip
    found = (judge_conflict(*pair) for pair in combinations(facts, 2))
    assert not any(each and each.supersedes for each in found)


WORDS = (
    "user likes not never tea is favourite over if 2 3 no hates now always 不 喜欢 茶 的 了 是"
).split()
TEXTS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@given(TEXTS, TEXTS)
def test_which_of_two_facts_is_the_newer_makes_no_difference_to_the_score(one, other):
    assert conflict(one, other) == conflict(other, one)


@given(st.text())
def test_no_text_contradicts_itself(text):
    assert conflict(text, text) is None


@for_each(
    "text",
    [
        "a over " * 30_000,
        *(part * 7_500 for part in ("not ", "favourite is ", "不", "喜欢", "\ud800 ", "3 ")),
    ],
)
def test_a_huge_text_is_judged(text):
    found = conflict(text, f"not {text}")
    assert found is None or found.score <= 1
