"""Reading a file: whole, steady, and never something else than a file."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from memwiki.errors import NotFoundError, UnreadableError, UnsafePathError
from memwiki.files.read import contents, read, resolve_link
from memwiki.files.scan import scan


def test_the_bytes_come_with_the_signature_the_scan_gives(root, put):
    put("a.md=some text")
    found, signature = contents(root, "a.md", 100)
    assert (found.data, signature) == (b"some text", scan(root).files["a.md"])


def test_every_byte_is_given_as_it_is(root):
    data = b"\xef\xbb\xbf# T\r\nx\x00\xff\nno end"
    (root / "a.md").write_bytes(data)
    assert read(root, "a.md") == data


def test_only_the_head_of_a_large_file_is_read(root, put):
    put("a.md=0123456789")
    assert read(root, "a.md", max_bytes=4) == b"0123"
    assert read(root, "a.md", max_bytes=100) == b"0123456789"


def test_an_empty_file_is_empty(root):
    (root / "a.md").touch()
    assert read(root, "a.md") == b""


def test_a_read_that_the_system_cuts_short_goes_on(root, put, monkeypatch):
    put("a.md=0123456789")
    real = os.read
    monkeypatch.setattr(os, "read", lambda descriptor, size: real(descriptor, min(size, 3)))
    assert read(root, "a.md") == b"0123456789"


def test_a_file_changed_while_it_is_read_is_read_again(root, put, monkeypatch):
    put("a.md=old text")
    real, calls = os.read, []

    def interfering(descriptor, size):
        data = real(descriptor, size)
        if not calls:
            (root / "a.md").write_text("the new and longer text")
        calls.append(size)
        return data

    monkeypatch.setattr(os, "read", interfering)
    found, signature = contents(root, "a.md", 100)
    assert found.data == b"the new and longer text"
    assert signature == scan(root).files["a.md"]


def test_a_file_that_never_rests_is_refused(root, put, monkeypatch):
    put("a.md=old")
    real, calls = os.read, []

    def interfering(descriptor, size):
        data = real(descriptor, size)
        calls.append(size)
        (root / "a.md").write_text("x" * len(calls) * 10)
        return data

    monkeypatch.setattr(os, "read", interfering)
    with pytest.raises(UnreadableError, match="keeps changing"):
        read(root, "a.md")
    assert len(calls) <= 6


@pytest.mark.parametrize("path", ["nowhere.md", "a.md/below.md", "no/such/folder.md"])
def test_a_missing_file_is_not_found(root, put, path):
    put("a.md")
    with pytest.raises(NotFoundError) as caught:
        read(root, path)
    assert caught.value.path == path


def test_folders_and_fifos_are_refused_without_waiting(root):
    (root / "dir.md").mkdir()
    os.mkfifo(root / "pipe.md")
    for name in ("dir.md", "pipe.md"):
        with pytest.raises(UnreadableError, match="not a regular file"):
            read(root, name)


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO, errno.ESTALE])
def test_a_file_the_system_does_not_give_is_unreadable(root, put, fail_folder, code):
    put("a.md")
    fail_folder(root / "a.md", code)
    with pytest.raises(UnreadableError, match=r"a\.md: cannot be read"):
        read(root, "a.md")


def test_symlinks_inside_are_read_and_symlinks_out_refused(root, put, tmp_path):
    put("data.txt=inside")
    (tmp_path / "secret.md").write_text("secret")
    (root / "in.md").symlink_to("data.txt")
    (root / "out.md").symlink_to("../secret.md")
    (root / "gone.md").symlink_to("missing.txt")
    assert read(root, "in.md") == b"inside"
    with pytest.raises(UnsafePathError):
        read(root, "out.md")
    with pytest.raises(NotFoundError):
        read(root, "gone.md")


def test_what_leads_out_of_the_folder_is_told_from_what_only_begins_like_it(tmp_path):
    (tmp_path / "wiki-old").mkdir()
    (tmp_path / "wiki-old/a.md").write_text("x")
    root = tmp_path / "wiki"
    root.mkdir()
    (root / "out.md").symlink_to(tmp_path / "wiki-old/a.md")
    (root / "here").symlink_to(root)
    for path in ("out.md", "../wiki-old/a.md", "/etc/hosts"):
        with pytest.raises(UnsafePathError, match="leads out"):
            resolve_link(root, path)
    assert resolve_link(root, "here/b.md") == root.resolve() / "b.md"
    assert resolve_link(root, "") == resolve_link(root, "here/") == root.resolve()
    assert resolve_link("/", "etc/") == Path("/etc").resolve()


def test_symlinks_in_a_circle_are_unreadable(root):
    (root / "a.md").symlink_to("b.md")
    (root / "b.md").symlink_to("a.md")
    with pytest.raises(UnreadableError):
        read(root, "a.md")
    with pytest.raises((UnreadableError, UnsafePathError)):
        resolve_link(root, "a.md")
