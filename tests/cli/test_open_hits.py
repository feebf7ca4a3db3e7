"""`memwiki open 2`: the hits that a terminal was shown last, by their number."""

from __future__ import annotations

import json
import os

import pytest

from memwiki.cli import streams
from memwiki.cli import streams as terminal
from memwiki.cli.main import main


@pytest.fixture
def run(ws, put, cache, tmp_path, monkeypatch, capsys):
    """Run a command on a terminal, in a workspace with three hits for tea; gives what it said."""
    for name in "abc":
        put(f"{name}.md", f"# {name.upper()}\n\n{'tea ' * (ord('d') - ord(name))}\n")
    program = tmp_path / "editor"
    program.write_text('#!/bin/sh\necho "$1" > "$(dirname "$0")/opened"\n')
    program.chmod(0o755)
    monkeypatch.chdir(ws.root)
    for name, value in (("EDITOR", str(program)), ("MEMWIKI_CACHE_DIR", str(cache))):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr(streams, "width", lambda: 80)
    monkeypatch.setattr(terminal, "terminal_name", lambda: "/dev/pts/7")

    def run(line: str, code: int = 0) -> str:
        (tmp_path / "opened").write_text("")
        assert main(line.split()) == code
        opened = (tmp_path / "opened").read_text().strip()
        said = capsys.readouterr()
        return os.path.relpath(opened, ws.root) if opened else said.out + said.err

    return run


def shown_files(cache):
    return list(cache.glob("*/shown-*"))


@pytest.mark.parametrize("asked", ["search tea", "recall tea"])
def test_a_number_opens_that_hit_of_the_last_answer(run, cache, asked):
    order = [line.partition(":")[0] for line in run(asked).split("\n") if ".md:" in line]
    assert run("open 2") == order[1]
    run("search nothinglikethis")
    assert "showed 0 hits" in run("open 2", code=1)
    (file,) = shown_files(cache)
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_page_named_by_the_number_goes_first(run, put):
    run("search tea")
    put("2.md", "# Two\n")
    assert run("open 2") == "2.md"


def test_what_cannot_be_opened_is_told_with_the_next_step(run):
    assert "memwiki search WORDS, then memwiki open 2" in run("open 2", code=1)
    run("search tea")
    for number in (0, 4, 9999):
        said = run(f"open {number}", code=1)
        assert "3 hits" in said
        assert "memwiki open 1 to 3" in said


def test_each_terminal_has_its_own_list(run, monkeypatch, cache):
    run("search tea")
    monkeypatch.setattr(terminal, "terminal_name", lambda: "session 12")
    assert "no search was shown" in run("open 1", code=1)
    run("search b")
    assert run("open 1") == "b.md"
    assert len(shown_files(cache)) == 2


def test_an_hour_later_the_list_is_none_and_the_next_search_removes_it(run, cache, monkeypatch):
    run("search tea")
    (file,) = shown_files(cache)
    held = json.loads(file.read_text())
    file.write_text(json.dumps({**held, "at": held["at"] - 3601 * 10**9}))
    os.utime(file, (1, 1))
    assert "no search was shown" in run("open 1", code=1)
    monkeypatch.setattr(terminal, "terminal_name", lambda: "other")
    run("search tea")
    assert file not in shown_files(cache)


@pytest.mark.parametrize(
    "held", ["", "[]", "{}", '{"at": true, "paths": 3}', "\x00", '{"at": "x"}']
)
def test_a_list_that_cannot_be_read_is_none(run, cache, held):
    run("search tea")
    (file,) = shown_files(cache)
    file.write_text(held)
    assert "no search was shown" in run("open 1", code=1)


def test_a_list_that_cannot_be_written_ends_no_search(run, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("memwiki.index.cache_files.write_small", full)
    assert "a.md" in run("search tea")
    assert "no search was shown" in run("open 1", code=1)


def test_in_a_pipe_nothing_is_noted(run, cache, monkeypatch):
    monkeypatch.setattr(streams, "width", lambda: None)
    run("search tea")
    assert shown_files(cache) == []


def test_a_terminal_is_known_by_its_device_else_by_its_session():
    name = terminal.terminal_name()
    assert name.startswith("/dev/") or name == f"session {os.getsid(0)}"
