"""Real inotify through watchdog: what is heard, and the parts of watchdog that this leans on."""

from __future__ import annotations

import logging
import sys
import threading
from importlib.metadata import version

import pytest

from memwiki.watch.listener import EventListener
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify")


class Heard:
    """Collects what a listener reports."""

    def __init__(self, root):
        self.paths: list[tuple[str, bool]] = []
        self.lost = threading.Event()
        self.told = threading.Condition()
        self.listener = EventListener(root, self.note, self.lost.set, self.is_foreign)

    def note(self, path, is_folder):
        with self.told:
            self.paths.append((path, is_folder))
            self.told.notify_all()

    def is_foreign(self, path):
        return bool({".git", "node_modules"} & set(path.split("/")))

    def wait_for(self, path, is_folder=False):
        with self.told:
            assert self.told.wait_for(lambda: (path, is_folder) in self.paths, PATIENCE_S), (
                self.paths
            )


@pytest.fixture
def heard(tmp_path):
    root = tmp_path / "ws"
    (root / "sub").mkdir(parents=True)
    (root / ".git" / "objects").mkdir(parents=True)
    (root / "old.md").write_text("heron")
    one = Heard(root)
    one.root = root
    one.listener.start()
    yield one
    one.listener.stop()


def test_watchdog_is_the_one_whose_inside_was_looked_at():
    assert version("watchdog").startswith("7.1.")


def test_writing_renaming_and_removing_are_heard(heard):
    (heard.root / "sub" / "a.md").write_text("heron")
    heard.wait_for("sub/a.md")
    heard.paths.clear()
    (heard.root / "sub" / "a.md").rename(heard.root / "b.md")
    heard.wait_for("sub/a.md")
    heard.wait_for("b.md")
    heard.paths.clear()
    (heard.root / "b.md").unlink()
    heard.wait_for("b.md")


def test_reading_is_not_heard(heard):
    (heard.root / "old.md").read_text()
    list(heard.root.iterdir())
    (heard.root / "b.md").write_text("heron")
    heard.wait_for("b.md")
    assert {path for path, _ in heard.paths} == {"b.md"}


def test_a_new_folder_is_watched_from_its_first_file_on(heard):
    (heard.root / "new" / "deep").mkdir(parents=True)
    heard.wait_for("new", is_folder=True)
    until(lambda: not heard.listener.unwatched())
    (heard.root / "new" / "deep" / "a.md").write_text("heron")
    heard.wait_for("new/deep/a.md")


def test_a_folder_that_moves_is_heard_and_stays_watched(heard):
    (heard.root / "sub").rename(heard.root / "moved")
    heard.wait_for("sub", is_folder=True)
    (heard.root / "moved" / "a.md").write_text("heron")
    heard.wait_for("moved/a.md")


def test_foreign_folders_have_no_watch(heard):
    (heard.root / ".git" / "objects" / "x").write_text("heron")
    (heard.root / ".git" / "HEAD").write_text("heron")
    (heard.root / "node_modules" / "deep").mkdir(parents=True)
    (heard.root / "node_modules" / "deep" / "a.md").write_text("heron")
    (heard.root / "a.md").write_text("heron")
    heard.wait_for("a.md")
    assert [path for path, _ in heard.paths if "/" in path] == []
    assert heard.listener.unwatched() == []


def test_a_folder_without_a_watch_is_known(heard, monkeypatch):
    from memwiki.watch import inotify

    real = inotify._Group._add_callback

    def short(self, path):
        if not path.endswith(b"sub"):
            real(self, path)

    monkeypatch.setattr(inotify._Group, "_add_callback", short)
    other = Heard(heard.root)
    other.listener.start()
    assert [path.rpartition("/")[2] for path in other.listener.unwatched()] == ["sub"]
    other.listener.stop()


def test_an_overflow_is_noticed(heard):
    assert not heard.lost.is_set()
    logging.getLogger("watchdog.observers.inotify_c").warning("Inotify queue overflowed")
    assert heard.lost.is_set()


def test_an_ear_is_sound_until_its_folder_is_gone(heard):
    assert heard.listener.is_sound()
    (heard.root / "sub").rmdir()
    heard.wait_for("sub", is_folder=True)
    assert heard.listener.is_sound()
    heard.listener.stop()
    assert not heard.listener.is_sound()


def test_an_ear_whose_observer_is_told_to_stop_is_unsound_while_its_threads_end(heard, monkeypatch):
    observer = heard.listener._observer
    observer.stop()
    monkeypatch.setattr(observer, "is_alive", lambda: True)
    monkeypatch.setattr(observer, "is_reading", lambda: True)
    assert heard.listener.unwatched()
    assert not heard.listener.is_sound()


def test_the_root_removed_makes_the_ear_unsound(heard):
    import shutil

    shutil.rmtree(heard.root)
    until(lambda: not heard.listener.is_sound())


def test_an_ear_that_never_heard_can_be_stopped(tmp_path):
    one = Heard(tmp_path / "never")
    with pytest.raises(OSError):
        one.listener.start()
    one.listener.stop()
    one.listener.stop()


def test_two_halves_of_a_rename_do_not_wait_half_a_second():
    from memwiki.watch.inotify import _Pairs

    assert _Pairs().delay <= 0.05


def test_a_folder_that_was_moved_out_is_heard_no_more(heard, tmp_path):
    (heard.root / "sub").rename(tmp_path / "out")
    heard.wait_for("sub", is_folder=True)
    heard.paths.clear()
    (tmp_path / "out" / "a.md").write_text("heron")
    (heard.root / "b.md").write_text("heron")
    heard.wait_for("b.md")
    assert [path for path, _ in heard.paths if path.startswith("sub/")] == []


def test_folders_of_one_name_may_come_and_go(heard, tmp_path):
    """Moved out, made anew, removed, and the first one removed where it is now."""
    for number in range(20):
        (heard.root / "sub" / "deep").mkdir(parents=True, exist_ok=True)
        (heard.root / "sub").rename(tmp_path / "out")
        if number % 2:
            (tmp_path / "out").rename(heard.root / "back")
            (heard.root / "back" / "deep").rmdir()
            (heard.root / "back").rmdir()
        else:
            (heard.root / "sub").mkdir()
            (heard.root / "sub").rmdir()
            (tmp_path / "out" / "deep").rmdir()
            (tmp_path / "out").rmdir()
    (heard.root / "a.md").write_text("heron")
    heard.wait_for("a.md")
    assert heard.listener.is_sound()
