"""The secret by which one's own records are known."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from memwiki.files.lock import Lock
from memwiki.files.records import key_in, made_key_in


def test_all_who_make_the_key_at_once_have_the_same(tmp_path: Path) -> None:
    meet = threading.Barrier(8)
    keys = []

    def make() -> None:
        meet.wait()
        keys.append(made_key_in(tmp_path))

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(keys) == {key_in(tmp_path)}
    assert {path.name for path in tmp_path.iterdir()} == {"undo.key", "undo.key.lock"}


def test_a_key_that_another_made_while_one_waited_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = b"t" * 32
    enter = Lock.__enter__

    def late(lock: Lock) -> Lock:
        (tmp_path / "undo.key").write_bytes(theirs)
        return enter(lock)

    monkeypatch.setattr(Lock, "__enter__", late)
    assert made_key_in(tmp_path) == theirs == key_in(tmp_path)


def test_what_is_no_key_is_replaced_by_one(tmp_path: Path) -> None:
    (tmp_path / "undo.key").write_bytes(b"short")
    assert len(made_key_in(tmp_path)) == 32


def test_a_folder_that_takes_no_file_has_no_key(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert made_key_in(tmp_path / "file" / "cache") == b""
    assert made_key_in(None) == b""
