"""Workspaces with catalogs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.workspace import Workspace


@pytest.fixture
def catalogued(root: Path, put, opened) -> Callable[..., Workspace]:
    """The workspace with catalogs enabled, synced."""

    def make(settings: str = "") -> Workspace:
        put("memwiki.toml", "[catalog]\nenabled = true\n" + settings)
        space = opened()
        space.sync()
        return space

    return make
