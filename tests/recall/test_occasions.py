"""Asked for the last or the first time, the memory that says when it was comes first."""

from __future__ import annotations

from datetime import date

import pytest

from memwiki.recall.parse import Occasion, read_question
from tests.effort import for_each

TODAY = date(2026, 11, 22)
ENTRIES = """\
# Memory

- Had a long dinner with Zoë and Ben, and Zoë brought a cake. [created:: 2026-09-14] ^m-dinner
- Met Zoë for lunch. [created:: 2026-09-03] ^m-lunch1
- Called Zoë about the trip. [created:: 2026-10-15] ^m-called
- Saw Zoë at the market. [created:: 2026-10-22] ^m-market
- Talked to Zoë about work. [created:: 2026-09-20] ^m-talked
- Talked to Ben about work. [created:: 2026-10-30] ^m-bentlk
- 去看牙医。 [created:: 2026-09-01] ^m-tooth1
- 去看牙医洗牙。 [created:: 2026-10-16] ^m-tooth2
- Zoë may visit some day. ^m-undate
"""


@pytest.fixture
def diary(put, ws):
    put("memory.md", ENTRIES)
    put("daily/2026-10-28.md", "# 2026-10-28\n\nRain. Bumped into Zoë, who had no time.\n")
    return ws


@for_each(
    ("question", "first"),
    [
        ("when did I last see Zoë?", "m-market"),
        ("What is the latest on Zoë", "daily/2026-10-28.md"),
        ("what's new with Zoë", "daily/2026-10-28.md"),
        ("when did I last talk to Zoë", "m-talked"),
        ("when did I first meet Zoë", "m-lunch1"),
        ("我上次什么时候去看牙医", "m-tooth2"),
        ("第一次去看牙医是什么时候", "m-tooth1"),
    ],
)
def test_the_time_that_is_asked_for_comes_first(diary, question, first):
    hits = diary.recall(question, explain=True).hits
    assert (hits[0].id or hits[0].path) == first
    assert "time" in " ".join(hits[0].reasons)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_what_says_more_of_it_than_the_name_comes_before_what_is_newer(diary, put):
    put("learnings.md", "# Learnings\n\n- Zoë fixed the bike. [created:: 2026-08-01] ^m-bikebi\n")
    hits = diary.recall("when was the last time Zoë repaired my bike").hits
    assert hits[0].id == "m-bikebi"


def test_a_filter_that_asks_for_the_latest_is_a_filter(diary):
    assert diary.recall("tag:latest").hits == ()
    assert diary.recall("type:latest").hits == ()


def test_of_events_that_are_equal_the_last_one_is_shown(put, ws):
    dinner = "Had a long dinner with Zoë and Ben at home, and Zoë brought a cheesecake with plums."
    days = ("2024-09-01", "2024-11-10", "2024-10-10")
    put("memory.md", "# Memory\n\n" + "".join(f"- {dinner} [created:: {day}]\n" for day in days))
    hits = ws.recall("when did I last have dinner with Zoë").hits
    assert hits[0].updated == "2024-11-10"


def test_a_later_edit_is_no_later_time_and_what_a_website_says_no_time_of_ours(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- Met Carl. [created:: 2019-01-02] [updated:: 2024-11-29] ^m-bbbbbb\n"
        "- Met Carl. He was well. [created:: 2024-02-03] ^m-cccccc\n"
        "- Met Carl, says a page. [created:: 2024-12-03] [origin:: web] ^m-dddddd\n",
    )
    assert ws.recall("when did I last meet Carl").hits[0].id == "m-cccccc"
    assert ws.recall("when did I first meet Carl").hits[0].id == "m-bbbbbb"


@for_each(
    ("question", "words"),
    [
        ("when did I last fly to New York", ("when", "did", "I", "fly", "to", "New", "York")),
        ("the latest on New Zealand", ("the", "on", "New", "Zealand")),
        ("what's new in New York", ("what's", "in", "New", "York")),
        ("上次什么时候去看牙医", ("去看牙医",)),
        ("Zoë (latest)", ("Zoë",)),
        ("la dernière fois de Zoë", ("la", "de", "Zoë")),
        ("Zoë's *latest* book", ("Zoë's", "book")),
        ("Zoë: latest; more", ("Zoë:", "more")),
        (
            "when have I been first in a race",
            ("when", "have", "I", "been", "first", "in", "a", "race"),
        ),
    ],
)
def test_only_the_words_that_ask_for_the_time_are_taken_away(question, words):
    assert read_question(question, TODAY, lambda _: False).query.words == words


def test_the_next_time_is_no_last_one_and_days_are_compared_however_they_are_written(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- Carl fixed the boiler. [created:: 22 Oct 2024] ^m-bbbbbb\n"
        "- Carl fixed the roof. [created:: 2024-11-02 10:00] ^m-cccccc\n"
        "- Please water the flowers. [created:: 2024-12-02] ^m-dddddd\n",
    )
    put("daily/2126-12-24.md", "# 2126-12-24\n\nCarl comes.\n")
    first = ws.recall("Please, when did we last see Carl?").hits[0]
    assert first.id == "m-cccccc"


def test_what_says_no_day_is_no_time(diary):
    hit = next(
        hit for hit in diary.recall("the latest on Zoë", explain=True).hits if hit.id == "m-undate"
    )
    assert "the last time" not in hit.reasons


@for_each(
    ("text", "occasion"),
    [
        ("when did we last meet", Occasion.LAST),
        ("the last time we met", Occasion.LAST),
        ("when was the boiler last serviced?", Occasion.LAST),
        ("最近一次见到她", Occasion.LAST),
        ("Last time I saw Zoë", Occasion.LAST),
        ("Quand ai-je vu Zoë la dernière fois", Occasion.LAST),
        ("Wann habe ich Zoë zuletzt gesehen", Occasion.LAST),
        ("when did I first ski", Occasion.FIRST),
        ("what did I do last week", Occasion.NONE),
        ("when did we meet last summer", Occasion.NONE),
        ("the last chapter", Occasion.NONE),
        ("the latest version of it", Occasion.NONE),
        ("first aid", Occasion.NONE),
        ("first time user guide", Occasion.NONE),
        ("how do I use it for the first time", Occasion.NONE),
        ("when was the first time we met", Occasion.FIRST),
        ("when did Ivan write his last will", Occasion.NONE),
        ("when did the first world war begin", Occasion.NONE),
        ("When did the First World War begin", Occasion.NONE),
        ("when was Anna's last name changed", Occasion.NONE),
        ("第一次世界大战什么时候爆发", Occasion.NONE),
        ("晚上次数最多", Occasion.NONE),
    ],
)
def test_which_time_is_asked_for(text, occasion):
    assert read_question(text, TODAY, lambda _: False).occasion is occasion


def test_what_is_planned_or_did_not_happen_is_no_time_that_it_did(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- Was at the dentist with Emma. [created:: 2025-05-05] ^m-aaaaaa\n"
        "- Dentist appointment booked for 2027-01-15. [created:: 2025-09-01] ^m-bbbbbb\n"
        "- Emma was ill with fever. [created:: 2024-03-01] ^m-cccccc\n"
        "- Emma was not ill this autumn. [created:: 2025-10-01] ^m-dddddd\n"
        "- 去爬山了。 [created:: 2025-03-01] ^m-eeeeee\n"
        "- 打算去爬山。 [created:: 2025-06-01] ^m-ffffff\n",
    )
    asked = "when was I last at the dentist?", "when was Emma last ill?", "上次爬山是什么时候？"
    assert [ws.recall(each).hits[0].id for each in asked] == ["m-aaaaaa", "m-cccccc", "m-eeeeee"]
