"""The lines of `memwiki watch`, and the watcher in a status."""

from __future__ import annotations

import pytest

from memwiki.answers.watch import WatcherInfo, WatcherState, WatchEvent, WatchEventKind
from memwiki.present import Look, as_text
from memwiki.present.watch import watcher_text

AT = "2026-11-21T10:02:19Z"


def text(**named):
    return as_text(WatchEvent(AT, named.pop("event", WatchEventKind.CHANGED), **named), Look())


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({"added": ("a.md",), "seconds": 0.012}, "+ a.md  (12 ms)"),
        ({"added": ("b.md",), "removed": ("a.md",)}, "+ b.md  - a.md  (0 ms)"),
        ({"modified": ("1", "2", "3", "4"), "removed": ("5",)}, "~ 4 pages  - 1 page  (0 ms)"),
        ({"modified": ("a\x1b[2J.md",)}, "~ a\\x1b[2J.md  (0 ms)"),
        (
            {"modified": ("a.md",), "fresh": False, "reason": "b.md cannot be read"},
            "~ a.md  (0 ms)  not fresh: b.md cannot be read",
        ),
        ({"event": WatchEventKind.STARTED}, "started"),
        ({"event": WatchEventKind.PAUSED, "reason": "git is at work"}, "paused: git is at work"),
    ],
)
def test_an_event_is_one_line(named, expected):
    assert text(**named) == f"10:02:19  {expected}"


def test_the_watcher_of_a_status_is_one_line():
    assert watcher_text(WatcherInfo()).startswith("none")
    info = WatcherInfo(WatcherState.BLOCKED, 7, AT, 31.4, AT, "not responding for 31 s")
    line = watcher_text(info)
    for part in (
        "blocked",
        "not responding for 31 s",
        "process 7",
        "31 seconds ago",
        f"up to date at {AT}",
    ):
        assert part in line
