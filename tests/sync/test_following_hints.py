"""A hint says where files changed: cheap when it is true, harmless when it is not."""

from __future__ import annotations

import errno
import os

import pytest

from memwiki.files import ignore as glances
from memwiki.files import scan as scans
from memwiki.files.lock import Lock
from memwiki.sync import feed


@pytest.fixture
def no_walk(monkeypatch):
    """Fail when the whole workspace is walked."""

    def refuse(*_, **__):
        raise AssertionError("walked")

    return lambda: monkeypatch.setattr(scans, "scan", refuse)


def found(space, query):
    return [hit.path for hit in space.search(query).hits]


def test_a_page_that_changed_is_taken_in_without_a_walk(put, ws, opened, no_walk):
    """
    --- a.md ---
    heron
    --- b.md ---
    heron
    """
    ws.sync()
    put("a.md", "stork\n")
    put("c.md", "stork\n")
    os.unlink(ws.root / "b.md")
    no_walk()
    changes = ws.live.sync_paths(["a.md", "b.md", "c.md", "never.md", "a.md"])
    assert (changes.added, changes.modified, changes.removed) == (("c.md",), ("a.md",), ("b.md",))
    assert changes.fresh
    assert sorted(found(opened(sync=False), "stork")) == ["a.md", "c.md"]


def test_a_hint_about_nothing_new_writes_nothing(settled, no_walk, place_of):
    """
    --- a.md ---
    heron
    """
    generation = settled.live.stores().keyword.generation()
    no_walk()
    changes = settled.live.sync_paths(["a.md"])
    assert (changes.added, changes.modified, changes.removed) == ((), (), ())
    assert settled.live.stores().keyword.generation() == generation
    assert settled.live.cache_folder.clean_scan() is not None


@pytest.mark.parametrize("hint", ["sub", "picture.png", ".memwikiignore", "link.md"])
def test_what_concerns_more_than_one_page_is_walked_for(put, ws, hint, assert_in_step):
    """
    --- a.md ---
    heron
    --- sub/b.md ---
    heron
    """
    ws.sync()
    put("sub/c.md", "stork\n")
    put("picture.png", b"")
    put(".memwikiignore", "a.md\n")
    (ws.root / "link.md").symlink_to("picture.png")
    ws.live.sync_paths([hint])
    assert_in_step(ws)


def test_a_false_hint_does_not_stand_beside_a_sweep(settled, assert_in_step):
    """Taken out of the index while it was away for a moment, an old signature is found again.

    --- a.md ---
    heron
    --- b.md ---
    heron
    """
    real, away = settled.root / "a.md", settled.root.parent / "away"
    before = real.stat()
    real.rename(away)
    settled.live.sync_paths(["a.md"])
    assert settled.live.cache_folder.clean_scan() is None
    away.rename(real)
    assert real.stat().st_mtime_ns == before.st_mtime_ns
    assert sorted(found(settled, "heron")) == ["a.md", "b.md"]
    assert_in_step(settled)


def test_what_cannot_be_read_is_kept_and_said(put, ws, monkeypatch, opened):
    """
    --- a.md ---
    heron
    """
    ws.sync()
    put("a.md", "stork\n")
    real = os.open

    def guarded(path, *arguments, **named):
        if os.fspath(path).endswith("a.md"):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES), path)
        return real(path, *arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", guarded)
        changes = ws.live.sync_paths(["a.md"])
    assert changes.failed == ("a.md",)
    assert not changes.fresh
    assert "a.md" in changes.reason
    assert found(opened(sync=False), "heron") == ["a.md"]
    assert ws.live.sync_paths(["a.md"]).modified == ("a.md",)


def test_pages_of_a_disk_that_went_away_are_kept(put, ws, monkeypatch):
    """
    --- sub/a.md ---
    heron
    --- b.md ---
    heron
    """
    ws.sync()
    os.rename(ws.root / "sub", ws.root.parent / "sub")
    (ws.root / "sub").mkdir()
    monkeypatch.setattr(glances, "device_of", lambda _: 1)
    monkeypatch.setattr(feed, "device_of", lambda _: 1)
    real = scans.scan

    def mounted(*arguments, **named):
        seen = real(*arguments, **named)
        seen.mounts = {"sub": seen.device + 1}
        return seen

    monkeypatch.setattr(scans, "scan", mounted)
    changes = ws.live.sync_paths(["sub/a.md"])
    assert changes.removed == ()
    assert not changes.fresh


def test_a_hint_that_would_remove_many_pages_is_left_to_a_walk(put, ws, root):
    for number in range(120):
        put(f"{number}.md", "heron\n")
    put("home.md", "heron\n")
    ws.sync()
    paths = [f"{number}.md" for number in range(120)]
    for path in paths:
        os.unlink(root / path)
    changes = ws.live.sync_paths(paths)
    assert changes.removed == ()
    assert "120 of 121" in changes.reason


def test_a_checkout_is_left_to_a_walk(put, ws, assert_in_step):
    """
    --- a.md ---
    heron
    --- b.md ---
    heron
    """
    put(".git/HEAD", "ref: refs/heads/main\n")
    ws.sync()
    put(".git/HEAD", "ref: refs/heads/other\n")
    put("a.md", "stork\n")
    put("b.md", "stork\n")
    assert ws.live.sync_paths(["a.md"]).modified == ("a.md", "b.md")


def test_before_the_first_sync_a_hint_is_a_sync(ws, assert_in_step):
    """
    --- a.md ---
    heron
    --- b.md ---
    heron
    """
    assert ws.live.sync_paths(["a.md"]).added == ("a.md", "b.md")
    assert_in_step(ws)


def test_where_names_prove_nothing_a_hint_is_a_sync(put, ws, root):
    """
    --- a.md ---
    heron
    """
    ws.sync()
    put(".MEMWIKI/x", "")
    put("a.md", "stork\n")
    put("b.md", "stork\n")
    changes = ws.live.sync_paths(["a.md"])
    assert (changes.added, changes.modified) == (("b.md",), ("a.md",))


def test_while_another_writes_a_hint_waits_no_longer_than_asked(put, ws):
    """
    --- a.md ---
    heron
    """
    ws.sync()
    put("a.md", "stork\n")
    with Lock(ws.live.cache_folder.lock):
        changes = ws.live.sync_paths(["a.md"], wait_ms=10)
    assert not changes.fresh
    assert "another process" in changes.reason


def test_without_a_cache_folder_a_hint_works_as_well(put, root, monkeypatch):
    """
    --- a.md ---
    heron
    """
    monkeypatch.setattr("memwiki.sync.opened.cache_root", lambda *_: None)
    from memwiki.workspace import Workspace

    space = Workspace.open(root, find=False)
    space.sync()
    put("a.md", "stork\n")
    assert space.live.sync_paths(["a.md"]).modified == ("a.md",)
    assert found(space, "stork") == ["a.md"]
    space.close()
