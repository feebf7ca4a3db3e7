"""Who follows a workspace is told of every change, whoever makes it: real files, real events, real
processes."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from memwiki.answers.index import Followed, FollowedState, WatcherState
from memwiki.watch import watching
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify")

PAGES = """
--- memwiki.toml ---
[catalog]
enabled = true
--- wiki/a.md ---
heron
--- wiki/b.md ---
stork
"""


class Told:
    """What was told, and waiting for it."""

    def __init__(self):
        self.all = []
        self.came = threading.Condition()

    def __call__(self, each):
        with self.came:
            self.all.append(each)
            self.came.notify_all()

    def wait_for(self, that):
        with self.came:
            found = self.came.wait_for(lambda: [e for e in self.all if that(e)], PATIENCE_S)
        assert found, self.all
        return found[0]


@contextmanager
def followed(space, **named):
    told = Told()
    with space.follow(told, **named):
        told.wait_for(lambda each: each.state.fresh)
        told.all.clear()
        yield told


def test_changes_from_outside_and_from_inside_are_told(opened, root, write_blocks):
    write_blocks(PAGES)
    space = opened()
    with followed(space) as told:
        (root / "wiki/a.md").write_text("heron and egret\n")
        assert told.wait_for(lambda each: "wiki/a.md" in each.changed)
        space.pages.append("wiki/b.md", "a line")  # the watcher finds nothing to do
        assert told.wait_for(lambda each: "wiki/b.md" in each.changed)
        (root / "wiki/a.md").unlink()
        assert told.wait_for(lambda each: "wiki/a.md" in each.removed)
        assert told.wait_for(lambda each: each.state.fresh and each.state.as_of)


def test_a_page_that_was_changed_and_changed_back_between_two_looks_is_told(
    opened, root, write_blocks, monkeypatch
):
    write_blocks(PAGES)
    monkeypatch.setattr(watching, "LOOK_S", 1.0)
    space = opened()
    with followed(space) as told:
        before = (root / "wiki/a.md").read_text()
        space.pages.append("wiki/a.md", "a line")
        space.undo()
        assert (root / "wiki/a.md").read_text() == before
        assert told.wait_for(lambda each: "wiki/a.md" in each.changed)


def test_it_follows_another_watcher_and_takes_its_place(opened, root, write_blocks):
    write_blocks(PAGES)
    command = [sys.executable, "-m", "memwiki", "-C", str(root), "watch", "-q"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as other:
        reader = opened(sync=False)
        until(lambda: reader.index.status().watcher.pid == other.pid)
        with followed(opened()) as told:
            (root / "wiki/c.md").write_text("bittern\n")
            assert told.wait_for(lambda each: "wiki/c.md" in each.changed)
            other.terminate()
            assert other.wait(PATIENCE_S) == 0
            (root / "wiki/d.md").write_text("coot\n")
            assert told.wait_for(lambda each: "wiki/d.md" in each.changed)
            assert told.all[-1].state.watcher is WatcherState.WATCHING


def test_the_same_state_is_told_every_five_seconds():
    told = []
    following = watching.Following(None, None, told.append)
    state = Followed(FollowedState(WatcherState.WATCHING, fresh=True))
    for now, count in ((10, 1), (11, 1), (14.9, 1), (15, 2), (19, 2), (20, 3)):
        following._say(state, now)
        assert len(told) == count, now


def test_what_is_private_is_told_to_nobody_who_may_not_see_it(opened, root, write_blocks):
    write_blocks(f"{PAGES}--- wiki/diary.md ---\n---\nprivate: true\n---\nsecret\n")
    with followed(opened().public()) as told:
        (root / "wiki/diary.md").write_text("---\nprivate: true\n---\nanother secret\n")
        (root / "wiki/a.md").write_text("egret\n")
        assert told.wait_for(lambda each: "wiki/a.md" in each.changed)
        names = {name for each in told.all for name in (*each.changed, *each.removed)}
        assert "wiki/diary.md" not in names


def test_who_is_only_looking_writes_nothing_in_the_workspace(opened, root, write_blocks):
    write_blocks(PAGES)

    def files():
        return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}

    with followed(opened(), only_looking=True) as told:
        before = files()
        (root / "wiki/a.md").write_text("egret\n")
        assert told.wait_for(lambda each: "wiki/a.md" in each.changed)
        told.wait_for(lambda each: each.state.fresh and each.state.as_of)
    assert files() == {**before, root / "wiki/a.md": b"egret\n"}
    assert not (root / "wiki/index.md").exists()


def test_what_another_index_holds_may_be_anything(opened, root, write_blocks):
    write_blocks(PAGES)
    space = opened()
    with followed(space) as told:
        space.index.reindex()
        assert not told.wait_for(lambda each: each.has_changes).complete
        (root / "wiki/a.md").write_text("heron and egret\n")
        assert told.wait_for(lambda each: "wiki/a.md" in each.changed)


@pytest.mark.parametrize("pages", [30, 300])
def test_a_look_at_one_change_reads_no_more_in_a_large_workspace(opened, root, pages):
    for number in range(pages):
        (root / f"{number:04}.md").write_text(f"# Bird {number}\n")
    space, told = opened(), []
    space.sync()
    follower = watching.Following(lambda: space.live, lambda _: None, told.append)
    follower._watch_at = float("inf")  # nobody watches
    follower._turn()
    (root / "0007.md").write_text("# Heron\n")
    opened().sync()
    steps = []
    space.live.stores().cards.db.set_progress_handler(lambda: steps.append(1), 10)
    follower._look_at = 0.0
    follower._turn()
    assert told[-1].changed == ("0007.md",)
    assert len(steps) < 200


class OutOfDate:
    """An index that stays out of date; a walk that counts what is takes so many seconds."""

    cache_folder = None  # nobody can watch

    def __init__(self, walk_s):
        self.walk_s, self.walks, self.now = walk_s, 0, 1000.0

    def version(self):
        return 1

    def pending_now(self):
        self.walks += 1
        self.now += self.walk_s
        return 7

    @contextmanager
    def reading(self, _):
        freshness = SimpleNamespace(fresh=False, as_of="")
        stores = SimpleNamespace(build=None, cards=SimpleNamespace(last_written=int))
        scope, context = SimpleNamespace(base=""), SimpleNamespace(is_public=False)
        yield SimpleNamespace(freshness=freshness, stores=stores, scope=scope, context=context)


@pytest.mark.parametrize(
    ("walk_s", "least", "most"), [(0.001, 90, 100), (2.0, 8, 12), (30.0, 0, 1)]
)
def test_what_is_out_of_date_is_counted_ever_less_often_the_longer_that_takes(
    monkeypatch, walk_s, least, most
):
    """In 500 seconds: each 5 seconds, and never for more than a twentieth of the time."""
    live, told = OutOfDate(walk_s), []
    monkeypatch.setattr(watching, "monotonic", lambda: live.now)
    monkeypatch.setattr(watching, "unswept_reading", live.reading)
    monkeypatch.setattr(watching, "watcher_of", lambda _: SimpleNamespace(state="", reason=""))
    follower = watching.Following(lambda: live, lambda _: None, told.append)
    end = live.now + 500
    while live.now < end:
        live.now += watching.LOOK_S
        follower._turn()
    assert least <= live.walks <= most
    assert told[-1].state.pending == 7


def test_the_name_of_the_first_private_page_is_told_to_nobody_who_may_not_see_it(
    opened, root, write_blocks, monkeypatch
):
    write_blocks(PAGES)
    opened().sync()
    told, space = [], opened(sync=False)
    one = watching.Following(space.live.public, lambda _: None, told.append)
    monkeypatch.setattr(one, "_watch", lambda _: None)
    one._turn()

    def taken_in(_):  # while it has chosen what it shows
        (root / "secret.md").write_text("---\nprivate: true\n---\nheron\n")
        opened().sync()

    monkeypatch.setattr(one, "_watch", taken_in)
    one._watch_at = one._look_at = 0.0
    one._turn()
    monkeypatch.setattr(one, "_watch", lambda _: None)
    one._look_at = 0.0
    one._turn()
    assert len(told) > 1
    assert not any("secret" in path for each in told for path in (*each.changed, *each.removed))
