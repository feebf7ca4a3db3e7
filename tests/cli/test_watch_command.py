"""`memwiki watch`: what it prints, and how it ends."""

from __future__ import annotations

import json
import signal
import time

import pytest

from memwiki.answers.index import WatchEvent, WatchEventKind
from memwiki.errors import LockedError

EVENT = WatchEvent(
    "2026-11-21T10:02:19Z", WatchEventKind.CHANGED, modified=("a.md",), seconds=0.009
)


def tells(memwiki_, *events):
    """Let the fake watcher tell of these events when it runs."""

    class Watching:
        def run(self):
            _, _, named = memwiki_.workspace.calls[-1]
            for event in events:
                named["tell"](event)

        def stop(self):
            pass

    memwiki_.answer("watch", Watching())


def test_each_change_is_a_line(memwiki_):
    tells(memwiki_, EVENT, EVENT._replace(event=WatchEventKind.STOPPED))
    assert memwiki_("watch") == 0
    assert memwiki_.out == "10:02:19  ~ a.md  (9 ms)\n10:02:19  stopped\n"


def test_with_json_each_event_is_an_object(memwiki_):
    tells(memwiki_, EVENT, EVENT)
    assert memwiki_("watch", "--json") == 0
    first, second = map(json.loads, memwiki_.out.splitlines())
    assert first == second
    assert (first["event"], first["modified"], first["fresh"]) == ("changed", ["a.md"], True)


def test_quiet_it_prints_nothing(memwiki_):
    tells(memwiki_, EVENT)
    assert memwiki_("watch", "-q") == 0
    assert memwiki_.out == ""


def test_polling_can_be_asked_for(memwiki_):
    memwiki_("watch", "--poll")
    assert memwiki_.call[2]["poll"] is True


def test_a_second_watcher_exits_1_and_names_the_first(memwiki_):
    memwiki_.answer("watch", LockedError("/ws: process 7 watches already", hint="one is enough"))
    assert memwiki_("watch") == 1
    assert memwiki_.err == "/ws: process 7 watches already\none is enough\n"


class Stubborn:
    """A watcher that runs until it is asked to stop, or for as long as it can."""

    def __init__(self, number, *, is_deaf=False):
        self.number, self.is_deaf, self.asked = number, is_deaf, False

    def run(self):
        signal.raise_signal(self.number)
        while self.is_deaf or not self.asked:
            time.sleep(0.01)

    def stop(self):
        self.asked = True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("is_deaf", [False, True], ids=["ends by itself", "is cut off"])
def test_signals_end_it_with_exit_code_0(memwiki_, number, is_deaf):
    before = signal.getsignal(number)
    memwiki_.answer("watch", Stubborn(number, is_deaf=is_deaf))
    assert memwiki_("watch") == 0
    assert memwiki_.err == ""
    assert signal.getsignal(number) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
