"""What happens again in the same words is another event; of all other types it is a repeat."""

from __future__ import annotations

from datetime import datetime

import pytest

from memwiki.markdown.outline import outline_of
from memwiki.memory.addresses import PageEntries
from memwiki.nouns import Layers
from tests.effort import for_each

DINNER = "Dinner with Zoë at Lokál."
FIRST, SECOND = datetime(2026, 9, 1), datetime(2026, 10, 10, 19, 30)


@pytest.fixture
def space(opened, write_blocks):
    write_blocks('--- memwiki.toml ---\n[layers]\nmemory = "memory.md"\ninbox = "inbox"\n')
    return opened()


def days(space):
    return sorted(each.fields["created"][:10] for each in space.entries.list().entries)


def test_an_event_on_another_day_is_written_and_on_the_same_one_it_is_known(space):
    for day in (FIRST, SECOND, SECOND.replace(hour=8), FIRST):
        space.entries.add(DINNER, type="event", at=day)
    assert days(space) == ["2026-09-01", "2026-10-10"]
    report = space.entries.add(DINNER, type="event")
    assert report.added and report.near == ()


@for_each("day", [FIRST, SECOND])
def test_what_is_no_event_is_known_on_every_day(space, day):
    space.entries.add("Prefers tea.", at=FIRST)
    assert space.entries.add("Prefers tea.", at=day).added == ()
    assert len(days(space)) == 1


def test_events_of_one_call_are_told_apart_by_their_days(space):
    given = [{"text": DINNER, "type": "event", "at": day} for day in (FIRST, SECOND, FIRST)]
    report = space.entries.add_all(given)
    assert len(report.added) == 2
    assert days(space) == ["2026-09-01", "2026-10-10"]


@for_each(
    "text",
    ["Moved to Berlin on 2026-05-01.", "Anna was born on 3 March 1990.", "2024年5月去了上海。"],
)
def test_an_event_that_says_its_day_is_the_same_whenever_it_is_told(space, text):
    space.entries.add(text, type="event", at=FIRST)
    assert space.entries.add(text, type="event", at=SECOND).added == ()


def test_a_number_is_no_year(space):
    for day in (FIRST, SECOND):
        assert space.entries.add("Paid 1500 euros of rent.", type="event", at=day).added


@for_each("wanted", [1, 100])
def test_an_event_of_which_no_day_is_known_is_the_same(wanted):
    data = b"## Events\n- Went out.\n- Came home. [created:: 2026-09-01]\n- Came home.\n"
    page = PageEntries(outline_of("memory.md", data, Layers(memory="memory.md")), wanted)
    assert page.same("Went out.", happened="2026-10-10").line_start == 2
    assert page.same("Came home.", happened="2026-09-01").line_start == 3
    assert page.same("Came home.", happened="2026-10-10").line_start == 4
    assert page.same("Came home.").line_start == 3


def test_staged_events_of_two_days_stay_two(space):
    for day in (FIRST, SECOND):
        space.entries.add(DINNER, type="event", importance=0.9, at=day, staged=True)
    space.upkeep.run()
    assert days(space) == ["2026-09-01", "2026-10-10"]
