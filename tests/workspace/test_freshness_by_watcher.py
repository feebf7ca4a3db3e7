"""Readings that leave the look at the files to a watcher: real files, real events, real
processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from datetime import datetime

import pytest

from memwiki.clock import now_ns
from memwiki.index import cache_files
from memwiki.index.cache_files import Beat, Cookies, Heartbeat
from memwiki.sync import sweeps
from memwiki.sync.context import Context
from memwiki.sync.sweeps import is_known_now, known_until
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify")


def fresh(space, query="heron"):
    """An answer that is fresh, once there is one."""

    def ask():
        answer = space.search(query)
        return answer if answer.fresh and answer.hits else None

    return until(ask)


@pytest.mark.parametrize("is_polling", [False, True], ids=["events", "polling"])
def test_an_edit_that_the_watcher_took_in_is_in_a_fresh_answer(opened, root, is_polling):
    """
    --- a.md ---
    heron
    """
    reader = opened(sync=False)
    with opened().watch(poll=is_polling):
        assert fresh(reader).total == 1
        before = now_ns()
        (root / "b.md").write_text("heron and stork\n")
        answer = fresh(reader, "stork")
        assert [hit.path for hit in answer.hits] == ["b.md"]
        moment = datetime.fromisoformat(answer.as_of).timestamp() * 1e9
        assert before - 1e9 <= moment <= now_ns()  # as_of is in whole seconds
    assert reader.search("heron").as_of == ""


def test_what_is_heard_and_not_looked_at_is_not_fresh(opened, root):
    """
    --- a.md ---
    heron
    """
    reader = opened(sync=False)
    (root / ".git").mkdir()
    with opened().watch():
        fresh(reader)
        (root / ".git/index.lock").touch()
        (root / "b.md").write_text("heron\n")
        until(lambda: not reader.search("heron").fresh)
        answer = reader.search("heron")
        assert (answer.fresh, answer.pending, answer.as_of) == (False, None, "")
        (root / ".git/index.lock").unlink()
        assert fresh(reader).total == 2


def test_a_killed_watcher_makes_nothing_fresh(opened, root):
    """
    --- a.md ---
    heron
    """
    reader = opened(sync=False)
    command = [sys.executable, "-m", "memwiki", "-C", str(root), "watch", "-q"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as watcher:
        fresh(reader)
        os.kill(watcher.pid, signal.SIGKILL)
        watcher.wait(PATIENCE_S)
    assert known_until(reader.live) == 0
    assert not reader.search("heron").fresh


def test_what_is_not_private_is_kept_up_to_date_once_somebody_asked_for_it(opened, root):
    """
    --- a.md ---
    ---
    private: true
    ---
    heron
    --- b.md ---
    heron and stork
    """
    assert opened().recall("heron", record=False).fresh
    reader = opened(sync=False)

    def answer():
        found = reader.recall("stork", record=False)
        return found if found.fresh and len(found.hits) == 2 else None

    with opened().watch():
        (root / "c.md").write_text("A stork in c\n")
        found = until(answer)
    assert sorted(hit.path for hit in found.hits) == ["b.md", "c.md"]
    assert found.as_of


@pytest.fixture
def patient(monkeypatch):
    """A reader who never gives a busy watcher up, to look himself."""
    for place in (sweeps, cache_files):
        monkeypatch.setattr(place, "_MAX_WAIT_S", PATIENCE_S)


def until_fresh(ask):
    """The first answer that claims to be fresh: on a busy machine the watcher may hold the index
    for longer than a reader waits, who then says that his answer may be behind."""
    (answer,) = until(lambda: [each for each in [ask()] if each.fresh])
    return answer


def test_who_asks_the_watcher_never_misses_a_change_made_before_the_question(opened, root):
    """
    --- a.md ---
    heron
    """
    with opened().watch():
        reader = opened()
        reader.live.asks_watcher = True
        until(lambda: is_known_now(reader.live))
        for number in range(30):
            (root / "a.md").write_text(f"heron stork{number}\n")
            answer = until_fresh(lambda word=f"stork{number}": reader.search(word))
            assert (answer.total, answer.as_of) == (1, "")
            (root / f"{number}.md").write_text("heron\n")
            assert until_fresh(reader.pages.list).total == number + 2
        assert not list(Cookies(reader.live.cache_folder.whole).folder.iterdir())


def test_a_reader_that_asks_the_watcher_looks_at_no_file(opened, root, monkeypatch, patient):
    """
    --- a.md ---
    heron
    """
    with opened().watch():
        reader = opened()
        reader.live.asks_watcher = True
        until(lambda: is_known_now(reader.live))
        monkeypatch.setattr(Context, "walk", lambda _: pytest.fail("it walked"))
        assert reader.search("heron").fresh
        assert reader.recall("heron", record=False).fresh


def test_who_asks_while_the_watcher_looks_at_an_edit_waits_for_it(
    opened, root, monkeypatch, patient
):
    """
    --- a.md ---
    heron
    """
    with opened().watch():
        reader = opened()
        reader.live.asks_watcher = True
        heartbeat = Heartbeat(reader.live.cache_folder.whole)
        until(lambda: (beat := heartbeat.last()) and beat.last_scan and beat.known)
        monkeypatch.setattr(reader.live, "_walk", lambda: pytest.fail("it walked"))
        for number in range(5):
            (root / "a.md").write_text(f"heron stork{number}\n")
            until(lambda: not known_until(reader.live))  # it has heard of that
            assert reader.search(f"stork{number}").total == 1


def test_who_awaits_a_watcher_looks_at_no_file_before_it_has_come(opened, root, monkeypatch):
    """
    --- a.md ---
    heron
    """
    opened().sync()
    reader = opened()
    reader.index.ask_watcher(is_coming=True)
    (root / "b.md").write_text("heron\n")
    with monkeypatch.context() as patch:
        patch.setattr(Context, "walk", lambda _: pytest.fail("it walked"))
        found = reader.search("heron")
        assert (found.total, found.fresh, found.as_of) == (1, False, "")
    with opened().watch():
        assert until(lambda: (answer := reader.search("heron")).fresh and answer).total == 2
        assert not reader.index.end_awaiting()


def test_who_awaits_a_watcher_looks_where_there_is_no_index_or_it_does_not_come(
    opened, root, monkeypatch
):
    """
    --- a.md ---
    heron
    """
    reader = opened()
    reader.index.ask_watcher(is_coming=True)
    assert reader.search("heron").fresh
    (root / "b.md").write_text("heron\n")
    assert not reader.search("heron").fresh
    assert reader.index.end_awaiting()
    assert reader.search("heron").total == 2
    (root / "c.md").write_text("heron\n")
    monkeypatch.setattr("memwiki.workspace.index._COMING_S", 0.001)
    reader.index.ask_watcher(is_coming=True)
    assert until(lambda: reader.search("heron").fresh)


def test_what_a_killed_watcher_knew_is_not_what_the_next_one_knows(opened, root):
    """
    --- a.md ---
    heron
    """
    space = opened()
    space.sync()
    heartbeat = Heartbeat(space.live.cache_folder.whole)
    now = now_ns()
    heartbeat.give(Beat(1, now, now, 0, "watching", "", now, (space.live.build_name,)))
    watching = opened().watch()
    watching._take_lock()
    assert heartbeat.has_watcher()
    assert known_until(space.live) == 0
    watching._give_back()


@pytest.mark.parametrize("is_polling", [False, True], ids=["no watcher", "polling"])
def test_where_nobody_hears_it_looks_for_itself(opened, root, is_polling):
    """
    --- a.md ---
    heron
    """
    reader = opened()
    reader.live.asks_watcher = True
    with opened().watch(poll=True) if is_polling else nullcontext():
        (root / "b.md").write_text("heron\n")
        assert reader.search("heron").total == 2
        assert not is_known_now(reader.live)
    assert not Cookies(reader.live.cache_folder.whole).folder.exists()


def test_what_nobody_looked_at_is_not_fresh_whoever_asks(opened, root):
    """
    --- a.md ---
    heron
    """
    opened().sync()
    reader = opened()
    reader.index.ask_watcher(is_coming=True)
    (root / "b.md").write_text("heron\n")
    assert not reader.live.reader_sync().fresh
