from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

WRITE_CALLS = ("write", "fsync", "replace", "rename", "unlink", "mkdir", "fchmod", "ftruncate")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


@pytest.fixture
def put(root: Path) -> Callable[..., None]:
    """Write files below the workspace: put("a.md", "dir/b.md", "c.md=text")."""

    def put_all(*files: str) -> None:
        for each in files:
            name, _, text = each.partition("=")
            place = root / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes((text or f"# {name}\n").encode())

    return put_all


@pytest.fixture
def fail_folder(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, int], None]:
    """Make a folder unlistable, also for root, who may list any."""
    closed: dict[str, int] = {}
    real = os.open

    def guarded(path, flags, *args, **kwargs):
        name = os.fspath(path).rstrip("/") if not isinstance(path, int) else ""
        if name in closed:
            raise OSError(closed[name], os.strerror(closed[name]), name)
        return real(path, flags, *args, **kwargs)

    def close(folder: Path, code: int = errno.EACCES) -> None:
        closed[str(folder)] = code
        monkeypatch.setattr(os, "open", guarded)

    return close
