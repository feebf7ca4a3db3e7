"""A user whom the system does not know, as in a container: no home folder, and no HOME."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memwiki.cli.main import main
from memwiki.config import cache_root
from memwiki.config.locations import user_file, user_state
from memwiki.errors import WriteError
from tests.effort import for_each


@pytest.fixture(autouse=True)
def homeless(tmp_path, monkeypatch):
    names = ("HOME", "MEMWIKI_CACHE_DIR", "MEMWIKI_CONFIG_DIR", "MEMWIKI_STATE_DIR")
    for name in (*names, "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    (tmp_path / "temporary").mkdir(mode=0o700)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))


def test_each_command_works_with_no_settings_of_ones_own(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["init", "notes"]) == 0
    monkeypatch.chdir(tmp_path / "notes")
    for line in ("search tea", "status", "add heron", "models", "models spent", "workspaces"):
        assert main(line.split()) == 0, capsys.readouterr()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["notes", "temporary"]


@for_each("line", ["workspaces add n .", "models allow example.org", "agent status"])
def test_what_is_kept_for_a_person_says_what_to_set(line, root, put, monkeypatch, capsys):
    put("memwiki.toml", "")
    monkeypatch.chdir(root)
    assert main(line.split()) == 1
    assert "this user has no home folder\nset " in capsys.readouterr().err


def test_where_nothing_is_known_there_is_no_folder(tmp_path, monkeypatch):
    import platformdirs

    for kind in ("cache", "config", "state"):  # what older versions of it give
        monkeypatch.setattr(platformdirs, f"user_{kind}_path", lambda: Path("~/.any"))
    environ = {"TMPDIR": str(tmp_path)}
    assert user_file(environ) is None
    assert cache_root(environ) == user_state(environ) == tmp_path / f"memwiki-{os.getuid()}"
    (tmp_path / "in-the-way").touch()
    with pytest.raises(WriteError, match="no cache folder can be written") as refused:
        user_state({"TMPDIR": str(tmp_path / "in-the-way")})
    assert refused.value.hint == "set MEMWIKI_CACHE_DIR"


def test_the_file_of_the_token_is_to_be_named(capsys, root, put, monkeypatch):
    put("memwiki.toml", "")
    monkeypatch.chdir(root)
    assert main(["mcp", "--http", "127.0.0.1:0"]) == 2
    assert "give --token-file FILE" in capsys.readouterr().err
