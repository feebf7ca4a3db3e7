"""What a page must still be: a verb that names another digest changes nothing."""

from __future__ import annotations

import json

import pytest

from memwiki.change import apply as applying
from memwiki.cli.main import main
from memwiki.digest import digest_of
from memwiki.errors import ConflictError, MemwikiError, OutdatedError, UsageError

PAGES = """
--- memwiki.toml ---
[layers]
archive = "archive"
daily = "daily"
--- tea.md ---
---
tags: [drink]
related: ["[[water]]"]
---
# Tea

## Links

old
--- water.md ---
# Water
--- memory.md ---
# Memory

## Facts

- Tea is green. [because:: m-000002] ^m-000001
- Tea is black. ^m-000002
"""

OF_TEA = {
    "set": lambda ws, **named: ws.pages.set("tea", {"status": "x"}, **named),
    "append": lambda ws, **named: ws.pages.append("tea", "x", **named),
    "replace": lambda ws, **named: ws.pages.replace("tea", "x", section="Links", **named),
    "tag_add": lambda ws, **named: ws.pages.tag_add("tea", ["green"], **named),
    "tag_remove": lambda ws, **named: ws.pages.tag_remove("tea", ["drink"], **named),
    "link": lambda ws, **named: ws.pages.link("tea", "water", relation="needs", **named),
    "unlink": lambda ws, **named: ws.pages.unlink("tea", "water", **named),
    "move": lambda ws, **named: ws.pages.move("tea", "green.md", **named),
    "delete": lambda ws, **named: ws.pages.delete("tea", **named),
    "nothing": lambda ws, **named: ws.pages.tag_add("tea", ["drink"], **named),
}
OF_MEMORY = {
    "update": lambda ws, **named: ws.entries.update("m-000001", "x", **named),
    "set_tags": lambda ws, **named: ws.entries.set_tags("m-000001", ["x"], **named),
    "supersede": lambda ws, **named: ws.entries.supersede("m-000001", "x", **named),
    "delete": lambda ws, **named: ws.entries.delete("m-000001", **named),
    "move": lambda ws, **named: ws.entries.move("m-000001", "daily", **named),
    "relate": lambda ws, **named: ws.entries.relate("m-000001", "m-000002", "refines", **named),
    "unrelate": lambda ws, **named: ws.entries.unrelate("m-000001", "m-000002", **named),
}
VERBS = [("tea.md", verb) for verb in OF_TEA.values()]
VERBS += [("memory.md", verb) for verb in OF_MEMORY.values()]
NAMES = [*OF_TEA, *(f"entry {name}" for name in OF_MEMORY)]


def files(root) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.glob("*.md")}


@pytest.mark.parametrize(("path", "verb"), VERBS, ids=NAMES)
def test_a_verb_refuses_a_page_that_is_another_now(write_blocks, opened, path, verb):
    write_blocks(PAGES)
    ws = opened()
    read = ws.pages.get(path)
    assert (read.etag, len(read.etag)) == (read.digest[:16], 16)
    place = ws.root / path
    kept = place.read_bytes()
    place.write_bytes(kept + b"\nchanged\n")
    before = files(ws.root)
    for named in ({}, {"dry_run": True}):
        with pytest.raises(OutdatedError, match=path) as error:
            verb(ws, expect=read.etag, **named)
    assert isinstance(error.value, ConflictError)
    assert (error.value.code, f"get {path}" in error.value.hint) == ("conflict", True)
    assert files(ws.root) == before
    place.write_bytes(kept)
    verb(ws, expect=read.etag.upper(), dry_run=True)
    verb(ws, expect=read.digest)


def test_an_edit_at_the_last_moment_is_met_under_the_lock(write_blocks, opened, monkeypatch):
    write_blocks(PAGES)
    ws = opened()
    etag, tea = ws.pages.get("tea").etag, ws.root / "tea.md"
    settle = applying.settle
    attempts = []

    def late(root, edits):
        attempts.append(edits)
        tea.write_bytes(tea.read_bytes() + b"late\n")
        return settle(root, edits)

    monkeypatch.setattr(applying, "settle", late)
    for verb in ("append", "set", "move"):
        etag = ws.pages.get("tea").etag
        with pytest.raises(ConflictError):
            OF_TEA[verb](ws, expect=etag)
    assert len(attempts) == 3  # none was tried again
    assert tea.read_bytes().count(b"late\n") == 3
    monkeypatch.undo()
    tea.unlink()
    with pytest.raises(MemwikiError):
        ws.pages.append("tea.md", "x", expect=etag)
    assert not tea.exists()


def test_only_what_may_be_a_digest_is_expected(write_blocks, opened):
    write_blocks(PAGES)
    ws = opened()
    for text in ("0" * 15, "0" * 33, "x" * 16, "\ud800" * 16, digest_of(b"") + "\n", " "):
        with pytest.raises(UsageError, match="not a digest"):
            ws.pages.append("tea", "x", expect=text)
    (ws.root / "sub").mkdir()
    (ws.root / "sub/x.md").write_text("x")
    with pytest.raises(UsageError, match="a folder has no digest"):
        ws.pages.move("sub/", "other/", expect="0" * 16)


def test_the_command_line_takes_what_get_gives(write_blocks, root, capsys):
    write_blocks(PAGES)
    at = ("-C", str(root))
    assert main([*at, "get", "tea", "--json"]) == 0
    etag = json.loads(capsys.readouterr().out)["etag"]
    assert main([*at, "append", "tea", "x", "--expect", etag]) == 0
    assert main([*at, "append", "tea", "y", "--expect", etag]) == 1
    assert "changed since it was read" in capsys.readouterr().err
    assert main([*at, "entry", "delete", "m-000001", "--expect", etag]) == 1
    assert main([*at, "move", "tea", "green.md", "--expect", etag]) == 1
    assert main([*at, "delete", "tea", "--expect", "short"]) == 2
