"""A question may name days: as numbers, by the name of a month, or in words."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.times.days import Days, days_in

TODAY = date(2026, 11, 22)  # a Sunday


def days(first: str, last: str = "") -> Days:
    return Days(date.fromisoformat(first), date.fromisoformat(last or first))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("what did Anna say yesterday?", days("2026-11-21")),
        ("what did we do last week?", days("2026-11-09", "2026-11-15")),
        ("plans of last weekend", days("2026-11-14", "2026-11-15")),
        ("who called two months ago", days("2026-09-01", "2026-09-30")),
        ("who called 3 hours ago", days("2026-11-22")),
        ("what happened last year", days("2025-01-01", "2025-12-31")),
        ("what was in May 2023?", days("2023-05-01", "2023-05-31")),
        ("on 8 May 2023", days("2023-05-08")),
        ("on the 8th of May, 2023", days("2023-05-08")),
        ("on Feb 29, 2024", days("2024-02-29")),
        ("in sept. 2023", days("2023-09-01", "2023-09-30")),
        ("去年的计划", days("2025-01-01", "2025-12-31")),
        ("上周做了什么", days("2026-11-09", "2026-11-15")),
        ("三天前谁来了", days("2026-11-19")),
        ("2023年5月去了哪里", days("2023-05-01", "2023-05-31")),
        ("2023年5月8日去了哪里", days("2023-05-08")),
        ("2023年的事", days("2023-01-01", "2023-12-31")),
    ],
)
def test_a_time_in_a_question_is_the_days_it_means(text, named):
    assert days_in(text, TODAY) == (named,)


@pytest.mark.parametrize(
    "text", ["may I go?", "in May", "31 February 2023", "2023年13月", "USA Today", "0000年"]
)
def test_what_names_no_day_of_a_calendar_is_none(text):
    assert days_in(text, TODAY) in ((), (days("2023-01-01", "2023-12-31"),))


def test_the_nearest_of_several_times_counts():
    first, second = days_in("in 2024 or yesterday", TODAY)
    assert (first, second) == (days("2024-01-01", "2024-12-31"), days("2026-11-21"))
    assert [first.distance(date(2025, 1, 3)), second.distance(date(2026, 11, 21))] == [3, 0]


@pytest.mark.parametrize("today", [date.min, date.max])
def test_beyond_the_calendar_nothing_is_named(today):
    assert all(
        each.first <= each.last
        for text in ("last week next week last year next year", "上周 下周 去年 明年 9999年12月")
        for each in days_in(text, today)
    )


@given(st.text(), st.dates())
def test_any_text_names_whole_days_or_nothing(text, today):
    assert all(each.first <= each.last for each in days_in(text, today))


@pytest.mark.parametrize("part", ["8 May ", "2023年5", "last ", "1 may of ", "三天", "2024-1 "])
def test_long_questions_are_read_in_time_linear_in_them(part):
    assert len(days_in(part * 40_000, TODAY)) <= 2
