"""The workspace that each try of a verb begins with."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from properties.houses import ELSEWHERE, House


@pytest.fixture
def house(
    root: Path,
    write_blocks: Callable[[str], None],
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> House:
    """What the module's HOUSE shows, with a folder to import beside it; ids count up."""
    monkeypatch.setattr(
        "memwiki.memory.known_facts.random_ids", lambda _: map("m-{:06}".format, count())
    )
    (root.parent / "elsewhere").mkdir()
    for name, text in ELSEWHERE.items():
        (root.parent / "elsewhere" / name).write_text(text)
    return House(root, lambda: write_blocks(request.module.HOUSE))
