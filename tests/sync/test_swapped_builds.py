"""Another process puts a new build in the place of the one that is being read, between any two
steps of the reader: the answer is that of the new build."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from zlib import crc32

import pytest

from memwiki.errors import IndexDamagedError, MemwikiError
from memwiki.files.lock import Lock
from memwiki.workspace import Workspace

_PAGES = """
--- wiki/heron.md ---
---
tags: [bird]
---
# Heron

The heron stands in the [[pond]]. It is linked to [[nowhere]].
--- wiki/pond.md ---
# Pond

Water for a heron.
--- memory/facts.md ---
# Facts

- [fact] The heron eats fish. (id: m-7k2f9a)
"""
_EVENTS = {"open", "os.listdir", "os.scandir", "sqlite3.connect", "os.mkdir"}
_VERBS: dict[str, Callable[[Workspace], object]] = {
    "status": lambda ws: _without(ws.index.status(), "index", "watch"),
    "doctor": lambda ws: ws.index.doctor(),
    "why": lambda ws: ws.index.why("wiki/heron.md"),
    "search": lambda ws: ws.search("heron").hits,
    "recall": lambda ws: ws.recall("what does the heron eat", record=False).hits,
    "prompt": lambda ws: ws.prompt().text,
    "page": lambda ws: ws.pages.get("heron"),
    "browse": lambda ws: ws.browse(),
    "links": lambda ws: ws.graph.links("heron"),
    "tags": lambda ws: ws.graph.tags(),
    "entries": lambda ws: ws.entries.list(),
    "completion": lambda ws: ws.pages.complete("page", "h"),
    "ranked": lambda ws: ws.graph.ranked(),
    "trails": lambda ws: ws.entries.trails(),
    "used": lambda ws: ws.entries.usage(),
    "check": lambda ws: ws.check.run().problems.parts,
    "catalog": lambda ws: ws.catalog.check(),
    "metrics": lambda ws: ws.index.metrics(),
    "trend": lambda ws: ws.index.trend(),
    "overview": lambda ws: _without(ws.index.overview(), "index", "watch"),
}


def _without(answer: object, *names: str) -> object:
    """An answer but for what differs between two builds of the same pages."""
    if hasattr(answer, "_asdict"):
        return {name: each for name, each in answer._asdict().items() if name not in names}
    return answer


class _Steps:
    """Counts what this process does below a folder, and acts once before the n-th step."""

    def __init__(self) -> None:
        self._folder, self._left = "", 0
        self._act: Callable[[], bool] = bool
        sys.addaudithook(self._heard)  # there is no way to take it away again

    def _heard(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._left and event in _EVENTS and self._folder in str(arguments[0]):
            self._left -= 1
            if not self._left and not self._act():
                self._left = 1  # not now: before the next step

    def act_before(self, number: int, folder: Path, act: Callable[[], bool]) -> None:
        self._folder, self._act, self._left = str(folder), act, number

    def end(self) -> bool:
        """Act no more; tells whether the last act took place."""
        left, self._left = self._left, 0
        return not left


@pytest.fixture(scope="module")
def steps() -> _Steps:
    return _Steps()


@pytest.fixture
def space(root: Path, write_blocks, later) -> Path:
    write_blocks(_PAGES)
    (root / "memwiki.toml").write_text("[catalog]\nenabled = true\n", encoding="utf-8")
    with Workspace.open(root, find=False, clock=later) as ws:
        ws.sync()
        ws.catalog.update()
        ws.sync()
    return root


def _swapped(reader: Workspace, later: Callable[[], int]) -> bool:
    """Another process builds the index anew, unless the reader holds the lock."""
    if reader.live.is_writing:
        return False
    with Workspace.open(reader.root, find=False, clock=later) as other:
        other.index.reindex()
    return True


@pytest.mark.parametrize("verb", list(_VERBS))
def test_a_swap_between_any_two_steps_changes_no_answer(space, cache, steps, later, verb):
    with Workspace.open(space, find=False, clock=later) as ws:
        healthy = _VERBS[verb](ws)
    for is_warm in (False, True):  # in a new process, and in an open one
        swap_at_each_step(space, cache, steps, later, verb, healthy, is_warm=is_warm)


def swap_at_each_step(space, cache, steps, later, verb, healthy, *, is_warm):
    ask = _VERBS[verb]
    stride = 1 if verb == "status" else 13  # of the others a sample: each step costs a build
    # An open process takes few steps, but for what it looks at again.
    first = 1 if is_warm else crc32(verb.encode()) % min(stride, 9) + 1
    number, done, acted = first - stride, True, 0
    while done:
        number += stride
        with Workspace.open(space, find=False, clock=later) as ws:
            if is_warm:
                ask(ws)
            steps.act_before(number, cache, partial(_swapped, ws, later))
            answer = ask(ws)
            done = steps.end()
            acted += done
            assert answer == healthy, (is_warm, number)
            assert ws.live.warnings == [], number
            assert ws.live.cache_folder is not None
        assert len(list(cache.glob("*/build-*"))) == 1, number
    assert acted


@pytest.mark.parametrize("verb", list(_VERBS))
def test_no_reader_makes_a_build_that_is_gone(space, cache, later, verb):
    with Workspace.open(space, find=False, clock=later, sync=False) as ws:
        ws.index.status()
        (build,) = cache.glob("*/build-*")
        build.rename(space.parent / "elsewhere")
        for _ in range(2):
            with suppress(MemwikiError):
                _VERBS[verb](ws)
            assert not build.exists()


def test_an_empty_folder_in_the_place_of_a_build_is_no_empty_index(space, cache, later):
    with Workspace.open(space, find=False, clock=later, sync=False) as ws:
        (build,) = cache.glob("*/build-*")
        for name in ("cards.sqlite", "keyword"):
            (build / name).rename(space.parent / name)
        with pytest.raises(IndexDamagedError):
            ws.search("heron")
        assert not (build / "cards.sqlite").exists()
        assert not (build / "keyword").exists()


def test_a_reader_beside_the_first_writer_sees_nothing_and_makes_nothing(space, cache, later):
    with Workspace.open(space, find=False, clock=later) as ws:
        live = ws.live
        shutil.rmtree(live.cache_folder.path)
        live.cache_folder.make()
        live.cache_folder.adopt(live.cache_folder.new_build(live._settings_digest))
        (build,) = cache.glob("*/build-*")
        before = sorted(build.iterdir())
        with Workspace.open(space, find=False, clock=later, sync=False) as reader:
            answer = reader.search("heron")
            assert (answer.total, answer.fresh) == (0, False)
            assert sorted(build.iterdir()) == before
            ws.sync()
            assert reader.search("heron").total == 3


@pytest.mark.parametrize("is_change", [False, True], ids=["nothing else to do", "a change"])
def test_what_a_killed_reindex_left_is_removed_by_the_next_sync(space, later, is_change):
    with Workspace.open(space, find=False, clock=later) as ws:
        folder = ws.live.cache_folder
        half = folder.new_build(ws.live._settings_digest)
        folder.begin(half)
        if is_change:
            (space / "wiki" / "new.md").write_text("egret\n", encoding="utf-8")
        live = folder.last()
        ws.sync()
        assert not half.exists()
        assert folder.last() == live
        assert not (folder.path / "next").exists()


def test_a_sync_leaves_a_build_alone_that_somebody_is_making(space, later):
    with Workspace.open(space, find=False, clock=later) as ws:
        folder = ws.live.cache_folder
        half = folder.new_build(ws.live._settings_digest)
        folder.begin(half)
        with Lock(folder.lock):
            assert ws.sync().fresh
        assert half.exists()
