"""What agents make is their user's alone; what was there stays as open as it was."""

import io
import json
import os
import stat
import sys

import pytest

from memwiki.cli.main import main

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
LAYERS = '[layers]\nmemory = "memory.md"\nsessions = "sessions"\narchive = "archive"\n'


@pytest.fixture
def space(root, put, monkeypatch):
    before = os.umask(0o022)
    put("memwiki.toml", LAYERS)
    put("shared/open.md", "# Open\n\nold text\n")
    for path, mode in (("shared", 0o775), ("shared/open.md", 0o664)):
        (root / path).chmod(mode)
    yield root
    assert os.umask(before) == 0o022  # whoever called has his own back


def run(root, monkeypatch, text, *arguments):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["-C", str(root), *arguments]) == 0


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_pages_that_the_memory_tool_makes_are_for_their_user_alone(space, monkeypatch):
    lines = [
        {"command": "create", "path": "/memories/new/deep/a.md", "file_text": "x\n"},
        {"command": "str_replace", "path": "/memories/shared/open.md", "old_str": "old",
         "new_str": "new"},
        {"command": "create", "path": "/memories/shared/b.md", "file_text": "x\n"},
    ]  # fmt: skip
    text = "".join(json.dumps(each) + "\n" for each in lines)
    run(space, monkeypatch, text, "memory-tool", "--folder", ".")
    assert (space / "shared/open.md").read_text() == "# Open\n\nnew text\n"
    assert mode(space / "new") == mode(space / "new/deep") == 0o700
    assert mode(space / "new/deep/a.md") == mode(space / "shared/b.md") == 0o600
    assert (mode(space / "shared"), mode(space / "shared/open.md")) == (0o775, 0o664)


def test_a_conversation_that_a_hook_records_is_for_its_user_alone(space, monkeypatch):
    event = {"session_id": "s1", "hook_event_name": "E", "last_assistant_message": "Done."}
    run(space, monkeypatch, json.dumps(event), "hook", "turn", "--host", "codex")
    assert mode(space / "sessions") == 0o700
    assert mode(space / "sessions/codex-s1.md") == 0o600


def test_what_a_person_makes_is_as_open_as_the_person_wants(space, monkeypatch):
    run(space, monkeypatch, "", "new", "Tea")
    (made,) = [path for path in space.rglob("*.md") if "tea" in path.name.lower()]
    assert mode(made) == 0o644
