"""Completion: what is offered, and that real shells put it into the line."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time

import pytest

from memwiki.answers.workspaces import Completion, CompletionList
from memwiki.cli.complete import _location, _meaning, _param, answer, candidates, split_line
from memwiki.cli.main import main
from memwiki.cli.registry import COMMANDS
from tests.effort import for_each
from tests.waiting import PATIENCE_S, until

BREAKS = " \t\n\"'@><=;|&(:"

# --- which kind of thing
# ---------------------------------------------------------------------------


def values(words):
    return [each.value for each in candidates(words)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["sta"], {"status"}),
        (["-q", "doc"], {"doctor"}),
        (["--js"], {"--json"}),
        (["-C", "notes", "sea"], {"search"}),
        (["get", "--se"], {"--section"}),
        (["get", "x", "--no"], {"--no-sync"}),
        (["list", "--sort", ""], {"title", "updated", "links"}),
        (["config", ""], {"show", "set"}),
        (["cache", "pr"], {"prune"}),
        (["completion", "z"], {"zsh"}),
        (["nonsense", ""], set()),
        (["-C", ""], set()),
        (["get", "--section", ""], set()),
        (["init", ""], set()),
        (["graph", "Home", "--relation", ""], set()),
        (["add", "--type", ""], set()),
        (["add", "--on-near", "re"], {"report", "replace"}),
        (["entry", "s"], {"supersede", "similar"}),
    ],
)
def test_commands_options_and_choices(memwiki_, words, expected):
    assert set(values(words)) == expected


def test_all_commands_are_offered_and_no_option_unasked(memwiki_):
    assert set(values([""])) == set(COMMANDS)


@pytest.mark.parametrize(
    ("words", "call"),
    [
        (["get", "Ho"], ("page", "Ho")),
        (["-C", "notes", "get", "Ho"], ("page", "Ho")),
        (["get", "--raw", "Ho"], ("page", "Ho")),
        (["get", "--section", "x", "Ho"], ("page", "Ho")),
        (["graph", "Home", "--to", "Se"], ("page", "Se")),
        (["list", "--tag", "de"], ("tag", "de")),
        (["list", "--type", "co"], ("type", "co")),
        (["tags", ""], ("tag", "")),
        (["move", "Ho"], ("page", "Ho")),
        (["link", "Home", "Se"], ("page", "Se")),
        (["tag", "add", "Ho"], ("page", "Ho")),
        (["tag", "add", "Home", "a", "de"], ("tag", "de")),
        (["tag", "rename", "de"], ("tag", "de")),
        (["search", "word", "tag:de"], ("tag", "de")),
        (["search", "-tag:de"], ("tag", "de")),
        (["entry", "get", "us"], ("entry", "us")),
        (["entry", "relate", "m-1", "m-"], ("entry", "m-")),
        (["entry", "list", "--tag", "de"], ("tag", "de")),
        (["entry", "move", "m-1", "Se"], ("page", "Se")),
        (["add", "--to", "Se"], ("page", "Se")),
    ],
)
def test_names_are_asked_of_the_workspace(memwiki_, words, call):
    found = CompletionList((Completion("offered"),))
    memwiki_.answer("pages.complete", found)
    assert values(words)[0].endswith("offered")
    assert memwiki_.call[:2] == ("pages.complete", call)
    assert memwiki_.opened[1]["sync"] is False


def test_a_tag_in_a_query_keeps_its_prefix(memwiki_):
    memwiki_.answer("pages.complete", CompletionList((Completion("design"),)))
    assert values(["search", "tag:de"]) == ["tag:design"]
    assert values(["search", "plain"]) == []


@for_each("name", COMMANDS)
def test_what_is_known_without_loading_is_what_the_command_says(name):
    place = _location([name])
    param = _param(place)
    assert COMMANDS[name].first == (_meaning(param, place.path) if param else "")


def test_nothing_is_said_outside_of_a_workspace(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["--complete", "words", "get", "x"]) == 1
    assert capsys.readouterr() == ("", "")


# --- names of pages, from a real index
# ---------------------------------------------------------------


@pytest.fixture
def pages(ws):
    """A workspace whose names need quoting."""
    for path, text in {
        "wiki/home.md": "---\ntitle: Start here\ntags: [design/colour, design]\n---\n",
        "wiki/it's $5 & more.md": "",
        "wiki/再见 世界.md": "",
        'wiki/say "hi" (now).md': "",
        "café.md": "",
        "wiki/a: b.md": "",
        "-x.md": "",
        "c\td.md": "",
    }.items():
        (ws.root / path).parent.mkdir(exist_ok=True)
        (ws.root / path).write_text(text)
    ws.sync()
    return ws


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", {"wiki/", "café.md"}),
        ("start", {"Start here"}),
        ("HOM", {"home"}),
        ("wi", {"wiki/"}),
        ("wiki/HO", {"wiki/home.md"}),
        ("再", {"再见 世界"}),
        ("cafe\u0301", {"Café", "café.md"}),
        ("it", {"it's $5 & more"}),
        ("nothing", set()),
    ],
)
def test_pages_by_title_file_name_and_path(pages, typed, expected):
    assert {each.value for each in pages.pages.complete("page", typed).completions} == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", {"user/drink", "user/再"}),
        ("user/d", {"user/drink"}),
        ("m-", {"m-aaaaaa", "m-bbbbbb"}),
        ("m-b", {"m-bbbbbb"}),
        ("no", set()),
    ],
)
def test_entries_by_key_and_id(put, ws, typed, expected):
    put(
        "memory.md",
        "- Tea. [key:: user/drink] ^m-aaaaaa\n- 茶 [key:: user/再]\n- x ^m-bbbbbb\n- y\n",
    )
    ws.sync()
    assert {each.value for each in ws.pages.complete("entry", typed)} == expected


def test_tags_in_their_spelling(pages):
    found = {each.value for each in pages.pages.complete("tag", "#DES").completions}
    assert found == {"design", "design/colour"}


def test_completing_neither_syncs_nor_writes(pages):
    (pages.root / "wiki/new.md").write_text("")
    assert pages.pages.complete("page", "new").completions == ()


# --- bash's side ---------------------------------------------------------------------------------


@for_each(
    ("line", "words", "quote", "kept"),
    [
        ("memwiki get Ho", ["memwiki", "get", "Ho"], "", 0),
        ("memwiki get ", ["memwiki", "get", ""], "", 0),
        ("memwiki  get\\ x", ["memwiki", "get x"], "", 0),
        ("memwiki get 'Start h", ["memwiki", "get", "Start h"], "'", 0),
        ('memwiki get "a\\"b', ["memwiki", "get", 'a"b'], '"', 0),
        ("memwiki get 'a b' c", ["memwiki", "get", "a b", "c"], "", 0),
        ("memwiki search tag:de", ["memwiki", "search", "tag:de"], "", 4),
        ("memwiki get a:\\ b", ["memwiki", "get", "a: b"], "", 2),
        ("memwiki get 再", ["memwiki", "get", "再"], "", 0),
    ],
)
def test_a_line_is_cut_as_bash_does(line, words, quote, kept):
    assert split_line(line, BREAKS) == (words, quote, kept)


@for_each(
    ("line", "value", "inserted"),
    [
        ("m get it", "it's $5 & more", "it\\'s\\ \\$5\\ \\&\\ more"),
        ("m get 'it", "it's $5", "it'\\''s $5"),
        ('m get "it', 'it`s $5 "x"', 'it\\`s \\$5 \\"x\\"'),
        ("m search tag:de", "tag:design", "design"),
        ("m get 再", "再见 世界", "再见\\ 世界"),
    ],
)
def test_names_are_quoted_as_the_word_was_begun(line, value, inserted):
    assert answer(line, BREAKS, lambda words: [Completion(value)]) == [inserted]


# --- real shells
# -----------------------------------------------------------------------------------

SHELLS = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "eval \"$(memwiki completion bash)\"; PS1='>'; bind 'set bell-style none'",
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        "autoload -U compinit; compinit -u -D; source <(memwiki completion zsh); PS1='>'; "
        "unsetopt beep",
    ),
    "fish": (["fish", "--no-config", "-i"], "memwiki completion fish | source"),
}


class Terminal:
    """A shell on a terminal, with keys typed into it."""

    def __init__(self, command, folder, environment):
        self._process, self._screen = pty.fork()
        if self._process == 0:  # pragma: no cover - the child
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        self.shown = ""

    def type(self, keys):
        os.write(self._screen, keys.encode())

    def wait_for(self, pattern):
        """Read until the pattern is on the screen."""
        ends = time.monotonic() + PATIENCE_S
        while not re.search(pattern, self.shown):
            assert time.monotonic() < ends, f"no {pattern!r} in {self.shown!r}"
            if select.select([self._screen], [], [], 0.2)[0]:
                self.shown += os.read(self._screen, 65536).decode("utf-8", "replace")

    def close(self):
        os.close(self._screen)
        os.waitpid(self._process, 0)


@pytest.fixture
def shell(request, pages, tmp_path, cache):
    """A real shell in the workspace, with completion switched on."""
    command, setup = SHELLS[request.param]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    program = tmp_path / "bin" / "memwiki"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memwiki "$@"\n')
    program.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "HOME": str(tmp_path),
        "TERM": "xterm",
        "LC_ALL": "C.UTF-8",
        "MEMWIKI_CACHE_DIR": str(cache),
    }
    terminal = Terminal(command, pages.root, environment)
    # What the line became is read from a file: a screen is full of cursor moves.
    terminal.type(f"{setup}\r")
    terminal.type("printf 'rea%s\\n' dy\r")
    terminal.wait_for("ready")
    yield terminal
    terminal.type("\x03\x04\x04exit\r")
    terminal.close()


@pytest.mark.parametrize("shell", SHELLS, indirect=True)
@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("get start", ["get", "Start here"]),
        ("get it", ["get", "it's $5 & more"]),
        ("get wiki/再", ["get", "wiki/再见 世界.md"]),
        ("get wiki/say", ["get", 'wiki/say "hi" (now).md']),
        ("comple", ["completion"]),
        ("search tag:design/", ["search", "tag:design/colour"]),
    ],
)
def test_a_real_shell_completes_to_the_exact_name(shell, tmp_path, keys, expected):
    """The words that a program would get are what the page is called, whatever is in the name."""
    recorder = tmp_path / "bin" / "memwiki"
    real = recorder.read_text().splitlines()[1]
    recorder.write_text(
        f'#!/bin/sh\nif [ "$1" = "--complete" ]; then {real}; fi\n'
        f"printf '%s\\n' \"$@\" > '{tmp_path}/words.part'; mv '{tmp_path}/words.part' "
        f"'{tmp_path}/words'\n"
    )
    shell.type(f"memwiki {keys}\t")
    shell.type("\r")
    until((tmp_path / "words").exists, shell.shown)
    assert (tmp_path / "words").read_text().splitlines() == expected


@pytest.mark.parametrize("name", SHELLS)
def test_each_script_is_valid(memwiki_, tmp_path, name):
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    memwiki_("completion", name)
    script = tmp_path / "script"
    script.write_text(memwiki_.out)
    assert subprocess.run([name, "-n", str(script)], capture_output=True).stderr == b""
