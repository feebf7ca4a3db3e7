"""Flushing a file system at once: only where that is as good as flushing each file."""

from __future__ import annotations

import errno
import os
import sys
from ctypes import CDLL
from types import SimpleNamespace

import pytest

from memwiki.files import write
from memwiki.files.write import FileSystem, file_system_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="syncfs is a call of Linux")
LINE = "27 1 {0}:{1} / / rw,relatime shared:1 - {2} /dev/vda rw\n"


@pytest.fixture
def mounted(tmp_path, monkeypatch):
    """Say what kinds of file system the folder is on."""
    device = tmp_path.stat().st_dev
    mounts = tmp_path / "mountinfo"

    def say(*kinds: str, release: str = "6.1.0-9-amd64") -> None:
        numbers = os.major(device), os.minor(device)
        other = LINE.format(0, 999_999, "fuse.sshfs")
        mounts.write_text("".join(LINE.format(*numbers, kind) for kind in kinds) + other)
        monkeypatch.setattr(write, "_MOUNTS", mounts)
        monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(release=release))

    return say


@pytest.mark.parametrize("kinds", [("ext4",), ("btrfs", "btrfs")])
def test_what_the_kernel_writes_itself_is_flushed_at_once(tmp_path, mounted, kinds):
    mounted(*kinds)
    with file_system_of(tmp_path) as system:
        assert system is not None
        system.flush()


@pytest.mark.parametrize("kinds", [(), ("fuse.sshfs",), ("9p",), ("nfs4",), ("ext4", "fuse")])
def test_what_asks_others_or_is_not_known_is_flushed_file_by_file(tmp_path, mounted, kinds):
    mounted(*kinds)
    with file_system_of(tmp_path) as system:
        assert system is None


@pytest.mark.parametrize("release", ["5.7.19", "4.19.0-amd64"])
def test_a_kernel_that_does_not_tell_of_failures_is_not_trusted(tmp_path, mounted, release):
    mounted("ext4", release=release)
    with file_system_of(tmp_path) as system:
        assert system is None


def test_a_disk_that_did_not_take_it_is_told(tmp_path, mounted):
    mounted("ext4")
    with file_system_of(tmp_path) as system:
        pass
    with pytest.raises(OSError, match=os.strerror(errno.EBADF)):
        system.flush()


def test_a_file_of_another_file_system_is_flushed_at_once(tmp_path, monkeypatch):
    flushed = list[int]()
    monkeypatch.setattr(os, "fsync", flushed.append)
    with (tmp_path / "a").open("w") as file:
        own = file.fileno()
        FileSystem(os.fstat(own).st_dev, own).defer(own)
        assert flushed == []
        FileSystem(os.fstat(own).st_dev + 1, own).defer(own)
        assert flushed == [own]


def test_the_system_has_the_call():
    assert CDLL(None).syncfs
