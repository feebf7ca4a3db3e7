"""Which texts are identical: what is folded, and what never is."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from memwiki.facts.identity import normal_form
from tests.effort import for_each


@for_each(
    ("one", "other"),
    [
        ("User likes hiking.", "user  LIKES hiking"),
        ("The café opens at 8", "The cafe opens at 8."),
        ("User’s name is “Sam”", 'User\'s name is "Sam"'),
        ("Deploy with `make release`", "Deploy with **make** release"),
        ("超时设为３０秒", "超时设为30秒"),
        ("ＴｉＤＢ", "tidb"),
        ("用户喜欢徒步。", "用户喜欢徒步"),
        ("请在 Python 上测试", "请在Python上测试"),
        ("你好，世界！", "你好世界"),
        ("I ❤️ tea", "i ❤ tea"),
        ("soft\u00adhyphen\u200b", "softhyphen"),
        ("3–5 days", "3-5 days"),
        ("see (this), too", "see this too"),
        ("foo — bar", "foo bar"),
        ("see `/GL` (all)", "see /GL (all)"),
        ("(see `begin()`)", "see begin()"),
    ],
)
def test_texts_that_say_the_same_in_other_marks_are_identical(one, other):
    assert normal_form(one) == normal_form(other)


@for_each(
    "texts",
    [
        ("C", "C++", "C#"),
        ("3.1", "31", "3.10", "3 1"),
        ("-5", "5", "5%", "$5", "5‰", ".5"),
        ("a@b", "ab"),
        ("NET", ".NET"),
        ("v", "-v"),
        ("_read", "read"),
        ("😀", "😢", "👍🏻", "👍🏿"),
        ("...", "!!!", "?", "", "\u0345", "\u0301"),
        ("No cats", "No, cats"),
        ("不要", "不，要"),
        ("三四", "三、四"),
        ("x²", "x2"),
        ("10²", "102"),
        ("1,000", "1 000", "1.000"),
        ("10:30", "1030", "10 30"),
        ("x < 5", "x > 5", "x = 5", "x != 5"),
        ("I feel :)", "I feel :("),
        ("type `((`", "type `(())`"),
        ("a -> b", "a > b"),
        ("see `operator/`", "see `operator|`", "see `operator`"),
        ("`*p` is set", "`p` is set"),
        ("`new[]` it", "`new` it"),
        ("**new[]** it", "**new** it"),
        ("the `|` sign", "the **`!`** sign", "the `.` sign", "the sign"),
        ("Bob is the lead", "Bob is the lead?"),
        ("か", "が"),
        ("कि", "का"),
        ("it is not", "it is"),
        ("is 1⁄2", "is 12"),
    ],
)
def test_texts_that_say_something_else_are_not_identical(texts):
    forms = [normal_form(text) for text in texts]
    assert [pair for pair in combinations(forms, 2) if pair[0] == pair[1]] == []


@given(st.text(alphabet=st.characters(exclude_categories=["M"])))
def test_case_and_blanks_at_the_ends_make_no_difference(text):
    assert normal_form(f"  {text}\n") == normal_form(text)
    assert normal_form(text.casefold()) == normal_form(text)


@given(st.text(alphabet=st.characters(categories=["Lu", "Ll", "Lo", "Nd", "So"]), min_size=1))
def test_letters_figures_and_emoji_are_never_dropped(text):
    assert normal_form(text)


@given(st.text(alphabet="ab3 .,-'!?()*:`", max_size=30))
def test_a_normalised_text_has_no_double_blanks(text):
    assert normal_form(text).split() == normal_form(text).split(" ") or not normal_form(text)


@for_each("part", ["a", "不,", "-", "\u0301", "(", "`(", "\ud800", "?", "、", "\0"])
def test_a_huge_text_of_one_sign_is_normalised(part):
    assert isinstance(normal_form(part * 100_000), str)
