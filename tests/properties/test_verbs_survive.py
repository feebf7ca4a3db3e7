"""Every verb, killed at any moment and on a disk that fails at any moment: whole files, a free
lock, an index that follows, and a way back."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator

import pytest
from properties.houses import House, Verb

from memwiki.change.record import stack_of
from memwiki.errors import MemwikiError
from memwiki.workspace import Workspace
from tests.effort import IS_WIDE, each_in_turn

CALLS = (
    "write",
    "pwrite",
    "fsync",
    "replace",
    "rename",
    "unlink",
    "mkdir",
    "ftruncate",
    "truncate",
)
VERBS: dict[str, Verb] = {
    "undo": lambda ws: ws.undo(),
    "set": lambda ws: ws.pages.set("Sleep", {"status": "draft", "tags": ["health", "rest"]}),
    "new": lambda ws: ws.pages.new("Night", type="concept", tags=["rest"]),
    "today": lambda ws: ws.pages.today("Slept well."),
    "link": lambda ws: ws.pages.link("Sleep", "Dream", relation="contains"),
    "unlink": lambda ws: ws.pages.unlink("Sleep", "Dream", relation="holds"),
    "move": lambda ws: ws.pages.move("Sleep", "wiki/rest/night.md", keep_alias=True),
    "move folder": lambda ws: ws.pages.move("wiki", "book"),
    "delete": lambda ws: ws.pages.delete("Dream"),
    "delete --hard": lambda ws: ws.pages.delete("Dream", hard=True),
    "catalog": lambda ws: ws.catalog.update(),
    "append": lambda ws: ws.pages.append("Sleep", "- two", section="Notes"),
    "replace": lambda ws: ws.pages.replace("Dream", "Something else.", section="What"),
    "replace all": lambda ws: ws.pages.replace("Dream", "# Dream\n\nSomething else."),
    "add": lambda ws: ws.entries.add_all(
        [{"text": "Tea helps.", "tags": ["rest"]}, {"text": "Read less.", "type": "lesson"}]
    ),
    "entry supersede": lambda ws: ws.entries.supersede("m-abc123", "The colour is red."),
    "entry move": lambda ws: ws.entries.move("m-abc123", "wiki/colours.md"),
    "entry relate": lambda ws: ws.entries.relate("m-abc123", "memory.md:5", "because"),
    "entry delete": lambda ws: ws.entries.delete("m-abc123"),
    "tag add": lambda ws: ws.pages.tag_add("Sleep", ["rest"]),
    "tag remove": lambda ws: ws.pages.tag_remove("Sleep", ["health"]),
    "tag rename": lambda ws: ws.pages.tag_rename("health", "well"),
    "tag merge": lambda ws: ws.pages.tag_merge("health", "design"),
    "check --fix": lambda ws: ws.check.fix(ws.check.run()),
    "entry add": lambda ws: ws.entries.add("Lives in Oslo.", tags=["home"]),
    "entry update": lambda ws: ws.entries.update("m-abc123", "The colour is green."),
    "entry delete --hard": lambda ws: ws.entries.delete("m-abc123", hard=True),
    "entry move to a day": lambda ws: ws.entries.move("m-abc123", "daily"),
    "retain": lambda ws: ws.upkeep.retain(),
    "upkeep": lambda ws: ws.upkeep.run(),
    "snapshot": lambda ws: ws.upkeep.snapshot(),
    "archive restore": lambda ws: ws.upkeep.restore("m-old111"),
    "archive purge": lambda ws: ws.upkeep.purge("2026-01-31"),
    "namespace purge": lambda ws: ws.namespaces.purge("work"),
    "session purge": lambda ws: ws.session("talk").purge(),
    "import": lambda ws: ws.carry.import_(ws.root.parent / "elsewhere", replace=True),
    "log add": lambda ws: ws.journal.add("ingest", "Paper", "created: [[Sleep]]"),
}

HOUSE = """
--- memwiki.toml ---
[layers]
memory = "memory.md"
daily = "daily"
wiki = "wiki"
archive = "archive"
sessions = "sessions"
namespaces = "namespaces"
log = "log.md"
[catalog]
enabled = true
[retention.daily]
policy = "ttl"
ttl_days = 30
--- daily/2020-01-01.md ---
- Rain all day.
- [ ] umbrella
--- archive/memory/2020-05.md ---
---
type: memory
---
- The sea was warm. [from:: memory.md > Facts] ^m-old111
--- namespaces/work/memory.md ---
- The office is in Kiel.
--- sessions/talk.md ---
---
type: session
started: 2026-01-02
---
### 2026-01-02T10:00:00Z user ^s-0001
Hello.
--- memory.md ---
# Memory

## Facts
- The colour is blue. #design ^m-abc123
- The night is\u200b dark.
--- wiki/sleep.md ---
---
title: Sleep
type: concept
description: What sleep is.
tags: [health]
relations:
  - {type: holds, target: Dream}
---
# Sleep

See [[Dream]] and [dreams](dream.md#what).

## Notes
- one #health
--- wiki/dream.md ---
---
title: Dream
type: concept
description: What a dream is.
---
# Dream

## What
Comes with [[sleep|Sleep]] and [[wiki/sleep#Notes]]. #health
"""


STEP = 3 if IS_WIDE else 32  # every so many moments


def moments(name: str, turn: int) -> range:
    """The calls at which a verb is struck: those of another verb or turn lie between them."""
    return range(1 + (list(VERBS).index(name) - 2 * turn) % STEP, 400, STEP)


def failures(name: str) -> Iterator[tuple[int, bool]]:
    """The moments, each with whether the disk fails from then on: in wide runs both of each."""
    for turn, k in enumerate(moments(name, 1), list(VERBS).index(name)):
        yield from ((k, stays) for stays in each_in_turn((False, True), turn))


def guard_disk(monkeypatch: pytest.MonkeyPatch, at: int, strike: Callable[[], None]) -> list[int]:
    """Strike at the k-th call that changes the disk; the list counts them."""
    calls = [0]

    def guard(real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            calls[0] += 1
            if calls[0] >= at:
                strike()
            return real(*args, **kwargs)

        return call

    for name in CALLS:
        monkeypatch.setattr(os, name, guard(getattr(os, name)))
    return calls


def assert_whole(house: House, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    """Every page is one of the two it may be, wherever the verb was stopped."""
    for path, data in house.pages().items():
        assert data in (old.get(path), new.get(path)), path


def assert_undone(house: House, ws: Workspace, old: dict[str, bytes], depth: int) -> None:
    """What the verb put on the stack leads back to what was there before it."""
    for _ in range(len(list(stack_of(house.root).newest())) - depth):
        ws.undo()
    assert house.pages() == old


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process to kill")
@pytest.mark.parametrize("name", VERBS)
def test_a_verb_killed_at_any_moment_leaves_whole_files_and_a_way_back(
    house, monkeypatch, assert_in_step, name
):
    verb = VERBS[name]
    depth = (
        0 if name in ("undo", "delete --hard", "entry delete --hard") else 1
    )  # these leave no way back
    old = house.reset()
    house.run(verb)
    new = house.pages()
    killed = 0
    for k in moments(name, 0):
        assert house.reset() == old

        def strike(k: int = k) -> None:
            guard_disk(monkeypatch, k, lambda: os._exit(9))

        code = house.run_in_a_child(verb, strike)
        assert code in (0, 9)
        assert_whole(house, old, new)
        ws = house.open()
        ws.sync()
        assert_in_step(ws)
        if depth:
            assert_undone(house, ws, old, depth)
        ws.close()
        if code == 0:
            break
        killed += 1
    assert code == 0
    assert killed


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_on_a_failing_disk_leaves_whole_files_and_says_so(
    house, monkeypatch, assert_in_step, name
):
    """It fails once or from then on: at one moment the one, at the next the other."""
    verb = VERBS[name]
    old = house.reset()
    house.run(verb)
    new = house.pages()
    struck = 0
    for k, stays in failures(name):
        assert house.reset() == old
        failed = [False]

        def fail(failed: list[bool] = failed, stays: bool = stays) -> None:
            if stays or not failed[0]:
                failed[0] = True
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        raised = False
        with monkeypatch.context() as patch:
            guard_disk(patch, k, fail)
            try:
                house.run(verb)
            except MemwikiError:
                raised = True
        assert_whole(house, old, new)
        assert raised or house.pages() == new
        ws = house.open()
        ws.sync()
        assert_in_step(ws)
        ws.close()
        if not failed[0]:
            break
        struck += 1
    assert not failed[0]
    assert struck
