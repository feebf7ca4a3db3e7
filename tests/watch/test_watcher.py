"""The loop: what is done when, with a workspace that is made up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from memwiki.answers.index import Changes, WatcherState, WatchEventKind
from memwiki.errors import LockedError
from memwiki.watch import watcher as watchers
from memwiki.watch.pending import LISTENER_DELAY_S, ChangeKind, WatchTiming
from memwiki.watch.watcher import Watcher, WatcherTasks
from tests.waiting import PATIENCE_S, until

QUICK = WatchTiming(
    debounce=0.01,
    settle=0.05,
    scan=3600,
    poll=0.02,
    tidy=0.02,
    keep=0.05,
    beat=0.05,
    check=0.02,
    pause=0.01,
    retry=0.01,
)


class Office:
    """Takes down what the watcher does; each answer may be prepared."""

    def __init__(self, root):
        self.root = root
        self.log: list[tuple[str, object]] = []
        self.changed = threading.Condition()
        self.git = ""
        self.follow_answers: list[Changes | BaseException] = []
        self.sweep_answers: list[Changes | BaseException] = []
        self.during: Callable[[], None] = lambda: None
        self.until_kept = 600.0
        self.watcher: Watcher | None = None
        self.thread: threading.Thread | None = None

    def beat(self, sign):
        self.note("beat", sign)

    def keep(self):
        self.note("keep", None)
        return self.until_kept

    def start(self, timing=QUICK, **named):
        work = WatcherTasks(
            follow=lambda paths: self.answer("follow", tuple(sorted(paths)), self.follow_answers),
            sweep=self.sweep,
            tidy=lambda: self.note("tidy", None),
            classify=self.classify,
            paused=lambda: self.git,
            beat=self.beat,
            tell=self.note,
            keep=self.keep,
        )
        self.watcher = Watcher(self.root, work, timing, **named)
        self.thread = threading.Thread(target=self.watcher.run, daemon=True)
        self.thread.start()
        assert self.watcher.is_ready.wait(PATIENCE_S)

    def sweep(self, progress):
        self.during()
        progress(0, 0)
        progress(1, 2)
        return self.answer("sweep", None, self.sweep_answers)

    def classify(self, path, is_folder):
        if path.startswith("."):
            return None
        return (
            ChangeKind.WALK
            if is_folder
            else ChangeKind.PAGE
            if path.endswith(".md")
            else ChangeKind.OTHER
        )

    def answer(self, name, what, prepared):
        self.note(name, what)
        answer = prepared.pop(0) if prepared else Changes()
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def note(self, name, what):
        with self.changed:
            self.log.append((name, what))
            self.changed.notify_all()

    def count(self, name):
        return sum(each == name for each, _ in self.log)

    def wait_for(self, name, times=1, that=lambda _: True):
        def is_there():
            return sum(each == name and that(what) for each, what in self.log) >= times

        with self.changed:
            assert self.changed.wait_for(is_there, PATIENCE_S), self.log

    def walk(self, *settings):
        """Start it, and wait until it walked."""
        self.start(*settings)
        self.wait_for("sweep")

    def stop(self):
        self.watcher.stop()
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()


@pytest.fixture
def office(tmp_path):
    root = tmp_path / "ws"
    root.mkdir()
    one = Office(root)
    yield one
    if one.thread:
        one.stop()


def test_it_walks_once_at_the_start_and_then_rests(office):
    office.walk()
    office.wait_for("beat", 5)
    assert office.count("sweep") == 1


def test_a_page_that_changes_is_looked_at_alone(office):
    office.walk()
    (office.root / "a.md").write_text("heron")
    office.wait_for("follow", that=lambda paths: paths == ("a.md",))
    assert office.count("sweep") == 1


def test_after_a_change_all_is_walked_when_it_is_quiet(office):
    office.follow_answers = [Changes(modified=("a.md",))]
    office.walk()
    (office.root / "a.md").write_text("heron")
    office.wait_for(WatchEventKind.CHANGED, that=lambda changes: changes.modified == ("a.md",))
    office.wait_for("sweep", 2)


def test_the_longer_a_walk_takes_the_longer_it_waits_for_quiet(office):
    office.follow_answers = [Changes(modified=("a.md",))]
    office.walk()
    office.wait_for("beat", 2)
    office.watcher._walk_s = 100.0
    (office.root / "a.md").write_text("heron")
    office.wait_for(WatchEventKind.CHANGED, that=lambda changes: changes.modified == ("a.md",))
    office.wait_for("beat", office.count("beat") + 2)
    assert office.count("sweep") == 1


@pytest.mark.parametrize("name", ["folder", "picture.png"])
def test_what_is_no_page_is_walked_for(office, name):
    office.walk()
    place = office.root / name
    place.write_text("x") if "." in name else place.mkdir()
    office.wait_for("sweep", 2)
    assert office.count("follow") == 0


def test_hidden_files_are_nobody_s_business(office):
    office.walk()
    (office.root / ".hidden.md").write_text("x")
    (office.root / "a.md").write_text("x")
    office.wait_for("follow")
    assert all(what == ("a.md",) for name, what in office.log if name == "follow")


def test_lost_events_are_made_up_for_by_a_walk(office):
    office.walk()
    office.watcher.lose()
    office.wait_for("sweep", 2)


def test_every_minute_all_is_walked(office):
    office.start(QUICK._replace(scan=0.05))
    office.wait_for("sweep", 4)


def test_small_commits_are_merged_when_it_is_quiet(office):
    office.follow_answers = [Changes(modified=("a.md",)) for _ in range(4)]
    office.start()
    while office.count(WatchEventKind.CHANGED) < 4:
        seen = office.count("follow") + office.count("sweep")  # a walk may be what finds it
        (office.root / "a.md").write_text(str(seen))
        until(lambda seen=seen: office.count("follow") + office.count("sweep") > seen)
    office.wait_for("tidy")


def test_upkeep_is_looked_at_as_often_as_it_says(office):
    office.until_kept = 0.02
    office.start()
    office.wait_for("keep", times=3)


@pytest.mark.parametrize(
    "failure",
    [
        LockedError("the index is being written by another process"),
        ValueError("a mistake"),
        RecursionError("too deep"),
        Changes(fresh=False, reason="sub is unreadable"),
    ],
)
def test_a_sync_that_fails_is_said_once_and_tried_again(office, failure):
    office.sweep_answers = [failure, failure, failure]
    office.start()
    office.wait_for(WatchEventKind.FAILED)
    office.wait_for(WatchEventKind.RESUMED)
    assert office.count(WatchEventKind.FAILED) == 1
    assert office.count("sweep") >= 4
    states = [what.state for name, what in office.log if name == "beat"]
    assert WatcherState.FAILING in states


def test_a_look_that_fails_is_followed_by_a_walk(office):
    office.follow_answers = [ValueError("a mistake")]
    office.walk()
    (office.root / "a.md").write_text("x")
    office.wait_for(WatchEventKind.FAILED, that=lambda changes: "ValueError" in changes.reason)
    office.wait_for(WatchEventKind.RESUMED)


def test_a_sync_that_changes_much_and_cannot_read_all_says_both(office):
    office.sweep_answers = [Changes(added=("a.md",), fresh=False, reason="b.md cannot be read")]
    office.start()
    office.wait_for(WatchEventKind.CHANGED, that=lambda changes: not changes.fresh)
    office.wait_for(WatchEventKind.FAILED)


def test_while_git_is_at_work_nothing_is_looked_at(office):
    office.git = "git is at work"
    office.start()
    (office.root / "a.md").write_text("x")
    office.wait_for(WatchEventKind.PAUSED)
    office.wait_for("beat", that=lambda what: what[0] is WatcherState.PAUSED)
    assert office.count("sweep") == office.count("follow") == 0
    office.git = ""
    office.wait_for(WatchEventKind.RESUMED)
    office.wait_for("sweep")


def test_a_short_pause_is_not_worth_a_word(office):
    office.walk(QUICK._replace(check=3600))
    office.git = "git is at work"
    (office.root / "a.md").write_text("x")
    office.wait_for("beat", office.count("beat") + 2)
    office.git = ""
    office.wait_for("sweep", 2)
    assert office.count(WatchEventKind.PAUSED) == office.count(WatchEventKind.RESUMED) == 0


@pytest.mark.parametrize("is_there_meanwhile", [False, True])
def test_a_root_that_is_made_again_or_swapped_is_watched_again(
    office, tmp_path, is_there_meanwhile
):
    office.walk()
    office.root.rename(tmp_path / "old")
    if is_there_meanwhile:
        office.root.mkdir()
    office.wait_for("sweep", 2)
    if not is_there_meanwhile:
        office.root.mkdir()
        office.wait_for("sweep", 3)
    (office.root / "a.md").write_text("x")
    office.wait_for("follow", that=lambda paths: "a.md" in paths)


def test_a_dead_thread_of_watchdog_is_replaced(office):
    office.walk()
    office.watcher._listener._observer.stop()
    office.wait_for("sweep", 2)
    (office.root / "a.md").write_text("x")
    office.wait_for("follow")


def test_without_events_the_folder_is_polled(office, monkeypatch):
    monkeypatch.setattr(watchers, "why_poll", lambda _: "the folder is on nfs4")
    office.start()
    office.wait_for("sweep", 3)
    office.wait_for(
        "beat", that=lambda what: what[:2] == (WatcherState.POLLING, "the folder is on nfs4")
    )
    assert office.watcher._listener is None


def test_polling_can_be_asked_for(office):
    office.start(is_polling=True)
    office.wait_for("sweep", 3)
    started = next(what for name, what in office.log if name == WatchEventKind.STARTED)
    assert "polling" in started.reason


def test_where_the_system_gives_no_events_the_folder_is_polled(office, monkeypatch):
    def refuse(_):
        raise OSError(24, "inotify instance limit reached")

    monkeypatch.setattr(watchers.EventListener, "start", refuse)
    office.start()
    office.wait_for(WatchEventKind.POLLING, that=lambda changes: "instance limit" in changes.reason)
    office.wait_for("sweep", 3)


def test_with_too_few_watches_the_folder_is_polled(office, monkeypatch):
    (office.root / "sub").mkdir()
    monkeypatch.setattr(watchers.EventListener, "unwatched", lambda _: ["sub"])
    office.start()
    office.wait_for(WatchEventKind.POLLING, that=lambda changes: "1 folders" in changes.reason)
    office.wait_for("sweep", 3)


def test_a_folder_that_gets_its_watch_a_moment_later_is_no_reason_to_poll(office, monkeypatch):
    answers = [["new"]]
    monkeypatch.setattr(
        watchers.EventListener, "unwatched", lambda _: answers.pop() if answers else []
    )
    office.walk()
    office.wait_for("beat", 4)
    assert office.count(WatchEventKind.POLLING) == 0


def test_asked_to_stop_in_the_middle_of_a_walk_it_stops_there(office):
    reached, go_on = threading.Event(), threading.Event()

    def during():
        reached.set()
        go_on.wait(PATIENCE_S)

    office.during = during
    office.start()
    assert reached.wait(PATIENCE_S)
    office.watcher.stop()
    go_on.set()
    office.thread.join(PATIENCE_S)
    assert not office.thread.is_alive()
    assert office.count("sweep") == 0
    assert office.log[-1][0] == WatchEventKind.STOPPED


def test_a_long_walk_gives_signs_of_life(office):
    office.during = lambda: office.note("begun", None)
    office.walk(QUICK._replace(beat=0.0))
    names = [name for name, _ in office.log]
    assert "beat" in names[names.index("begun") : names.index("sweep")]


# --- what is known of files and index -------------------------------------------------------------


def is_knowing(sign):
    return sign.known_s is not None


def signs(office):
    return [what for name, what in office.log if name == "beat"]


def last_says(office, *, known):
    """Wait until the last sign of life says that files and index are the same, or not."""

    def is_so():
        return signs(office) and is_knowing(signs(office)[-1]) == known

    with office.changed:
        assert office.changed.wait_for(is_so, PATIENCE_S), office.log


def known(office, *settings):
    """Start it, and wait until it knows that files and index are the same."""
    office.start(*settings)
    last_says(office, known=True)


SILENT = QUICK._replace(beat=3600, settle=3600)  # no sign of life but when something is new
DEAF = SILENT._replace(debounce=3600, longest=3600)  # what is heard is not looked at


def test_before_the_first_walk_is_done_nothing_is_known(office):
    known(office, QUICK._replace(beat=0.0))
    names = [name for name, _ in office.log]
    before = [what for name, what in office.log[: names.index("sweep")] if name == "beat"]
    assert before
    assert not any(map(is_knowing, before))


@pytest.mark.parametrize("heard", ["a.md", "picture.png", "lost events"])
def test_what_is_heard_is_told_at_once_and_not_with_the_next_beat(office, heard):
    known(office, DEAF)
    (office.root / heard).write_text("x") if "." in heard else office.watcher.lose()
    last_says(office, known=False)
    assert (office.count("follow"), office.count("sweep")) == (0, 1)


def test_a_page_that_was_taken_in_is_known_but_for_the_delay_of_events(office):
    known(office, SILENT)
    (office.root / "a.md").write_text("x")
    office.wait_for("follow")
    last_says(office, known=True)
    assert signs(office)[-1].known_s == LISTENER_DELAY_S


def test_what_is_known_stays_so_while_a_walk_makes_sure_of_it(office):
    office.follow_answers = [Changes(modified=("a.md",))]
    known(office, QUICK._replace(beat=0.0))
    office.during = lambda: office.note("begun", None)
    office.watcher.note("a.md", False)  # heard once: a file that is written may be heard again
    office.wait_for("sweep", 2)
    names = [name for name, _ in office.log]
    begun = names.index("begun")
    while_walking = office.log[begun : begun + names[begun:].index("sweep")]
    told = [is_knowing(what) for name, what in while_walking if name == "beat"]
    assert told
    assert all(told)


def test_what_is_heard_while_a_walk_makes_sure_is_looked_at_after_it(office):
    office.follow_answers = [Changes(modified=("a.md",))]
    office.walk()
    office.during = lambda: office.watcher.note("b.md", False)
    (office.root / "a.md").write_text("x")
    office.wait_for("sweep", 2)
    office.wait_for("follow", that=lambda paths: paths == ("b.md",))


def test_a_change_that_is_heard_in_a_walk_is_looked_at_before_the_walk_goes_on(office):
    office.walk(QUICK._replace(settle=3600, scan=0.05))

    def hear():
        office.during = lambda: None
        office.note("heard", None)
        office.watcher.note("a.md", False)
        time.sleep(5 * QUICK.debounce)

    office.during = hear
    office.wait_for("follow")
    with office.changed:
        names = [name for name, _ in office.log if name in ("heard", "sweep", "follow")]
    assert names[names.index("heard") + 1] == "follow"
    office.wait_for("sweep", office.count("sweep") + 1)
    assert office.count("follow") == 1


def test_who_writes_without_end_keeps_no_walk_from_its_end(office):
    office.walk(QUICK._replace(settle=3600, scan=0.05))

    def hear():
        office.watcher.note("a.md", False)
        time.sleep(5 * QUICK.debounce)

    office.during = hear
    office.wait_for("sweep", 3)


def test_while_git_is_at_work_nothing_is_known(office):
    known(office)
    office.git = "git is at work"
    last_says(office, known=False)
    office.git = ""
    last_says(office, known=True)


def test_after_a_failure_nothing_is_known_before_a_walk(office):
    office.follow_answers = [ValueError("a mistake"), Changes()]
    known(office, QUICK._replace(retry=3600, settle=3600))
    (office.root / "a.md").write_text("x")
    office.wait_for(WatchEventKind.FAILED)
    (office.root / "b.md").write_text("x")
    office.wait_for("follow", 2)
    office.wait_for("beat", office.count("beat") + 2)
    assert not is_knowing(signs(office)[-1])
    assert office.count("sweep") == 1


def test_polling_knows_of_the_moment_before_the_last_walk(office):
    office.start(QUICK._replace(poll=3600), is_polling=True)
    office.wait_for("beat", 3, that=is_knowing)
    ages = [each.known_s for each in signs(office) if is_knowing(each)]
    assert ages == sorted(ages)
    assert 0 < ages[0] < ages[-1]
    assert office.count("sweep") == 1


def test_a_listener_that_died_knows_nothing(office, monkeypatch):
    known(office, QUICK._replace(check=3600))
    monkeypatch.setattr(watchers.EventListener, "is_sound", lambda _: False)
    last_says(office, known=False)


def test_what_is_heard_while_a_sign_is_written_waits_until_the_one_before_is_gone(office):
    """Else who asks right after it would still read the sign that all is known."""
    late = []

    def beat(sign):
        if office.count("follow") and not is_knowing(sign) and not late:
            late.append(threading.Thread(target=office.watcher.note, args=("b.md", False)))
            late[0].start()
            late[0].join(0.05)
            office.note("waits", late[0].is_alive())
        office.note("beat", sign)

    office.beat = beat
    office.follow_answers = [ValueError("a mistake")]  # after which nothing is known
    known(office, QUICK._replace(retry=3600, settle=3600))
    (office.root / "a.md").write_text("x")
    office.wait_for("waits")
    assert ("waits", True) in office.log
    late[0].join(PATIENCE_S)
