"""What a reading without a look at the files says of being fresh, by what a watcher left."""

from __future__ import annotations

import os

import pytest

from memwiki.clock import iso_of
from memwiki.index.cache_files import Beat, Heartbeat, write_sealed
from memwiki.sync.sweeps import MAX_SILENCE_S

NOW = 1_790_000_000 * 10**9
SECOND = 10**9


@pytest.fixture
def heartbeat(ws):
    """
    The signs of life of a watcher, whose lock is held.
    """
    ws.sync()
    found = Heartbeat(ws.live.cache_folder.whole)
    assert found.lock.acquire(0)
    yield found
    found.lock.release()


@pytest.fixture
def asked(ws, opened, heartbeat):
    """What a search says, without a look at the files, beside a watcher that said something."""

    def ask(known=NOW - SECOND, *, builds=None, space=None):
        build = ws.live.build_name if builds is None else builds
        heartbeat.give(Beat(os.getpid(), NOW, NOW, 0, "watching", "", known, (build,)))
        space = space or opened(sync=False, clock=lambda: NOW)
        answer = space.search("heron")
        assert answer.total == 1
        return answer.fresh, answer.pending, answer.as_of

    return ask


UNKNOWN = (False, None, "")


def test_a_watcher_that_knows_makes_a_reading_fresh_as_of_its_moment(asked):
    """
    --- a.md ---
    heron
    """
    assert asked() == (True, 0, iso_of(NOW - SECOND))


@pytest.mark.parametrize(
    "known",
    [0, NOW - MAX_SILENCE_S * SECOND, NOW + SECOND],
    ids=["something is pending", "too long ago", "the clock was set back"],
)
def test_what_is_not_known_now_is_not_fresh(asked, known):
    """
    --- a.md ---
    heron
    """
    assert asked(known) == UNKNOWN


def test_a_watcher_of_another_build_says_nothing_about_this_one(asked):
    """
    --- a.md ---
    heron
    """
    assert asked(builds="build-000000000000") == UNKNOWN


def test_a_killed_watcher_knows_nothing(asked, heartbeat):
    """
    --- a.md ---
    heron
    """
    heartbeat.lock.release()
    assert asked() == UNKNOWN


def test_who_asks_whether_a_watcher_is_there_is_not_taken_for_one(ws):
    """
    --- a.md ---
    heron
    """
    ws.sync()
    held = Heartbeat(ws.live.cache_folder.whole)
    held.lock.acquire(0)
    held.lock.release()
    descriptor = os.open(held.lock.path, os.O_RDONLY)
    fcntl = pytest.importorskip("fcntl")
    fcntl.flock(descriptor, fcntl.LOCK_SH)  # as another one that asks
    assert not held.has_watcher()
    os.close(descriptor)


def test_while_somebody_is_between_two_stores_nothing_is_fresh(asked, ws):
    """
    --- a.md ---
    heron
    """
    with ws.live.amending() as stores:
        stores.clear_synced_tree()
    assert asked() == UNKNOWN


def test_a_heartbeat_of_another_version_is_none(ws):
    """
    --- a.md ---
    heron
    """
    ws.sync()
    heartbeat = Heartbeat(ws.live.cache_folder.whole)
    write_sealed(heartbeat._path, {"pid": 1, "since": 0, "later": True})
    assert heartbeat.last() is None
    assert ws.index.status().watcher.state == "none"


def test_a_fresh_reading_by_a_watcher_syncs_nothing(ws, asked, opened, put):
    """
    --- a.md ---
    heron
    """
    space = opened(sync=False, clock=lambda: NOW)
    put("b.md", "heron\n")
    generation = ws.live.stores().keyword.generation()
    assert asked(space=space)[0]
    assert ws.live.stores().keyword.generation() == generation


def test_recall_and_suggest_say_it_too(asked, opened):
    """
    --- a.md ---
    heron
    """
    asked()
    space = opened(sync=False, clock=lambda: NOW)
    moment = iso_of(NOW - SECOND)
    for answer in (space.recall("heron", record=False), space.suggest("a")):
        assert (answer.fresh, answer.pending, answer.as_of) == (True, 0, moment)
    assert space.index.overview().fresh
    assert opened(clock=lambda: NOW).suggest("a").as_of == moment


def test_an_answer_after_a_look_at_the_files_has_no_moment(asked, opened):
    """
    --- a.md ---
    heron
    """
    asked()
    answer = opened(clock=lambda: NOW).search("heron")
    assert (answer.fresh, answer.as_of) == (True, "")
