"""What `init` says of the folder that it indexed at once."""

from __future__ import annotations

import json
import shlex
import shutil

import pytest

from memwiki.cli import home
from memwiki.cli.main import main
from memwiki.errors import WriteError
from memwiki.workspace import Workspace


def steps_of(capsys, *arguments: str) -> list[str]:
    assert main(["init", *arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["pages"], report["links"], report["problems"]) != (None, None, None)
    return [step["command"] for step in report["next"]]


def works(command: str, capsys) -> bool:
    words = shlex.split(command)
    assert words.pop(0) == "memwiki"
    usual = (0, 3) if words == ["check"] else (0,)
    return main(words) in usual and bool(capsys.readouterr().out.strip())


@pytest.mark.parametrize(
    "name", ["Tea", "it's #1 $HOME; rm", "-rf", "茶 与 水", "tag:x OR", "100% `pwd`", '"half']
)
def test_each_command_to_try_gives_something_in_that_vault(tmp_path, monkeypatch, capsys, name):
    vault = tmp_path / "a vault"
    vault.mkdir()
    (vault / f"{name}.md").write_text(f"# {name}\n\nGreen, #drink.\n")
    (vault / "cup.md").write_text(f"Hold [[{name}]].\n")
    first, *steps = steps_of(capsys, str(vault), "--adopt")
    assert shlex.split(first) == ["cd", str(vault)]
    monkeypatch.chdir(vault)
    assert len(steps) == 3
    assert all(works(step, capsys) for step in steps), steps
    assert sorted(each.name for each in vault.iterdir()) == sorted(
        [".memwiki", "cup.md", f"{name}.md"]
    )


def test_an_empty_folder_and_one_without_links_have_commands_too(tmp_path, monkeypatch, capsys):
    for name, text in (("empty", ""), ("plain", "Just text.\n")):
        folder = tmp_path / name
        folder.mkdir()
        if text:
            (folder / "a.md").write_text(text)
        monkeypatch.chdir(folder)
        steps = steps_of(capsys, "--adopt")
        assert len(steps) == 3
        assert all(works(step, capsys) for step in steps), steps


def test_a_first_index_that_fails_is_a_note_for_the_workspace_is_made(
    tmp_path, monkeypatch, capsys
):
    def fails(*_: object) -> None:
        raise WriteError("the cache: no space left on device", hint="make room")

    monkeypatch.setattr(home, "first_index", fails)
    assert main(["init", str(tmp_path / "new")]) == 0
    said = capsys.readouterr()
    assert said.out.startswith(f"created {tmp_path / 'new'}\n")
    assert "not indexed yet: the cache: no space left" in said.err
    assert said.err.endswith(" sync\n")


def test_a_workspace_inside_another_one_is_pointed_out(tmp_path, capsys):
    assert main(["init", str(tmp_path), "--no-sync"]) == 0
    assert main(["init", str(tmp_path / "sub"), "--no-sync"]) == 0
    assert f"is inside the workspace {tmp_path}" in capsys.readouterr().err


@pytest.mark.parametrize("is_adopted", [False, True])
def test_a_workspace_where_another_one_was_deleted_knows_no_page_of_it(tmp_path, is_adopted):
    root = tmp_path / "vault"
    (root / "wiki").mkdir(parents=True)
    for number in range(120):
        (root / "wiki" / f"{number}.md").write_text(f"# Zaffre {number}\n")
    with Workspace.adopt(root) as old:
        assert len(old.search("Zaffre", limit=200).hits) == 120
    shutil.rmtree(root)
    root.mkdir()
    begin = Workspace.adopt if is_adopted else Workspace.init
    with begin(root) as new:
        found = new.search("Zaffre", limit=200)
        assert not found.hits and found.fresh


def test_where_other_pages_under_other_settings_took_the_place_of_many_they_are_found(tmp_path):
    root = tmp_path / "vault"
    (root / "old").mkdir(parents=True)
    for number in range(120):
        (root / "old" / f"{number}.md").write_text(f"# Zaffre {number}\n")
    with Workspace.adopt(root) as space:
        space.sync()
    shutil.rmtree(root / "old")
    (root / "memwiki.toml").write_text('[layers]\nwiki = "pages"\n')
    with Workspace.open(root, find=False) as empty:
        assert not empty.search("Zaffre").fresh, "nothing is there at all"
    (root / "new.md").write_text("# Medicus\n")
    with Workspace.open(root, find=False) as space:
        found = space.search("Medicus")
        assert ([hit.path for hit in found.hits], found.fresh) == (["new.md"], True)
