"""The command line as a person uses it, and a folder seen byte by byte."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memwiki.cli.main import main


class Shell:
    """Runs `memwiki -C WORKSPACE --json ...` in this process."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._root, self._capsys = root, capsys
        self.code = 0
        self.err = ""

    def __call__(self, *arguments: str) -> Any:
        self.code = main(["-C", str(self._root), "--json", *arguments])
        out, self.err = self._capsys.readouterr()
        return json.loads(out)

    def paths(self, *query: str) -> list[str]:
        """Where the hits of a search are."""
        return [hit["path"] for hit in self("search", *query)["hits"]]


@pytest.fixture
def memwiki(root: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(root, capsys)


@pytest.fixture
def snapshot(root: Path) -> Callable[[], dict[str, tuple[bytes, int, int]]]:
    """Bytes, mtime and mode of everything in the workspace but `.memwiki/`."""

    def take() -> dict[str, tuple[bytes, int, int]]:
        found = {}
        for path in sorted(root.rglob("*")):
            if path.is_file() and ".memwiki" not in path.parts:
                state = path.lstat()
                found[str(path)] = (path.read_bytes(), state.st_mtime_ns, state.st_mode)
        return found

    return take


@pytest.fixture
def broken_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Callable[[], None]]:
    """Make paths fail to open, also for root, who may open any; give the way back."""
    failing: dict[str, int] = {}
    real = os.open

    def guarded(path, *arguments, **named):
        name = os.fspath(path).rstrip("/") if not isinstance(path, int) else ""
        if name in failing:
            raise OSError(failing[name], os.strerror(failing[name]), name)
        return real(path, *arguments, **named)

    def fail(*paths: Path, code: int = errno.EACCES) -> Callable[[], None]:
        failing.update({str(path): code for path in paths})
        monkeypatch.setattr(os, "open", guarded)
        return failing.clear

    return fail
