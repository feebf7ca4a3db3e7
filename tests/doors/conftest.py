"""A made workspace with something of everything, and a way to call its tools."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from memwiki.tools import DoorFlags, ToolAnswer, call, door_settings
from memwiki.workspace import Workspace

Ask = Callable[..., ToolAnswer]
MADE = {
    "memwiki.toml": '[layers]\nwiki = "wiki"\nsessions = "sessions"\nraw = "raw"\ninbox = "inbox"\n'
    'archive = "archive"\nlog = "log.md"\n',
    "AGENTS.md": "# How to work here\n",
    "memory.md": "# Memory\n\n## Facts\n\n- Tea is green. [key:: tea] ^m-000001\n"
    "- Rice is white. ^m-000002\n- The safe is 4711. [private:: true] ^m-000003\n",
    "wiki/tea.md": "---\ntype: concept\ntags: [drink]\n---\n# Tea\n\nTea needs [[water]].\n\n"
    "## Kinds\n\nGreen and black.\n",
    "wiki/water.md": "# Water\n\nWet. See [[tea]] and [[unknown]].\n",
    "wiki/diary.md": "---\nprivate: true\n---\n# Diary\n\nNobody reads the xylophone. [[tea]]\n",
    "raw/paper.md": "# Paper\n\nA source.\n",
    "sessions/talk.md": "### user\nHello tea.\n",
    "log.md": "# Log\n\n## [2026-11-01] create | wiki/tea.md\n",
}


@pytest.fixture
def made(root: Path, put: Callable[..., None]) -> Path:
    """The folder."""
    for path, text in MADE.items():
        put(path, text)
    return root


@pytest.fixture
def door(made: Path, opened: Callable[..., Workspace]) -> Workspace:
    """The workspace, for an agent."""
    return opened().by("agent/1 via test")


@pytest.fixture
def ask(door: Workspace) -> Ask:
    """Call a tool of the full profile: ask("read", name="tea")."""

    def asked(tool: str, /, flags: Mapping[str, Any] | None = None, **arguments: Any) -> ToolAnswer:
        profile = "graph-memory" if "memory" in tool or "memories" in tool else "full"
        settings = door_settings(door.config, DoorFlags(**{"profile": profile, **(flags or {})}))
        return call(door, tool, arguments, settings=settings)

    return asked


@pytest.fixture
def etag(ask: Ask) -> Callable[[str], str]:
    """The etag of a page, as a model finds it."""
    return lambda name: ask("read", name=name).text.split("\n")[1].removeprefix("etag ")


def bytes_of(root: Path) -> dict[str, str]:
    """Every file but what memwiki keeps for itself."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".memwiki" not in path.parts
    }
