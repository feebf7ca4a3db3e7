"""Nothing configured, nothing happens; and what a user sets is all that happens."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from memwiki.workspace import Workspace
from tests import connections
from tests.connections import LeavesTheMachineError

LIBRARIES = ("httpx2", "ssl", "pydantic", "numpy", "tenacity", "xllamacpp", "memwiki.models")


def imported(root: Path, tmp_path: Path, *arguments: str, **environ: str) -> set[str]:
    """What a command loads, of what only models need."""
    own = {"MEMWIKI_CACHE_DIR": str(tmp_path / "c"), "MEMWIKI_CONFIG_DIR": str(tmp_path / "config")}
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "memwiki", *arguments],
        cwd=root,
        env={**os.environ, **own, **environ},
        capture_output=True,
        text=True,
        check=True,
    )
    names = re.findall(r"^import time:.*\| +([\w.]+)$", done.stderr, re.MULTILINE)
    assert "memwiki.workspace.workspace" in names
    wanted = re.compile(rf"(?:{'|'.join(map(re.escape, LIBRARIES))})(?:\.|$)")
    return {name for name in names if wanted.match(name)}


@pytest.mark.parametrize(
    "arguments",
    [("search", "x"), ("recall", "what about x?"), ("add", "Tea is hot."), ("check",), ("sync",)],
)
def test_a_command_loads_nothing_of_what_only_models_need(root, tmp_path, arguments):
    """
    --- a.md ---
    # X
    """
    keys = {"OPENAI_API_KEY": "sk-1", "OPENROUTER_API_KEY": "sk-2", "MEMWIKI_API_KEY": "sk-3"}
    assert imported(root, tmp_path, *arguments, **keys) == set()


def test_a_model_that_is_set_is_loaded_by_what_asks_it_alone(root, tmp_path):
    """
    --- a.md ---
    # X
    """
    base_url = {"MEMWIKI_MODELS_CHAT_BASE_URL": "http://127.0.0.1:9/v1"}
    assert imported(root, tmp_path, "search", "x", **base_url) == set()
    shown = imported(root, tmp_path, "models", **base_url)
    assert not {name.partition(".")[0] for name in shown} & {"httpx2", "ssl", "pydantic", "numpy"}


def test_a_key_in_the_environment_alone_connects_to_nobody(root, tmp_path, monkeypatch):
    """
    --- a.md ---
    # Tea

    - Assam is strong. ^m-aaaaaa
    """
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    with Workspace.open(root, find=False) as ws:
        ws.search("tea")
        ws.recall("what about tea?")
        ws.entries.add("Assam is stronger.")
        ws.upkeep.run()
        ws.models.show()
        ws.models.spent()
    assert connections.made == []
    assert not (tmp_path / "state").exists()


def test_the_guard_of_the_tests_holds():
    with pytest.raises(LeavesTheMachineError), socket.create_connection(("192.0.2.1", 9)):
        pass
    with pytest.raises(LeavesTheMachineError):
        socket.getaddrinfo("openrouter.ai", 443)
    with socket.socket() as asked, pytest.raises(LeavesTheMachineError):
        asked.connect_ex(("2001:db8::1", 9))
