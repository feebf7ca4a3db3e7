"""A command in a hint can be pasted into a shell, whatever the names in it are."""

from __future__ import annotations

import ast
import io
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout

from hypothesis import given
from hypothesis import strategies as st

from memwiki.cli.main import main
from tests.source import nodes_with

_COMMAND = re.compile(r"(?:\bmemwiki|\bgit|\bchmod|\bpip install) [^;,()]*$")
_QUOTED = re.compile(r"(?:shell_word|quote|shlex_quote|_argument|_quoted)\(")
# Words of our own, numbers, and names that are quoted in the lines before.
_SAFE = {
    "typer_app.py": {"line", "self.name", "group", "step", "subject"},
    "home.py": {"option", "name"},
    "doctor.py": {"number"},
    "user.py": {"name"},
    "edits.py": {"command"},
    "dispatch.py": {"found", "words[0]", "path"},
    "upkeep.py": {"each.id"},
    "curation.py": {"proposal.id"},
    "main.py": {"__version__"},
    "arguments.py": {"option"},
    "git.py": {"arguments[0]", "_TIMEOUT_SECONDS"},
    "entity_merge.py": {"old", "new", "again"},
    "placement.py": {"name"},
    "delete.py": {"base"},
    "check.py": {"place", "fixable - infos", "infos", "more", "code", "ignored"},
    "index.py": {"answer.pages - answer.put_away"},
    "init.py": {"place", "_RAW"},
    "machine.py": {"max(number, 1)", "len(paths)"},
    "jobs.py": {"brief.id"},
    "local_embed.py": {"wanted"},
}


def values_in_commands() -> Iterator[tuple[str, str]]:
    """What is filled into a command, with the file it stands in."""
    for source, node in nodes_with("memwiki ", "git ", "chmod ", "pip install "):
        said = ""
        for part in node.values if isinstance(node, ast.JoinedStr) else ():
            if isinstance(part, ast.Constant):
                said += str(part.value)
            elif isinstance(part, ast.FormattedValue):
                if _COMMAND.search(said):
                    yield source.name, ast.unparse(part.value)
                said += "X"


def test_every_name_in_a_command_is_quoted():
    loose = {each for each in values_in_commands() if not _QUOTED.match(each[1])}
    assert {each for each in loose if each[1] not in _SAFE.get(each[0], ())} == set()


_NASTY = st.text(st.sampled_from("a' \"$`;|&<>(){}[]*?!#~\\茶é%="), min_size=1, max_size=12).filter(
    lambda name: name.strip() == name and "  " not in name
)
_COMMANDS = (
    ("get",),
    ("links",),
    ("graph",),
    ("delete",),
    ("history",),
    ("session", "show"),
    ("entry", "show"),
    ("check", "--baseline"),
    ("check", "--only"),
    ("log", "show", "--since"),
    ("list", "--sort"),
    ("new", "--type", "concept", "--tag"),
    ("-C",),
)


@given(name=_NASTY, command=st.sampled_from(_COMMANDS))
def test_a_hint_with_a_nasty_name_is_valid_shell(tmp_path_factory, name, command):
    root = tmp_path_factory.getbasetemp() / "hints"
    if not root.exists():
        assert main(["init", str(root), "--bare", "--no-sync", "-q"]) == 0
    said = io.StringIO()
    where = ["-C", str(root)] if command != ("-C",) else []
    with redirect_stderr(said), redirect_stdout(io.StringIO()):
        code = main([*where, *command, name, *(["status"] if not where else [])])
    hint = said.getvalue().rstrip("\n").rpartition("\n")[2]
    if code == 0 or "memwiki " not in hint:
        return
    words = shlex.split(hint[hint.index("memwiki ") :])
    assert name not in hint or any(name in word for word in words)
