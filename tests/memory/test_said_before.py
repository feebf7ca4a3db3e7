"""What is told of an earlier day takes the place of nothing that was said after it."""

from __future__ import annotations

from datetime import datetime

import pytest

ABOUT = {"subject": "Anna", "topic": "drink"}
EARLY, MIDDLE, LATE = datetime(2025, 9, 3), datetime(2025, 10, 8), datetime(2025, 11, 1)


@pytest.fixture
def add(opened, write_blocks):
    write_blocks('--- memwiki.toml ---\n[layers]\nmemory = "memory.md"\n')
    space = opened()

    def add(text, **given):
        return space, space.entries.add(text, **given)

    return add


def fields(space, entry):
    found = space.entries.get(entry.id)
    return found.status, found.fields.get("superseded_by"), found.fields.get("valid_to")


def test_an_earlier_value_of_a_slot_is_over_at_once(add):
    space, later = add("Anna drinks tea.", **ABOUT, object="tea", at=MIDDLE)
    _, report = add("Anna drinks coffee.", **ABOUT, object="coffee", at=EARLY)
    (now,), (before,) = later.added, report.added
    assert report.superseded == () and report.conflicts[0].entry.id == now.id
    assert fields(space, now) == ("active", None, None)
    assert fields(space, before) == ("superseded", now.id, "2025-10-08")


def test_what_is_superseded_was_true_until_the_day_that_is_told(add):
    space, first = add("Anna drinks tea.", **ABOUT, object="tea", at=EARLY)
    _, report = add("Anna drinks coffee.", **ABOUT, object="coffee", at=MIDDLE)
    assert fields(space, first.added[0]) == ("superseded", report.added[0].id, "2025-10-08")


def test_an_earlier_value_does_not_take_the_place_of_its_key(add):
    space, later = add("The launch is in May.", key="launch", at=MIDDLE)
    _, report = add("The launch is in April.", key="launch", at=EARLY)
    (now,), (before,) = later.added, report.added
    assert space.entries.get("launch").text == "The launch is in May."
    assert fields(space, before) == ("superseded", now.id, "2025-10-08")
    _, report = add("The launch is in June.", key="launch", at=LATE)
    assert report.replaced[0].id == now.id
    assert space.entries.get("launch").fields["updated"] == "2025-11-01"
    _, report = add("The launch was to be in July.", key="launch", at=MIDDLE)
    assert space.entries.get("launch").text == "The launch is in June."
    assert fields(space, report.added[0])[2] == "2025-11-01"


@pytest.mark.parametrize("is_known", [True, False])
def test_of_two_values_in_one_call_the_later_one_holds(add, is_known):
    space, _ = add("The launch is in May.", key="launch" if is_known else None, at=MIDDLE)
    given = [
        {"text": "The launch is in June.", "key": "launch", "at": LATE},
        {"text": "The launch is in April.", "key": "launch", "at": EARLY},
    ]
    report = space.entries.add_all(given)
    now = space.entries.get("launch")
    assert now.text == "The launch is in June."
    before = next(each for each in report.added if "April" in each.text)
    assert fields(space, before) == ("superseded", now.id, "2025-11-01")


def test_without_a_day_the_last_word_holds(add):
    space, first = add("The launch is in May.", key="launch", at=MIDDLE)
    _, report = add("The launch is in June.", key="launch")
    assert report.replaced[0].id == first.added[0].id
    space.undo()
    assert space.entries.get("launch").text == "The launch is in May."
