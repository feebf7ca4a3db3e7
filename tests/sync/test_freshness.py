"""What an answer says about being fresh, and what happens while somebody else writes the index."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from operator import attrgetter

import pytest

from memwiki.errors import LockedError
from memwiki.files.lock import Lock
from memwiki.index.cards.store import Cards
from memwiki.sync import builds
from memwiki.sync import live as live_index
from tests.waiting import PATIENCE_S


@pytest.fixture
def busy(ws):
    """Another process holds the index."""
    ws.sync()
    lock = Lock(ws.live.cache_folder.lock)
    assert lock.acquire(0)
    yield lock
    lock.release()


def test_an_answer_in_step_is_fresh(ws):
    """
    --- a.md ---
    heron
    """
    answer = ws.search("heron")
    assert (answer.fresh, answer.pending, answer.reason) == (True, 0, "")
    for other in (
        ws.pages.list(),
        ws.graph.tags(),
        ws.graph.ranked(),
        ws.graph.links("a"),
        ws.graph.unresolved(),
    ):
        assert other.fresh


def test_without_sync_nothing_is_said_to_be_fresh_and_pending_is_unknown(ws, opened, put):
    """
    --- a.md ---
    heron
    """
    ws.sync()
    put("b.md", "heron\n")
    quick = opened(sync=False)
    answer = quick.search("heron")
    assert (answer.fresh, answer.pending, answer.total) == (False, None, 1)
    assert not quick.pages.list().fresh
    assert quick.pages.get("a").text == "heron\n"


def test_without_sync_and_without_an_index_there_is_an_answer(opened):
    """
    --- a.md ---
    heron
    """
    quick = opened(sync=False)
    assert quick.search("heron").total == 0
    assert quick.pages.list().total == 0
    assert not quick.live.cache_folder.path.exists()


def test_a_reader_does_not_wait_long_for_a_writer(ws, busy, put):
    """
    --- a.md ---
    heron
    """
    put("b.md", "heron\n")
    answer = ws.search("heron")
    assert (answer.fresh, answer.pending) == (False, 1)
    assert "another process" in answer.reason
    assert [hit.path for hit in answer.hits] == ["a.md"]
    busy.release()
    assert ws.search("heron").total == 2


def test_a_reader_that_has_nothing_to_sync_needs_no_lock(settled, put):
    """
    --- a.md ---
    heron
    """
    with Lock(settled.live.cache_folder.lock):
        assert settled.search("heron").fresh


def test_a_writer_that_waits_in_vain_says_who_is_in_the_way(ws, busy, put, monkeypatch):
    """
    --- a.md ---
    heron
    """
    monkeypatch.setattr(builds, "_WRITER_WAIT_MS", 1)
    put("b.md", "heron\n")
    with pytest.raises(LockedError, match="another process"):
        ws.sync()
    with pytest.raises(LockedError):
        ws.index.reindex()


def test_a_search_between_the_two_commits_of_a_writer_answers_and_rebuilds_nothing(
    ws, opened, put, monkeypatch, place_of, assert_in_step
):
    """
    --- a.md ---
    heron
    """
    ws.sync()
    before, answers = place_of(ws), []
    reader = opened()
    real = Cards.apply

    def search_first(self, *arguments):
        # The postings hold b.md by now, the cards do not, and the writer has the lock.
        reading = threading.Thread(
            target=lambda: (answers.append(reader.search("heron")), reader.close())
        )
        reading.start()
        reading.join()
        real(self, *arguments)

    put("b.md", "heron\n")
    with monkeypatch.context() as patch:
        patch.setattr(Cards, "apply", search_first)
        ws.sync()
    (answer,) = answers
    assert [hit.path for hit in answer.hits] == ["a.md"]
    assert not answer.fresh
    assert place_of(ws) == before
    assert reader.live.warnings == []
    assert_in_step(ws)


def test_a_writer_that_dies_between_its_two_commits_costs_no_rebuild(
    settled, opened, later, put, monkeypatch, place_of, assert_in_step
):
    """
    --- a.md ---
    heron
    """
    before = place_of(settled)
    put("b.md", "heron\n")

    class Crash(BaseException):
        pass

    def die(*_: object) -> None:
        raise Crash

    with monkeypatch.context() as patch:
        patch.setattr(Cards, "apply", die)
        with pytest.raises(Crash):
            settled.sync()
    other = opened(clock=later)
    assert other.search("heron").total == 2
    assert place_of(other) == before
    assert other.live.warnings == []
    assert_in_step(other)


@pytest.fixture
def on_wait(monkeypatch):
    """Call this when somebody has waited as long as a reader does and goes on waiting."""
    real, heard = builds.acquire_lock, []

    def acquired(mine, wait_ms):
        if wait_ms > builds.READER_WAIT_MS:
            while heard:
                heard.pop()()
        return real(mine, wait_ms)

    monkeypatch.setattr(builds, "acquire_lock", acquired)
    return heard.append


def test_the_very_first_index_is_waited_for(ws, root, on_wait):
    """
    --- a.md ---
    heron
    """
    ws.live.cache_folder.make()
    other, waits = Lock(ws.live.cache_folder.lock), []
    assert other.acquire(0)
    on_wait(lambda: (waits.append("begun"), other.release()))
    assert ws.search("heron").total == 1
    assert waits == ["begun"]


def test_a_first_index_that_is_under_way_is_waited_for_too(ws, opened, monkeypatch, on_wait):
    """
    --- a.md ---
    heron
    """
    reader, totals, is_waiting = opened(), [], threading.Event()

    def ask() -> None:
        totals.append(reader.search("heron").total)
        reader.close()

    asking = threading.Thread(target=ask)
    real = Cards.apply

    def let_another_ask(self, *arguments):
        on_wait(is_waiting.set)
        asking.start()
        assert is_waiting.wait(PATIENCE_S)
        real(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Cards, "apply", let_another_ask)
        ws.sync()
    asking.join()
    assert totals == [1]


def test_status_looks_and_does_not_sync(ws, put):
    """
    --- a.md ---
    heron
    """
    status = ws.index.status()
    assert (status.pages, status.on_disk, status.pending, status.fresh) == (0, 1, 1, False)
    ws.sync()
    status = ws.index.status()
    assert (status.pages, status.on_disk, status.pending, status.fresh) == (1, 1, 0, True)
    put("b.md", "heron\n")
    put("a.md", "stork\n")
    status = ws.index.status()
    assert (status.pages, status.on_disk, status.pending) == (1, 2, 2)
    assert "2 changes" in status.reason
    assert ws.index.status() == status


def test_one_workspace_is_shared_by_eight_readers_and_a_writer(ws, put, assert_in_step):
    for number in range(20):
        put(f"{number}.md", f"# Page {number}\n\nheron [[{(number + 1) % 20}]] #bird\n")
    ws.sync()
    errors: list[BaseException] = []
    done = threading.Event()

    def read(turn: int) -> None:
        questions = (
            lambda: ws.search("heron").total >= 20,
            lambda: ws.pages.list().total >= 20,
            lambda: ws.pages.get("3").path == "3.md",
            lambda: bool(ws.graph.links("4", "in").links),
            lambda: bool(ws.graph.tags().tags),
        )
        try:
            while not done.is_set():
                assert questions[turn % len(questions)]()
                turn += 1
        except BaseException as error:
            errors.append(error)
        finally:
            ws.close()

    readers = [threading.Thread(target=read, args=(n,)) for n in range(8)]
    for reader in readers:
        reader.start()
    try:
        for turn in range(15):
            put(f"new{turn}.md", f"# New {turn}\n\nheron [[4]]\n")
            # Saved whole: a page that is read half-written is read rightly, but has no links.
            put("3.tmp", f"# Page 3\n\nheron [[4]] turn {turn} #bird\n")
            (ws.root / "3.tmp").replace(ws.root / "3.md")
            ws.sync()
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert errors == []
    assert ws.search("heron", limit=50).total == 35
    assert ws.live.warnings == []
    assert_in_step(ws)


def test_two_processes_that_sync_at_once_agree(ws, put, root, assert_in_step):
    from pathlib import Path

    for number in range(30):
        put(f"{number}.md", f"# Page {number}\n\nheron\n")
    command = [sys.executable, "-m", "memwiki", "-C", str(root), "--json", "search", "heron"]
    both = [
        subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    outputs = [each.communicate(timeout=PATIENCE_S)[0] for each in both]
    assert [json.loads(out)["total"] for out in outputs] == [30, 30, 30]
    assert_in_step(ws)


@pytest.mark.parametrize("ask", ["index.status", "graph.tags", "pages.list"])
def test_an_index_replaced_in_the_middle_of_an_answer_is_no_damage(put, opened, monkeypatch, ask):
    put("a.md", "# A\n")
    reader, other = opened(sync=False), opened()
    replaced: list[int] = []

    def meanwhile(live):
        stores = opening(live)
        if not replaced:
            replaced.append(1)
            other.sync()
            opening(live)  # what any second look at the live build does
        return stores

    opening = live_index.LiveIndex.stores
    monkeypatch.setattr(reader.live, "stores", lambda: meanwhile(reader.live))
    attrgetter(ask)(reader)()
    assert replaced
    assert not reader.take_warnings()
