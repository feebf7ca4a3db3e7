"""A question may name days: as numbers, by the name of a month, or in words."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.times.days import Days, asked_of, days_in, days_of_no_year, without_days
from tests.effort import for_each

TODAY = date(2026, 11, 22)  # a Sunday


def days(first: str, last: str = "") -> Days:
    return Days(date.fromisoformat(first), date.fromisoformat(last or first))


@for_each(
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
        ("先週は何をした？", days("2026-11-09", "2026-11-15")),
        ("来月の予定は？", days("2026-12-01", "2026-12-31")),
        ("再来年どこへ行く？", days("2028-01-01", "2028-12-31")),
        ("昨日、誰に会った？", days("2026-11-21")),
        ("어제 누구를 만났어?", days("2026-11-21")),
        ("지난주에 뭐 했지?", days("2026-11-09", "2026-11-15")),
        ("다음 달 계획은?", days("2026-12-01", "2026-12-31")),
        ("작년의 목표", days("2025-01-01", "2025-12-31")),
    ],
)
def test_a_time_in_a_question_is_the_days_it_means(text, named):
    assert days_in(text, TODAY) == (named,)


@for_each(
    "text",
    [
        "다음 주문은?",
        "다음 주의사항",
        "来年度の予算",
        "他回来月底",
        "may I go?",
        "in May",
        "31 February 2023",
        "2023年13月",
        "USA Today",
        "0000年",
    ],
)
def test_what_names_no_day_of_a_calendar_is_none(text):
    assert days_in(text, TODAY) in ((), (days("2023-01-01", "2023-12-31"),))


@for_each(
    ("text", "named"),
    [
        ("what did I do on November 8th?", "2026-11-08"),
        ("what did I do on the 8th of november", "2026-11-08"),
        ("notes of 8 Nov", "2026-11-08"),
        ("what was on Nov. 22, at noon", "2026-11-22"),
        ("what was on November the 23rd", "2025-11-23"),
        ("who came on Feb 29", "2024-02-29"),
        ("on May 3, and on may 3rd", "2026-05-03"),
        ("11月8日做了什么", "2026-11-08"),
        ("12 月 31 号谁来了", "2025-12-31"),
        ("十一月八号做了什么", "2026-11-08"),
        ("11월 8일", "2026-11-08"),
    ],
)
def test_a_day_without_a_year_is_the_last_one(text, named):
    assert days_in(text, TODAY) == ()
    assert days_of_no_year(text, TODAY) == (days(named),)
    assert not any(map(str.isdigit, without_days(text, TODAY)))


@for_each(
    "text",
    [
        *("may 3 of us go", "a march 3 miles long", "November 31", "June 8:30", "version 3.8 May"),
        *("May 3.5", "November 2024", "Maya 8", "June 50%", "三个月8日", "每年11月8日"),
        *("13月8日", "13月", "in may", "it may, in marching", "三个月", "每月", "1月前", "in Maya"),
        *(
            "the number of April",
            "周一月度会议",
            "五月天",
            "12月龄",
            "近6月",
            "过去3月",
            "一月一次",
        ),
        *("9月以前", "12/5 월요일", "3월요일"),
    ],
)
def test_other_numbers_at_a_month_are_no_day(text):
    assert days_of_no_year(text, TODAY) == ()


@for_each(
    ("text", "named"),
    [
        ("what happened in October?", ("2026-10-01", "2026-10-31")),
        ("plans this December", ("2025-12-01", "2025-12-31")),
        ("what happened in october", ("2026-10-01", "2026-10-31")),
        ("last May I was ill", ("2026-05-01", "2026-05-31")),
        ("10月我做了什么", ("2026-10-01", "2026-10-31")),
        ("十二月份谁来了", ("2025-12-01", "2025-12-31")),
        ("10월에", ("2026-10-01", "2026-10-31")),
        ("who led it at the end of August", ("2026-08-01", "2026-08-31")),
        ("the owner in mid-August", ("2026-08-01", "2026-08-31")),
        ("7 月份的时候是谁", ("2026-07-01", "2026-07-31")),
        ("八月中旬是谁", ("2026-08-01", "2026-08-31")),
    ],
)
def test_a_month_alone_is_the_last_one(text, named):
    assert days_of_no_year(text, TODAY) == (days(*named),)
    assert "ctober" not in without_days(text, TODAY)


def test_the_nearest_of_several_times_counts():
    first, second = days_in("in 2024 or yesterday", TODAY)
    assert (first, second) == (days("2024-01-01", "2024-12-31"), days("2026-11-21"))
    assert [first.distance(date(2025, 1, 3)), second.distance(date(2026, 11, 21))] == [3, 0]


@pytest.mark.parametrize("today", [date.min, date.max])
def test_beyond_the_calendar_nothing_is_named(today):
    assert all(
        each.first <= each.last
        for text in (
            "last week next week last year next year",
            "上周 下周 去年 明年 9999年12月",
            "先週 来週 来年の 지난주 다음 주 내년",
        )
        for each in days_in(text, today)
    )
    assert all(each.last <= today for each in days_of_no_year("29 February, 11月8日", today))


@given(st.text(), st.dates())
def test_any_text_names_whole_days_or_nothing(text, today):
    assert all(each.first <= each.last for each in days_in(text, today))


@for_each(
    "part",
    ["8 May ", "2023年5", "last ", "1 may of ", "三天", "2024-1 ", "8 may", "8月", "지난 ", "来"],
)
def test_long_questions_are_read_in_time_linear_in_them(part):
    assert len(days_in(part * 40_000, TODAY)) <= 2
    assert len(days_of_no_year(part * 40_000, TODAY)) <= 2


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("where did I live?", Days(TODAY, TODAY)),
        ("where did I live in 2022?", days("2022-01-01", "2022-12-31")),
        ("where have I lived since 2022?", Days(date(2022, 1, 1), TODAY)),
        ("从2022年起我住在哪里？", Days(date(2022, 1, 1), TODAY)),
        ("where did I live before 2022?", Days(date.min, date(2021, 12, 31))),
        ("where did I live from 2018 to 2021?", days("2018-01-01", "2021-12-31")),
        ("emails from my boss in 2022", days("2022-01-01", "2022-12-31")),
    ],
)
def test_a_question_asks_of_the_days_that_it_names_from_them_on_or_before_them(question, asked):
    assert asked_of(question, days_in(question, TODAY), TODAY) == asked


def test_the_day_before_yesterday_is_no_time_before_it():
    text = "what was the code the day before yesterday?"
    (day,) = days_in(text, TODAY)
    assert asked_of(text, [day], TODAY) == day
