"""What other tools keep comes into a workspace, is found there, and is taken back by an undo."""

import json

import pytest

from memwiki.errors import UsageError
from memwiki.workspace import Workspace
from tests.adapters.importers.test_claude_code_memory import FOLDER
from tests.adapters.importers.test_memory_server_files import ACME, ANNA, WORKS, lines


@pytest.fixture
def space(tmp_path):
    root = tmp_path / "ws"
    (root / ".memwiki").mkdir(parents=True)
    (root / "memwiki.toml").write_text('[layers]\nwiki = "wiki"\n[catalog]\nenabled = false\n')
    (root / "memory.md").write_text("# Memory\n")
    environ = {"MEMWIKI_CACHE_DIR": str(tmp_path / "cache")}
    with Workspace.open(root, find=False, environ=environ) as opened:
        yield opened


def files_of(space):
    found = (each for each in space.root.rglob("*.md") if ".memwiki" not in each.parts)
    return {each.relative_to(space.root).as_posix(): each.read_bytes() for each in found}


def links(space, path):
    return [each.target for each in space.graph.links(path, "out").links]


def test_a_memory_of_claude_code_is_pages_that_lead_to_one_another(space, tmp_path):
    before = files_of(space)
    for name, data in FOLDER.items():
        (tmp_path / "memory").mkdir(exist_ok=True)
        (tmp_path / "memory" / name).write_bytes(data)
    assert space.carry.import_(tmp_path / "memory").kind == "claude-code"
    folder = "wiki/claude-code"
    assert links(space, f"{folder}/claude-code-memory.md") == [
        f"{folder}/reference_emoji.md",
        f"{folder}/feedback_commits.md",
    ]
    assert links(space, f"{folder}/reference_emoji.md") == [f"{folder}/feedback_commits.md"]
    assert space.pages.get("memory").path == "memory.md"
    assert space.carry.import_(tmp_path / "memory").written == ()
    space.undo()
    assert files_of(space) == before


def test_observations_are_entries_and_relations_are_links(space, tmp_path):
    source = tmp_path / "memory.jsonl"
    source.write_bytes(lines(ANNA, ACME, WORKS))
    assert space.carry.import_(source).kind == "memory-server"
    (entry,) = (each for each in space.entries.list() if each.type == "fact")
    assert (entry.path, entry.text) == ("wiki/entities/anna.md", "Sings")
    (link,) = space.graph.links("wiki/entities/anna.md", "out").links
    assert (link.relation, link.target) == ("works_at", "wiki/entities/acme.md")
    assert space.carry.import_(source).written == ()
    source.write_bytes(lines(ANNA | {"observations": ["Sings", "Dances"]}, ACME))
    assert space.carry.import_(source).written == ("wiki/entities/anna.md",)


def test_lines_become_entries_and_a_bad_one_writes_nothing(space, tmp_path):
    before = files_of(space)
    source = tmp_path / "kept.jsonl"
    good = {"memory": "Prefers tea.", "user_id": "anna", "created_at": "2026-01-09T10:00:00"}
    source.write_text(f"{json.dumps(good)}\n{{}}\n")
    with pytest.raises(UsageError, match=r"^kept\.jsonl:2: has no text"):
        space.carry.import_(source)
    assert files_of(space) == before
    source.write_text(f"{json.dumps(good)}\n")
    assert space.carry.import_(source).entries_added == 1
    (entry,) = space.entries.list()
    assert (entry.text, entry.created) == ("Prefers tea.", "2026-01-09T10:00:00")
    assert entry.fields["user_id"] == "anna"
    assert space.carry.import_(source).entries_repeated == 1
