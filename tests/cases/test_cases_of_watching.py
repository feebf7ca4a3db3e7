"""How watchers fail in the field, and what happens here: real files, real events, real
processes."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from memwiki.errors import IndexDamagedError, LockedError
from memwiki.files.scan import _ScanWalk
from memwiki.sync.live import LiveIndex
from memwiki.workspace import Workspace
from tests.waiting import PATIENCE_S, until

HOUR_NS = 3600 * 10**9

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc and inotify")


class Reader:
    """Asks the index as it is, without looking at the files."""

    def __init__(self, opened):
        self._space = opened(sync=False)

    def paths(self, query):
        """Where the hits are; None while the index is behind.

        A word that the index lacks would be looked for in the files, so hits alone prove nothing.
        """
        if self.status().pending:
            return None
        return sorted(hit.path for hit in self._space.search(query).hits)

    def status(self):
        return self._space.index.status()


@pytest.fixture
def reader(opened):
    return Reader(opened)


@pytest.fixture(params=["events", "polling"])
def watched(request, opened):
    """The workspace, watched in a thread of this process."""
    with opened().watch(poll=request.param == "polling"):
        yield


# --- 4: every way of saving is seen -------------------------------------------------------------


def in_place(root, _):
    (root / "wiki/a.md").write_text("stork\n")


def appended(root, _):
    with (root / "wiki/a.md").open("a") as file:
        file.write("stork\n")


def temporary_and_replace(root, _):
    (root / "wiki/.a.md.tmp").write_text("stork\n")
    (root / "wiki/.a.md.tmp").replace(root / "wiki/a.md")


def backup_and_rename(root, _):
    (root / "wiki/a.md").rename(root / "wiki/a.md~")
    (root / "wiki/a.md").write_text("stork\n")


def delete_and_recreate(root, until_seen):
    (root / "wiki/a.md").unlink()
    until_seen(["wiki/b.md"])
    (root / "wiki/a.md").write_text("stork\n")


def hard_link_over(root, _):
    (root.parent / "other").write_text("stork\n")
    (root / "wiki/a.md").unlink()
    os.link(root.parent / "other", root / "wiki/a.md")


SAVES = (
    in_place,
    appended,
    temporary_and_replace,
    backup_and_rename,
    delete_and_recreate,
    hard_link_over,
)


def until_only(reader, paths):
    """Wait until the herons are on these pages."""
    until(lambda: reader.paths("heron") == paths)


@pytest.mark.parametrize("save", SAVES, ids=lambda each: each.__name__)
def test_case_04_every_way_of_saving_is_seen(put, root, reader, watched, save):
    """
    --- wiki/a.md ---
    heron
    --- wiki/b.md ---
    heron
    """
    until(lambda: reader.paths("heron") == ["wiki/a.md", "wiki/b.md"])
    save(root, partial(until_only, reader))
    until(lambda: reader.paths("stork") == ["wiki/a.md"])
    expected = ["wiki/a.md", "wiki/b.md"] if save is appended else ["wiki/b.md"]
    until(lambda: reader.paths("heron") == expected)


def file_renamed(root, _):
    (root / "wiki/a.md").rename(root / "wiki/c.md")
    return ["wiki/b.md", "wiki/c.md"]


def file_moved_out(root, _):
    (root / "wiki/a.md").rename(root.parent / "a.md")
    return ["wiki/b.md"]


def file_moved_in(root, _):
    (root.parent / "c.md").write_text("heron\n")
    (root.parent / "c.md").rename(root / "wiki/c.md")
    return ["wiki/a.md", "wiki/b.md", "wiki/c.md"]


def folder_renamed(root, _):
    (root / "wiki").rename(root / "pages")
    return ["pages/a.md", "pages/b.md"]


def folder_moved_out(root, _):
    (root / "wiki").rename(root.parent / "wiki")
    return []


def folder_moved_in(root, _):
    (root.parent / "new/deep").mkdir(parents=True)
    (root.parent / "new/deep/c.md").write_text("heron\n")
    (root.parent / "new").rename(root / "new")
    return ["new/deep/c.md", "wiki/a.md", "wiki/b.md"]


def folder_moved_out_and_in_again(root, until_seen):
    (root / "wiki").rename(root.parent / "wiki")
    until_seen([])
    (root.parent / "wiki").rename(root / "back")
    (root / "back/c.md").write_text("heron\n")
    return ["back/a.md", "back/b.md", "back/c.md"]


def folder_copied(root, _):
    shutil.copytree(root / "wiki", root / "copy/of/wiki")
    return ["copy/of/wiki/a.md", "copy/of/wiki/b.md", "wiki/a.md", "wiki/b.md"]


def folder_removed(root, _):
    shutil.rmtree(root / "wiki")
    return []


def folder_hidden(root, _):
    (root / "wiki").rename(root / ".wiki")
    return []


def folder_ignored(root, _):
    (root / ".memwikiignore").write_text("wiki/a.md\n")
    return ["wiki/b.md"]


MOVES = (
    file_renamed,
    file_moved_out,
    file_moved_in,
    folder_renamed,
    folder_moved_out,
    folder_moved_in,
    folder_moved_out_and_in_again,
    folder_copied,
    folder_removed,
    folder_hidden,
    folder_ignored,
)


@pytest.mark.parametrize("move", MOVES, ids=lambda each: each.__name__)
def test_case_04_what_moves_is_found_where_it_is(root, reader, watched, move):
    """
    --- wiki/a.md ---
    heron
    --- wiki/b.md ---
    heron
    """
    until(lambda: reader.paths("heron") == ["wiki/a.md", "wiki/b.md"])
    expected = move(root, partial(until_only, reader))
    until(lambda: reader.paths("heron") == expected, move.__name__)
    until(lambda: reader.status().pending == 0)


def test_case_04_a_folder_made_with_many_files_at_once_is_whole(root, reader, watched):
    """
    --- wiki/a.md ---
    heron
    """
    until(lambda: reader.paths("heron"))
    for number in range(400):
        place = root / "new" / str(number % 7) / "deep" / f"{number}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("stork\n")
    until(lambda: reader.status().pages == 401)
    until(lambda: reader.status().pending == 0)


def test_case_04_in_a_new_folder_later_edits_are_seen_too(root, reader, watched):
    until(lambda: reader.status().watcher.last_scan)
    (root / "new/deep").mkdir(parents=True)
    (root / "new/deep/a.md").write_text("heron\n")
    until(lambda: reader.paths("heron") == ["new/deep/a.md"])
    (root / "new/deep/a.md").write_text("stork\n")
    until(lambda: reader.paths("stork") == ["new/deep/a.md"])


def test_case_04_settings_that_change_while_it_watches_hold(put, root, opened, watched):
    """
    --- wiki/a.md ---
    heron
    """
    until(lambda: Reader(opened).paths("heron"))
    put("memwiki.toml", "[files]\ngitignore = true\n")
    put(".gitignore", "wiki/\n")
    until(lambda: Reader(opened).paths("heron") == [])
    put("memwiki.toml", "[files\nbroken")
    put("b.md", "heron\n")
    put("memwiki.toml", "[files]\ngitignore = false\n")
    until(lambda: Reader(opened).paths("heron") == ["b.md", "wiki/a.md"])


def test_case_04_settings_of_obsidian_that_change_while_it_watches_hold(put, root, opened, watched):
    """
    --- .obsidian/app.json ---
    {}
    --- old/a.md ---
    heron
    """
    until(lambda: Reader(opened).paths("heron"))
    put(".obsidian/app.json", '{"userIgnoreFilters": ["old/"]}')
    until(lambda: Reader(opened).paths("heron") == [])


def test_case_04_a_program_that_keeps_a_folder_while_it_watches_holds(put, root, opened, watched):
    """
    --- vault/old/a.md ---
    heron
    """

    def found():
        try:
            return Reader(opened).paths("heron")
        except IndexDamagedError:  # there is none under these settings yet
            return None

    until(found)
    put("vault/.obsidian/app.json", '{"userIgnoreFilters": ["old/"]}')
    until(lambda: found() == [])
    put("vault/.obsidian/app.json", "{}")
    until(found)


def test_bad_settings_are_said_once_while_it_watches_and_the_last_good_ones_stay(put, root, opened):
    """
    --- memwiki.toml ---
    [files]
    gitignore = true
    --- .gitignore ---
    wiki/
    --- wiki/a.md ---
    heron
    """
    told = []
    with opened().watch(tell=told.append, poll=True):
        reader = Reader(opened)
        put("memwiki.toml", "[files\nbroken")
        until(lambda: [each.event for each in told].count("failed"), told)
        put("b.md", "heron\n")
        until(lambda: [each for each in told if "b.md" in each.added], told)
        assert reader._space.search("heron").hits[0].path == "b.md"
        put("c.md", "stork\n")
        until(lambda: [each for each in told if "c.md" in each.added], told)
        put("memwiki.toml", "[files]\ngitignore = false\n")
        # Also while the broken file was begun, and still empty, the folder was no longer ignored.
        until(lambda: [each.event for each in told].count("resumed"), told)
        until(lambda: [each for each in told if "wiki/a.md" in each.added], told)
    events = [each.event for each in told]
    assert (events.count("failed"), events.count("resumed")) == (1, 1)
    failed = told[events.index("failed")]
    assert "memwiki.toml" in failed.reason
    assert "the last valid settings stay in use" in failed.reason


def test_a_planted_git_file_does_not_end_the_watcher(put, root, opened):
    told = []
    (root / ".git").write_bytes(b"gitdir: a\0b\n")
    with opened().watch(tell=told.append, poll=True):
        put("b.md", "heron\n")
        until(lambda: [each for each in told if "b.md" in each.added], told)


def test_case_04_after_it_found_its_rest_a_reader_finds_nothing_to_do(
    put, root, reader, watched, opened
):
    """
    --- wiki/a.md ---
    heron
    """
    until(lambda: reader.paths("heron"))
    put("wiki/a.md", "stork\n")
    place = opened().live.cache_folder
    until(lambda: reader.paths("stork") and place.clean_scan() is not None)
    changes = opened().sync()
    assert (changes.modified, changes.unchanged) == ((), 1)


def test_case_22_catalogs_that_the_watcher_writes_start_no_loop(put, root, reader, opened, state):
    """
    --- memwiki.toml ---
    [catalog]
    enabled = true
    --- wiki/a.md ---
    # Heron
    """
    events = []
    with opened().watch(tell=events.append):
        until(
            lambda: (
                "Heron" in (root / "index.md").read_text() if (root / "index.md").exists() else ""
            )
        )
        put("wiki/b.md", "# Stork\n")
        until(lambda: "Stork" in (root / "index.md").read_text())
        place, before = opened().live.cache_folder, state(root / "index.md")
        until(lambda: place.clean_scan() is not None)
        assert state(root / "index.md") == before
        assert sum("wiki/b.md" in event.added for event in events) == 1
        assert len([event for event in events if event.event == "changed"]) <= 4
    assert opened().sync().catalogs == ()


# --- 1: unreadable is not deleted, watched ------------------------------------------------------


def test_case_01_a_root_that_goes_away_and_comes_back_loses_nothing(
    root, tmp_path, reader, watched
):
    """
    --- wiki/a.md ---
    heron
    """
    until(lambda: reader.paths("heron"))
    root.rename(tmp_path / "away")
    until(lambda: reader.status().watcher.state == "failing")
    assert reader.status().pages == 1
    (tmp_path / "away").rename(root)
    (root / "wiki/b.md").write_text("stork\n")
    until(lambda: reader.paths("stork") == ["wiki/b.md"])
    until(lambda: reader.status().watcher.state in ("watching", "polling"))
    assert reader.paths("heron") == ["wiki/a.md"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_case_01_a_folder_closed_while_it_is_watched_keeps_its_pages(root, reader, watched):
    """
    --- wiki/a.md ---
    heron
    """
    until(lambda: reader.paths("heron"))
    (root / "wiki").chmod(0)
    try:
        until(lambda: reader.status().watcher.state == "failing")
        assert reader.status().pages == 1
    finally:
        (root / "wiki").chmod(0o700)
    until(lambda: reader.status().fresh)


# --- 5: a deaf watcher cannot lie ---------------------------------------------------------------


class Process:
    """`memwiki watch --json` as a process of its own."""

    def __init__(self, root: Path, *arguments: str, prefix: tuple[str, ...] = ()) -> None:
        command = (
            *prefix,
            sys.executable,
            "-m",
            "memwiki",
            "-C",
            str(root),
            "watch",
            "--json",
            *arguments,
        )
        self.popen = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def event(self):
        return json.loads(self.popen.stdout.readline())

    def wait_for(self, *kinds):
        while (event := self.event())["event"] not in kinds:
            pass
        return event

    def end(self):
        if self.popen.poll() is None:
            self.popen.kill()
            self.popen.send_signal(signal.SIGCONT)
        self.popen.wait()
        self.popen.stdout.close()
        self.popen.stderr.close()


@pytest.fixture
def process(root):
    running = []

    def start(*arguments, **named):
        running.append(Process(root, *arguments, **named))
        return running[-1]

    yield start
    for each in running:
        each.end()


def test_case_05_of_a_killed_watcher_only_the_death_is_told(put, process, memwiki):
    """
    --- a.md ---
    heron
    """
    watcher = process()
    watcher.wait_for("changed")
    until(lambda: memwiki("status")["watcher"]["state"] == "watching")
    watcher.popen.kill()
    watcher.popen.wait()
    put("a.md", "stork\n")
    put("b.md", "stork\n")
    status = memwiki("status")
    assert status["watcher"]["state"] == "dead"
    assert (status["on_disk"], status["pages"], status["fresh"]) == (2, 1, False)
    assert sorted(memwiki.paths("stork")) == ["a.md", "b.md"]
    again = process()
    assert again.event()["event"] == "started"
    until(lambda: memwiki("status")["watcher"]["state"] == "watching")


def test_case_05_a_blocked_watcher_holds_nobody_up(put, process, memwiki, opened):
    """
    --- a.md ---
    heron
    """
    watcher = process()
    watcher.wait_for("changed")
    until(lambda: memwiki("status")["watcher"]["last_scan"])
    watcher.popen.send_signal(signal.SIGSTOP)
    put("a.md", "stork\n")
    answer = memwiki("search", "stork")
    assert answer["fresh"] is False or [hit["path"] for hit in answer["hits"]] == ["a.md"]
    later = opened(sync=False, clock=lambda: time.time_ns() + HOUR_NS).index.status()
    assert later.watcher.state == "blocked"
    assert later.watcher.pid == watcher.popen.pid
    assert later.watcher.heartbeat > 3000
    watcher.popen.send_signal(signal.SIGCONT)
    put("b.md", "stork\n")
    assert "b.md" in watcher.wait_for("changed")["added"]


def test_case_05_with_too_few_watches_it_polls_and_says_so(put, process, memwiki, root):
    """The limit is lowered for the watcher alone, in a user namespace of its own."""
    prefix = (
        "unshare",
        "--user",
        "--map-root-user",
        "sh",
        "-c",
        'echo 3 > /proc/sys/user/max_inotify_watches && exec "$@"',
        "sh",
    )
    if (
        shutil.which("unshare") is None
        or subprocess.run([*prefix, "true"], capture_output=True).returncode
    ):
        pytest.skip("no user namespaces here")
    for number in range(9):
        put(f"sub{number}/a.md", "heron\n")
    watcher = process(prefix=prefix)
    event = watcher.wait_for("polling")
    assert "cannot be watched" in event["reason"]
    for number in range(9):
        put(f"sub{number}/a.md", "stork\n")
    until(lambda: memwiki("--no-sync", "search", "stork")["total"] == 9)
    assert memwiki("status")["watcher"]["state"] == "polling"


def test_case_05_events_that_were_dropped_are_made_up_for(put, root, reader, opened, monkeypatch):
    """
    --- a.md ---
    heron
    """
    from memwiki.watch.listener import EventListener

    with opened().watch():
        until(lambda: reader.status().watcher.last_scan)
        monkeypatch.setattr(EventListener, "dispatch", lambda *_: None)
        put("a.md", "stork\n")
        logging.getLogger("watchdog.observers.inotify_c").warning("Inotify queue overflowed")
        until(lambda: reader.paths("stork") == ["a.md"])


def test_case_05_a_queue_that_really_overflows_loses_nothing(put, root, process, memwiki):
    """The watcher is held while more happens than the kernel remembers."""
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if limit > 20_000:
        pytest.skip("the queue is too long to fill")
    put("a.md", "heron\n")
    watcher = process()
    until(lambda: memwiki("status")["watcher"]["last_scan"])
    watcher.popen.send_signal(signal.SIGSTOP)
    for number in range(limit // 3 + 10):
        (root / f"x{number % 2}.bin").write_bytes(b"x")
        (root / f"x{number % 2}.bin").unlink()
    put("a.md", "stork\n")
    watcher.popen.send_signal(signal.SIGCONT)
    until(lambda: memwiki("--no-sync", "search", "stork")["total"] == 1)


def test_case_05_an_exception_in_one_sync_is_not_the_end(put, reader, opened, monkeypatch):
    """
    --- a.md ---
    heron
    """
    events = []
    with opened().watch(tell=events.append):
        until(lambda: reader.status().watcher.last_scan)
        with monkeypatch.context() as patch:
            patch.setattr(LiveIndex, "sync_paths", lambda *_, **__: 1 / 0)
            put("a.md", "stork\n")
            until(lambda: any("ZeroDivisionError" in event.reason for event in events))
        until(lambda: reader.paths("stork") == ["a.md"])
        until(lambda: reader.status().watcher.state == "watching")


def test_case_05_a_lost_cache_folder_is_made_again(put, reader, opened, cache):
    """
    --- a.md ---
    heron
    """
    space = opened()
    with space.watch():
        until(lambda: reader.paths("heron"))
        cache.rename(cache.with_name("lost"))  # at once: the watcher goes on writing meanwhile
        put("a.md", "stork\n")
        until(lambda: Reader(opened).paths("stork") == ["a.md"])
        until(lambda: space.index.status().watcher.state == "watching")
        with pytest.raises(LockedError):
            opened().watch().run()


# --- ending, and one watcher only ---------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_a_signal_ends_it_with_nothing_half_done(put, process, memwiki, number):
    """
    --- a.md ---
    heron
    """
    watcher = process()
    watcher.wait_for("changed")
    watcher.popen.send_signal(number)
    assert watcher.popen.wait(PATIENCE_S) == 0
    assert watcher.wait_for("stopped")
    assert watcher.popen.stderr.read() == ""
    assert memwiki("status")["watcher"]["state"] == "none"
    assert memwiki("doctor", "--verify")["equal"]


def test_a_signal_in_the_middle_of_the_first_index_leaves_it_whole(put, process, memwiki):
    for number in range(600):
        put(f"{number}.md", f"# {number}\n\n" + "heron stork [[1]] #tag\n\n" * 40)
    watcher = process()
    assert watcher.event()["event"] == "started"
    watcher.popen.send_signal(signal.SIGTERM)
    assert watcher.popen.wait(PATIENCE_S) == 0
    assert memwiki("search", "heron")["total"] == 600
    assert memwiki("doctor", "--verify")["equal"]


def test_a_second_watcher_says_who_watches_already(process, memwiki, root):
    """
    --- a.md ---
    heron
    """
    first = process()
    first.wait_for("changed")
    second = process()
    error = json.loads(second.popen.stdout.readline())["error"]
    assert second.popen.wait(PATIENCE_S) == 1
    assert error["code"] == "locked"
    assert f"process {first.popen.pid}" in error["message"]
    assert first.popen.poll() is None


def test_in_one_process_too_there_is_one_watcher(opened):
    with opened().watch():
        with pytest.raises(LockedError, match="already watched"), opened().watch():
            raise AssertionError
    with opened().watch():
        until(lambda: opened().index.status().watcher.state == "watching")


def test_watching_is_pointless_without_a_place_for_the_index(root, monkeypatch):
    from memwiki.errors import WriteError

    monkeypatch.setattr("memwiki.sync.opened.cache_root", lambda *_: None)
    with pytest.raises(WriteError, match="no cache folder"):
        Workspace.open(root, find=False).watch()


def test_a_watcher_keeps_the_index_that_others_see_when_it_takes_other_settings(
    put, opened, monkeypatch
):
    """
    --- a.md ---
    heron
    """
    told = []
    with opened().watch(tell=told.append, poll=True):
        until(lambda: Reader(opened).paths("heron"))
        with monkeypatch.context() as full:
            full.setattr("memwiki.sync.opened.cache_root", lambda *_: None)
            put("memwiki.toml", "[files]\ngitignore = false\n")
            until(lambda: [each for each in told if "no cache folder" in each.reason], told)
        put("b.md", "heron\n")
        until(lambda: Reader(opened).paths("heron") == ["a.md", "b.md"])


# --- git ----------------------------------------------------------------------------------------


def git(root, *arguments):
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def branches(root, put):
    """Two branches; on the other one 200 pages have other names."""
    if shutil.which("git") is None:
        pytest.skip("no git here")
    for number in range(220):
        put(f"wiki/{number}.md", f"heron {number}\n")
    git(root, "init", "-qb", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "main")
    git(root, "checkout", "-qb", "other")
    for number in range(200):
        (root / f"wiki/{number}.md").rename(root / f"wiki/other-{number}.md")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "other")
    git(root, "checkout", "-q", "main")


def test_a_checkout_that_renames_200_files_is_followed(branches, root, reader, opened):
    with opened().watch():
        until(lambda: reader.status().pages == 220 and reader.status().pending == 0)
        git(root, "checkout", "-q", "other")
        until(lambda: reader.paths("path:wiki/other-*"))
        assert reader.status().pages == 220
        git(root, "checkout", "-q", "main")
        until(lambda: reader.status().pending == 0)
        assert reader.paths("path:wiki/other-*") == []


def test_nothing_is_indexed_half_way_while_git_is_at_work(put, root, reader, opened):
    """
    --- a.md ---
    heron
    """
    events = []
    put(".git/HEAD", "ref: refs/heads/main\n")
    space = opened()
    with space.watch(tell=events.append):
        until(lambda: reader.status().watcher.last_scan)
        put(".git/index.lock", "")
        put("a.md", "stork\n")
        put("b.md", "stork\n")
        until(lambda: any(event.event == "paused" for event in events))
        until(lambda: reader.status().watcher.state == "paused")
        assert reader.status().watcher.reason == "git is at work"
        assert reader.status().pages == 1
        assert sorted(hit.path for hit in space.search("stork").hits) == ["a.md", "b.md"]
        (root / ".git/index.lock").unlink()
        until(lambda: any(event.event == "resumed" for event in events))
        until(lambda: reader.paths("stork") == ["a.md", "b.md"])


# --- a walk of a large folder does not delay what is heard meanwhile ----------------------------


def test_an_edit_in_the_middle_of_a_walk_is_taken_in_before_the_walk_goes_on(
    root, put, opened, monkeypatch
):
    for number in range(20):
        put(f"f{number}/page.md", "# Heron\n")
    events, visits, visit = [], [], _ScanWalk.visit
    watching = opened().watch(tell=events.append)

    def visited(walk, folder, device):
        visit(walk, folder, device)
        if threading.current_thread().name != "memwiki-watch":
            return
        visits.append(folder)
        if not folder and any("f1/page.md" in each.modified for each in events):
            put("f2/page.md", "# Egret\n")
            until(lambda: (due := watching._watcher._pending.due()) and due < time.monotonic())
            visits.clear()
            monkeypatch.setattr(_ScanWalk, "visit", count)

    def count(walk, folder, device):
        visits.append(folder)
        visit(walk, folder, device)

    with watching:
        until(lambda: opened(sync=False).index.status().fresh)
        monkeypatch.setattr(_ScanWalk, "visit", visited)
        put("f1/page.md", "# Stork\n")
        until(lambda: any("f2/page.md" in each.modified for each in events))
        assert len(visits) < 20
