"""Days that a question names: what was written in them or names them, and what is of now."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

NOON = int(datetime(2026, 12, 1, 12, tzinfo=UTC).timestamp() * 1e9)
MEMORY = """\
# Memory

- Dentist 2026-12-01 09:00. [created:: 2026-11-30] ^m-dentist
- 2026-12-03 15:00 开家长会。 [created:: 2026-11-29] ^m-school
- Never push to main on Fridays after 14:00. [created:: 2026-10-02] ^m-push
- 上线窗口是周二和周四下午。 [created:: 2026-10-02] ^m-window
- Luis fixed the login bug. [created:: 2026-12-01] ^m-luis
- Mei prefers short answers. [created:: 2026-12-01] ^m-mei
"""


@pytest.fixture
def ask(put, opened):
    put("memory.md", MEMORY)
    ws = opened(clock=lambda: NOON)
    return lambda question: [hit.id for hit in ws.recall(question).hits]


@pytest.mark.parametrize(
    "question",
    [
        "what do I have today?",
        "what do I have on December 1?",
        "今天有什么安排？",
        "anything due today?",
    ],
)
def test_what_names_a_day_is_found_by_that_day(ask, question):
    assert ask(question)[0] == "m-dentist"


@pytest.mark.parametrize("question", ["what is on this week?", "这周有什么安排？"])
def test_what_names_a_day_of_a_week_is_found_by_that_week(ask, question):
    assert {"m-dentist", "m-school"} <= set(ask(question)[:3])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("can I push to main today?", "m-push"),
        ("should we push to main this week?", "m-push"),
        ("今天下午可以上线吗", "m-window"),
        ("what did Luis fix today?", "m-luis"),
    ],
)
def test_what_is_written_today_does_not_crowd_out_what_may_be_done(ask, question, answer):
    assert ask(question)[0] == answer


def test_what_merely_names_today_stays_behind_the_rule_that_is_asked_for(put, opened):
    days = "".join(f"- Thing {n} is on 2026-12-01. ^m-{n:06}\n" for n in range(5))
    put("memory.md", f"# Memory\n\n{days}- Rule: never push to main on Fridays. ^m-rule\n")
    ws = opened(clock=lambda: NOON)
    for question in ("may I push today?", "can I push today?"):
        assert ws.recall(question).hits[0].id == "m-rule"


def test_a_day_is_found_among_many_texts_with_its_numbers(put, opened):
    logs = "".join(f"- Log {n} on 2026-01-12 of things. ^m-{n:06}\n" for n in range(300))
    put("memory.md", f"# Memory\n\n{logs}- Dentist on 2026-12-01 at 9. ^m-dentist\n")
    ws = opened(clock=lambda: NOON)
    assert ws.recall("What do I have today?").hits[0].id == "m-dentist"


def test_what_was_done_in_a_day_is_what_was_written_then(ask):
    assert {"m-luis", "m-mei"} <= set(ask("what happened today?"))
    assert "m-push" not in ask("what happened today?")


def test_a_diary_in_one_page_answers_by_the_heading_of_the_day(put, opened):
    days = [date(2025, 1, 1) + timedelta(n) for n in range(90)]
    told = (
        f"## {day}\n\nWe did number {n} and more of it until dinner.\n"
        for n, day in enumerate(days)
    )
    put("Journal.md", "# Journal\n\n" + "\n".join(told))
    put("Lab.md", "# Lab\n\nOn 2025-03-07 the pump failed.\n")
    space = opened()
    for question in ("what did we do on March 7, 2025?", "2025年3月7日发生了什么"):
        found = {hit.path: hit.excerpt for hit in space.recall(question)}
        assert "number 65 " in found["Journal.md"]
        assert "pump" in found["Lab.md"]


def test_a_short_diary_shows_the_day_that_is_asked_for(put, opened):
    told = "\n".join(f"## 2024-01-0{n}\n\nIt was {what}.\n" for n, what in enumerate("abcde", 1))
    put("Diary.md", f"# D\n\n{'Of a house. ' * 30}\n\n{told}")
    (hit,) = opened().recall("what happened on January 3, 2024?")
    assert hit.section == "D > 2024-01-03"
    assert hit.excerpt.startswith("It was c.")
