"""Where somebody waits, the index takes in what fits the time, and keeps it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.sync import feed
from memwiki.sync.feed import Behind, take_in
from memwiki.workspace import Workspace


class Clock:
    """Time that passes only by what is taken in: so many bytes a second."""

    def __init__(self, lacking, pace):
        self.now, self.pace, self.costs = 0.0, pace, dict(zip(lacking.paths, lacking.bytes))
        self.taken = []

    def take(self, paths):
        self.taken += paths
        self.now += sum(self.costs[path] for path in paths) / self.pace

    def __call__(self):
        return self.now


@given(st.lists(st.integers(1, 10**8)), st.integers(10**4, 10**8), st.floats(0, 100))
def test_portions_are_taken_in_order_and_end_about_when_they_should(sizes, pace, seconds):
    lacking = Behind([f"{n:05}" for n in range(len(sizes))], sorted(sizes))
    clock = Clock(lacking, pace)
    left = take_in(lacking, seconds, clock.take, clock)
    assert clock.taken == list(lacking.paths[: len(sizes) - left])
    if pace >= 10**6:  # else the first portion shows that less fits than was thought
        assert clock.now <= seconds


@pytest.fixture
def space(root, put, opened):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\n')
    for n in range(8):
        put(f"wiki/{n}.md", f"# Page {n}\n\nabout heat pumps\n")
    ws = opened()
    ws.sync()
    return ws


def asked(space, seconds, question):
    with Workspace.open(space.root, find=False, environ=space.environ) as ws:
        ws.index.sweep_for(seconds)
        return ws.recall(question) if question else ws.prompt()


def test_an_answer_without_time_says_that_it_is_behind(space, put):
    put("wiki/new.md", "# New\n\nzebra\n")
    answer = asked(space, 0, "zebra")
    assert (answer.fresh, answer.pending, answer.hits) == (False, None, ())
    assert not asked(space, 0, "").fresh
    assert space.recall("zebra").hits


def test_with_time_it_is_up_to_date_and_starts_no_process(space, put, monkeypatch):
    monkeypatch.setattr(feed, "_MANY", 1)
    monkeypatch.setattr("memwiki.sync.workers.in_workers", None)
    put("wiki/new.md", "# New\n\nzebra\n")
    (space.root / "wiki/0.md").unlink()
    answer = asked(space, 60, "zebra")
    assert answer.fresh and answer.hits
    assert space.index.status().pending == 0


def test_what_was_taken_in_is_kept_though_not_all_was(space, put, monkeypatch):
    for n in range(8):
        put(f"wiki/{n}.md", f"# Page {n}\n\nnow about zebras\n")

    def first_two(lacking, until, take):
        take(lacking.paths[:2])
        return len(lacking.paths) - 2

    monkeypatch.setattr("memwiki.sync.feed.take_in", first_two)
    for left in (6, 4, 2):
        assert not asked(space, 1, "zebras").fresh
        assert space.index.status().pending == left


def test_pages_that_vanished_at_once_are_not_taken_for_deleted(space, put):
    for n in range(8, 120):
        put(f"wiki/{n}.md", f"# Page {n}\n")
    space.sync()
    for n in range(5, 120):
        (space.root / f"wiki/{n}.md").unlink()
    assert not asked(space, 60, "page").fresh
    assert space.index.status().pages == 120


def test_no_index_is_built_in_a_hurry(root, put, tmp_path):
    put("memory.md", "- Anna likes tea.\n")
    ws = Workspace.open(root, find=False, environ={"MEMWIKI_CACHE_DIR": str(tmp_path / "cache")})
    ws.index.sweep_for(60)
    assert not ws.recall("tea").fresh
    assert not ws.index.is_built()
