"""`memwiki` without a command: where one is, and what to do next."""

import json

import pytest

from memwiki.answers import index as keeping
from memwiki.answers.index import WatcherInfo, WatcherState
from memwiki.cli.main import main
from memwiki.errors import ConfigError, NoWorkspaceError


@pytest.mark.parametrize("arguments", [(), ("-q",), ("--json",), ("--no-sync",)])
def test_no_command_is_no_mistake(memwiki_, arguments):
    assert memwiki_(*arguments) == 0
    assert memwiki_.call == ("index.overview", (), {})
    assert memwiki_.out


def test_inside_it_says_where_how_and_what_next(memwiki_):
    memwiki_()
    assert memwiki_.out == (
        "/ws\n3 pages, up to date, 2 problems\n"
        "no watcher: every command looks at the folder itself\n"
        "\n  memwiki check\tsee\n"
    )


def test_json_has_the_keys_of_the_answer(memwiki_):
    memwiki_("--json")
    assert list(json.loads(memwiki_.out)) == list(keeping.Overview._fields)


def test_steps_for_another_folder_name_it(memwiki_):
    memwiki_("-C", "my notes")
    assert "  memwiki -C 'my notes' check\t" in memwiki_.out


@pytest.mark.parametrize(
    ("pending", "said"), [(4, "4 changes pending"), (None, "not checked"), (0, "up to date")]
)
def test_how_far_the_index_is(memwiki_, pending, said):
    known = memwiki_.workspace.answers["index.overview"]
    memwiki_.answer(
        "index.overview", known._replace(pending=pending, problems=0, reason="x: locked")
    )
    memwiki_()
    assert f"3 pages, {said}\nx: locked\n" in memwiki_.out


@pytest.mark.parametrize(
    ("watcher", "said"),
    [
        (WatcherInfo(WatcherState.WATCHING, 7, "2026-01-01T00:00:00Z"), "watched by process 7"),
        (WatcherInfo(WatcherState.DEAD, 7, reason="it was killed"), "watcher dead: it was killed"),
    ],
)
def test_whether_anybody_watches(memwiki_, watcher, said):
    known = memwiki_.workspace.answers["index.overview"]
    memwiki_.answer(
        "index.overview", known._replace(watcher=watcher, pages=1, pending=1, problems=1)
    )
    memwiki_()
    assert f"1 page, 1 change pending, 1 problem\n{said}\n" in memwiki_.out


def test_outside_it_says_how_to_start(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("No workspace here or above.\n\n  memwiki init notes\t")
    assert "  memwiki init --adopt\t" in shown
    assert main(["--json"]) == 0
    assert json.loads(capsys.readouterr().out)["workspace"] == ""


def test_other_failures_are_failures(memwiki_):
    memwiki_.answer("index.overview", ConfigError("memwiki.toml: no", hint="mend it"))
    assert memwiki_() == 1
    memwiki_.answer("index.overview", NoWorkspaceError("x", hint="y"))
    assert memwiki_() == 0


@pytest.mark.parametrize(
    ("files", "first"),
    [
        ({}, "memwiki new TITLE"),
        ({"a.md": "# A\n"}, "memwiki sync"),
    ],
)
def test_the_first_step_is_what_is_most_needed(ws, put, files, first):
    for path, text in files.items():
        put(path, text)
    assert ws.index.overview().next[0].command == first


def test_once_in_step_it_is_about_content(settled, put):
    """--- a.md ---
    # A
    """
    answer = settled.index.overview()
    assert (answer.pages, answer.fresh, answer.pending) == (1, True, 0)
    assert answer.next[0].command == "memwiki search WORDS"
    put("a.md", "---\ntitle: [\n---\n")
    assert settled.index.overview().pending == 1
    settled.sync()
    assert settled.index.overview().next[0].command == "memwiki check --only reading"


def test_a_page_in_another_encoding_is_named_by_its_path(put, root, capsys):
    put("gbk.md", "# 标题\n\n汉字\n".encode("gb18030"))
    put("a.md", "# A\n\n[[gbk]]\n")
    assert main(["-C", str(root), "init", "--adopt"]) == 0
    said = "".join(capsys.readouterr())
    assert "memwiki links gbk.md" in said and "\ufffd" not in said


def test_looking_is_all_it_does(settled, put):
    """--- a.md ---
    # A
    """
    put("b.md", "# B\n")
    settled.index.overview()
    assert settled.index.overview().pending == 1
    settled.is_synced = False
    assert settled.index.overview().pending is None
