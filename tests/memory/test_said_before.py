"""What is told of an earlier day takes the place of nothing that was said after it."""

from __future__ import annotations

from datetime import datetime

import pytest

from memwiki.errors import AmbiguousError
from memwiki.present import Look, as_text

ABOUT = {"subject": "Anna", "topic": "employer"}
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
    space, later = add("Anna works at Bosch.", **ABOUT, object="Bosch", at=MIDDLE)
    _, report = add("Anna works at Siemens.", **ABOUT, object="Siemens", at=EARLY)
    (now,), (before,) = later.added, report.added
    assert report.superseded == () and report.conflicts[0].entry.id == now.id
    assert fields(space, now) == ("active", None, None)
    assert fields(space, before) == ("superseded", now.id, "2025-10-08")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Anna drinks coffee. #drink", "- ~~Anna drinks coffee. #drink~~ ["),
        ("Anna drinks\ncoffee.", "- Anna drinks ["),
        ("~5 cups of coffee", "- ~5 cups of coffee ["),
        ("> coffee", "- > coffee\n"),
    ],
)
def test_who_reads_the_page_sees_that_an_earlier_value_is_over(add, text, written):
    add("Anna drinks tea.", key="drink", at=MIDDLE)
    space, report = add(text, key="drink", at=EARLY)
    page = (space.root / "memory.md").read_text()
    assert written in page and "- Anna drinks tea. [" in page
    (before,) = report.added
    assert (space.entries.get(before.id).text, before.status) == (text, "superseded")


def test_of_two_values_of_one_call_the_earlier_one_is_struck_out(add):
    space, _ = add("Likes the sea.")
    one = {"text": "Anna drinks tea.", **ABOUT, "object": "tea", "at": EARLY}
    other = {"text": "Anna drinks coffee.", **ABOUT, "object": "coffee", "at": MIDDLE}
    space.entries.add_all([one, other])
    page = (space.root / "memory.md").read_text()
    assert "- ~~Anna drinks tea.~~ [" in page and "- Anna drinks coffee. [" in page


def test_what_is_superseded_was_true_until_the_day_that_is_told(add):
    space, first = add("Anna works at Bosch.", **ABOUT, object="Bosch", at=EARLY)
    _, report = add("Anna works at Siemens.", **ABOUT, object="Siemens", at=MIDDLE)
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


@pytest.mark.parametrize("place", ["memory.md", "other.md"])
def test_of_two_entries_with_one_key_none_is_replaced(add, write_blocks, place):
    one = "- In Kiel. [key:: office/place] ^m-aaaaaa\n"
    other = "- In Ulm. [key:: office/place] ^m-aaaaaa\n"
    write_blocks(f"--- memory.md ---\n# Memory\n\n{one}")
    space, _ = add("Tea.")
    with (space.root / place).open("a") as file:
        file.write(f"\n{other}")
    with pytest.raises(AmbiguousError, match="office/place: 2 entries bear this name") as raised:
        add("In Trier.", key="office/place")
    assert len(raised.value.candidates) == 2
    space.entries.delete(raised.value.candidates[1])
    assert add("In Trier.", key="office/place")[1].replaced[0].text == "In Trier."


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


def test_a_value_by_hand_that_has_no_id_stays_and_gets_one(add, root):
    space, _ = add("The garden is closed.")
    memory = root / "memory.md"
    text = memory.read_text("utf-8")
    line = "- The door code is 4711. [key:: door] [created:: 2026-01-01]"
    memory.write_text(f"{text}\n## Facts\n{line}\n", "utf-8")
    space.sync()
    (past,) = space.entries.add("The door code is 1234.", key="door", at=EARLY).added
    now = space.entries.get("door")
    assert now.text == "The door code is 4711." and now.fields["created"] == "2026-01-01"
    assert fields(space, past) == ("superseded", now.id, "2026-01-01")


def test_an_earlier_text_replaces_no_later_one_that_is_near(add):
    words = (
        "Carol prefers the small quiet room behind the old library for reading long novels about"
        " ships, islands, lighthouses and storms{}."
    )
    space, later = add(words.format(" at home"), at=LATE)
    _, report = add(words.format(""), at=EARLY, on_near="replace")
    assert report.replaced == ()
    assert fields(space, later.added[0])[0] == "active"
    assert fields(space, report.added[0])[0] == "superseded"
    _, report = add(words.format(" at her home"), at=EARLY, on_near="merge")
    assert all(each.updated[:10] > "2025-11-01" for each in report.replaced)


@pytest.mark.parametrize("given", [{"key": "home"}, {**ABOUT, "object": "Paris"}])
def test_what_is_over_is_added_once(add, root, given):
    space, _ = add("Anna lives in Berlin.", **{**given, "object": "Berlin"}, at=LATE)
    for _ in range(2):
        space, report = add("Anna lives in Paris.", **given, at=EARLY)
    assert report.added == () and len(report.repeated) == 1
    rows = [{"text": f"Fact {n} of the house.", "at": EARLY} for n in range(12)]
    report = space.entries.add_all([{"text": "Anna lives in Paris.", **given, "at": EARLY}, *rows])
    assert len(report.repeated) == 1
    assert (root / "memory.md").read_text("utf-8").count("Paris.") == 1


def test_what_is_said_now_holds_whatever_day_an_entry_has(add, root):
    space, _ = add("The garden is closed.")
    memory = root / "memory.md"
    line = "- The door code is 4711. [key:: door] [created:: 2999-01-01] ^m-aaaaaa"
    memory.write_text(f"{memory.read_text('utf-8')}\n## Facts\n{line}\n", "utf-8")
    space.sync()
    report = space.entries.add("The door code is 1234.", key="door")
    assert [each.text for each in report.replaced] == ["The door code is 1234."]


def test_two_that_are_over_and_say_the_same_in_one_call_are_one(add):
    space, _ = add("The launch is in May.", key="launch", at=LATE)
    past = {"text": "The launch is in April.", "key": "launch", "at": EARLY}
    report = space.entries.add_all([past, past])
    assert (len(report.added), len(report.repeated)) == (1, 1)


DOG = {"subject": "dog", "topic": "colour"}


def dog(colour, at):
    return {"text": f"The dog is {colour}.", **DOG, "object": colour, "at": at}


@pytest.mark.parametrize("is_turned", [False, True])
def test_of_two_values_of_a_subject_and_topic_in_one_call_the_later_one_holds(add, is_turned):
    space, _ = add("The garden is closed.")
    given = [dog("red", EARLY), dog("blue", MIDDLE)]
    report = space.entries.add_all(given[::-1] if is_turned else given)
    red, blue = sorted(report.added, key=lambda each: each.text, reverse=True)
    assert fields(space, red) == ("superseded", blue.id, "2025-10-08")
    assert fields(space, blue) == ("active", None, None)
    assert report.conflicts == ()
    assert [each.id for each in report.superseded] == [red.id] * (not is_turned)


def test_each_value_of_a_call_ends_the_one_before_it_and_the_first_what_was_known(add):
    space, known = add("The dog is green.", **DOG, object="green", at=datetime(2025, 8, 1))
    past = dog("black", datetime(2025, 9, 20))
    given = [dog("red", EARLY), dog("red", EARLY), dog("blue", MIDDLE), past, dog("red", LATE)]
    report = space.entries.add_all(given)
    red, blue, black, again = report.added
    assert fields(space, black) == ("superseded", blue.id, "2025-10-08")
    assert fields(space, known.added[0]) == ("superseded", red.id, "2025-09-03")
    assert fields(space, red) == ("superseded", blue.id, "2025-10-08")
    assert fields(space, blue) == ("superseded", again.id, "2025-11-01")
    assert fields(space, again) == ("active", None, None)


def test_what_a_model_says_twice_in_one_call_is_named_and_ends_nothing(add):
    space, _ = add("The garden is closed.")
    given = [{**dog("red", EARLY), "origin": "model"}, {**dog("blue", MIDDLE), "origin": "model"}]
    report = space.entries.add_all(given)
    assert report.superseded == () and len(report.added) == 2
    (clash,) = report.conflicts
    assert clash.entry.id == report.added[0].id and clash.added == report.added[1].id


def test_a_subject_that_has_many_keeps_them_all(add):
    space, _ = add("The garden is closed.")
    rows = [
        {"text": f"Anna knows {each}.", "subject": "Anna", "topic": "friend", "object": each}
        for each in ("Bob", "Eve")
    ]
    assert space.entries.add_all(rows).superseded == ()


def test_two_values_of_one_call_that_name_no_topic_are_named(add):
    space, _ = add("The garden is closed.")
    rows = ["My doctor is Dr. Weber.", "Prefers tea.", "My doctor is now Dr. Krause."]
    report = space.entries.add_all([{"text": text} for text in rows])
    weber, _, krause = report.added
    assert [(each.entry.id, each.added) for each in report.conflicts] == [(weber.id, krause.id)]
    assert report.superseded == ()


def test_of_a_series_of_values_in_one_call_the_last_ones_are_named(add):
    space, _ = add("The garden is closed.")
    report = space.entries.add_all([{"text": f"My weight is {70 + n} kg."} for n in range(9)])
    named = [each.entry.id for each in report.conflicts if each.added == report.added[-1].id]
    assert sorted(named) == sorted(each.id for each in report.added[-4:-1])


def test_what_happened_on_a_day_is_not_ended_by_another_entry_of_the_call(opened, write_blocks):
    write_blocks('--- memwiki.toml ---\n[layers]\nmemory = "memory.md"\ndaily = "daily"\n')
    rows = [{"text": "Mia likes jam.", "to": "daily"}, {"text": "Mia does not like jam."}]
    report = opened().entries.add_all(rows)
    assert report.superseded == ()
    assert [each.reasons for each in report.conflicts] == [("negation",)]


def test_of_very_many_entries_of_one_call_those_with_a_topic_are_compared(add, monkeypatch):
    monkeypatch.setattr("memwiki.memory.known_facts._MAX_DRAFTS", 3)
    space, _ = add("The garden is closed.")
    rows = [{"text": f"My doctor is Dr. {name}."} for name in ("Weber", "Krause")]
    report = space.entries.add_all([*rows, dog("red", EARLY), dog("blue", MIDDLE)])
    assert report.conflicts == ()
    assert [each.text for each in report.superseded] == ["The dog is red."]


def test_what_was_ended_in_one_call_and_is_said_again_in_it_holds_again(add):
    space, _ = add("Ben likes tea.")
    report = space.entries.add_all(
        [{"text": "Ben no longer likes tea."}, {"text": "Ben likes tea."}]
    )
    assert report.repeated == ()
    (now,) = space.entries.list().entries
    assert now.text == "Ben likes tea." and now.id == report.added[-1].id


def test_which_of_the_entries_of_a_call_may_contradict_an_old_one_is_named(add):
    space, old = add("Anna lives in Berlin.")
    report = space.entries.add_all([{"text": "The sea is near."}, {"text": "Anna moved to Kiel."}])
    kiel = report.added[-1].id
    assert f"  {kiel} may contradict (value): {old.added[0].id}" in as_text(report, Look())
    _, alone = add("Anna moved to Ulm.")
    assert f"\n  may contradict (value): {kiel}" in as_text(alone, Look())
