"""What holds for every command: options, exit codes, errors, help."""

import json
import os
import re
import runpy
import subprocess
import sys
import threading

import pytest

import memwiki
from memwiki.cli import streams
from memwiki.cli.dispatch import load
from memwiki.cli.registry import COMMANDS
from memwiki.errors import AmbiguousError, NotFoundError


def error_of(shell):
    return json.loads(shell.out)["error"]


# --- options anywhere ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("-C", "notes", "--json", "--no-sync", "search", "x"),
        ("search", "x", "--json", "-C", "notes", "--no-sync"),
        ("--json", "search", "-C", "notes", "x", "--no-sync"),
        ("search", "x", "--no-sync", "--json", "--directory", "notes", "--quiet"),
    ],
)
def test_common_options_stand_before_or_after_the_command(memwiki_, arguments):
    assert memwiki_(*arguments) == 0
    assert memwiki_.opened == (os.path.realpath("notes"), {"find": True, "sync": False})
    assert json.loads(memwiki_.out)["query"] == "q"


def test_without_a_folder_the_workspace_is_found(memwiki_):
    memwiki_("tags")
    assert memwiki_.opened == (None, {"find": True, "sync": True})


def test_what_follows_two_dashes_is_never_an_option(memwiki_):
    assert memwiki_("search", "--", "--json", "-q") == 0
    assert memwiki_.call[1] == ("--json -q",)
    assert memwiki_.out.startswith("wiki/home.md")


def test_a_folder_option_without_a_folder_is_a_usage_error(memwiki_):
    assert memwiki_("tags", "-C") == 2
    assert memwiki_.err == "-C: a folder is missing\nmemwiki -C DIR COMMAND\n"


@pytest.mark.parametrize(
    ("arguments", "namespace"),
    [
        (("-n", "work", "tags"), "work"),
        (("tags", "--namespace", "*"), "*"),
        (("tags", "-n", ""), ""),
    ],
)
def test_a_namespace_is_handed_on_wherever_it_stands(memwiki_, arguments, namespace):
    assert memwiki_(*arguments) == 0
    assert memwiki_.opened == (None, {"find": True, "sync": True, "namespace": namespace})


def test_a_namespace_option_without_a_name_is_a_usage_error(memwiki_):
    assert memwiki_("tags", "-n") == 2
    assert memwiki_.err == "-n: a name is missing\nmemwiki -n NAME COMMAND\n"


# --- usage errors --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "first_line"),
    [
        (("--wrong", "search"), "memwiki: no such option: --wrong"),
        (("serch", "x"), "memwiki: no such command: serch"),
        (("search",), "search: missing argument 'QUERY...'"),
        (("search", "x", "--limit", "many"), "search: invalid value for '--limit'"),
        (("search", "x", "--limit", "0"), "search: invalid value for '--limit'"),
        (("search", "x", "--explane"), "search: no such option: --explane"),
        (("get",), "get: missing argument 'NAME'"),
        (("tag",), "tag: missing command"),
        (("tag", "add", "Tea"), "tag add: missing argument 'TAG...'"),
        (("log", "show", "--limit", "0"), "log show: invalid value for '--limit'"),
        (("get", "x", "--lines", "9-2"), "--lines: 9-2 is not a range of lines"),
        (("get", "x", "--lines", "a"), "--lines: a is not a range of lines"),
        (("links",), "links: NAME is missing"),
        (
            ("links", "x", "--in", "--unresolved"),
            "links: --unresolved cannot be used with --in or --out",
        ),
        (("graph", "--to", "x"), "graph: --to needs a NAME to start from"),
        (("init", "--adopt", "--git"), "init: --adopt and --git exclude each other"),
        (("init", "--adopt", "--bare"), "init: --adopt and --bare exclude each other"),
        (("config", "frob"), "config: no such command 'frob'"),
        (("list", "--sort", "size"), "list: invalid value for '--sort'"),
    ],
)
def test_a_wrong_call_says_what_and_exits_2(memwiki_, arguments, first_line):
    assert memwiki_(*arguments) == 2
    assert memwiki_.err.splitlines()[0].startswith(first_line)
    assert memwiki_.err.splitlines()[1].startswith(("memwiki", "Did you mean", "for example"))
    assert memwiki_.out == ""


def test_a_misspelt_command_gets_a_suggestion(memwiki_):
    memwiki_("serch", "x")
    assert "Did you mean memwiki search?" in memwiki_.err


def test_a_usage_error_is_json_too(memwiki_):
    assert memwiki_("search", "--json") == 2
    assert error_of(memwiki_)["code"] == "usage"
    assert memwiki_.err == ""


# --- failures ------------------------------------------------------------------------------------


def test_an_error_gives_subject_candidates_and_next_step(memwiki_):
    error = AmbiguousError(
        "Foo: two pages", hint="Use a path.", candidates=("a/foo.md", "b/foo.md")
    )
    memwiki_.answer("pages.get", error)
    assert memwiki_("get", "Foo") == 1
    assert memwiki_.err == "Foo: two pages\n  a/foo.md\n  b/foo.md\nUse a path.\n"


def test_an_error_as_json_has_every_key(memwiki_):
    memwiki_.answer("pages.get", NotFoundError("Foo: no such page", hint="h", path="p", line=3))
    assert memwiki_("get", "Foo", "--json") == 1
    assert error_of(memwiki_) == {
        "code": "not_found",
        "message": "Foo: no such page",
        "hint": "h",
        "recoverable": True,
        "path": "p",
        "line": 3,
        "candidates": [],
    }


def test_escapes_in_an_error_do_not_reach_the_terminal(memwiki_):
    memwiki_.answer("pages.get", NotFoundError("\x1b]0;owned\x07Foo\x1b[2J: no such page"))
    memwiki_("get", "Foo")
    assert memwiki_.err == "Foo: no such page\n"


def test_the_unexpected_is_one_line_and_a_request_to_report_it(memwiki_):
    memwiki_.answer("graph.tags", ZeroDivisionError("by zero"))
    assert memwiki_("tags") == 1
    assert memwiki_.err.splitlines()[0] == "memwiki: unexpected ZeroDivisionError: by zero"
    assert "MEMWIKI_DEBUG=1" in memwiki_.err
    assert "Traceback" not in memwiki_.err


def test_debugging_shows_the_traceback(memwiki_, environment):
    environment["MEMWIKI_DEBUG"] = "1"
    memwiki_.answer("graph.tags", ZeroDivisionError("by zero"))
    memwiki_("tags", "--json")
    assert "Traceback" in memwiki_.err
    assert error_of(memwiki_)["recoverable"] is False


def test_an_interruption_exits_130_with_a_short_line(memwiki_):
    memwiki_.answer("sync", KeyboardInterrupt())
    assert memwiki_("sync") == 130
    assert len(memwiki_.err.splitlines()) == 1


def test_a_reader_that_leaves_early_ends_it_quietly(memwiki_, monkeypatch):
    def broken(text):
        raise BrokenPipeError

    abandoned = []
    monkeypatch.setattr(streams, "show", broken)
    monkeypatch.setattr(streams, "abandon", lambda: abandoned.append(1))
    assert memwiki_("tags") == 0
    assert (memwiki_.err, abandoned) == ("", [1])


def test_a_closed_pipe_leaves_no_complaint():
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "memwiki", "--help"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_written_after_the_reader_left_goes_nowhere(tmp_path, monkeypatch):
    with (tmp_path / "out").open("w") as shown:
        monkeypatch.setattr(sys, "stdout", shown)
        streams.abandon()
        streams.show("more")
        streams.flush()
    assert (tmp_path / "out").read_text() == ""


# --- help ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [("--version", "--json"), ("-q", "--version")])
def test_the_version_is_told_beside_other_options(memwiki_, arguments):
    assert memwiki_(*arguments) == 0
    assert memwiki_.out == f"memwiki {memwiki.__version__}\n"


def test_the_overview_names_every_command(memwiki_):
    assert memwiki_("--help") == 0
    for name, command in COMMANDS.items():
        assert f"  {name} " in memwiki_.out
        assert command.summary in memwiki_.out


def test_help_after_a_common_option_is_the_overview(memwiki_):
    assert memwiki_("-q", "--help") == 0
    assert memwiki_.out.startswith("Usage: memwiki [OPTIONS] COMMAND")


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_its_summary_and_examples(memwiki_, name):
    assert memwiki_(name, "--help") == 0
    assert COMMANDS[name].summary in " ".join(memwiki_.out.split())
    assert f"\n    memwiki {name}" in memwiki_.out.partition("Examples:")[2]
    assert memwiki_.workspace.calls == []


def test_every_command_module_declares_what_the_table_says():
    from memwiki.cli.typer_app import command_of

    for name, row in COMMANDS.items():
        declared = command_of(load(name)).commands
        assert {*declared} == {n for n, each in COMMANDS.items() if each.module == row.module}


def test_the_overview_has_every_command_in_one_group_and_twelve_for_every_day(memwiki_):
    assert memwiki_("--help") == 0
    blocks = dict(
        block.split(":\n", 1)
        for block in memwiki_.out.split("\n\n")
        if re.match(r"[A-Z][a-z ]+:\n", block)
    )
    groups = {head: [row.split()[0] for row in rows.splitlines()] for head, rows in blocks.items()}
    del groups["Examples"]
    assert list(groups) == [
        "Every day",
        "Start",
        "Find",
        "Write",
        "Memories",
        "Look after",
        "Agents",
        "Settings",
    ]
    assert len(groups["Every day"]) == 12
    listed = [name for head in groups for name in groups[head]]
    assert sorted(listed) == sorted(COMMANDS)


OLD_NAMES = {
    "consolidate": "upkeep consolidate",
    "retain": "upkeep retain",
    "snapshot": "upkeep snapshot",
    "archive list": "upkeep archive list",
    "archive": "upkeep archive",
    "tools": "agent tools",
    "memory-tool": "agent memory-tool",
}


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_an_old_name_works_and_names_the_new_one(memwiki_, old, new):
    assert memwiki_(*new.split(), "--help") == 0
    today = memwiki_.out
    assert f"\n    memwiki {new}" in today
    assert memwiki_(*old.split(), "--help") == 0
    assert memwiki_.out == today
    first = old.split()[0]
    assert memwiki_.err.startswith(f"memwiki {first} is now memwiki {OLD_NAMES[first]}; ")
    assert memwiki_("-q", *old.split(), "--help") == 0
    assert memwiki_.err == ""


@pytest.mark.parametrize("old", OLD_NAMES)
def test_an_old_name_is_in_no_list(memwiki_, old):
    assert old.split()[0] not in COMMANDS
    assert memwiki_("--help") == 0
    assert f"\n  {old.split()[0]} " not in memwiki_.out


@pytest.mark.parametrize("name", ["mcp", "hook"])
def test_what_stands_in_settings_of_other_programs_keeps_its_name(memwiki_, name):
    assert memwiki_(name, "--help") == 0
    assert memwiki_.err == ""


def test_a_dry_run_of_all_upkeep_is_none_of_a_part_of_it(memwiki_):
    assert memwiki_("upkeep", "--dry-run", "retain") == 2
    assert memwiki_.workspace.calls == []


def test_the_module_is_a_command(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["memwiki", "--version"])
    monkeypatch.setattr(os, "_exit", sys.exit)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("memwiki", run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"memwiki {memwiki.__version__}\n"


def test_a_command_ends_at_once_unless_somebody_is_still_at_work(monkeypatch, capsys):
    ended: list[int] = []
    monkeypatch.setattr(sys, "argv", ["memwiki", "no-command"])
    monkeypatch.setattr(os, "_exit", ended.append)
    command = runpy.run_module("memwiki.__main__")["main"]
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert command() == 2
    assert ended == []
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    command()
    assert ended == [2]
    assert "no such command" in capsys.readouterr().err
