"""The secret by which one's own records are known."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from memwiki.files.key import key_in, made_key_in


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
    assert [path.name for path in tmp_path.iterdir()] == ["undo.key"]


def test_a_key_that_another_made_meanwhile_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, theirs = os.link, b"t" * 32

    def late(source: Path, place: Path) -> None:
        Path(place).write_bytes(theirs)
        link(source, place)

    monkeypatch.setattr(os, "link", late)
    assert made_key_in(tmp_path) == theirs == key_in(tmp_path)


def test_what_is_no_key_is_replaced_by_one(tmp_path: Path) -> None:
    (tmp_path / "undo.key").write_bytes(b"short")
    assert len(made_key_in(tmp_path)) == 32


def test_a_disk_without_links_has_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(source: Path, place: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", none)
    assert len(made_key_in(tmp_path)) == 32
