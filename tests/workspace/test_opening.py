"""Finding, making, adopting and setting up a workspace."""

from __future__ import annotations

import os
import shlex
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from memwiki.cli.main import main
from memwiki.errors import (
    AlreadyExistsError,
    ConfigError,
    MemwikiError,
    NotFoundError,
    NoWorkspaceError,
    UnsafePathError,
    UsageError,
)
from memwiki.setup import init as setup
from memwiki.workspace import Workspace


def everything(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".memwiki" not in path.relative_to(root).parts
    }


# --- finding -------------------------------------------------------------------------------------


def test_a_workspace_is_found_from_a_folder_below(root, put):
    put("deep/down/a.md", "text\n")
    assert Workspace.open(root / "deep" / "down").root == root


def test_a_folder_that_is_named_is_the_workspace(root, put):
    put("deep/a.md", "text\n")
    space = Workspace.open(root / "deep", find=False)
    assert space.pages.list().total == 1
    space.close()


def test_without_a_workspace_the_way_to_one_is_told(tmp_path):
    with pytest.raises(NoWorkspaceError) as raised:
        Workspace.open(tmp_path, environ={})
    assert "init --adopt" in raised.value.hint


def test_the_environment_names_a_workspace_for_elsewhere(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    environ = {"MEMWIKI_WORKSPACE": str(root)}
    assert Workspace.open(environ=environ).root == root
    with pytest.raises(NoWorkspaceError):  # a folder that is named is meant
        Workspace.open(tmp_path, environ=environ)


def test_a_home_folder_that_was_adopted_takes_no_folder_below_it_that_is_named(
    tmp_path, monkeypatch
):
    (tmp_path / ".memwiki").mkdir()
    (tmp_path / "vault").mkdir()
    environ = {"HOME": str(tmp_path)}
    with pytest.raises(NoWorkspaceError, match="your home folder") as raised:
        Workspace.open(tmp_path / "vault", environ=environ)
    assert f"init --adopt {tmp_path / 'vault'}" in raised.value.hint
    assert f"--here -C {tmp_path}" in raised.value.hint
    assert Workspace.open(tmp_path, environ=environ).root == tmp_path  # itself named
    monkeypatch.chdir(tmp_path / "vault")
    assert Workspace.open(environ=environ).root == tmp_path
    (tmp_path / "memwiki.toml").touch()  # a person made it one
    assert Workspace.open(tmp_path / "vault", environ=environ).root == tmp_path


def test_another_persons_folder_without_settings_takes_no_folder_below_it(tmp_path, monkeypatch):
    (tmp_path / ".memwiki").mkdir()
    (tmp_path / "vault").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(NoWorkspaceError, match="another person's"):
        Workspace.open(tmp_path / "vault", environ={"HOME": "/nowhere"})


def test_a_home_of_nobody_in_a_variable_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="MEMWIKI_WORKSPACE: ~nobody-here/x is not a folder"):
        Workspace.open(environ={"MEMWIKI_WORKSPACE": "~nobody-here/x"})
    (tmp_path / ".memwiki").mkdir()
    with pytest.raises(ConfigError, match="MEMWIKI_CACHE_DIR: ~nobody-here is not a folder"):
        Workspace.open(environ={"MEMWIKI_CACHE_DIR": "~nobody-here"})
    assert [each.name for each in tmp_path.iterdir()] == [".memwiki"]


def test_a_current_folder_that_is_gone_is_told(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(NotFoundError, match="the current folder: is gone"):
        Workspace.open(environ={})


def test_a_folder_as_text_is_for_open(root):
    with pytest.raises(UsageError, match="not a Path") as refused:
        Workspace(str(root))
    assert "Workspace.open" in refused.value.hint


@pytest.mark.parametrize("verb", ["get", "delete", "history", "own_path"])
@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_name_is_no_page(root, put, verb, name):
    put("tea.md", "# Tea\n")
    with closing(Workspace.open(root)) as ws, pytest.raises(NotFoundError) as refused:
        getattr(ws.pages, verb)(name)
    assert str(refused.value) == "'': no page has this name"
    assert refused.value.hint == "memwiki list names the pages"


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(NotFoundError):
        Workspace.open(tmp_path / "nowhere", find=False)


# --- making --------------------------------------------------------------------------------------


def test_a_new_workspace_explains_itself_and_is_searchable(tmp_path):
    space = Workspace.init(tmp_path / "new")
    assert space.root == tmp_path / "new"
    assert {"memory.md", "AGENTS.md", "memwiki.toml"} <= set(everything(space.root))
    assert space.sync().problems == 0
    assert space.search("memwiki").total > 0
    assert space.index.doctor(verify=True).equal
    assert [row for row in space.graph.unresolved().links if row.status == "broken"] == []
    space.close()


def test_a_bare_workspace_has_the_headings_and_no_example(tmp_path):
    space = Workspace.init(tmp_path / "new", bare=True)
    names = set(everything(space.root)) - {".memwiki"}
    assert {"memory.md", "learnings.md", "AGENTS.md", "CLAUDE.md", "memwiki.toml"} <= names
    assert not [name for name in names if name.startswith("wiki")]
    assert (
        (space.root / "memory.md")
        .read_text()
        .endswith("---\n# Memory\n\n## Preferences\n\n## Facts\n\n## Patterns\n")
    )
    assert space.sync().problems == 0
    assert space.check.run().problems == ()
    assert space.entries.list().total == 0
    assert space.graph.unresolved().links == ()
    (added,) = space.entries.add("Prefers tea.", type="preference").added
    assert (added.section, added.type) == ("Memory > Preferences", "preference")
    space.close()


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "memory.md").write_text("mine\n")
    before = everything(tmp_path)
    with pytest.raises(AlreadyExistsError, match=r"memory\.md") as raised:
        Workspace.init(tmp_path)
    assert "--adopt" in raised.value.hint
    assert everything(tmp_path) == before


def test_other_files_in_the_folder_are_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine\n")
    (tmp_path / "memory.md").write_text("My own.\n")
    (tmp_path / ".gitignore").write_text("")
    with pytest.raises(
        AlreadyExistsError, match=r"is not empty \(memory.md, mine.txt\)"
    ) as refused:
        Workspace.init(tmp_path)
    assert "--adopt" in refused.value.hint
    assert "--force" in refused.value.hint
    assert sorted(os.listdir(tmp_path)) == [".gitignore", "memory.md", "mine.txt"]
    report = setup.init(tmp_path, {}, git=False, force=True)
    assert report.kept == (".gitignore", "memory.md")
    assert not set(report.kept) & set(report.created)
    assert (tmp_path / "memwiki.toml").exists()
    texts = [(tmp_path / name).read_text() for name in ("mine.txt", "memory.md", ".gitignore")]
    assert texts == ["mine\n", "My own.\n", ""]
    with pytest.raises(AlreadyExistsError, match="is a workspace already"):
        Workspace.init(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no owners")
@pytest.mark.parametrize("mark", [".memwiki", "memwiki.toml"])
def test_a_workspace_that_somebody_planted_where_all_may_write_is_never_found(
    tmp_path, monkeypatch, mark
):
    shared = tmp_path / "shared"
    (shared / "sub").mkdir(parents=True)
    shared.chmod(0o1777)
    if mark == ".memwiki":
        (shared / mark).mkdir()
    else:
        (shared / mark).write_text("")
    assert Workspace.open(shared / "sub", environ={"HOME": "/"}).root == shared  # our own
    monkeypatch.setattr("memwiki.config.locations._owner", lambda mark: 123_456)
    monkeypatch.chdir(shared / "sub")
    for named in (None, shared / "sub", shared):
        with pytest.raises(NoWorkspaceError):
            Workspace.open(named, environ={"HOME": "/"})
    shared.chmod(0o755)
    assert Workspace.open(environ={"HOME": "/"}).root == shared


def test_hidden_files_do_not_keep_a_folder_from_becoming_a_workspace(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".envrc").write_text("")
    assert setup.init(tmp_path, {}, git=False).kept == ()


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_a_workspace_under_git_runs_no_hooks(tmp_path, monkeypatch):
    trap = tmp_path / "template" / "hooks"
    trap.mkdir(parents=True)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    assert setup.init(tmp_path / "new", dict(os.environ), git=True).git
    assert (tmp_path / "new" / ".git" / "HEAD").exists()
    (tmp_path / "adopted" / ".git").mkdir(parents=True)
    Workspace.init(tmp_path / "adopted", git=True)
    assert list((tmp_path / "adopted" / ".git").iterdir()) == []


def test_git_that_is_missing_or_fails_is_told(tmp_path, monkeypatch):
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    with pytest.raises(MemwikiError, match="not installed"):
        Workspace.init(tmp_path / "a", git=True)
    (programs / "git").write_text("#!/bin/sh\necho no luck >&2\nexit 1\n")
    (programs / "git").chmod(0o755)
    with pytest.raises(MemwikiError, match="no luck"):
        Workspace.init(tmp_path / "b", git=True)


# --- adopting ------------------------------------------------------------------------------------


def test_adopting_writes_nothing_outside_our_own_folder(tmp_path):
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "a.md").write_bytes(b"\xef\xbb\xbf# A\r\n[[b]]")
    (vault / "archive").mkdir()
    (vault / "archive" / "b.md").write_text("b\n")
    before = everything(vault)
    space = Workspace.adopt(vault)
    space.sync()
    assert space.search("b").total == 2
    space.close()
    assert everything(vault) == before
    assert (vault / ".memwiki" / ".gitignore").read_text() == "*\n"
    assert {p.name for p in (vault / ".memwiki").iterdir()} == {".gitignore"}


def test_adopting_twice_or_a_workspace_changes_nothing(tmp_path):
    Workspace.init(tmp_path / "new")
    before = everything(tmp_path / "new")
    Workspace.adopt(tmp_path / "new")
    Workspace.adopt(tmp_path / "new")
    assert everything(tmp_path / "new") == before


def test_only_a_folder_can_be_adopted(tmp_path):
    with pytest.raises(NotFoundError):
        Workspace.adopt(tmp_path / "nowhere")


# --- settings ------------------------------------------------------------------------------------


def test_settings_are_shown_with_where_they_come_from(put, opened):
    put("memwiki.toml", "[recall]\nmax_results = 7\n")
    space = opened(environ={**os.environ, "MEMWIKI_FILES_GITIGNORE": "true"})
    shown = {each.key: (each.value, each.origin) for each in space.settings.list().settings}
    assert shown["recall.max_results"] == ("7", "file")
    assert shown["files.gitignore"] == ("true", "environment")
    assert shown["catalog.enabled"] == ("false", "default")


def test_single_settings_and_tables_of_them_are_shown(ws):
    def keys(*names):
        return [each.key for each in ws.settings.list(names).settings]

    assert keys("doors.max_tokens", "recall.mode") == ["recall.mode", "doors.max_tokens"]
    assert set(keys("catalog")) == {key for key in keys() if key.startswith("catalog.")}
    with pytest.raises(ConfigError, match="there is no setting") as error:
        keys("recall", "catalog.enable")
    assert error.value.hint == "did you mean catalog.enabled?"


def test_a_setting_is_changed_on_its_line_and_holds_at_once(put, ws, root):
    put("memwiki.toml", "# mine\r\n[recall]  # hits\r\nmax_results = 7 # few\r\n")
    assert ws.settings.set("recall.max_results", "3").value == "3"
    assert (root / "memwiki.toml").read_bytes() == (
        b"# mine\r\n[recall]  # hits\r\nmax_results = 3 # few\r\n"
    )
    for number in range(5):
        put(f"{number}.md", "heron\n")
    assert len(ws.search("heron").hits) == 3


def test_a_first_setting_makes_the_file(ws, root):
    ws.settings.set("catalog.enabled", "true")
    assert "enabled = true" in (root / "memwiki.toml").read_text()


@pytest.mark.parametrize(
    ("key", "value"), [("recall.max_result", "3"), ("recall.max_results", "many")]
)
def test_a_wrong_setting_changes_nothing(ws, root, key, value):
    with pytest.raises(ConfigError):
        ws.settings.set(key, value)
    assert not (root / "memwiki.toml").exists()


def test_what_git_leaves_out_is_a_page_unless_the_settings_say_so(put, ws):
    put(".gitignore", "private/\n")
    put("private/a.md", "heron\n")
    assert ws.search("heron").total == 1
    ws.settings.set("files.gitignore", "true")
    assert ws.search("heron").total == 0


# --- syncing a part ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["../x.md", "/etc/passwd", "", "a\0b", ".git/x.md", "https://x.org"]
)
def test_a_path_outside_is_refused(ws, path):
    with pytest.raises(UnsafePathError):
        ws.sync([path])


def test_a_sync_tells_what_it_did(ws, put, root):
    """
    --- a.md ---
    text
    --- b.md ---
    ---
    title: a: b
    ---
    """
    first = ws.sync()
    assert (first.added, first.modified, first.removed, first.failed) == (
        ("a.md", "b.md"),
        (),
        (),
        (),
    )
    assert (first.problems, first.fresh, first.reason) == (1, True, "")
    put("a.md", "other\n")
    put("c.md", "new\n")
    (root / "b.md").unlink()
    second = ws.sync()
    assert (second.added, second.modified, second.removed) == (("c.md",), ("a.md",), ("b.md",))
    third = ws.sync(full=True)
    assert (third.added, third.modified, third.removed, third.unchanged) == ((), (), (), 2)
    assert ws.sync().unchanged == 2


def test_a_long_sync_tells_how_far_it_is(ws, put):
    for number in range(300):
        put(f"{number}.md", "text\n")
    steps: list[tuple[int, int]] = []
    ws.sync(progress=lambda done, total: steps.append((done, total)))
    assert steps
    assert all(0 <= done <= total for done, total in steps)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)


def test_a_first_index_cut_short_goes_on_where_it_was(ws, put, monkeypatch, assert_in_step):
    from memwiki.index.cards.store import Cards
    from memwiki.sync import feed as syncing

    for number in range(10):
        put(f"{number}.md", f"heron {number}\n")
    monkeypatch.setattr(syncing, "_BATCH", 3)
    real, batches = Cards.apply, []

    def interrupted(self, given, gone):
        if len(batches) == 2:
            raise KeyboardInterrupt
        batches.append([put.page.path for put in given])
        real(self, given, gone)

    with monkeypatch.context() as patch:
        patch.setattr(Cards, "apply", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ws.sync()
    assert ws.index.status().pages == 6
    changes = ws.sync()
    assert len(changes.added) == 4
    assert ws.search("heron").total == 10
    assert_in_step(ws)


def test_a_new_workspace_in_a_file_or_over_a_link_out_is_refused_before_anything_is_written(
    tmp_path,
):
    (tmp_path / "a").write_text("x")
    for place in ("a", "a/b"):
        with pytest.raises(NotFoundError, match="is a file"):
            Workspace.init(tmp_path / place)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "wiki").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafePathError):
        Workspace.init(tmp_path / "new", force=True)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["wiki"]


def test_a_file_that_is_a_link_to_nowhere_is_not_written_through(tmp_path):
    for name in (".gitignore", "memory.md"):
        root = tmp_path / name.strip(".") / "new"
        root.mkdir(parents=True)
        (root / name).symlink_to(tmp_path / "outside")
        assert setup.init(root, {}, git=False, force=True).kept == (name,)
        assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("flags", [(), ("--adopt",)])
def test_a_link_that_leads_out_is_named_before_a_workspace_is_made_behind_it(
    tmp_path, monkeypatch, capsys, flags
):
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "here" / "lnk").symlink_to(tmp_path / "there")
    monkeypatch.chdir(tmp_path / "here")
    assert main(["init", "lnk", *flags]) == 1
    assert f"leads to {tmp_path / 'there'}" in capsys.readouterr().err
    assert list((tmp_path / "there").iterdir()) == []
    assert main(["init", str(tmp_path / "there"), *flags]) == 0


@pytest.mark.parametrize(
    ("pages", "is_named"),
    [
        (("raw/a.md", "wiki/entities/a.md"), True),
        (("raw/papers/a.md", "index.md"), True),
        (("raw/a.md",), False),
        (("raw/a.txt", "wiki/a.md"), False),
        (("wiki/a.md", "b.md"), False),
        (("raw/a.md", ".obsidian/b.md"), False),
    ],
)
def test_sources_beside_wiki_pages_are_told_of_when_a_vault_is_adopted(tmp_path, pages, is_named):
    for path in pages:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    notes = setup.adopt(tmp_path, {}).notes
    assert ("memwiki config set layers.raw raw" in " ".join(notes)) == is_named
    (tmp_path / "memwiki.toml").write_text('[layers]\nraw = "raw"\n')
    assert setup.adopt(tmp_path, {}).notes == ()


def test_here_takes_exactly_the_folder_and_only_a_workspace(tmp_path, monkeypatch, capsys):
    for folder in (tmp_path, tmp_path / "inner"):
        (folder / ".memwiki").mkdir(parents=True)
        (folder / "a.md").touch()
    (tmp_path / "inner" / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "inner" / "deep")
    assert main(["list"]) == 0
    assert main(["list", "-C", ".."]) == 0
    assert main(["list", "--here", "-C", "../.."]) == 0
    listed = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == ["a.md", "a.md", "a.md", "inner/a.md"]
    assert main(["list", "--here"]) == 1
    told = capsys.readouterr().err
    assert "not a workspace" in told
    assert f"memwiki init --adopt {tmp_path / 'inner' / 'deep'}" in told
    assert main(["list", "-C", "nowhere"]) == 1
    assert "no such folder" in capsys.readouterr().err


def test_a_folder_that_is_named_is_never_the_one_of_the_environment(root, tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("MEMWIKI_WORKSPACE", str(root))
    monkeypatch.chdir(tmp_path / "other")
    assert main(["list"]) == 0
    assert main(["list", "-C", "."]) == 1


def test_the_line_that_makes_a_folder_a_workspace_can_be_pasted(tmp_path, monkeypatch, capsys):
    notes = tmp_path / "My Notes"
    notes.mkdir()
    (notes / "a.md").touch()
    monkeypatch.chdir(notes)
    assert main(["list"]) == 1
    line = capsys.readouterr().err.splitlines()[-1].partition(" makes this folder one")[0]
    assert main(shlex.split(line)[1:]) == 0
    assert main(["list"]) == 0


def test_who_named_a_cache_folder_that_cannot_be_used_is_told_where_the_index_is(root, tmp_path):
    """
    --- a.md ---
    heron
    """
    file = tmp_path / "a-file"
    file.write_text("in the way")
    environ = {"MEMWIKI_CACHE_DIR": str(file), "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    space = Workspace.open(root, environ=environ)
    assert [hit.path for hit in space.search("heron").hits] == ["a.md"]
    place = tmp_path / ".cache" / "memwiki"
    assert space.take_warnings() == [
        f"MEMWIKI_CACHE_DIR: {file} cannot be used (not writable, or open to others);"
        f" the index is in {place}"
    ]
    space.close()


# --- closing -------------------------------------------------------------------------------------


def test_a_workspace_is_closed_at_the_end_of_its_block(root, put, monkeypatch):
    put("a.md", "# A\n")
    with Workspace.open(root, find=False) as space:
        assert [page.path for page in space.pages.list()] == ["a.md"]
        closed = []
        monkeypatch.setattr(space.live, "close", lambda: closed.append(space.root))
        assert not closed
    monkeypatch.undo()
    space.close()
    assert closed == [root]


def test_settings_that_change_while_a_workspace_is_opened_hold(put, root, monkeypatch):
    new_live = Workspace._new_live

    def meanwhile(space: Workspace, *given: object) -> object:
        put("memwiki.toml", '[layers]\nlog = "protocol.md"\n')
        monkeypatch.undo()
        return new_live(space, *given)

    monkeypatch.setattr(Workspace, "_new_live", meanwhile)
    with Workspace.open(root) as space:
        assert space.config.layers.log == "protocol.md"
