"""Questions asked at the same moment share a sweep that begins after they came."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable

import pytest

from memwiki.files.scan import Scan
from memwiki.sync.context import Context
from memwiki.sync.sweeps import SharedSweep
from tests.waiting import PATIENCE_S

MANY = 32


class Crowd:
    """Threads that ask, and what each was given."""

    def __init__(self) -> None:
        self.given: list[object] = []
        self.threads: list[threading.Thread] = []

    def ask(self, question: Callable[[], object]) -> None:
        def work() -> None:
            try:
                self.given.append(question())
            except BaseException as error:
                self.given.append(error)

        self.threads.append(threading.Thread(target=work, daemon=True))
        self.threads[-1].start()

    def gone(self) -> list[object]:
        """What all were given, when they are done."""
        for each in self.threads:
            each.join(PATIENCE_S)
            assert not each.is_alive()
        return self.given


class Work:
    """Counts its runs, and waits in each until it is let go."""

    def __init__(self) -> None:
        self.runs = 0
        self.begun, self.may_end = threading.Semaphore(0), threading.Semaphore(0)

    def __call__(self) -> int:
        self.runs += 1
        run = self.runs
        self.begun.release()
        assert self.may_end.acquire(timeout=PATIENCE_S)
        return run


def wait_for(sweep: SharedSweep, count: int) -> None:
    """Until so many threads wait for the next run."""
    waiters = sweep._changed._waiters
    while len(waiters) < count:
        threading.Event().wait(0.001)


@pytest.fixture
def crowd() -> Crowd:
    return Crowd()


def test_who_comes_during_a_sweep_shares_the_next_one(crowd):
    sweep, work = SharedSweep(), Work()
    crowd.ask(lambda: sweep.join(work))
    work.begun.acquire()
    for _ in range(MANY - 1):
        crowd.ask(lambda: sweep.join(work))
    wait_for(sweep, MANY - 1)
    work.may_end.release(2)
    assert sorted(crowd.gone()) == [1] + [2] * (MANY - 1)
    work.may_end.release()
    assert sweep.join(work) == 3  # nobody is answered from a sweep of before


def test_32_questions_at_once_cost_two_sweeps(ws, put, crowd, monkeypatch):
    """
    --- a.md ---
    heron
    """
    ws.search("heron")
    put("b.md", "heron\n")
    walk, gate = Context.walk, Work()

    def slow(context: Context) -> Scan:
        gate()
        return walk(context)

    monkeypatch.setattr(Context, "walk", slow)

    def question() -> tuple[int, bool]:
        answer = ws.by("someone").search("heron")
        ws.close()
        return answer.total, answer.fresh

    crowd.ask(question)
    gate.begun.acquire()
    for _ in range(MANY - 1):
        crowd.ask(question)
    wait_for(ws.live._shared.sweeps, MANY - 1)
    put("c.md", "heron\n")  # before the second sweep, and after the first was asked for
    gate.may_end.release(2)
    first, *others = sorted(crowd.gone())
    assert (first[0] in (2, 3), others) == (True, [(3, True)] * (MANY - 1))
    assert gate.runs == 2


def test_an_edit_made_before_a_question_is_always_seen(ws, put, crowd):
    ws.sync()

    def question(name: str) -> list[str]:
        try:
            found = []
            for number in range(4):
                word = f"{name}x{number}"
                put(f"{name}.md", f"{word}\n" + "pad " * number)
                found += [hit.path for hit in ws.search(word).hits]
            return found
        finally:
            ws.close()

    names = [f"heron{n}" for n in range(8)]
    for name in names:
        crowd.ask(lambda name=name: question(name))
    assert sorted(crowd.gone()) == [[f"{name}.md"] * 4 for name in names]


def test_what_a_sweep_raises_reaches_all_who_wait_for_it(crowd):
    sweep, work = SharedSweep(), Work()

    def failing() -> int:
        raise ValueError(work())

    crowd.ask(lambda: sweep.join(work))
    work.begun.acquire()
    for _ in range(5):
        crowd.ask(lambda: sweep.join(failing))
    wait_for(sweep, 5)
    work.may_end.release(2)
    given = crowd.gone()
    assert [given[0], *map(str, given[1:])] == [1, *["2"] * 5]
    work.may_end.release()
    assert sweep.join(work) == 3


def test_another_one_sweeps_when_the_one_who_did_is_interrupted(crowd):
    sweep, work, calls = SharedSweep(), Work(), []

    def interrupted() -> int:
        calls.append(work())
        if len(calls) == 2:
            raise KeyboardInterrupt
        return calls[-1]

    for count in range(4):
        crowd.ask(lambda: sweep.join(interrupted))
        if not count:
            work.begun.acquire()
    wait_for(sweep, 3)
    work.may_end.release(3)
    given = crowd.gone()
    assert sum(isinstance(each, KeyboardInterrupt) for each in given) == 1
    assert sorted(each for each in given if isinstance(each, int)) == [1, 3, 3]


def test_who_holds_the_index_waits_for_no_sweep_that_waits_for_him(ws, put, crowd, monkeypatch):
    """
    --- a.md ---
    heron
    """
    ws.live.go_on_in_memory("full")
    walk, begun = Context.walk, threading.Event()

    def seen(context: Context) -> Scan:
        begun.set()
        return walk(context)

    monkeypatch.setattr(Context, "walk", seen)
    with ws.live.opened():
        put("b.md", "heron\n")
        crowd.ask(lambda: ws.search("heron").total)
        assert begun.wait(PATIENCE_S)
        assert ws.search("heron").total == 2
    assert crowd.gone() == [2]


def test_an_error_is_gone_when_nobody_has_it(crowd):
    sweep, gc_was_on = SharedSweep(), gc.isenabled()
    gc.disable()

    class NamedError(Exception):
        pass

    def failing() -> int:
        raise NamedError

    try:
        with pytest.raises(NamedError) as caught:
            sweep.join(failing)
        kept = weakref.ref(caught.value)
        del caught
        assert kept() is None
    finally:
        if gc_was_on:
            gc.enable()
