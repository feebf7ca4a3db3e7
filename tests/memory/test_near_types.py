"""A type that is new and nearly spelled as a known one is named beside what was written."""

from __future__ import annotations

import pytest

MEMORY = "# Memory\n\n## Facts\n\n- Tea is green.\n- [recipe] Rice with peas.\n"


@pytest.fixture
def kitchen(put, ws):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\n')
    put("memory.md", MEMORY)
    return ws


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("prefrence", "preference"),
        ("Preferences", "preference"),
        ("decisoin", "decision"),
        ("recippe", "recipe"),
        ("偏好", "preference"),
    ],
)
def test_a_slip_is_written_and_the_known_type_named(kitchen, new, known):
    report = kitchen.entries.add("Likes rice.", type=new)
    assert report.added
    assert [each.type for each in report.added] == [new.casefold()]
    assert f"type {new.casefold()} is new; {known} is known" in report.edited.notes
    assert kitchen.entries.near_type(new) == ""


@pytest.mark.parametrize("type_", ["", "fact", "recipe", "book", "Decision"])
def test_a_known_type_and_one_like_none_need_no_word(kitchen, type_):
    assert kitchen.entries.near_type(type_) == ""
    assert kitchen.entries.add("Likes rice.", type=type_).edited.notes == ()


def test_the_types_of_another_namespace_are_not_told(put, opened):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\nnamespaces = "names"\n')
    put("names/a/memory.md", "- [zeppelin] It flies.\n")
    put("names/b/memory.md", "- Tea.\n")
    assert opened(namespace="a").entries.near_type("zepelin") == "zeppelin"
    assert opened(namespace="b").entries.near_type("zepelin") == ""


def test_where_no_entry_is_near_the_most_alike_come_ranked(kitchen):
    for text in ("The shop sells green tea.", "The shop is far.", "Bees hum."):
        kitchen.entries.add(text)
    answer = kitchen.entries.similar("The shop sells black coffee and green tea on Monday")
    assert [each.entry.text for each in answer][:2] == [
        "The shop sells green tea.",
        "Tea is green.",
    ]
    found = [each.similarity for each in answer]
    assert found == sorted(found, reverse=True)
    assert max(found) < 0.9
    assert answer.notes == ("none is near (0.9 or more); these are the most alike",)
    assert kitchen.entries.similar("The shop sells tea", threshold=0.9).entries == ()
    near = kitchen.entries.similar("The shop sells green tea.")
    assert [each.similarity for each in near] == [1.0]
    assert near.notes == ()
    assert kitchen.entries.similar("Nothing whatsoever in common").notes == ()
