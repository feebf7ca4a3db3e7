"""An agent's first minutes end as they must, and what it is answered stays as it was."""

from pathlib import Path

import pytest
from agents_day import MAX_TOKENS
from agents_first_minutes import small_visits, transcript

from memwiki.text import tokens

PAGE = Path(__file__).parent / "agents-first-minutes.md"


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    return small_visits(tmp_path_factory.mktemp("visits"))


def test_every_step_in_three_vaults_answers_as_it_must(steps):
    assert [(step.title, step.wrong, step.answer) for step in steps if step.wrong] == []
    assert {step.title.partition(":")[0] for step in steps} == {"Foam", "Garden", "Graph"}
    assert max(tokens(step.answer) for step in steps) <= MAX_TOKENS


def test_what_an_agent_is_answered_is_as_it_was(steps):
    """python benchmarks/agents_first_minutes.py --transcript > {PAGE}"""
    assert PAGE.read_text("utf-8") == transcript(steps)
