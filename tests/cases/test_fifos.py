"""A FIFO in the place of a file is never waited for."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path

import pytest

from memwiki.cli.main import main
from memwiki.errors import IndexDamagedError
from memwiki.files.lock import Lock
from memwiki.files.read import bytes_of, irregular
from memwiki.files.records import Records
from memwiki.index.cache_files import Heartbeat
from memwiki.index.cache_folder import CacheFolder
from memwiki.index.storage_sqlite import open_file
from memwiki.workspace import Workspace
from tests.waiting import until

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")

STATES = (
    "memwiki.toml",
    ".memwiki/lock",
    ".memwiki/state",
    "log.md",
    ".memwikiignore",
    "memory.md",
    "index.md",
)


def run(root, *arguments):
    """The exit code of a command in a process of its own, which finds everything imported."""
    with (root.parent / "said").open("w") as said, Path(os.devnull).open() as nothing:
        child = os.fork()
        if not child:
            code = 99
            try:
                sys.stdin, sys.stdout, sys.stderr = nothing, said, said
                code = main(["-C", str(root), *arguments])
                said.flush()
            except BaseException:
                traceback.print_exc()
                said.flush()
            finally:
                os._exit(code)
    _, status = until(lambda: _ended(child), "waits for ever")
    assert b"Traceback" not in (root.parent / "said").read_bytes()
    return os.waitstatus_to_exitcode(status)


def _ended(child):
    found = os.waitpid(child, os.WNOHANG)
    return found if found[0] else None


def test_a_file_of_ours_is_read_and_a_fifo_is_not(tmp_path):
    (tmp_path / "a").write_bytes(b"heron")
    os.mkfifo(tmp_path / "b")
    assert bytes_of(tmp_path / "a") == b"heron"
    for place, limit in ((tmp_path / "b", 10), (tmp_path, 10), (tmp_path / "a", 3)):
        with pytest.raises(OSError):
            bytes_of(place, limit)
    assert irregular(tmp_path) == "b"
    assert irregular(tmp_path / "a") == irregular(tmp_path / "none") == ""


def test_what_a_fifo_says_of_the_index_is_nothing(tmp_path):
    place = CacheFolder(tmp_path / "cache", tmp_path)
    place.make()
    for name in ("current", "swept.json", "watch.json"):
        os.mkfifo(place.path / name)
    assert (place.current(""), place.last(), place.clean_scan()) == (None, None, None)
    assert Heartbeat(place.path).last() is None


def test_a_store_that_is_a_fifo_is_damaged(tmp_path):
    from memwiki.index.keyword.store import KEYWORD

    (tmp_path / "keyword").mkdir()
    os.mkfifo(tmp_path / "keyword" / "MAIN_x.seg")
    os.mkfifo(tmp_path / "cards.sqlite")
    with pytest.raises(IndexDamagedError, match="not a regular file"):
        open_file(os.fspath(tmp_path / "cards.sqlite"), "cards")
    with pytest.raises(IndexDamagedError, match="not a regular file"):
        KEYWORD.open(tmp_path)


def test_nobody_knows_who_holds_a_lock_that_is_a_fifo(tmp_path):
    os.mkfifo(tmp_path / "lock")
    assert Lock(tmp_path / "lock").owner() == "another process"


def test_records_that_are_a_fifo_are_an_error(tmp_path):
    from memwiki.errors import UnreadableError

    records = Records(tmp_path, "undo", max_bytes=100)
    records.location.parent.mkdir(parents=True)
    os.mkfifo(records.location)
    with pytest.raises(UnreadableError):
        list(records.newest())


@pytest.mark.parametrize("name", STATES)
def test_no_command_waits_for_a_fifo_in_the_workspace(tmp_path, name):
    root = tmp_path / "ws"
    Workspace.init(root)
    place = root / name
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    for command in (("check",), ("append", "README", "more")):
        assert run(root, *command) in (0, 1, 3)


def test_no_command_waits_for_a_fifo_in_the_cache(tmp_path, cache):
    root = tmp_path / "ws"
    Workspace.init(root)
    run(root, "check")
    files = sorted(path.relative_to(cache) for path in cache.rglob("*") if path.is_file())
    assert len(files) > 6
    for file in files:
        place = cache / file
        if not place.parent.is_dir():
            continue
        place.unlink(missing_ok=True)
        os.mkfifo(place)
        assert run(root, "search", "memory") in (0, 1), file
        place.unlink(missing_ok=True)
    assert Path(cache).is_dir()
