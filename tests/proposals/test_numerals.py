"""Numbers in figures and in words are one number."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memwiki.proposals.claims import numbers_in, stated_numbers
from tests.effort import for_each

WORDS = (
    *(
        "two ",
        "hundred ",
        "and ",
        "thousand",
        "-",
        "third ",
        "3",
        ".",
        ",",
        "000",
        "k ",
        " million",
    ),
    *("两", "百", "千", "万", "零", "五", "一", "分", "²", "٣"),
)


@for_each(
    ("text", "numbers"),
    [
        ("7", "7"),
        ("007", "7"),
        ("2,500 and 2500 and two thousand five hundred", "2500"),
        ("2.5 thousand, 2.5k, 2500.0", "2500"),
        ("1.5 million", "1500000"),
        ("twenty-one, twenty one, 21st", "21"),
        ("one hundred and twelve", "112"),
        ("two three", "2 3"),
        ("third, 3rd, three", "3"),
        ("a dozen eggs", "12"),
        ("version 8.5.1", "8.5.1"),
        ("0.50", "0.5"),
        ("７０", "70"),
        ("often, tense, someone", ""),
        ("十五", "15"),
        ("二十 一百零五 一百二", "20 105 120"),
        ("两千八 2800 两千八百", "2800"),
        ("三万五千 3.5万 35000", "35000"),
        ("三亿", "300000000"),
        ("二〇二三年", "2023"),
        ("百分之二十", "20 100"),
        ("万", "10000"),
    ],
)
def test_a_number_is_the_same_however_it_is_written(text, numbers):
    assert numbers_in(text) == {*numbers.split()}


@for_each(
    "text",
    ["one of them", "her first book", "一起", "一个", "十分好", "千万别忘", "万一", "再三", "四处"],
)
def test_words_that_only_hold_a_number_state_none(text):
    assert stated_numbers(text) == frozenset()


@for_each(
    ("text", "number"),
    [
        ("twenty-one", "21"),
        ("one hundred", "100"),
        ("十分钟", "10"),
        ("三个", "3"),
        ("二十一", "21"),
        ("百分之五", "5"),
        ("五一", "51"),
    ],
)
def test_a_number_in_words_is_stated(text, number):
    assert number in stated_numbers(text)


@for_each("text", ["thousand " * 2_000, "9" * 10_000 + " million", "万" * 10_000, "1." * 10_000])
def test_numbers_beyond_all_measure_are_read(text):
    assert numbers_in(text)


@given(st.integers(0, 10**15))
def test_marks_between_thousands_change_nothing(number):
    assert numbers_in(f"about {number:,} of them") == {str(number)}


@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS), max_size=12).map("".join)))
def test_the_form_of_a_number_is_its_own_form(text):
    for number in stated_numbers(text):
        assert number in numbers_in(number)
