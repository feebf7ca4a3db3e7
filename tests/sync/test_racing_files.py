"""Files that change while a sync is under way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from memwiki.errors import UnreadableError
from memwiki.sync import request as syncing


@pytest.fixture
def before_read(monkeypatch) -> Callable[[str, int, Callable[[], None]], None]:
    """Do something just before a page is read for the n-th time."""
    real = {"digest_in": syncing.digest_in, "contents": syncing.contents}
    plans: dict[tuple[str, int], Callable[[], None]] = {}
    seen: dict[str, int] = {}

    def reading(name, root, path, *arguments):
        seen[path] = seen.get(path, 0) + 1
        plans.pop((path, seen[path]), lambda: None)()
        return real[name](root, path, *arguments)

    for room, name in ((syncing, "digest_in"), (syncing, "contents")):
        monkeypatch.setattr(room, name, partial(reading, name))
    return lambda path, time, act: plans.__setitem__((path, time), act)


def test_a_page_that_vanishes_after_the_walk_is_not_there(ws, root, before_read, assert_in_step):
    """
    --- a.md ---
    heron
    --- b.md ---
    heron
    """
    before_read("a.md", 1, (root / "a.md").unlink)
    changes = ws.sync()
    assert (changes.added, changes.failed) == (("b.md",), ())
    assert_in_step(ws)


def test_a_page_of_the_first_index_is_read_once(ws, root, put, before_read):
    put("a.md", "heron\n")
    before_read("a.md", 2, (root / "a.md").unlink)
    assert ws.sync().added == ("a.md",)
    assert (root / "a.md").exists()


def test_a_page_of_the_first_index_that_cannot_be_read_is_not_added(
    ws, before_read, assert_in_step
):
    """
    --- a.md ---
    heron
    --- b.md ---
    heron
    """

    def refuse() -> None:
        raise UnreadableError("a.md: cannot be read", path="a.md")

    before_read("a.md", 1, refuse)
    changes = ws.sync()
    assert (changes.added, changes.failed, changes.unchanged) == (("b.md",), ("a.md",), 0)
    assert ws.sync().added == ("a.md",)
    assert_in_step(ws)


def test_a_page_that_vanishes_before_it_is_parsed_is_made_up_for(
    ws, root, put, before_read, assert_in_step
):
    put("b.md", "heron\n")
    ws.sync()
    put("a.md", "heron\n")
    before_read("a.md", 2, (root / "a.md").unlink)
    assert ws.sync().failed == ("a.md",)
    assert ws.sync().failed == ()
    assert ws.search("heron").total == 1
    assert_in_step(ws)


@pytest.mark.parametrize("time", [1, 2])
def test_a_page_that_changes_while_it_is_taken_in_is_in_step_after_the_next_sync(
    ws, put, before_read, assert_in_step, time
):
    put("b.md", "heron\n")
    ws.sync()
    put("a.md", "heron\n")
    before_read("a.md", time, lambda: put("a.md", "stork\n"))
    ws.sync()
    assert ws.search("stork").total == 1
    assert_in_step(ws)


def test_a_page_that_changes_back_while_it_is_taken_in_is_in_step_too(
    settled, put, before_read, assert_in_step
):
    put("a.md", "heron\n")
    settled.sync()
    put("a.md", "stork\n")
    before_read("a.md", 3, lambda: put("a.md", "heron\n"))
    settled.sync()
    settled.sync()
    assert settled.search("heron").total == 1
    assert settled.search("stork").total == 0
    assert_in_step(settled)


def test_a_page_that_can_be_read_once_and_not_again_keeps_what_was_indexed(
    ws, put, before_read, assert_in_step
):
    def refuse() -> None:
        raise UnreadableError("a.md: cannot be read", path="a.md")

    put("a.md", "heron\n")
    ws.sync()
    put("a.md", "stork\n")
    before_read("a.md", 3, refuse)
    changes = ws.sync()
    assert changes.failed == ("a.md",)
    assert [hit.path for hit in ws.search("stork").hits] == ["a.md"]
    assert_in_step(ws)
