"""The lines of `memwiki watch`, and the watcher in a status."""

from __future__ import annotations

import time

from memwiki.answers.index import Rename, WatcherInfo, WatcherState, WatchEvent, WatchEventKind
from memwiki.present import Look, as_text
from memwiki.present.index import watcher_text
from tests.effort import for_each

AT = "2026-11-21T10:02:19Z"


def text(**named):
    return as_text(WatchEvent(AT, named.pop("event", WatchEventKind.CHANGED), **named), Look())


@for_each(
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


RENAME = {"added": ("new.md",), "removed": ("old.md",), "renamed": (Rename("old.md", "new.md"),)}


def test_a_rename_is_one_thing():
    assert text(**RENAME) == "10:02:19  old.md → new.md  (0 ms)"
    both = RENAME | {"added": ("c.md", "new.md"), "modified": ("d.md",)}
    assert text(**both) == "10:02:19  + c.md  ~ d.md  old.md → new.md  (0 ms)"
    many = tuple(Rename(f"a/{n}.md", f"b/{n}.md") for n in range(5))
    moved = {"added": [each.new for each in many], "removed": [each.old for each in many]}
    assert text(**moved, renamed=many) == "10:02:19  → 5 pages  (0 ms)"


def test_on_a_terminal_a_line_that_has_no_room_is_several():
    event = WatchEvent(AT, WatchEventKind.CHANGED, **RENAME, modified=("e" * 40 + ".md",))
    lines = as_text(event, Look(width=50)).splitlines()
    assert [each[10:] for each in lines] == [
        "~ " + "e" * 40 + ".md",
        "old.md",
        "→ new.md  (0 ms)",
    ]
    assert {each[:10].strip() for each in lines[1:]} == {""}


def test_a_line_is_filled_before_it_is_several():
    for more, count in ((0, 1), (1, 2)):
        pages = ("e" * 9 + ".md", "f" * (9 + more) + ".md")
        event = WatchEvent(AT, WatchEventKind.CHANGED, modified=pages)
        assert len(as_text(event, Look(width=50)).splitlines()) == count


def test_the_start_says_what_is_watched():
    start = {"event": WatchEventKind.STARTED, "workspace": "/a b", "pages": 1}
    assert text(**start) == "10:02:19  watching /a b, 1 page"
    shown = as_text(WatchEvent(AT, **start), Look(width=80))
    assert shown[8:] == "  watching /a b, 1 page (Ctrl-C ends it)"


def test_on_a_terminal_the_time_is_that_of_the_place(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    event = WatchEvent(AT, WatchEventKind.STOPPED)
    assert as_text(event, Look(width=80)) == "18:02:19  stopped"
    assert as_text(event, Look()) == "10:02:19  stopped"
    monkeypatch.undo()
    time.tzset()


@for_each(
    ("seconds", "said"), [(0.0124, "12 ms"), (3.71, "3.7 s"), (99, "99.0 s"), (150, "2.5 min")]
)
def test_a_time_is_as_short_as_it_can_be_read(seconds, said):
    assert text(modified=("a.md",), seconds=seconds).endswith(f"({said})")


def test_colours_tell_what_came_went_changed_and_moved():
    event = WatchEvent(AT, WatchEventKind.CHANGED, ("a",), ("b",), ("c",))
    shown = as_text(event, Look(width=80, has_colour=True))
    for part in ("\x1b[32m+ a\x1b[0m", "\x1b[33m~ b\x1b[0m", "\x1b[31m- c\x1b[0m"):
        assert part in shown
