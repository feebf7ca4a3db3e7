"""The ends of a time may be told as people tell them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.errors import UsageError
from memwiki.times.asked import asked_day, day_bound
from tests.effort import for_each

TODAY = date(2026, 11, 29)  # a Sunday


def ends(text: str) -> str:
    first, last = day_bound("since", text, TODAY), day_bound("until", text, TODAY)
    return first if first == last else f"{first} {last}"


@for_each(
    ("text", "expected"),
    [
        ("2026-11-01", "2026-11-01"),
        ("2026-11-01T10:00:00Z", "2026-11-01"),
        ("2026/11/01", "2026-11-01"),
        ("2026/11/1 ", "2026-11-01"),
        ("20261101", "2026-11-01"),
        ("2026年11月1日", "2026-11-01"),
        ("November 1, 2026", "2026-11-01"),
        ("2026-11", "2026-11-01 2026-11-30"),
        ("Nov 2026", "2026-11-01 2026-11-30"),
        ("2w", "2026-11-15"),
        ("today", "2026-11-29"),
        ("now", "2026-11-29"),
        ("Yesterday", "2026-11-28"),
        ("since  yesterday", "2026-11-28"),
        ("昨天", "2026-11-28"),
        ("昨天晚上", "2026-11-28"),
        ("last week", "2026-11-16 2026-11-22"),
        ("上周", "2026-11-16 2026-11-22"),
        ("上週以來", "2026-11-16 2026-11-22"),
        ("this month", "2026-11-01 2026-11-30"),
        ("3 days ago", "2026-11-26"),
        ("three days ago", "2026-11-26"),
        ("三天前", "2026-11-26"),
        ("2 weeks ago", "2026-11-15"),
        ("last 3 days", "2026-11-26 2026-11-29"),
        ("in the past week", "2026-11-22 2026-11-29"),
        ("last 48 hours", "2026-11-27 2026-11-29"),
        ("最近三天", "2026-11-26 2026-11-29"),
        ("过去两个星期", "2026-11-15 2026-11-29"),
        ("24h", "2026-11-28"),
        ("November 8th", "2026-11-08"),
        ("since the 8th of November", "2026-11-08"),
        ("Dec 24", "2025-12-24"),
        ("may 5", "2026-05-05"),
        ("since 5 may", "2026-05-05"),
        ("3 mar", "2026-03-03"),
        ("march 3", "2026-03-03"),
        ("11月8日", "2026-11-08"),
        ("十一月八号以来", "2026-11-08"),
        ("November", "2026-11-01 2026-11-30"),
        ("last November", "2025-11-01 2025-11-30"),
        ("in dec", "2025-12-01 2025-12-31"),
        ("三个月内", "2026-08-29"),
        ("10月份", "2026-10-01 2026-10-31"),
        ("Monday", "2026-11-23"),
        ("Sun", "2026-11-29"),
        ("周五", "2026-11-27"),
        ("星期天", "2026-11-29"),
        ("next Friday", "2026-12-04"),
        ("先週", "2026-11-16 2026-11-22"),
        ("先々週", "2026-11-09 2026-11-15"),
        ("先週以来", "2026-11-16 2026-11-22"),
        ("来月", "2026-12-01 2026-12-31"),
        ("오늘", "2026-11-29"),
        ("從上週五", "2026-11-20"),
    ],
)
def test_a_time_is_read_as_it_is_told(text, expected):
    assert ends(text) == expected


@for_each(
    "text",
    [
        *(
            "soon",
            "the",
            "2026-13",
            "31 February",
            "November 31",
            "3 parsecs ago",
            "may 5 of us",
            "5 may and 3 mar",
            "先週号",
            "0 days",
            "13月",
        ),
        *("yesterday's tea", "2026-11-01 or yesterday", "99999999999d", "9999 years", "x" * 70),
    ],
)
def test_what_is_no_time_is_refused(text):
    with pytest.raises(UsageError, match="not a day") as refused:
        day_bound("since", text, TODAY)
    assert "yesterday" in refused.value.hint


@given(st.text() | st.text("ago 3天前月last week日上周"), st.dates(), st.booleans())
def test_any_text_is_a_day_or_none(text, today, is_end):
    asked_day(text, today, is_end=is_end)
