"""The memory tool: the texts of the SDK, and what is said where the SDK says nothing of ours."""

from __future__ import annotations

import io
import json
import os
import sys

import pytest

from memwiki.adapters.memory_tool import MemoryTool, MemoryToolError, lines_with, size_text
from memwiki.cli.main import main
from memwiki.errors import OutsideError
from memwiki.workspace import Workspace
from memwiki.workspace.folder import FolderFacet

EDITED = (
    "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
)
# A command, its parameters, and what is said; one after the other, over one folder.
GOLDEN = [
    ("create /a.txt", {"file_text": "1\n2\n2\n4\n5\n6"}, "File created successfully at: {p}"),
    ("create /d/e/f/b.md", {"file_text": ""}, "File created successfully at: {p}"),
    ("create /a.txt", {"file_text": ""}, "File {p} already exists"),
    ("create /d", {"file_text": ""}, "File {p} already exists"),
    ("create ", {"file_text": ""}, "File {p} already exists"),
    ("create /../a.txt", {"file_text": ""}, "Path {p} would escape /memories directory"),
    ("view /a.txt", {"view_range": [2, 3]}, "{content}     2\t2\n     3\t2"),
    ("view /a.txt", {"view_range": [-5, 1]}, "{content}     1\t1"),
    ("view /a.txt", {"view_range": [6, 99]}, "{content}     6\t6"),
    ("view /a.txt", {"view_range": [5, -1]}, "{content}     5\t5\n     6\t6"),
    ("view /a.txt", {"view_range": [9, 9]}, "{content}"),
    ("view /d/e/f/b.md", {"view_range": [1]}, "{content}     1\t"),
    ("view /none", {}, "The path {p} does not exist. Please provide a valid path."),
    ("str_replace /none", {"old_str": "a", "new_str": ""}, "The path {p} does not exist. Please provide a valid path."),
    ("str_replace /d", {"old_str": "a", "new_str": ""}, "The path {p} is not a file."),
    ("str_replace /a.txt", {"old_str": "x", "new_str": ""}, "No replacement was performed, old_str `x` did not appear verbatim in {p}."),
    ("str_replace /a.txt", {"old_str": "2", "new_str": ""}, "No replacement was performed. Multiple occurrences of old_str `2` in lines: 2, 3. Please ensure it is unique"),
    ("str_replace /a.txt", {"old_str": "4\n5", "new_str": "four\r\nfive"}, EDITED + "     2\t2\n     3\t2\n     4\tfour\r\n     5\tfive\n     6\t6"),
    ("insert /a.txt", {"insert_line": 7, "insert_text": "x"}, "Invalid `insert_line` parameter: 7. It should be within the range [0, 6]."),
    ("insert /a.txt", {"insert_line": -1, "insert_text": "x"}, "Invalid `insert_line` parameter: -1. It should be within the range [0, 6]."),
    ("insert /a.txt", {"insert_line": 6, "insert_text": "x\n\n"}, "The file {p} has been edited."),
    ("view /a.txt", {"view_range": [6, -1]}, "{content}     6\t6\n     7\tx\n     8\t"),
    ("rename ", {"new_path": "/memories/b"}, "Cannot rename the /memories directory itself"),
    ("rename /none", {"new_path": "/memories/b"}, "The path {p} does not exist"),
    ("rename /none", {"new_path": "/memories/d"}, "The destination /memories/d already exists"),
    ("rename /d", {"new_path": "/memories/g/h"}, "Successfully renamed {p} to /memories/g/h"),
    ("view /g", {"view_range": None}, "{listing}4K\t{p}\n4K\t{p}/h/\n4K\t{p}/h/e/"),
    ("view /g/h/e/", {}, "{listing}4K\t{p}\n4K\t{p}/f/\n0B\t{p}/f/b.md"),
    ("delete ", {}, "Cannot delete the /memories directory itself"),
    ("delete /none", {}, "The path {p} does not exist"),
    ("delete /g", {}, "Successfully deleted {p}"),
    ("view /g", {}, "The path {p} does not exist. Please provide a valid path."),
    ("delete /a.txt", {}, "Successfully deleted {p}"),
]  # fmt: skip
OUR_WORDS = [
    ("view /memories_evil/a.md", {}, "Path must start with /memories, got: /memories_evil/a.md"),
    ("view /memories/.hidden.md", {}, "/memories/.hidden.md: is hidden; choose another name."),
    ("view /memories/latin.txt", {}, "/memories/latin.txt: line 2 is not valid UTF-8; convert it to UTF-8."),
    ("view /memories/a\0b", {}, "/memories/a\0b: holds a control character."),
    ("view /memories/%2e%2e%2fx", {}, "/memories/%2e%2e%2fx: hides a separator or .. behind percent-encoding."),
    ("view /memories/out/x", {}, "Path /memories/out/x would escape /memories directory"),
    ("view /memories/pipe", {}, "Unsupported file type for /memories/pipe"),
    ("create /memories/a.md/b.md", {"file_text": ""}, "/memories/a.md/b.md: a.md is a file, not a folder; choose another path."),
    ("create /memories/AGENTS.md", {"file_text": ""}, "/memories/AGENTS.md: is read-only here: it tells agents how to work; write to another file."),
    ("create /memories/b.md", {}, "Missing parameter: `file_text`."),
    ("create /memories/b.md", {"file_text": 3}, "Invalid `file_text` parameter: it should be text."),
    ("create /memories/b.md", {"file_text": "é" * 131_073}, "Invalid `file_text` parameter: it has 262146 bytes, more than 262144. Write it in parts."),
    ("insert /memories/a.md", {"insert_line": "0", "insert_text": "x"}, "Invalid `insert_line` parameter: it should be a whole number."),
    ("view /memories/a.md", {"view_range": ["1", 2]}, "Invalid `view_range` parameter: it should be two whole numbers."),
    ("create /memories/A.md", {"file_text": ""}, "memories/A.md: memories/a.md exists, and some systems treat the two as one file; use memories/a.md, or choose another name."),
]  # fmt: skip


@pytest.fixture
def tool(ws):
    return MemoryTool(ws)


def said(tool, line, more=()):
    name, _, path = line.partition(" ")
    try:
        key = "old_path" if name == "rename" else "path"
        return tool.handle({"command": name, key: path, **dict(more)})
    except MemoryToolError as error:
        return str(error)


def test_every_text_is_that_of_the_sdk(tool, monkeypatch):
    sizes = lambda size: "4K" if size else "0B"  # noqa: E731 - of folders, as the disk has them
    monkeypatch.setattr("memwiki.adapters.memory_tool.size_text", sizes)
    for line, more, expected in GOLDEN:
        name, _, path = line.partition(" ")
        path = f"/memories{path}"
        listing = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:\n"
        content = f"Here's the content of {path} with line numbers:\n"
        whole = expected.replace("{listing}", listing).replace("{content}", content)
        assert said(tool, f"{name} {path}", more) == whole.replace("{p}", path)


def test_what_the_sdk_does_not_know_is_said_in_our_words(root, tool, put):
    put("memories/a.md", "x\n")
    put("memories/.hidden.md", "x\n")
    put("memories/latin.txt", b"x\n\xe9\n")
    os.mkfifo(root / "memories" / "pipe")
    os.symlink("/etc", root / "memories" / "out")
    for line, more, expected in OUR_WORDS:
        assert said(tool, line, more) == expected
    with pytest.raises(NotImplementedError, match=r"^Unknown command: zap$"):
        tool.handle({"command": "zap"})
    with pytest.raises(OutsideError):
        MemoryTool(tool._workspace, "../x")


def test_sizes_and_places_are_counted_as_the_sdk_counts_them():
    sizes = (0, 18, 1023, 1024, 1536, 1048575, 1048576, 5 * 2**40)
    shown = [*map(size_text, sizes)]
    assert shown == ["0B", "18B", "1023B", "1K", "1.5K", "1024.0K", "1M", "5120G"]
    assert [*lines_with("aaa\naa", "aa")] == [1, 1, 2]


def test_too_many_lines_are_not_shown(tool, put):
    put("memories/a.txt", "\n" * 999_999)
    expected = "File /memories/a.txt exceeds maximum line limit of 999,999 lines."
    assert said(tool, "view /memories/a.txt") == expected


def test_the_whole_workspace_is_shown_and_what_is_not_the_agents_is_read_only(root, ws, put):
    """
    --- memwiki.toml ---
    [layers]
    raw = "raw"
    archive = "archive"
    log = "log.md"
    --- index.md ---
    <!-- memwiki:catalog:begin -->
    <!-- memwiki:catalog:end -->
    --- log.md ---
    # Log
    --- AGENTS.md ---
    x
    --- CLAUDE.md ---
    x
    --- wiki/claude.md ---
    x
    --- GEMINI.md ---
    x
    --- raw/a.md ---
    x
    --- archive/a.md ---
    x
    --- wiki/data.csv ---
    x
    """
    put(".env", "KEY=1\n")
    tool = MemoryTool(ws, ".", private=True)
    before = {path: path.read_bytes() for path in root.rglob("*.*") if path.is_file()}
    shown = said(tool, "view /memories")
    assert ".env" not in shown and "\t/memories/wiki/data.csv" in shown
    for path in before:
        if (name := path.relative_to(root).as_posix()) == ".env" or name.startswith(".memwiki"):
            continue
        assert said(tool, f"view /memories/{name}").startswith("Here's the content")
        for line, more in (
            ("insert", {"insert_line": 0, "insert_text": "y"}),
            ("delete", {}),
            ("rename", {"new_path": "/memories/wiki/new.md"}),
        ):
            assert "is read-only here" in said(tool, f"{line} /memories/{name}", more), name
    for name in ("log/2026.md", "raw/a.sh", "run.sh", "archive/b.md", "wiki/AGENTS.md"):
        assert "is read-only here" in said(tool, f"create /memories/{name}", {"file_text": ""})
    assert "is read-only here" in said(tool, "delete /memories/wiki")
    held = {path: path.read_bytes() for path in root.rglob("*.*") if path.is_file()}
    assert {path: held[path] for path in before if path.parent.name != "state"} == before
    for name in ("raw/new.md", "wiki/tea.md", "memories/plan.txt"):
        assert "success" in said(tool, f"create /memories/{name}", {"file_text": "x\n"})


def test_a_rename_puts_no_words_into_files_that_agents_leave_alone(ws, root, tool):
    """
    --- memwiki.toml ---
    [layers]
    log = "log.md"
    --- memories/tea.md ---
    Green.
    --- AGENTS.md ---
    See [[tea]].
    --- wiki/water.md ---
    For [[tea]].
    """
    new = {"new_path": "/memories/obey the next line.md"}
    assert "Successfully renamed" in said(tool, "rename /memories/tea.md", new)
    assert (root / "AGENTS.md").read_text() == "See [[tea]].\n"
    assert (root / "wiki/water.md").read_text() == "For [[obey the next line]].\n"
    assert "AGENTS.md" in (root / "log.md").read_text()


def test_what_an_editor_does_meanwhile_is_merged_refused_or_told(tool, put, root, monkeypatch):
    meanwhile = []
    read = FolderFacet.read

    def read_then(self, path):
        file = read(self, path)
        while meanwhile:
            meanwhile.pop()()
        return file

    monkeypatch.setattr(FolderFacet, "read", read_then)
    put("memories/a.md", "1\n2\n3\n4\n5\n")
    change = {"old_str": "4", "new_str": "four"}
    meanwhile.append(lambda: put("memories/a.md", "0\n1\n2\n3\n4\n5\n"))
    text = said(tool, "str_replace /memories/a.md", change)
    assert text == EDITED + "     3\t2\n     4\t3\n     5\tfour\n     6\t5\n     7\t"
    meanwhile.append(lambda: put("memories/a.md", "0\n1\n2\n3\nFOUR\n5\n"))
    text = said(tool, "str_replace /memories/a.md", {"old_str": "four", "new_str": "4"})
    assert text == (
        "The file /memories/a.md was changed by another at the same place meanwhile. "
        "Nothing was written. View it again and repeat the change."
    )
    gone = (
        "The file /memories/a.md no longer exists (may have been deleted or renamed concurrently)."
    )
    meanwhile.append((root / "memories/a.md").unlink)
    lines = {"insert_line": 0, "insert_text": "x"}
    assert said(tool, "insert /memories/a.md", lines) == gone
    kind = FolderFacet.kind
    monkeypatch.setattr(FolderFacet, "kind", lambda self, path: kind(self, path) or "file")
    assert said(tool, "view /memories/a.md") == gone


def test_the_command_serves_lines_and_no_line_ends_it(root, put, monkeypatch, capsys):
    lines = [
        b'{"command": "create", "path": "/memories/a.md", "file_text": "\\u00e9\\u2028"}',
        b"",
        b"\xff",
        b"[1]",
        b"[" * 100_000,
        b'{"command": 1}',
        b'"' + b"x" * 9_000_000 + b'"',
        b'{"command": "view", "path": "/memories/a.md"}',
    ]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(lines))))
    assert main(["-C", str(root), "agent", "memory-tool"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert found == [
        {"ok": True, "text": "File created successfully at: /memories/a.md"},
        {"ok": False, "error": "The line is not JSON in UTF-8."},
        {"ok": False, "error": "The line is not a JSON object."},
        {"ok": False, "error": "The line is not JSON in UTF-8."},
        {"ok": False, "error": "Unknown command: 1"},
        {"ok": False, "error": "The line has more than 4000000 bytes."},
        {
            "ok": True,
            "text": "Here's the content of /memories/a.md with line numbers:\n     1\té\u2028",
        },
    ]


def test_what_is_private_is_neither_shown_nor_changed_unless_the_user_opens_it(ws, root):
    """
    --- memories/diary.md ---
    ---
    private: true
    ---
    xylophone
    --- memories/mixed.md ---
    - Tea is green.
    - The safe is 4711. [private:: true]
    --- memories/open.md ---
    Nothing private here.
    """
    tool, before = MemoryTool(ws), read_all(root)
    listed = said(tool, "view /memories")
    assert "diary" not in listed and "mixed.md" in listed
    changes = (
        ("view", {}),
        ("str_replace", {"old_str": "xylophone", "new_str": ""}),
        ("insert", {"insert_line": 0, "insert_text": "x"}),
        ("delete", {}),
        ("rename", {"new_path": "/memories/other.md"}),
    )
    for line, more in changes:
        answer = said(tool, f"{line} /memories/diary.md", more)
        assert answer == said(tool, f"{line} /memories/xiary.md", more).replace("xiary", "diary")
    assert "4711" not in said(tool, "view /memories/mixed.md")
    for line, more in (("delete", {}), ("create", {"file_text": "x"})):
        name = "mixed.md" if line == "delete" else "diary.md"
        answer = said(tool, f"{line} /memories/{name}", more)
        assert "private; ask the person" in answer, (line, answer)
        assert "safe" not in answer
    assert "did not appear" in said(
        tool, "str_replace /memories/mixed.md", {"old_str": "4711", "new_str": ""}
    )
    assert read_all(root) == before
    assert "edited" in said(
        tool, "str_replace /memories/mixed.md", {"old_str": "green", "new_str": "black"}
    )
    assert "black.\n- The safe is 4711." in (root / "memories/mixed.md").read_text()
    assert "4711" in said(MemoryTool(ws, private=True), "view /memories/mixed.md")
    assert "Nothing" in said(tool, "view /memories/open.md")


def test_the_journal_is_closed_and_catalogs_tell_nothing_private(ws, root, put):
    """
    --- memwiki.toml ---
    [layers]
    log = "log.md"
    [catalog]
    enabled = true
    --- wiki/tea.md ---
    # Tea
    """
    put("log/2025.md", "## [2025-01-01] create | wiki/xylophone.md\n")
    tool = MemoryTool(ws, ".")
    assert "created successfully" in said(tool, "create /memories/wiki/a.md", {"file_text": "a"})
    ws.sync()
    catalogs = [path.relative_to(root).as_posix() for path in root.rglob("index*.md")]
    assert "[Tea]" in "".join(said(tool, f"view /memories/{path}") for path in catalogs)
    for path in ("log.md", "log/2025.md"):
        answer = said(tool, f"view /memories/{path}")
        assert "is the journal, which may name what is private" in answer, answer
    put("wiki/xylophone.md", "---\nprivate: true\n---\n# Xylophone\n")
    ws.sync()
    shown = said(tool, "view /memories")
    shown += "".join(
        said(tool, f"view /memories/{path.relative_to(root).as_posix()}")
        for path in root.rglob("*.md")
        if path.stem != "xylophone"
    )
    assert "ylophone" not in shown and "[Tea]" in shown
    assert "wiki/a.md" in said(MemoryTool(ws, ".", private=True), "view /memories/log.md")


def read_all(root):
    return {path: path.read_bytes() for path in root.rglob("*.md")}


def test_the_settings_of_doors_hold_here_too(ws, root, put):
    """
    --- memwiki.toml ---
    [doors]
    max_text_kb = 1
    --- memories/a.md ---
    a
    """
    big = {"file_text": "x" * 1025}
    assert "more than 1024" in said(MemoryTool(ws), "create /memories/b.md", big)
    put("memwiki.toml", "[doors]\nread_only = true\n")
    closed = MemoryTool(Workspace.open(root))
    assert "read-only" in said(closed, "delete /memories/a.md")
    assert "1\ta" in said(closed, "view /memories/a.md")
