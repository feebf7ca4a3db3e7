"""The command on a real terminal: a pseudo-terminal of a given width, and what arrives on it."""

import base64
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import zlib

import pytest

from memwiki.change.record import stack_of
from memwiki.digest import digest_of
from memwiki.present.terminal import columns

TEXT = """---
title: 再见 世界
---
# 再见 世界

Some **loud** text with an escape \x1b[2J in it, and words enough to be folded on a narrow screen.

1. 使用这个功能的时候，需要注意以下几点：第一，不要在生产环境中使用；第二，请先备份数据。
"""
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def space(ws, put):
    put("wiki/再见 世界.md", TEXT)
    put("wiki/" + "long-name-" * 9 + ".md", "# Long\n\ntags #design\n")
    ws.sync()
    return ws


@pytest.fixture
def on_a_terminal(space, monkeypatch, cache):
    """Run a command on a terminal; gives all that it wrote there."""

    def run(*arguments, width=60, typed=b"", code=0, **variables):
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.delenv("COLUMNS", raising=False)
        environment = {**os.environ, "TERM": "xterm-256color", **variables}
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        screen, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        command = [sys.executable, "-m", "memwiki", *arguments]
        child = subprocess.Popen(
            command, stdin=inside, stdout=inside, stderr=inside, cwd=space.root, env=environment
        )
        os.close(inside)
        os.write(screen, typed)
        written = b""
        while True:
            try:
                part = os.read(screen, 65536)
            except OSError:  # Linux says so when the other end is closed
                part = b""
            if not part:
                break
            written += part
        os.close(screen)
        assert child.wait() == code
        return written.decode().replace("\r\n", "\n")

    return run


def test_get_draws_the_page(on_a_terminal):
    shown = on_a_terminal("get", "再见 世界")
    assert "title:" not in shown
    assert "**" not in shown
    assert ESCAPE.search(shown)
    assert "\x1b" not in ESCAPE.sub("", shown)
    assert "escape  in it" in ESCAPE.sub("", shown)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_drawn_line_is_wider_than_the_screen(on_a_terminal, width):
    lines = ESCAPE.sub("", on_a_terminal("get", "再见 世界", width=width)).splitlines()
    assert all(columns(line) <= width for line in lines[1:])
    assert all(line == line.rstrip() for line in lines)


def test_in_a_pipe_the_same_page_is_as_it_is(space):
    command = [sys.executable, "-m", "memwiki", "get", "再见 世界"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, cwd=space.root, env=environment, capture_output=True, check=True)
    assert done.stdout == TEXT.encode()


@pytest.mark.parametrize(
    "variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}]
)
@pytest.mark.parametrize("arguments", [("get", "再见 世界"), ("search", "design"), ()])
def test_without_colours_there_is_no_escape_at_all(on_a_terminal, variables, arguments):
    assert "\x1b" not in on_a_terminal(*arguments, **variables)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_path_is_never_cut(on_a_terminal, width):
    shown = on_a_terminal("list", width=width, NO_COLOR="1")
    assert "wiki/" + "long-name-" * 9 + ".md" in shown
    assert "wiki/再见 世界.md" in shown


def test_columns_of_the_environment_go_first(on_a_terminal):
    narrow = on_a_terminal("get", "再见 世界", width=200, NO_COLOR="1", COLUMNS="40")
    assert all(columns(line) <= 40 for line in narrow.splitlines()[1:])


def test_show_and_the_status_at_a_glance_on_a_terminal(on_a_terminal):
    shown = on_a_terminal()
    assert "\x1b[1m" in shown
    assert "2 pages, up to date" in shown
    assert "memwiki search WORDS" in shown


@pytest.mark.parametrize("answer", ["y", "n", ""])
def test_a_change_that_was_not_made_here_is_shown_and_asked_about(on_a_terminal, space, answer):
    (space.root / "page.md").write_text("mine\n")
    evil = base64.b64encode(zlib.compress(b"evil")).decode()
    file = ["page.md", digest_of(b"mine\n"), digest_of(b"evil\n"), 0, 4, evil]
    stack_of(space.root).add({"at": "", "op": "update", "title": "harmless", "files": [file]})
    shown = on_a_terminal("undo", typed=answer.encode() + b"\n", code=0 if answer == "y" else 1)
    assert "+evil" in ESCAPE.sub("", shown)
    assert "Undo it anyway? [y/N]" in shown
    assert (space.root / "page.md").read_text() == ("evil\n" if answer == "y" else "mine\n")
