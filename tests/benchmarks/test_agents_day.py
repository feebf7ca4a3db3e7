"""An agent's day ends as it must, and the documentation shows it as it is."""

from pathlib import Path

import pytest
from agents_day import MAX_TOKENS, PERSONS, small_day, transcript

from memwiki.text import tokens

DOC = Path(__file__).parents[2] / "docs" / "agents-day.md"


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    return small_day(tmp_path_factory.mktemp("day"))


def test_every_step_of_a_day_answers_as_it_must(steps):
    assert [(step.title, step.wrong, step.answer) for step in steps if step.wrong] == []
    assert {step.tool for step in steps} >= set(
        "recall read add update write move undo status".split()
    )
    assert max(tokens(step.answer) for step in steps) <= MAX_TOKENS
    assert sum(PERSONS in step.answer for step in steps) > 1


def test_the_documentation_shows_the_day_as_it_is(steps):
    """python benchmarks/agents_day.py --transcript > docs/agents-day.md"""
    assert DOC.read_text("utf-8") == transcript(steps)
