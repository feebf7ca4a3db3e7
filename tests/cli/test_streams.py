"""Every command with streams that are closed, full, or that nobody reads: an exit code, never a
traceback."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path

import pytest

from memwiki.cli.main import main

PAGES = {"tea.md": "# Tea\n\n## Links\n\nx\n", "memwiki.toml": '[layers]\nlog = "log.md"\n'}
COMMANDS = (
    "--version",
    "--help",
    "",
    "sync",
    "reindex",
    "status",
    "status tea.md",
    "doctor",
    "check",
    "catalog",
    "config show",
    "cache list",
    "search tea",
    "search tea --json",
    "get tea",
    "get tea --raw",
    "get nothing",
    "get nothing --json",
    "get",
    "list",
    "links tea",
    "tags",
    "undo",
    "log show",
    "log add op title",
    "history tea",
    "show tea --at HEAD",
    "graph",
    "new",
    "new Green --dry-run",
    "new Green",
    "new Black --from -",
    "add text",
    "add - --lines",
    "entry list",
    "entry get nothing --json",
    "append tea text",
    "append tea -",
    "today",
    "open tea",
    "replace tea - --section Links",
    "tag add tea drink",
    "link tea tea",
    "set tea a=b",
    "move tea green --dry-run",
    "delete tea --dry-run",
    "completion bash",
    "--complete words get t",
    "init new",
    "init other --adopt",
    "nonsense",
)
FULL = "/dev/full"
MODES = {
    "closed out": {1: None},
    "closed err": {2: None},
    "all closed": {0: None, 1: None, 2: None},
    "full out": {1: FULL},
    "full err": {2: FULL},
    "full both": {1: FULL, 2: FULL},
    "nobody reads": {1: "pipe"},
    "nobody reads either": {1: "pipe", 2: "pipe"},
    "nothing to read from": {0: "write-only"},
}
needs_fork = pytest.mark.skipif(not hasattr(os, "fork") or not Path(FULL).exists(), reason="Linux")


def pairs() -> list[tuple[str, str]]:
    """Every command with every mode where CI is set, else with two of them in turn."""
    modes = [*MODES, *MODES]
    return [
        (line, mode)
        for row, line in enumerate(COMMANDS)
        for mode in (
            MODES
            if os.environ.get("HYPOTHESIS_PROFILE") == "wide"
            else modes[row % 9 : row % 9 + 5 : 4]
        )
    ]


def in_a_child(words: list[str], streams: dict[int, str | None], told: Path) -> int:
    """The exit code of a command in a process with these streams; what it may not say goes to a
    file."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 99
    try:  # whatever happens, the test itself must not go on in here
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            setattr(sys, name, _opened(number, streams.get(number, os.devnull)))
        code = main(words)
        for stream in (sys.stdout, sys.stderr):  # as the interpreter does at its end
            stream.flush()
    except BaseException:
        told.write_text(traceback.format_exc())
        code = 98
    finally:
        os._exit(code)


def _opened(number: int, place: str | None):
    if place is None:
        os.close(number)
        return None
    if place == "pipe":
        reader, found = os.pipe()
        os.close(reader)
    elif place == "write-only":
        found = os.open(os.devnull, os.O_WRONLY)
    else:
        found = os.open(place, os.O_RDONLY if number == 0 else os.O_WRONLY)
    os.dup2(found, number)
    os.close(found)
    return open(number, "w" if number else "r", encoding="utf-8", closefd=False)


@needs_fork
@pytest.mark.parametrize(("line", "mode"), pairs())
def test_a_stream_that_is_of_no_use_ends_no_command_in_a_traceback(
    line, mode, tmp_path, monkeypatch
):
    for path, text in PAGES.items():
        (tmp_path / path).write_text(text)
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDITOR", "true")
    told = tmp_path / "told"
    code = in_a_child(line.split(), MODES[mode], told)
    assert code in (0, 1, 2, 3), told.read_text() if told.exists() else code


@needs_fork
def test_what_is_printed_never_goes_into_a_file_that_took_the_number_of_a_closed_stream(
    tmp_path, monkeypatch
):
    space = tmp_path / "ws"
    space.mkdir()
    for path, text in PAGES.items():
        (space / path).write_text(text)
    monkeypatch.chdir(space)
    before = {path: (space / path).read_bytes() for path in PAGES}
    for line in ("sync", "get tea", "list --json"):
        assert in_a_child(line.split(), MODES["all closed"], tmp_path / "told") == 0
    assert {path: (space / path).read_bytes() for path in PAGES} == before
    assert main(["doctor", "--verify"]) == 0


@needs_fork
def test_a_full_disk_behind_the_output_is_told_and_a_reader_that_left_is_not(tmp_path, monkeypatch):
    (tmp_path / ".memwiki").mkdir()
    (tmp_path / "a.md").write_text("text\n" * 50_000)  # more than a buffer holds
    monkeypatch.chdir(tmp_path)
    for line in ("get a", "get a --raw", "get a --json"):
        assert in_a_child(line.split(), {1: FULL}, tmp_path / "told") == 1
        assert in_a_child(line.split(), {1: "pipe"}, tmp_path / "told") == 0
        assert in_a_child(line.split(), {1: None}, tmp_path / "told") == 0
