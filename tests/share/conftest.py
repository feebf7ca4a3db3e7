"""A database on a real server, as the user's settings name it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("psycopg")

from memwiki.workspace import Workspace, shared
from tests import postgres


@cache
def database() -> str:
    return postgres.server().database()


@pytest.fixture
def address(monkeypatch) -> str:
    """That of the server, set in the environment; it keeps nothing after the test."""
    found = database()
    monkeypatch.setenv("MEMWIKI_INDEX_SHARED", found)
    return found


@pytest.fixture(autouse=True)
def dropped(address) -> Iterator[None]:
    yield
    import psycopg

    with psycopg.connect(database(), autocommit=True) as db:
        for (schema,) in db.execute(
            "select nspname from pg_namespace where nspname like 'memwiki%'"
        ).fetchall():
            db.execute(f"drop schema {schema} cascade")


@pytest.fixture
def fed(ws) -> Callable[..., None]:
    """Feed the workspace under the name `notes`."""
    return lambda **options: ws.share.feed("notes", **options)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Callable[[], Workspace]]:
    """Open what was fed, where there are no files."""
    spaces: list[Workspace] = []

    def open_() -> Workspace:
        spaces.append(shared.open_shared("notes", tmp_path))
        return spaces[-1]

    yield open_
    for space in spaces:
        space.close()
