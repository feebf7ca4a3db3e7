"""Agents work in any folder of a project: a relative -C means the same one from each of them."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from memwiki.cli.main import main
from memwiki.config.locations import PROJECT_VARIABLES


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with its notes, and code deep below it; no program of agents runs here."""
    for name in PROJECT_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for folder, line in (("project/notes", "mine"), ("other/notes", "other")):
        notes = tmp_path / folder
        notes.mkdir(parents=True)
        (notes / "memwiki.toml").touch()
        (notes / "tea.md").write_text(f"# Tea\n\nThis heron is {line}.\n")
    (tmp_path / "project/code/deep").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    return tmp_path / "project"


def test_a_relative_folder_that_is_not_here_is_looked_for_above(project, monkeypatch, capsys):
    monkeypatch.chdir(project / "code/deep")
    assert main(["-C", "notes", "search", "heron"]) == 0
    assert "mine" in capsys.readouterr().out
    assert main(["-C", "nots", "search", "heron"]) == 1
    assert "nots: no such folder" in capsys.readouterr().err


def test_a_folder_that_is_here_goes_before_those_above(project, monkeypatch, capsys):
    (project / "code/notes").mkdir()
    (project / "code/notes/memwiki.toml").touch()
    monkeypatch.chdir(project / "code")
    assert main(["-C", "notes", "search", "heron"]) == 0
    assert "mine" not in capsys.readouterr().out


def test_what_is_above_and_no_workspace_is_not_meant(project, monkeypatch, capsys):
    (project / "code/notes").mkdir()
    monkeypatch.chdir(project / "code/deep")
    assert main(["-C", "notes", "search", "heron"]) == 0
    assert "mine" in capsys.readouterr().out


def test_a_folder_that_anybody_may_have_put_there_is_not_looked_into(project, monkeypatch, capsys):
    project.chmod(0o1777)
    monkeypatch.chdir(project / "code/deep")
    assert main(["-C", "notes", "search", "heron"]) == 1
    assert "notes: no such folder" in capsys.readouterr().err


def test_where_modes_say_nothing_folders_above_are_looked_into(project, monkeypatch, capsys):
    """Windows gives every folder the mode 0777."""
    project.chmod(0o777)
    monkeypatch.delattr(os, "geteuid")
    monkeypatch.chdir(project / "code/deep")
    assert main(["-C", "notes", "search", "heron"]) == 0
    assert "mine" in capsys.readouterr().out


def test_a_workspace_is_made_here_though_one_above_is_called_so(project, monkeypatch):
    monkeypatch.chdir(project / "code/deep")
    assert main(["-C", "notes", "init", "--bare"]) == 0
    assert (project / "code/deep/notes/memory.md").exists()
    assert sorted(path.name for path in (project / "notes").glob("*.md")) == ["tea.md"]


@pytest.mark.parametrize("variable", PROJECT_VARIABLES)
@pytest.mark.parametrize("start", ["elsewhere", "other"])
def test_a_hook_takes_the_project_that_its_program_names(
    project, monkeypatch, capsys, variable, start
):
    monkeypatch.chdir(project)
    assert main(["-C", "notes", "sync"]) == 0
    capsys.readouterr()
    event = json.dumps({"hook_event_name": "E", "session_id": "s", "prompt": "whose heron is it?"})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(event.encode())))
    monkeypatch.chdir(project.parent / start)
    monkeypatch.setenv(variable, str(project))
    assert main(["-C", "notes", "hook", "prompt", "--host", "claude-code"]) == 0
    assert "heron is mine" in capsys.readouterr().out


def test_a_command_of_a_person_takes_it_only_for_what_is_not_here(project, monkeypatch, capsys):
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    monkeypatch.chdir(project.parent / "other")
    assert main(["-C", "notes", "search", "heron"]) == 0
    assert "other" in capsys.readouterr().out
    monkeypatch.chdir(project.parent / "elsewhere")
    assert main(["-C", "notes", "search", "heron"]) == 0
    assert "mine" in capsys.readouterr().out


@pytest.mark.parametrize("line", ["-C {} search heron", "init {} --adopt", "-C {} status"])
def test_a_file_in_the_place_of_a_folder_is_called_a_file(project, capsys, line):
    file = project / "notes/tea.md"
    assert main(line.format(file).split()) == 1
    assert capsys.readouterr().err == f"{file}: is a file\ngive the path of a folder\n"
