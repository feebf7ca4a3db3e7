"""The workspace that each try of a verb begins with."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from properties.houses import ELSEWHERE, House


@pytest.fixture(scope="module")
def made() -> list[House]:
    """The house of a module once it is made; each try puts back what it found there."""
    return []


@pytest.fixture
def house(
    root: Path,
    write_blocks: Callable[[str], None],
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    made: list[House],
) -> Iterator[House]:
    """What the module's HOUSE shows, with a folder to import beside it; ids count up."""
    monkeypatch.setattr(
        "memwiki.memory.known_facts.random_ids", lambda _: map("m-{:06}".format, count())
    )
    if not made:
        write_blocks(request.module.HOUSE)
        base = tmp_path_factory.mktemp("house")
        (base / "elsewhere").mkdir()
        for name, text in ELSEWHERE.items():
            (base / "elsewhere" / name).write_text(text)
        made.append(House(base / "ws", partial(shutil.copytree, root, base / "ws")))
    failed = request.session.testsfailed
    yield made[0]
    if request.session.testsfailed > failed:
        made.clear()  # whatever it left
