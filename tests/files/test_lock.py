"""One holder at a time, freed by death, and named to those who wait."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memwiki.errors import LockedError, UnsafePathError, WriteError
from memwiki.files.lock import Lock, state_folder
from tests.waiting import PATIENCE_S

HOLDER = """
import sys, time
from pathlib import Path
sys.argv = ["/usr/bin/memwiki", "sync", "--secret"]
from memwiki.files.lock import Lock
lock = Lock(Path({path!r}))
assert lock.acquire()
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "state/lock"


@pytest.fixture
def holder(path):
    code = HOLDER.format(path=str(path))
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_two_takers_in_one_process_exclude_each_other(path):
    first, second = Lock(path), Lock(path)
    assert first.acquire()
    assert not second.acquire(0)
    assert not first.acquire(20)
    first.release()
    assert second.acquire(0)
    assert (first.is_held, second.is_held) == (False, True)
    second.release()


def test_giving_back_what_is_not_held_is_harmless(path):
    lock = Lock(path)
    lock.release()
    with lock:
        assert lock.is_held
    lock.release()
    assert not lock.is_held


def test_a_holder_that_is_killed_frees_the_lock_at_once(path, holder):
    lock = Lock(path)
    assert not lock.acquire(50)
    holder.kill()
    holder.wait()
    assert lock.acquire(0)
    lock.release()


def test_who_waits_in_vain_is_told_who_holds_the_lock(path, holder):
    with pytest.raises(LockedError) as caught, Lock(path, timeout_ms=30):
        pass
    assert f"process {holder.pid} (memwiki sync) since 20" in caught.value.message
    assert "secret" not in caught.value.message
    assert caught.value.is_recoverable


@pytest.mark.parametrize("note", [b"", b"{", b"[]", b'{"pid": 1}', b"\xff"])
def test_a_note_nobody_can_read_names_another_process(path, note):
    path.parent.mkdir()
    path.write_bytes(note)
    assert Lock(path).owner() == "another process"


def test_a_waiting_taker_gets_the_lock_when_it_is_given_back(path):
    first, second = Lock(path), Lock(path)
    assert first.acquire()
    timer = threading.Timer(0.05, first.release)
    timer.start()
    assert second.acquire(PATIENCE_S * 1000)
    second.release()
    timer.join()


def test_threads_that_share_one_lock_take_turns(path):
    lock, inside, most = Lock(path), [], []

    def work():
        for _ in range(20):
            with lock:
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
    assert len(most) == 80


def test_the_file_stays_and_forgets_its_holder(path):
    with Lock(path):
        assert json.loads(path.read_bytes())["pid"] == os.getpid()
    assert path.read_bytes() == b""


def test_a_lock_file_that_is_deleted_does_not_let_two_in(path):
    first, second = Lock(path), Lock(path)
    assert first.acquire()
    path.unlink()
    assert second.acquire(0)  # by force of whoever deleted it
    assert not Lock(path).acquire(0)
    first.release()
    assert not Lock(path).acquire(0)
    second.release()


def test_a_file_replaced_while_it_is_being_taken_is_taken_anew(path, monkeypatch):
    real, calls = fcntl.flock, []

    def meanwhile(descriptor, operation):
        real(descriptor, operation)
        if not calls:
            path.unlink()
        calls.append(operation)

    monkeypatch.setattr(fcntl, "flock", meanwhile)
    lock = Lock(path)
    assert lock.acquire(1000)
    assert len(calls) == 2
    assert path.exists()
    lock.release()


def test_a_disk_that_is_full_does_not_loosen_the_lock(path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "ftruncate", full)
    with Lock(path):
        assert not Lock(path).acquire(0)
    assert Lock(path).acquire(0)


def test_a_place_that_cannot_be_locked_is_an_error_and_no_endless_wait(path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(
            fcntl, "flock", lambda *_: (_ for _ in ()).throw(OSError(errno.ENOLCK, "No locks"))
        )
        with pytest.raises(WriteError, match="cannot be locked"):
            Lock(path).acquire(5000)
    path.unlink()
    path.mkdir()
    with pytest.raises(WriteError):
        Lock(path).acquire(5000)


def test_a_workspace_cannot_make_us_lock_a_file_elsewhere(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "state").symlink_to("elsewhere")
    with pytest.raises(UnsafePathError):
        Lock(tmp_path / "state/lock").acquire(0)
    (tmp_path / "elsewhere/lock").symlink_to("../victim")
    with pytest.raises(WriteError):
        Lock(tmp_path / "elsewhere/lock").acquire(0)
    assert (tmp_path / "victim").read_text() == "precious"


def test_the_command_without_a_name_is_python(path, monkeypatch):
    monkeypatch.setattr(sys, "argv", [""])
    with Lock(path):
        assert json.loads(path.read_bytes())["command"] == "python"


# --- the folder it lies in -----------------------------------------------------------------------


def test_our_folder_keeps_itself_out_of_git(root):
    assert state_folder(root) == state_folder(root) == root / ".memwiki"
    assert (root / ".memwiki/.gitignore").read_text() == "*\n"


def test_our_folder_may_not_lie_elsewhere(root, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (root / ".memwiki").symlink_to("../elsewhere")
    with pytest.raises(UnsafePathError):
        state_folder(root)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_workspace_that_cannot_be_written_says_so(root):
    (root / ".memwiki").touch()
    with pytest.raises(WriteError, match="could not be created"):
        state_folder(root)
