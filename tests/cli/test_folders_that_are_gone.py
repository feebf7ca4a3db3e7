"""A current folder that was removed, and folders that cannot be read: errors with a next step."""

from __future__ import annotations

from pathlib import Path

import pytest

from memwiki.cli.main import main
from memwiki.config import locations
from memwiki.errors import UnreadableError
from memwiki.workspace import Workspace


@pytest.fixture
def gone(tmp_path: Path, monkeypatch) -> None:
    """This process is in a folder that is removed."""
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()


@pytest.mark.parametrize(
    "command",
    [
        ["status"],
        ["search", "heron"],
        ["-C", ".", "status"],
        ["--here", "status"],
        ["init"],
        ["init", "--adopt"],
        ["init", "x"],
        ["-C", "{root}", "export"],
        ["workspaces", "add", "x", "."],
        ["get", "a.md"],
        ["agent", "memory-tool"],
    ],
    ids=" ".join,
)
def test_in_a_folder_that_is_gone_a_command_says_so(ws, root, gone, capsys, command):
    assert main([each.format(root=root) for each in command]) == 1
    said = capsys.readouterr().err
    assert said.splitlines()[-2:] == [
        "the current folder: is gone",
        "go to another one, or give -C DIR",
    ]


@pytest.mark.parametrize("command", [["status"], ["sync"], ["search", "heron"], ["get", "a.md"]])
def test_in_a_folder_that_is_gone_a_workspace_that_is_named_answers(
    ws, root, put, gone, capsys, command
):
    put("a.md", "heron\n")
    assert main(["-C", str(root), *command]) == 0


def test_a_folder_that_cannot_be_read_is_named_as_such(root, monkeypatch):
    monkeypatch.setattr(locations.os, "access", lambda *_: False)
    with pytest.raises(UnreadableError, match="cannot be read") as raised:
        Workspace.open(root, find=False)
    assert raised.value.hint
