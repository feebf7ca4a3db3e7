"""Where a checkout stands, and whether git is in the middle of something."""

from __future__ import annotations

import os

import pytest

from memwiki.files.checkout import git_at_work, git_folder, git_head

NOW = 1_800_000_000 * 10**9


def test_where_a_checkout_stands_is_read_without_running_git(put, root, tmp_path):
    assert git_head(root) == ""
    seen = {""}
    for path, text in (
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/HEAD", "ref: refs/heads/other\n"),
        (".git/logs/HEAD", "checkout: moving from main to other\n"),
        (".git/logs/HEAD", "checkout: moving from main to other\npull: Fast-forward\n"),
    ):
        put(f"{path}={text}")
        seen.add(git_head(root))
    assert len(seen) == 5
    assert git_head(root / "wiki" / "deep") == git_head(root)


def test_a_worktree_names_the_real_place_of_its_head(put, root, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "HEAD").write_text("0123abc\n")
    put(".git=gitdir: ../elsewhere\n")
    assert "0123abc" in git_head(root)
    (root / ".git").write_bytes(b"\xff\xfe nonsense")
    assert git_head(root) == ""


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("index.lock", "git is at work"),
        ("MERGE_HEAD", "a merge is in progress"),
        ("rebase-merge/onto", "a rebase is in progress"),
    ],
)
def test_git_in_the_middle_of_something_is_seen(put, root, name, what):
    put(".git/HEAD=ref: refs/heads/main\n")
    place = git_folder(root)
    assert git_at_work(place, NOW) == ""
    put(f".git/{name}")
    os.utime(root / ".git" / name, ns=(NOW, NOW))
    assert git_at_work(place, NOW) == what


def test_a_lock_that_a_killed_git_left_stops_nobody(put, root):
    put(".git/index.lock")
    os.utime(root / ".git/index.lock", ns=(NOW, NOW))
    assert git_at_work(root / ".git", NOW + 599 * 10**9)
    assert not git_at_work(root / ".git", NOW + 601 * 10**9)


def test_a_folder_that_is_no_checkout_has_no_place_of_git(root):
    assert git_folder(root) is None


@pytest.mark.parametrize(
    "text",
    [
        b"gitdir: a\0b\n",
        b"\0",
        b"",
        b"\n",
        b"gitdir: \n",
        b"a" * 5_000,
        b"gitdir: " + b"n" * 4_000,
        b"x gitdir: y",
    ],
)
def test_a_git_file_that_names_no_place_is_none(root, text):
    """One with a NUL ended a running watcher."""
    (root / ".git").write_bytes(text)
    place = git_folder(root)
    assert place is None or git_at_work(place, NOW) == ""
    assert git_head(root) == ""


def test_a_head_that_holds_anything_is_only_compared(put, root):
    put(".git/config")
    for data in (b"\0", b"\xff" * 9_000, b"ref: " + b"../" * 900):
        (root / ".git/HEAD").write_bytes(data)
        assert git_head(root).encode()
