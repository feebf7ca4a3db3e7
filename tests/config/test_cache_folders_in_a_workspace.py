"""Nothing derived is put into a workspace: it would be exported and committed with it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from memwiki.config import cache_root, key_folders
from memwiki.setup.machine import private_socket
from memwiki.workspace import Workspace
from tests.effort import for_each

PRIVATE = "# Memory\n\n## Facts\n- The door code is zebra4711. [private:: true] ^m-aaaaaa\n"


@pytest.fixture
def space(tmp_path, monkeypatch) -> Path:
    """The folder of a workspace, with a home folder beside it."""
    folder = tmp_path / "vault"
    (folder / ".memwiki").mkdir(parents=True)
    (folder / "memory.md").write_text(PRIVATE, "utf-8")
    (tmp_path / "link").symlink_to("vault")
    monkeypatch.chdir(folder)
    return folder


def environ_of(tmp_path: Path, **named: str) -> dict[str, str]:
    temporary = {"HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path / "temporary")}
    return temporary | {name: each.format(tmp_path) for name, each in named.items()}


@for_each(
    ("name", "value"),
    [
        ("MEMWIKI_CACHE_DIR", "./c"),
        ("MEMWIKI_CACHE_DIR", "."),
        ("MEMWIKI_CACHE_DIR", "{}/vault/.hidden/c"),
        ("MEMWIKI_CACHE_DIR", "{}/link/c"),
        ("XDG_CACHE_HOME", "{}/vault/c"),
    ],
)
def test_such_a_place_is_passed_over(name, value, space, tmp_path):
    environ = environ_of(tmp_path, **{name: value})
    usual = tmp_path / "home/.cache/memwiki"
    assert cache_root(environ) == usual
    assert next(key_folders(environ)) == usual
    assert sorted(each.name for each in space.iterdir()) == [".memwiki", "memory.md"]


def test_one_that_is_only_about_to_be_a_workspace_is_known_by_its_path(tmp_path):
    (tmp_path / "plain").mkdir()
    (tmp_path / "link").symlink_to("plain")
    environ = environ_of(tmp_path, MEMWIKI_CACHE_DIR="{}/plain/c")
    assert cache_root(environ, tmp_path / "link") == tmp_path / "home/.cache/memwiki"
    assert cache_root(environ) == tmp_path / "plain/c"


def test_it_is_said_once_and_no_export_has_what_is_private(space, tmp_path):
    environ = environ_of(tmp_path, MEMWIKI_CACHE_DIR="./c")
    old = space / "c/vault-0"
    old.mkdir(parents=True)
    (old / "origin.json").write_text("{}")
    with Workspace.open(space, environ=environ) as opened:
        assert opened.search("zebra4711").hits
        assert opened.take_warnings() == [
            f"MEMWIKI_CACHE_DIR: ./c cannot be used (inside the workspace {space});"
            f" the index is in {tmp_path / 'home/.cache/memwiki'}; delete the old one, {old}"
        ]
        assert opened.take_warnings() == []
        opened.carry.export(tmp_path / "out.zip")
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert not any(b"zebra4711" in archive.read(name) for name in archive.namelist())
    assert list(space.rglob("*.seg")) == []


def test_where_no_other_place_is_left_the_index_is_in_memory(space, tmp_path):
    (tmp_path / "home").touch()  # in the way
    environ = environ_of(tmp_path, XDG_CACHE_HOME="{}/vault/c", TMPDIR="{}/vault/t")
    with Workspace.open(space, environ=environ) as opened:
        assert opened.search("zebra4711").hits
        assert opened.take_warnings() == [
            "no cache folder can be written: the index lives in memory",
            f"{space}/c/memwiki cannot be used (inside the workspace {space})",
        ]
    assert sorted(each.name for each in space.iterdir()) == [".memwiki", "memory.md"]


def test_no_socket_is_in_a_workspace(space, tmp_path, monkeypatch):
    monkeypatch.setenv("MEMWIKI_CACHE_DIR", str(space / "c"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    found = private_socket()
    assert found is not None
    assert str(found.path).startswith(str(tmp_path / "home"))
    assert not (space / "c").exists()


def test_a_vault_at_the_home_folder_keeps_its_index_in_a_hidden_folder(space, tmp_path):
    hidden = space / ".cache/memwiki"
    home = environ_of(tmp_path, HOME="{}/vault")
    assert cache_root(home) == cache_root(home | {"XDG_CACHE_HOME": str(space / "c")}) == hidden
    assert cache_root(home | {"MEMWIKI_CACHE_DIR": str(space / ".own")}) == space / ".own"
    assert not (space / "c").exists()
    above = tmp_path / "vault/people/anna"  # the vault holds the home folder
    assert cache_root(environ_of(tmp_path, HOME=str(above))) == above / ".cache/memwiki"
    with Workspace.open(space, environ=home) as opened:
        assert opened.search("zebra4711").hits
        assert opened.take_warnings() == []
        opened.carry.export(tmp_path / "out.zip")
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert not any(name.startswith(".cache") for name in archive.namelist())
