"""Importance without being told: the place of a memory, and words that say it matters."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.facts.value import importance_of
from tests.effort import for_each


def importance(text="Likes tea.", category="core", is_structured=False, **more):
    return importance_of(text, category=category, is_structured=is_structured, **more)


@for_each(
    ("category", "base"),
    [("core", 0.7), ("recipes", 0.4), ("inbox", 0.4), ("daily", 0.3), ("conversation", 0.2)],
)
def test_the_category_gives_the_base(category, base):
    assert importance(category=category) == base


@for_each("category", ["core", "inbox", "daily"])
def test_a_structured_memory_begins_in_the_middle(category):
    assert importance(category=category, is_structured=True) == 0.5


@for_each(
    "text",
    [
        "Always use tabs.",
        "MUST be signed",
        "the decision: uv",
        "这个很重要",
        "从不喝咖啡",
        "rule",
        "这是rule",
        "这是关键。",
        "重要的不是关键词",
        "important, important and IMPORTANT",
    ],
)
def test_a_word_that_says_it_matters_adds_a_tenth(text):
    assert importance(text, category="daily") == 0.4


@for_each(
    "text",
    [
        "nevertheless",
        "The ruler is unimportant.",
        "mustard",
        "decisions_log policymaker",
        "关键词",
        "从不同的角度",
        "no decision yet",
        "It is not a must.",
        "It isn't always so",
        "还没决定",
        "这不是必须的",
        "不重要",
        "不规则",
        "严重",
    ],
)
def test_parts_of_other_words_add_nothing(text):
    assert importance(text, category="daily") == 0.3


def test_words_add_two_tenths_at_most():
    assert importance("A critical rule, always: must be 重要 原则") == 0.9


def test_own_words_count_too_and_may_be_several_words_or_signs():
    own = ("p0", "in blood", "c++", " ", "红线")
    assert importance("P0", category="daily", boost_words=own) == 0.4
    assert importance("written in blood", category="daily", boost_words=own) == 0.4
    assert importance("这是红线", category="daily", boost_words=own) == 0.4
    assert importance("bloody p01 xp0", category="daily", boost_words=own) == 0.3


def test_an_own_word_that_holds_one_of_ours_counts_once():
    assert importance("最重要", category="daily", boost_words=["最重要"]) == 0.4


@given(st.text(), st.sampled_from(["core", "x", "daily"]), st.booleans(), st.lists(st.text()))
def test_it_is_a_share_with_two_digits(text, category, is_structured, words):
    found = importance(text, category, is_structured, boost_words=words)
    assert 0.2 <= found <= 1
    assert round(found, 2) == found
