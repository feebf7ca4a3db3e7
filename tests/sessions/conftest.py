"""A workspace with sessions and an archive, and a clock that counts minutes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.workspace import Workspace

LAYERS = '[layers]\nsessions = "sessions"\narchive = "archive"\ndaily = "daily"\nlog = "log.md"\n'
START = 1_795_255_200 * 10**9  # 2026-11-21T10:00:00Z


@pytest.fixture
def clock() -> Callable[[], int]:
    return lambda: START


@pytest.fixture
def space(put, opened, clock) -> Callable[..., Workspace]:
    """Open the workspace with these lines in [session]."""

    def open_(*settings: str, layers: str = LAYERS) -> Workspace:
        put("memwiki.toml", layers + "\n[session]\n" + "\n".join(settings) + "\n")
        return opened(clock=clock)

    return open_


@pytest.fixture
def text_of(root: Path) -> Callable[[str], str]:
    return lambda path: (root / path).read_bytes().decode()
