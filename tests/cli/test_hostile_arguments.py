"""Every command with every argument and option, given what nobody means: an exit code and a
sentence, never a traceback, and nothing outside of the workspace.

The table is made from the commands themselves, so that a new option is in it from its first day.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from memwiki.cli.dispatch import load
from memwiki.cli.main import main
from memwiki.cli.registry import COMMANDS
from memwiki.cli.typer_app import command_of
from tests.effort import IS_WIDE

OFTEN = ("", "\ud800", "a\0.md", "9" * 5000, "../../out.md")
IN_TURN = (
    "x" * 300 + ".md",
    " ",
    "nan",
    "\udcff.md",
    "a\nb.md",
    "\x1b[2J",
    "\u202egnp.md",
    "ab/" * 1700 + "x.md",
    "9" * 30,
    "-" + "9" * 30,
    "inf",
    "1e999",
    "\u0663",
    "0",
    "~nobody/x.md",
    "-",
    "--",
    "--nope",
    "..",
    "../..",
    "/etc/passwd",
    "a/../../out.md",
    "CON",
    "con.md",
    "x. ",
    "x./y.md",
    "C:\\x.md",
    "%2e%2e/%2e%2e/out.md",
    ".#x.md",
    ".memwikiignore",
    ".git/x.md",
    "node_modules/x.md",
    ".memwiki/x.md",
    "#",
    '"a\ud800',
    "since:" + "9" * 5000 + "d",
)

# What stands for a word in the help of a command, where something else is given what is hostile.
SENSIBLE = {
    "WHAT": "doubles",
    "NAME": "tea",
    "OLD": "tea",
    "NEW": "green",
    "TARGET": "water",
    "TEXT": "text",
    "PATH": "tea.md",
    "ID|PATH": "tea.md",
    "D": "90d",
    "PATH|TITLE": "Green tea",
    "KEY": "files.max_bytes",
    "VALUE": "5",
    "N": "1",
    "TAG": "drink",
    "INTO": "water",
    "OP": "op",
    "TITLE": "title",
    "QUERY": "tea",
    "QUESTION": "where is tea",
    "PREFIX": "dr",
    "NAMESPACE": "work",
    "KEY=VALUE": "a=b",
    "bash|zsh|fish": "bash",
    "REV|DATE": "2w",
    "HEADING": "Links",
    "DIR": "new",
    "AGENT": "codex",
    "MOMENT": "start",
    "ID|KEY": "m-000001",
    "A": "Tea Pot",
    "B": "Teapot",
    "ID|KEY|PAGE": "m-000001",
    "PAGE": "learnings",
    "WORD": "because",
    "FILE|FOLDER": "tea.md",
    "ID": "talk",
    "SESSION|FILE|-": "talk",
    "HOST": "model.example",
    "FILE": "talk.jsonl",
    "FILE...|-": "tea.md",
    "DIGEST": "0" * 16,
    "ACTOR": "agent",
    "FOLDER": "memories",
    "PROFILE": "small",
    "FORMAT": "openai",
    "TEMPLATE": "{path}",
    "KIND": "text",
    "WORKSPACE": "work",
}
ENDLESS = {"watch", "mcp", "web"}
PAGES = {
    "tea.md": "---\ntags: [drink]\n---\n# Tea\n\n[[water]]\n\n## Links\n\nx\n",
    "water.md": "# Water\n",
    "sub/x.md": "# X\n",
    "memory.md": "# Memory\n\n## Facts\n\n- Tea is green. [key:: tea] ^m-000001\n",
    "pic.png": "x",
    "memwiki.toml": '[layers]\ndaily = "daily"\nlog = "log.md"\nsessions = "sessions"\n',
    "sessions/talk.md": "### user\nHello.\n",
    "talk.jsonl": '{"role": "user", "text": "Hello."}\n',
}


class Case(NamedTuple):
    """A command line with a hole in it."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join("_" if word is HOLE else word for word in self.words)


HOLE = "{hostile}"


def _word(param) -> str:
    return (param.metavar or "").strip("[]. ")


def _cases(path, command) -> Iterator[Case]:
    for name, below in getattr(command, "commands", {}).items():
        yield from _cases((*path, name), below)
    if getattr(command, "commands", {}):
        return
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [
        p for p in command.params if p.param_type_name == "option" and not getattr(p, "is_flag", 0)
    ]
    needed = [w for p in options if p.required for w in (p.opts[0], SENSIBLE[_word(p)])]
    given = [SENSIBLE[_word(p)] for p in arguments if p.required]
    for number, _ in enumerate(arguments):
        others = [SENSIBLE[_word(p)] for p in arguments]
        yield Case((*path, *others[:number], HOLE, *others[number + 1 :], *needed))
    for param in options:
        rest = [] if param.required else needed
        yield Case((*path, *given, *rest, param.opts[0], HOLE))
    if not arguments:
        yield Case((*path, HOLE))


def cases() -> list[Case]:
    """The table: one row an argument or option."""
    modules = {row.module: name for name, row in COMMANDS.items() if name not in ENDLESS}
    found = [case for name in modules.values() for case in _cases((), command_of(load(name)))]
    return [
        *(each for each in found if each.words[0] not in ENDLESS),
        Case((HOLE,)),
        Case(("-C", HOLE, "tags")),
        Case(("--complete", "words", "get", HOLE)),
    ]


class Outcome(NamedTuple):
    code: int
    text: str


def call(*arguments: str) -> Outcome:
    """Run a command with streams of its own, as a process has them."""
    kept = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"piped\n"))
    sys.stdout, sys.stderr = (io.TextIOWrapper(io.BytesIO()) for _ in range(2))
    try:
        code = main(arguments)
        shown = []
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            shown.append(stream.buffer.getvalue().decode())
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept
    return Outcome(code, "".join(shown))


def values(row: int) -> tuple[str, ...]:
    """What a row is given: everything in the wide profile, else four of it in turn."""
    often = OFTEN if IS_WIDE else (OFTEN[row % 5], OFTEN[(row + 2) % 5])
    return often + (IN_TURN if IS_WIDE else IN_TURN[row % 18 :: 18])


def make(folder: Path) -> None:
    """The workspace, whatever is left of it."""
    for path, text in PAGES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def outside(folder: Path) -> set[str]:
    """What lies around the workspace."""
    return {p.name for p in folder.parent.iterdir()} | {p.name for p in folder.parents[1].iterdir()}


@pytest.fixture
def vault(tmp_path, monkeypatch) -> Path:
    """A workspace two folders below the test's own, which is not the home of anybody."""
    folder = tmp_path / "around" / "ws"
    make(folder)
    (tmp_path / "config").mkdir()  # the user's own, where names of workspaces are written
    monkeypatch.chdir(folder)
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert call("sync").code == 0
    return folder


def rows_by_command() -> dict[str, list[tuple[int, Case]]]:
    """The rows of the table with their numbers; those of one command share a workspace."""
    found: dict[str, list[tuple[int, Case]]] = {}
    for row, case in enumerate(cases()):
        found.setdefault(case.words[0], []).append((row, case))
    return found


@pytest.mark.parametrize("rows", (table := rows_by_command()).values(), ids=table.keys())
def test_whatever_is_given_the_answer_is_a_sentence_and_nothing_is_written_outside(rows, vault):
    before = outside(vault)
    for row, case in rows:
        make(vault)
        for words in lines(row, case):
            code, text = call(*words)
            assert code in (0, 1, 2, 3), (words, code, text)
            assert "memwiki: unexpected" not in text, (words, text)
            assert "Traceback" not in text, (words, text)
            assert outside(vault) == before, words
            if not all((vault / path).exists() for path in PAGES):
                make(vault)


def lines(row: int, case: Case) -> Iterator[list[str]]:
    """The command lines of a row."""
    for hostile in values(row):
        is_way_out = hostile.startswith(("/", "..")) or "/.." in hostile
        if is_way_out and {"init", "-C", "--output", "plugin"} & set(case.words):
            continue  # there a path out of the current folder is meant
        yield [hostile if word is HOLE else word for word in case.words]


def test_the_table_knows_every_argument_and_option():
    table = {str(case) for case in cases()}
    assert {"get _", "move _ green", "move tea _", "replace tea text --section _"} <= table
    assert {"tag add tea _", "log add _ title", "undo _", "show tea --at _"} <= table
    assert {"add text --data _", "add text --at _", "entry move m-000001 _"} <= table
    assert "entry relate m-000001 m-000001 --as _" in table
    assert len(table) > 80
    for name in COMMANDS:
        assert name in ENDLESS or any(row.split()[0] == name for row in table), name


@pytest.mark.parametrize(
    "words",
    [
        ("new", ".#x.md"),
        ("new", "ignored/x.md"),
        ("new", "node_modules/x.md"),
        ("new", "x.tmp.md~"),
        ("move", "tea", ".#x.md"),
        ("move", "tea", ".#x"),
        ("move", "tea", "ignored/"),
        ("move", "tea", ".hidden/tea"),
        ("move", "pic.png", ".memwikiignore"),
        ("move", "pic.png", "x.png~"),
        ("move", "sub/", "ignored/sub/"),
        ("today", "item"),
    ],
)
def test_nothing_is_made_that_would_then_be_ignored(words, vault):
    (vault / ".memwikiignore").write_text("ignored/\ndaily/\n")
    before = sorted(p for p in vault.rglob("*") if ".memwiki" not in p.parts)
    code, text = call(*words, "--json")
    if words == ("new", "x.tmp.md~"):
        assert code == 0  # a title, which gets a file name of its own
        return
    assert json.loads(text)["error"]["code"] == "unsafe_path"
    assert sorted(p for p in vault.rglob("*") if ".memwiki" not in p.parts) == before


def test_the_reason_is_the_one_that_status_gives(vault):
    (vault / ".memwikiignore").write_text("ignored/\n")
    (vault / "ignored").mkdir()
    (vault / "ignored" / "x.md").write_text("x")
    reason = call("status", "ignored/x.md").text
    assert ".memwikiignore line 1: ignored/" in reason
    assert ".memwikiignore line 1: ignored/" in call("new", "ignored/y.md").text
    assert ".memwikiignore line 1: ignored/" in call("append", "ignored/x.md", "text").text
