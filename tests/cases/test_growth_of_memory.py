"""Case 19: growth is bounded and visible."""

from datetime import UTC, datetime

import pytest

from memwiki.workspace import Workspace

NOW = int(datetime(2026, 9, 1, tzinfo=UTC).timestamp()) * 10**9
WORDS = "amber birch cedar delta ember fjord grove heron islet jetty kelp larch".split()


@pytest.fixture
def agent(tmp_path):
    with Workspace.init(tmp_path / "ws", bare=True, preset="agent") as made:
        pass
    with Workspace.open(made.root, find=False, clock=lambda: NOW) as space:
        yield space


def texts(space):
    return sorted(entry.text for entry in space.entries.list(category="core"))


def test_case_19_memory_over_its_budget_moves_to_pages_that_are_still_found(agent):
    agent.entries.add_all(
        [
            {"text": f"{WORDS[n % 12]} {n} {WORDS[n // 12 % 12]} stands here.", "type": "fact"}
            for n in range(260)
        ]
    )
    before = texts(agent)
    over = [p.code for p in agent.check.run().problems if p.path == "memory.md"]
    assert "memory-too-large" in over
    agent.upkeep.run()
    page = agent.pages.get("memory.md")
    assert page.line_end <= 200
    assert texts(agent) == before
    assert [row.target for row in agent.graph.links("memory.md", "out")] == ["wiki/memory/facts.md"]
    assert agent.search("delta 3 amber").hits[0].excerpt.startswith("- delta 3 amber")
    assert "memory-too-large" not in {p.code for p in agent.check.run().problems}


def test_case_19_what_was_said_is_never_dumped_into_memory(agent):
    session = agent.session("talk")
    for number in range(12):
        session.add_message("user", f"We must always decide {WORDS[number % 12]} {number}.")
    for _ in range(4):
        agent.upkeep.run()
    assert texts(agent) == []
