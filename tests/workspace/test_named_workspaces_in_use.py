"""`-w NAME` and `workspaces`: a workspace from anywhere."""

from __future__ import annotations

import json

import pytest

from memwiki.cli.main import main
from memwiki.errors import NotFoundError, NoWorkspaceError
from memwiki.setup import named
from memwiki.workspace import Workspace


@pytest.fixture
def two(tmp_path, monkeypatch):
    """Two workspaces with a page each; the current folder is in neither."""
    for name in ("one", "two"):
        (tmp_path / name / "sub").mkdir(parents=True)
        (tmp_path / name / f"{name}.md").write_text(f"# {name}\n")
        Workspace.adopt(tmp_path / name).close()
    (tmp_path / "else").mkdir()
    monkeypatch.chdir(tmp_path / "else")
    return tmp_path


def run(capsys, *arguments):
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_a_name_opens_its_workspace_from_anywhere(two, capsys):
    assert run(capsys, "workspaces", "add", "work", str(two / "one" / "sub"))[0] == 0
    assert run(capsys, "-w", "Work", "list", "--format", "{path}")[1] == "one.md\n"
    assert run(capsys, "get", "one", "-w", "work")[1] == "# one\n"
    folder = named.folder_of("work")
    with Workspace.open(folder, find=False) as workspace:
        assert workspace.root == two / "one"


def test_the_folder_goes_before_the_name_and_the_name_before_the_environment(
    two, capsys, monkeypatch
):
    named.add("work", two / "one")
    monkeypatch.setenv("MEMWIKI_WORKSPACE", str(two / "two"))
    asked = ("list", "--format", "{path}")
    assert run(capsys, *asked)[1] == "two.md\n"
    assert run(capsys, "-w", "work", *asked)[1] == "one.md\n"
    assert run(capsys, "-w", "work", "-C", str(two / "two"), *asked)[1] == "two.md\n"
    monkeypatch.chdir(two / "two")
    assert run(capsys, "-w", "work", *asked)[1] == "one.md\n"


def test_names_are_listed_and_forgotten(two, capsys):
    named.add("b", two / "two")
    assert named.add("a", two / "one").is_there
    listed = json.loads(run(capsys, "workspaces", "--json")[1])
    assert [each["name"] for each in listed["workspaces"]] == ["a", "b"]
    assert run(capsys, "workspaces", "remove", "A")[1] == f"a\t{two / 'one'}\n"
    assert [each.name for each in named.workspaces()] == ["b"]
    assert (two / "one" / "one.md").exists()


def test_an_unknown_name_and_a_folder_that_is_gone_are_said(two, capsys):
    named.add("work", two / "one")
    code, _, err = run(capsys, "-w", "wrk", "list")
    assert code == 1
    assert "known: work" in err
    assert "did you mean work?" in err
    (two / "one").rename(two / "moved")
    assert not named.workspaces().workspaces[0].is_there
    with pytest.raises(NotFoundError, match="is not there"):
        named.folder_of("work")


def test_only_a_workspace_gets_a_name(two):
    with pytest.raises(NoWorkspaceError):
        named.add("x", two / "else")


@pytest.mark.parametrize("line", ["-w work --here list", "-w", "list -w"])
def test_what_makes_no_sense_is_refused(two, capsys, line):
    assert run(capsys, *line.split())[0] == 2


def test_the_environment_gives_no_name_to_the_current_folder(two, monkeypatch):
    monkeypatch.setenv("MEMWIKI_WORKSPACE", str(two / "two"))
    with pytest.raises(NoWorkspaceError):
        named.add("x")


def test_the_shell_completes_names(two, capsys):
    named.add("work", two / "one")
    assert run(capsys, "--complete", "words", "-w", "w")[1] == f"work\t{two / 'one'}\n"
    assert run(capsys, "--complete", "words", "workspaces", "remove", "")[1].startswith("work\t")


def test_a_byte_order_mark_of_the_file_stays(two, tmp_path):
    file = tmp_path / "config" / "config.toml"
    file.parent.mkdir()
    file.write_bytes(b"\xef\xbb\xbf[workspaces]\r\n")
    named.add("work", two / "one")
    assert file.read_bytes().startswith(b"\xef\xbb\xbf[workspaces]\r\nwork = ")
    assert [each.name for each in named.workspaces()] == ["work"]


@pytest.mark.parametrize("data", [b"\xff\xfe", b"[workspaces\n", b"[other]\nx = 1\n"])
def test_a_file_that_cannot_be_read_is_named(two, tmp_path, capsys, data):
    file = tmp_path / "config" / "config.toml"
    file.parent.mkdir()
    file.write_bytes(data)
    code, _, err = run(capsys, "-w", "work", "list")
    assert code == 1
    assert str(file) in err
    assert run(capsys, "workspaces", "add", "work", str(two / "one"))[0] == 1
    assert file.read_bytes() == data


def test_a_home_of_nobody_hides_no_other_name_and_is_forgotten(two, capsys):
    named.add("work", two / "one")
    file = named.workspaces().file
    with open(file, "a", encoding="utf-8") as text:
        text.write('bad = "~nobody-at-all/notes"\n')
    assert [(each.name, each.is_there) for each in named.workspaces()] == [
        ("bad", False),
        ("work", True),
    ]
    assert run(capsys, "workspaces", "remove", "bad")[0] == 0
    assert [each.name for each in named.workspaces()] == ["work"]
