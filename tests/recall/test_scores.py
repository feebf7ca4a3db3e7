"""Each score is from 0 to 1, whatever it is made of."""

import re

from hypothesis import given
from hypothesis import strategies as st

from memwiki.options import Strategy
from memwiki.recall import fusion as scores
from memwiki.recall.grouping import distinct

numbers = st.floats(min_value=-1e9, max_value=1e9)


@given(st.text(), st.text(), st.text(), st.text())
def test_overlap_is_a_share(question, title, description, body):
    assert 0 <= scores.overlap(question, title, description, body) <= 1


@given(st.text("aä茶 ", max_size=12), st.text("aAä茶 -", max_size=40))
def test_overlap_is_the_dice_of_all_pieces(question, title):
    size = 2 if "茶" in question else 3
    one, other = (_pieces(text, size) for text in (question, title))
    plain = 2 * len(one & other) / (len(one) + len(other)) if one and other else 0
    assert abs(scores.overlap(question, title, "", "") - plain) < 1e-9


def _pieces(text, size):
    words = " ".join(re.findall(r"\w+", text.casefold()))
    found = {words[i : i + size] for i in range(len(words) - size + 1)}
    return found or ({words} if words else set())


@given(st.lists(st.text("aAb_c é-", max_size=30), max_size=12))
def test_no_two_rows_that_stay_have_nine_words_of_ten_in_common(texts):
    def are_same(one, other):
        first, second = (set(re.findall(r"\w+", text.casefold())) for text in (one, other))
        return bool(first) and len(first & second) >= 0.9 * len(first | second)

    kept = []
    for text in texts:
        if not any(are_same(text, other) for other in kept):
            kept.append(text)
    assert [text for text, _ in distinct(texts, str)] == kept


@given(numbers, st.integers(0, 10**9))
def test_all_other_scores_are_shares(number, count):
    for score in (
        scores.by_age(number),
        scores.by_last_recall(number),
        scores.by_usage(number),
        scores.by_references(count),
    ):
        assert 0 <= score <= 1


def test_the_title_counts_more_than_the_same_words_in_the_body():
    assert scores.overlap("green tea", "green tea", "", "") == 1
    assert scores.overlap("green tea", "", "", "green tea") == 0.4
    assert scores.overlap("茶", "茶", "", "") == 1


def test_title_and_body_together_say_more_than_the_title_alone():
    alone = scores.overlap("green tea from China", "green tea", "", "")
    assert scores.overlap("green tea from China", "green tea", "", "from China") > alone


def test_a_question_about_links_weighs_the_graph_as_much_as_all_else():
    weights = scores.with_links({"text": 0.6, "overlap": 0.2, "graph": 0.1})
    assert weights == {"text": 0.6, "overlap": 0.2, "graph": 0.8}
    assert scores.with_links({"text": 1.0}) == {"text": 1.0}


def test_what_was_never_recalled_has_no_last_recall():
    assert scores.by_last_recall(float("inf")) == 0
    assert scores.by_age(-3) == 1


def test_weights_of_the_settings_are_those_of_the_hybrid_strategy_alone():
    written = ("text 0.5", "usage 0.5", "beauty 3")
    assert scores.weights_of(Strategy.HYBRID, written) == {"text": 0.5, "usage": 0.5}
    assert scores.weights_of(Strategy.TEXT, written) == {"text": 1.0}
    assert scores.weights_of(Strategy.HYBRID, ()) == scores.WEIGHTS[Strategy.HYBRID]


def test_each_strategy_weighs_scores_that_there_are_and_one_in_all():
    for weights in scores.WEIGHTS.values():
        assert set(weights) <= set(scores.NAMES)
        assert abs(sum(weights.values()) - 1) < 1e-9
