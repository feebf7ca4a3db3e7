"""A file beside the workspaces is written whole, or not at all, and never over another one."""

import os

import pytest

from memwiki.errors import AlreadyExistsError, WriteError
from memwiki.files.temporary import write_new


def fail(*_arguments, **_named):
    raise OSError(28, "No space left on device")


def test_a_new_file_has_all_that_was_written(tmp_path):
    assert write_new(tmp_path / "x", lambda file: file.write(b"all")) == 3
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("x", b"all")]


@pytest.mark.parametrize("name", ["fsync", "link"])
def test_a_failing_disk_leaves_nothing(tmp_path, monkeypatch, name):
    monkeypatch.setattr(os, name, fail)
    if name == "link":  # a file system without them
        assert write_new(tmp_path / "x", lambda file: file.write(b"all")) == 3
        return
    with pytest.raises(WriteError, match="No space left"):
        write_new(tmp_path / "x", lambda file: file.write(b"all"))
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_came_meanwhile_stays(tmp_path, monkeypatch):
    def fill(file):
        (tmp_path / "x").write_text("mine")

    for links in (True, False):
        if not links:
            monkeypatch.setattr(os, "link", fail)
        (tmp_path / "x").unlink(missing_ok=True)
        with pytest.raises(AlreadyExistsError):
            write_new(tmp_path / "x", fill)
        assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(WriteError, match="could not be written"):
        write_new(tmp_path / "no/x", lambda file: None)
