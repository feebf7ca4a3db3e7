"""Times in words become dates; what is not clearly a time stays as it is."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st
from standing_sentences import BESIDE, ONCE, STANDING
from time_phrases import CHINESE, ENGLISH, NO_TIMES, NOW
from time_sentences import KEPT, MEANT

from memwiki.memory.draft import moment, with_dates
from tests.effort import for_each

SATURDAY = datetime(2025, 11, 8, 9, 0)
WORDS = st.sampled_from(
    [
        *ENGLISH,
        *CHINESE,
        *NO_TIMES,
        *"last this next week month year days ago in 3 two the of at 8:30 8 am to and half".split(),
        *"Friday Today Yesterday tomorrow tonight noon morning".split(),
        *"上 下 周 一 五 月 天 前 后 年 个 半".split(),
        *"昨天 今天 去年 早上 晚 8点 三 十".split(),
        *"every each day, always covers what was did ; but 每天 显示 了 ，".split(),
        *"` $ $$ \" “ ” [ ] [[ ]] ( ) : :: # - . > ~ ^ _ / 's".split(),
        "[time:: ",
        "[x:: ",
        "- time:: ",
        "```\n",
        "\n",
        "    ",
    ]
)
SOUP = st.lists(st.tuples(WORDS, st.sampled_from(["", " ", " ", "\n"])), max_size=12).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)


@for_each(("said", "meant"), [*ENGLISH.items(), *CHINESE.items()])
def test_a_time_in_words_becomes_a_date(said, meant):
    assert with_dates(said, NOW) == meant


@for_each("said", NO_TIMES)
def test_what_is_not_clearly_a_time_stays(said):
    assert with_dates(said, NOW) == said


def test_sentences_get_the_dates_that_they_mean_and_keep_all_else():
    assert {said: with_dates(said, NOW) for said in MEANT} == MEANT
    assert [said for said in KEPT if with_dates(said, NOW) != said] == []


def test_habits_rules_names_and_queries_are_no_times():
    assert [said for said in STANDING if with_dates(said, NOW) != said] == []


def test_where_the_day_is_in_doubt_the_words_stay_and_the_date_is_beside_them():
    assert {said: with_dates(said, NOW) for said in BESIDE} == BESIDE
    assert {said: with_dates(said, NOW) for said in BESIDE.values()} == {
        said: said for said in BESIDE.values()
    }


def test_a_day_of_its_own_beside_a_habit_is_written_as_its_date():
    assert {said: with_dates(said, NOW) for said in ONCE} == ONCE


@for_each(
    ("said", "meant"),
    [
        ("last Friday", "2025-11-07"),
        ("last Saturday", "2025-11-01"),
        ("this Friday", "2025-11-07"),
        ("next Friday", "2025-11-14"),
        ("next Monday", "2025-11-10"),
        ("上周五", "2025-10-31"),
        ("下周一", "2025-11-10"),
        ("本周日", "2025-11-09"),
    ],
)
def test_on_a_saturday_the_week_still_began_on_monday(said, meant):
    assert with_dates(said, SATURDAY) == meant


def test_several_times_in_one_text_are_each_rewritten():
    said = "Yesterday we shipped; last week, 上周五, it failed.\n下周再试。"
    assert with_dates(said, NOW) == (
        "2025-11-04 we shipped; the week of 2025-10-27, 2025-10-31, it failed.\n"
        "2025-11-10 那一周再试。"
    )


def test_code_keeps_its_words_and_the_text_around_it_does_not():
    said = "yesterday `last week` tomorrow\n```\ntoday\n```\ntoday $last year$"
    assert with_dates(said, NOW) == (
        "2025-11-04 `last week` 2025-11-06\n```\ntoday\n```\n2025-11-05 $last year$"
    )


def test_words_on_both_sides_of_code_are_no_time():
    assert with_dates("last`x`week", NOW) == "last`x`week"


def test_fields_that_say_when_are_rewritten_and_others_are_not():
    said = (
        "Moved. [valid_from:: last month] [note:: yesterday] [时间:: 今天早上8点] [time:: x today]"
    )
    assert with_dates(said, NOW) == (
        "Moved. [valid_from:: 2025-10] [note:: yesterday] [时间:: 2025-11-05 08:00]"
        " [time:: x 2025-11-05]"
    )


def test_fields_on_lines_of_their_own_are_fields_too():
    said = "Met.\n  - time:: 昨晚\n  - note:: said yesterday"
    assert with_dates(said, NOW) == "Met.\n  - time:: 2025-11-04 晚上\n  - note:: said yesterday"


@for_each(
    ("said", "meant"),
    [
        ("yesterday", "2025-11-04"),
        (" 昨晚 ", " 2025-11-04 晚上 "),
        ("last week", "2025-10-27"),
        ("in two weeks", "2025-11-19"),
        ("两周后", "2025-11-19"),
        ("上周末", "2025-11-01"),
        ("last month", "2025-10"),
        ("in two months", "2026-01"),
        ("2025-11-04", "2025-11-04"),
        ("8:30", "8:30"),
        ("the week after last week", "the week after the week of 2025-10-27"),
        ("`today`", "`today`"),
        ("", ""),
    ],
)
def test_a_field_that_is_a_time_becomes_a_plain_date(said, meant):
    assert moment(said, NOW) == meant


def test_a_year_never_begins_a_numbered_list():
    assert with_dates("Last year. We moved last year.", NOW) == "Last year. We moved in 2024."


@for_each("now", [datetime.min, datetime.max, datetime.max.replace(tzinfo=UTC)])
def test_times_beyond_the_calendar_stay(now):
    for said in ["999 years ago", "in 999 years", "上上周五", "下下周日", "前年", "后年"]:
        assert with_dates(with_dates(said, now), now) == with_dates(said, now)


@given(st.one_of(SOUP, st.text(), st.text("昨天今明前后上下周月年一三十点半早晚8: ago")))
@example("in last year days")
@example("去年天前")
@example("$今天$昨天")
@example("昨天yesterday今天")
@example("上周后")
@example("昨天 8:30 tomorrow")
@example("Yesterday Today")
@example("done tomorrow at 8 am in 3 days")
def test_a_rewritten_text_has_no_more_times_in_words(text):
    once = with_dates(text, NOW)
    assert with_dates(once, NOW) == once
    assert moment(moment(text, NOW), NOW) == moment(text, NOW)


@given(st.text(st.characters(exclude_characters="昨今明前后去上下这本天aeiouAEIOU")))
def test_text_without_words_for_times_is_unchanged(text):
    assert with_dates(text, NOW) == text


@for_each(
    "text",
    [
        "in 3 " * 50_000,
        "last " * 50_000,
        "Last year. " * 20_000,
        "- time:: " * 20_000,
        "[time:: " * 20_000,
        "://" * 50_000,
        '"' * 200_000,
        "上" * 200_000,
        "昨天" * 15_000,
        "\ud800昨" * 9_000,
    ],
)
def test_long_hostile_text_is_read_to_its_end(text):
    assert with_dates(with_dates(text, NOW), NOW) == with_dates(text, NOW)


@for_each(
    ("said", "meant"),
    [
        ("Called 3 hours ago.", "Called 2025-11-05."),
        ("两小时前打过电话", "2025-11-05 打过电话"),
        ("Called 30 hours ago.", "Called 2025-11-04."),
        ("Called tonight at 8.", "Called 2025-11-05 20:00."),
    ],
)
def test_of_a_day_without_its_hour_no_hour_is_made_up(said, meant):
    assert with_dates(said, datetime(2025, 11, 5)) == meant
