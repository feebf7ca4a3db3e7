"""How alike two facts are, and what no likeness makes up for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.judgement import similarity
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
from tests.effort import for_each

LONG = (
    "the release process needs two reviewers, a green build, a changelog entry, a signed tag, an "
    "updated package, a note for support and a short demonstration in the weekly meeting of all"
)


@for_each(
    ("text", "plain"),
    [
        ("No, the port is 8081.", "the port is 8081."),
        ("That was wrong: the port is 8081.", "the port is 8081."),
        ("不对，端口是 8081。", "端口是 8081。"),
        ("No-one may deploy.", "No-one may deploy."),
        ("No-code tools are allowed.", "No-code tools are allowed."),
        ("No. 5 is the best.", "No. 5 is the best."),
        ("No: deploys on Friday.", "No: deploys on Friday."),
        ("不是我的。", "不是我的。"),
    ],
)
def test_only_what_corrects_is_left_out(text, plain):
    assert without_correction(text) == plain


def judge(old: Fact, new: Fact, *, near: float = 0.9, same: float = 0.95) -> Likeness:
    return judge_readings(read(old), read(new), near=near, same=same)


def verdict(old: str, new: str, **given) -> str:
    return judge(Fact(old), Fact(new), **given).verdict


def test_words_are_stems_without_stop_words():
    assert words_of("The users are hiking") == {"user", "hike"}


def test_negations_and_numbers_are_never_stop_words():
    assert {"not", "3", "10", "3.10"} <= words_of("This isn't Python 3.10")
    assert "不" in words_of("用户不吃辣")


def test_chinese_words_are_pairs_of_characters():
    assert words_of("部署服务器") == {"部署", "署服", "服务", "务器"}


def test_chinese_function_words_part_their_neighbours():
    assert words_of("过滤的性能") == {"过滤", "性能"}


def test_jaccard_is_the_share_of_common_words():
    assert jaccard(frozenset("abc"), frozenset("bcd")) == 0.5
    assert jaccard(frozenset(), frozenset()) == 0


@for_each(
    ("old", "new"),
    [
        ("User likes hiking.", "user likes hiking"),
        ("The meeting is on Friday", "Meeting is on Friday"),
        ("User doesn't eat meat", "user does not eat meat"),
        ("front-matter is optional", "front matter is optional"),
        ("用户喜欢徒步。", "用户喜欢徒步"),
        ("😀", "😀"),
        ("...", "..."),
    ],
)
def test_a_repeat_is_the_same(old, new):
    assert verdict(old, new) is Verdict.SAME


def test_one_more_word_among_thirty_is_near():
    found = judge(Fact(LONG), Fact(LONG.replace("short", "short recorded")))
    assert found.verdict is Verdict.NEAR
    assert found.score >= 0.95


def test_one_other_word_among_thirty_is_near_and_no_repeat():
    assert verdict(LONG, LONG.replace("green", "clean")) is Verdict.NEAR


def test_the_same_words_in_another_order_are_near():
    assert verdict("User prefers tabs over spaces", "User prefers spaces over tabs") == "near"


def test_a_word_less_of_the_same_word_is_no_repeat():
    one, other = "Makes a `long long` of text", "Makes a `long` of text"
    assert verdict(one, other) is Verdict.NEAR


@for_each(
    ("word", "other", "reason"),
    [
        ("two", "three", "number or date"),
        ("two", "2", "number"),
        ("tag", "C++", "number"),
        ("support", "Monday", "number or date"),
        ("support", "Alice", "name"),
        ("support", "`helpdesk`", "name"),
        ("support", "[[helpdesk]]", "name"),
        ("needs", "does not need", "negation"),
        ("all", "all?", "question"),
    ],
)
def test_a_number_date_name_or_negation_makes_another_text(word, other, reason):
    found = judge(Fact(LONG), Fact(LONG.replace(word, other, 1)), near=0.8)
    assert (found.verdict, found.reason) == (Verdict.DIFFERENT, reason)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "周一小组在大会议室开会讨论下个季度的产品计划和预算",
            "周日小组在大会议室开会讨论下个季度的产品计划和预算",
        ),
        (
            "三月的预算和计划已经由财务部门全部审核批准通过",
            "四月的预算和计划已经由财务部门全部审核批准通过",
        ),
    ],
)
def test_chinese_dates_and_numbers_make_another_text(old, new):
    assert judge(Fact(old), Fact(new), near=0.5).reason == "number or date"


@for_each("field", ["key", "subject", "topic", "object"])
def test_other_fields_make_another_fact(field):
    old, new = Fact("blue")._replace(**{field: "a"}), Fact("blue")._replace(**{field: "b"})
    assert judge(old, new) == (Verdict.DIFFERENT, 1.0, field)
    assert judge(old, old).verdict is Verdict.SAME


def test_a_text_without_a_key_repeats_one_with_a_key_and_not_the_other_way_round():
    keyed, plain = Fact("blue", key="user/color"), Fact("blue")
    assert judge(keyed, plain).verdict is Verdict.SAME
    assert judge(plain, keyed).verdict is Verdict.DIFFERENT


def test_other_entities_make_another_fact():
    old, new = Fact("met him", entities=("Tom",)), Fact("met him", entities=("Jim",))
    assert judge(old, new).reason == "name"


def test_thresholds_are_those_that_are_given():
    old, new = "User likes hiking in the Alps", "User likes skiing in the alps"
    assert verdict(old, new) is Verdict.DIFFERENT
    assert verdict(old, new, near=0.5, same=0.99) is Verdict.NEAR


FACTS = st.lists(
    st.sampled_from("user likes not tea Tom 3.10 C++ the 不 喜欢 茶 的 三 ? `x` 😀".split()),
    max_size=8,
).map(lambda words: Fact(" ".join(words)))


@given(FACTS, FACTS)
def test_alike_and_different_are_the_same_from_both_sides(one, other):
    there, back = judge(one, other, near=0.5), judge(other, one, near=0.5)
    assert there.score == back.score
    assert (there.verdict is Verdict.DIFFERENT) == (back.verdict is Verdict.DIFFERENT)


@given(st.text())
def test_any_text_is_the_same_as_itself(text):
    assert judge(Fact(text), Fact(text)) == (Verdict.SAME, 1.0, "")


@for_each(
    "text",
    [
        "A a " * 30_000,
        *(part * 7_500 for part in ("a ", '"', "[[", "n't ", "不", "喜欢", "一", "\ud800")),
    ],
)
def test_a_huge_text_is_judged(text):
    assert judge(Fact(text), Fact(f"{text} b")).score <= 1


def test_texts_that_differ_in_a_number_alone_are_not_looked_through(monkeypatch):
    long = "The boiler by the old tank in hall 7 hums at night and has valve {}."
    old, new, again = (read(Fact(long.format(valve))) for valve in ("12", "13", "12, valve 12"))
    looked, real = list[object](), similarity._marked
    monkeypatch.setattr(similarity, "_marked", lambda tokens: looked.append(tokens) or real(tokens))
    assert similarity.differing_words(old, new) == "number"
    assert not looked
    assert similarity.differing_words(old, again) == "number"
    assert looked
