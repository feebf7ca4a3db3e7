"""The memory tool says and does what the SDK's own filesystem backend says and does.

Where they differ, each with its reason:

- where the SDK lets an OSError out (a path below a file, a folder into itself), there is no text to
  equal, so that both fail is all; folders that it made before it failed stay, ours are not made;
- a folder without a file is not renamed: a plan is about files;
- links are kept true by a rename, so that the texts here hold none;
- what is hidden, left out, read-only, not UTF-8 or too large is in `test_memory_tool.py`.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwiki.adapters.memory_tool import MemoryTool, MemoryToolError

NAMES = st.sampled_from(["a.md", "b.txt", "d", "d/a.md", "d/b.md", "d/e/c.txt", "f/a.md", ""])
ODD = st.sampled_from(
    "/memories/../memories/a.md /memories/./a.md /memories//d/ /memories/d/../a.md /memories/../x"
    " /memories/d/../../x /x memories/a.md /memories/a.md/x".split()
)
PATHS = st.one_of(NAMES.map("/memories/{}".format), NAMES.map("/memories/{}".format), ODD)
TEXTS = st.text(st.sampled_from("ab\n\n\r\u2028é\t"), max_size=12)
PARTS = st.text(st.sampled_from("ab\n"), max_size=2)
LINES = st.integers(-2, 6)
COMMANDS = st.one_of(
    st.fixed_dictionaries({"command": st.just("create"), "path": PATHS, "file_text": TEXTS}),
    st.fixed_dictionaries(
        {"command": st.just("view"), "path": PATHS},
        optional={"view_range": st.lists(LINES, max_size=3)},
    ),
    st.fixed_dictionaries(
        {"command": st.just("str_replace"), "path": PATHS, "old_str": PARTS, "new_str": TEXTS}
    ),
    st.fixed_dictionaries(
        {"command": st.just("insert"), "path": PATHS, "insert_line": LINES, "insert_text": TEXTS}
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": PATHS}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": PATHS, "new_path": PATHS}),
)


def tree(folder: Path) -> dict[str, bytes | None]:
    """All that is below a folder, folders with None."""
    return {
        path.relative_to(folder).as_posix(): None if path.is_dir() else path.read_bytes()
        for path in folder.rglob("*")
    }


def holds_an_empty_folder(folder: Path) -> bool:
    return folder.is_dir() and any(not (down or files) for _, down, files in os.walk(folder))


class Oracle:
    """The SDK's own backend, without the folders that a command leaves behind that failed."""

    def __init__(self, base: Path) -> None:
        from anthropic.lib.tools import ToolError
        from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool

        self.tool, self.refusal = BetaLocalFilesystemMemoryTool(str(base)), ToolError
        self.root = base / "memories"

    def handle(self, command: dict) -> tuple[str, str]:
        before = tree(self.root)
        try:
            return "done", self.tool.call(command)
        except self.refusal as error:
            said = "refused", str(error)
        except OSError:
            said = "refused", ""
        for path in sorted(tree(self.root).keys() - before.keys(), reverse=True):
            (self.root / path).rmdir()
        return said

    def renames_an_empty_folder(self, command: dict) -> bool:
        below = command.get("old_path", "")[len("/memories") :].lstrip("/")
        return command["command"] == "rename" and holds_an_empty_folder(self.root / below)


def outcome(tool: MemoryTool, command: dict) -> tuple[str, str]:
    try:
        return "done", tool.handle(command)
    except MemoryToolError as error:
        return "refused", str(error)


@pytest.fixture
def pairs(root, ws, tmp_path):
    """New pairs of a tool and the SDK's, each over a folder of its own with one file in it."""
    # Not while tests are collected: the SDK takes seconds to import, in each worker.
    pytest.importorskip("anthropic.lib.tools", reason="pip install 'memwiki[anthropic]'")

    def made():
        for number in itertools.count():
            oracle = Oracle(tmp_path / f"oracle{number}")
            # Without what is private, folders tell nothing of what may be hidden in them.
            tool = MemoryTool(ws, f"m{number}", private=True)
            command = {"command": "create", "path": "/memories/b.txt", "file_text": "a\nb\nb"}
            assert outcome(tool, command) == oracle.handle(command)
            yield tool, oracle, root / f"m{number}"

    return made()


@settings(
    suppress_health_check=[*HealthCheck],
)
@given(commands=st.lists(COMMANDS, min_size=3, max_size=7))
def test_any_commands_are_answered_as_the_sdk_answers_them(pairs, commands):
    tool, oracle, folder = next(pairs)
    for command in commands:
        if oracle.renames_an_empty_folder(command):
            continue
        expected, found = oracle.handle(command), outcome(tool, command)
        if expected == ("refused", ""):
            assert found[0] == "refused", command
        else:
            assert found == expected, command
        assert tree(folder) == tree(oracle.root), command
