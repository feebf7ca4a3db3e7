"""Problems are held packed, and are the same as those that were handed over."""

import random

import pytest

from memwiki.answers import check as packing
from memwiki.answers.check import (
    PART,
    Problems,
    merge_runs,
    pack_problems,
    rows_of,
    sorted_problems,
    tally_of,
)
from memwiki.nouns import Problem, Severity


def problem(number):
    severity = (Severity.ERROR, Severity.WARNING, Severity.INFO)[number % 3]
    return Problem(
        f"ü{number:06}.md", number, "bom", severity, f"n\ud800 {number}", number % 2 == 0
    )


@pytest.fixture
def many():
    return [problem(number) for number in range(PART * 2 + 7)]


def test_packed_problems_are_read_as_those_that_were_packed(many):
    held = pack_problems(many)
    assert len(held) == len(many)
    assert list(held) == many
    assert held == tuple(many) == held
    assert hash(held) == hash(tuple(many))
    assert all(isinstance(each.severity, Severity) for each in held)


@pytest.mark.parametrize("at", [0, PART, -1, slice(PART - 2, PART + 2), slice(None, None, -900)])
def test_one_of_them_is_found_by_its_number(many, at):
    found = pack_problems(many)[at]
    assert (list(found) if isinstance(at, slice) else found) == many[at]


def test_a_number_beyond_them_is_an_error(many):
    with pytest.raises(IndexError):
        pack_problems(many)[len(many)]


def test_others_are_not_equal(many):
    assert pack_problems(many) != many[1:]
    assert pack_problems(many) != [*many[1:], problem(0)]
    assert pack_problems([]) == ()
    assert pack_problems([]) != ""


def test_problems_are_sorted_and_each_is_there_once(many, monkeypatch):
    monkeypatch.setattr(packing, "_RUN", 100)
    mixed = [*many, *many[:50]]
    random.Random(1).shuffle(mixed)
    assert sorted_problems(mixed) == many


def test_runs_are_merged_and_what_is_in_two_of_them_is_there_once(many):
    runs = [pack_problems(many[::2]), pack_problems([]), pack_problems(many[::3])]
    assert merge_runs(runs) == sorted({*many[::2], *many[::3]})
    assert isinstance(merge_runs([]), Problems)


def test_the_tally_is_the_same_packed_or_not(many):
    assert tally_of(pack_problems(many)) == tally_of(many)
    assert tally_of(many)[Severity.WARNING, False] > 100


def test_the_fields_of_problems_are_the_same_packed_or_not(many):
    assert [tuple(row) for row in rows_of(pack_problems(many))] == [
        tuple(row) for row in rows_of(many)
    ]
