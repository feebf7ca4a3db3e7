"""What entries name, and which of these names may be one."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.config.schema import EntitiesConfig
from memwiki.memory.entities import (
    NamedPage,
    Naming,
    alike_pairs,
    alike_to,
    entities_in,
    naming_of,
    wanted_entity,
)
from memwiki.names import fold
from tests.effort import for_each

RULES = EntitiesConfig()
NORTHWIND = NamedPage("wiki/northwind.md", "Northwind", "entity")
WORDS = st.sampled_from(["Tea", "tea", "Teas", "", "I", "user", "Northwind", "[[Northwind]]", "茶"])
FIELDS = st.fixed_dictionaries(
    {}, optional={name: WORDS | st.text() for name in ("subject", "topic", "object", "entities")}
)


def named(*fields, tags=(), page_of=lambda name: None):
    namings = (naming_of("memory.md", at, each, (), tags) for at, each in enumerate(fields, 1))
    return entities_in(namings, page_of)


def counts(entities):
    return {each.name: each.entries for each in entities}


def northwind(name):
    return NORTHWIND if fold(name) in ("northwind", "nw") else None


def test_subjects_topics_objects_and_entities_are_named():
    fields = {"subject": "Anna", "topic": "work", "object": "Northwind", "entities": "Bob, Cy"}
    assert counts(named(fields)) == dict.fromkeys(["Anna", "Bob", "Cy", "Northwind", "work"], 1)


def test_the_user_is_one_whatever_a_subject_calls_him():
    found = named({"subject": "user"}, {"subject": "I"}, {"subject": "我"}, {"subject": "User"})
    assert counts(found) == {"user": 4}


def test_only_a_subject_is_read_as_the_user():
    assert counts(named({"topic": "I"}, {"subject": "I"})) == {"I": 1, "user": 1}


def test_a_link_in_a_field_names_its_target():
    fields = {"subject": r"[[Anna\|her]]", "object": "[[Northwind|the company]]"}
    assert counts(named(fields)) == {"Anna": 1, "Northwind": 1}


def test_an_entry_that_names_something_twice_names_it_once():
    (found,) = named({"topic": "tea", "object": "Tea", "entities": "TEA"})
    assert (fold(found.name), found.entries) == ("tea", 1)


def test_names_of_one_page_are_one_entity_under_its_title():
    (found,) = named({"topic": "NW"}, {"object": "northwind"}, page_of=northwind)
    assert (found.name, found.path, found.entries) == ("Northwind", "wiki/northwind.md", 2)
    assert found.spellings == ("NW", "northwind")


def test_the_most_common_spelling_is_the_name():
    assert [each.name for each in named(*({"topic": word} for word in ("TEA", "Tea", "Tea")))] == [
        "Tea"
    ]


def test_those_named_most_come_first():
    found = named({"topic": "b"}, {"topic": "a"}, {"topic": "c"}, {"object": "c"})
    assert [each.name for each in found] == ["c", "a", "b"]


def test_tags_are_those_of_what_names_it_the_most_common_first():
    namings = [
        Naming("a.md", 1, "", ("tea",), ("warm", "drink")),
        Naming("a.md", 2, "", ("tea",), ("drink",)),
    ]
    assert entities_in(namings, lambda name: None)[0].tags == ("drink", "warm")


def test_a_name_knows_its_first_entry_and_what_is_beside_it():
    first, second = named({"topic": "tea", "object": "cup"}, {"object": "cup"})
    assert (first.name, first.first) == ("cup", ("memory.md", 1))
    assert first.judged.neighbours == {second.name} == {"tea"}


def test_what_is_only_a_subject_is_no_candidate():
    found = named({"subject": "Northwind-Traders"}, {"topic": "Northwind Traders"})
    assert list(alike_pairs(found, RULES)) == []
    found = named(
        {"subject": "Northwind-Traders"},
        {"topic": "Northwind Traders"},
        {"object": "Northwind-Traders"},
    )
    assert len(list(alike_pairs(found, RULES))) == 1


def test_of_two_alike_the_one_with_a_page_then_the_more_named_one_is_kept():
    (pair,) = alike_pairs(
        named({"topic": "Tea Pot"}, {"topic": "TeaPot"}, {"object": "TeaPot"}), RULES
    )
    assert (pair.entity.name, pair.other.name) == ("Tea Pot", "TeaPot")
    found = named(
        {"topic": "Northwinds"}, {"topic": "Northwinds"}, {"topic": "NW"}, page_of=northwind
    )
    (pair,) = alike_pairs(found, RULES)
    assert (pair.entity.name, pair.other.name) == ("Northwinds", "Northwind")


def test_names_that_differ_in_a_number_are_never_a_pair():
    found = named(*({"topic": f"Engine {word}"} for word in ("3", "4", "3.1", "II")))
    assert list(alike_pairs(found, EntitiesConfig(near=0.0))) == []


@for_each("text", ["lamp " * 41, "https://example.org", "#lamp", "{{lamp}}", "|"])
def test_what_is_no_name_of_a_page_is_no_entity(text):
    assert named({"topic": text, "subject": text}) == []


def test_near_names_are_the_same_when_no_neighbours_are_asked_for():
    found = named({"topic": "Northwind"}, {"topic": "Northwinds"})
    assert [pair.verdict for pair in alike_pairs(found, RULES)] == ["near"]
    rules = EntitiesConfig(context_match=False)
    assert [pair.verdict for pair in alike_pairs(found, rules)] == ["same"]


def test_a_name_that_no_entry_says_has_candidates_too():
    found = named({"topic": "Northwind"}, {"topic": "Lamp"})
    assert [pair.other.name for pair in alike_to(wanted_entity("North Wind"), found, RULES)] == [
        "Northwind"
    ]


@given(st.lists(FIELDS, max_size=6))
def test_every_name_is_in_one_entity_and_no_entity_is_named_by_more_than_all(rows):
    found = named(*rows, page_of=northwind)
    keys = [each.path or fold(each.name) for each in found]
    assert len(keys) == len(set(keys))
    assert all(1 <= each.entries <= len(rows) for each in found)
    said = {fold(name) for each in found for name in each.spellings}
    for at, fields in enumerate(rows):
        naming = naming_of("memory.md", at, fields)
        assert {fold(name) for name in (naming.subject, *naming.others) if name} <= said


@given(st.lists(FIELDS, max_size=6))
def test_pairs_are_of_two_entities_and_come_once(rows):
    found = named(*rows)
    pairs = [frozenset((pair.entity.name, pair.other.name)) for pair in alike_pairs(found, RULES)]
    assert len(pairs) == len(set(pairs))
    assert all(len(pair) == 2 for pair in pairs)
