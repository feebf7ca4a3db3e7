"""What is handed over by the name of a file that is no common file."""

from __future__ import annotations

import os
import threading

import pytest

from memwiki.cli.streams import read_bytes
from memwiki.errors import UnreadableError

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="files of Unix")


@pytest.fixture
def fifo(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    return str(tmp_path / "fifo")


@pytest.mark.timeout(20)
def test_a_fifo_that_nobody_writes_into_is_empty(fifo):
    assert read_bytes(fifo, 100) == b""


@pytest.mark.timeout(20)
def test_a_fifo_is_read_to_its_end():
    reading, writing = os.pipe()

    def write():
        with os.fdopen(writing, "wb") as pipe:
            for each in range(50):
                pipe.write(b"%d\n" % each)
                pipe.flush()

    writer = threading.Timer(0.2, write)
    writer.start()
    found = read_bytes(f"/dev/fd/{reading}", 1_000)
    writer.join()
    os.close(reading)
    assert found.split() == [b"%d" % each for each in range(50)]


def test_a_folder_and_a_link_to_nothing_are_one_error(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    for each in (tmp_path, tmp_path / "link"):
        with pytest.raises(UnreadableError, match="cannot be read"):
            read_bytes(str(each), 100)


def test_no_more_is_read_than_asked_for():
    assert read_bytes("/dev/zero", 100) == bytes(101)
