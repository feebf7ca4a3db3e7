"""A workspace with tiny budgets, so that a few pages make routers, shards and shelves."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from reader import catalog_files

from memwiki.catalog import listing
from memwiki.catalog.listing import Size
from memwiki.workspace import Workspace

SETTINGS = """[catalog]
enabled = true
[layers]
raw = "raw"
archive = "archive"
namespaces = "namespaces"
log = "log.md"
"""
SMALL = Size(6, 4_000, 1_000)


@contextmanager
def tiny_budgets() -> Iterator[None]:
    with patch.object(listing, "LIMIT", SMALL), patch.object(listing, "ROUTER_LIMIT", SMALL):
        yield


class World:
    """One folder, synced by a process at a time."""

    def __init__(self) -> None:
        self.place = Path(tempfile.mkdtemp(prefix="memwiki-catalog-"))
        self.root = self.place / "ws"
        (self.root / ".memwiki").mkdir(parents=True)
        self.write("memwiki.toml", SETTINGS)

    def close(self) -> None:
        shutil.rmtree(self.place)

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        if target.is_dir() or any(parent.is_file() for parent in target.parents):
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def delete(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)

    def open(self, cache: str = "cache", root: Path | None = None) -> Workspace:
        environ = {"MEMWIKI_CACHE_DIR": str(self.place / cache)}
        return Workspace.open(root or self.root, find=False, environ=environ)

    def sync(self) -> None:
        with tiny_budgets():
            space = self.open()
            space.sync()
            space.close()

    def from_nothing(self) -> dict[str, str]:
        """The catalogs of the same pages, made without any catalog or index to begin with."""
        copy = self.place / "copy"
        shutil.copytree(self.root, copy, ignore=shutil.ignore_patterns(".memwiki"))
        for path in catalog_files(copy):
            (copy / path).unlink()
        with tiny_budgets():
            space = self.open("cache-copy", copy)
            space.sync()
            space.close()
        made = catalog_files(copy)
        shutil.rmtree(copy)
        shutil.rmtree(self.place / "cache-copy")
        return made

    def check(self) -> None:
        """The law: what is there is what a generation from nothing gives."""
        assert catalog_files(self.root) == self.from_nothing()
