"""Writing a file: whole or not at all, over what was seen, and with everything else kept."""

from __future__ import annotations

import errno
import os
import stat
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from memwiki.digest import digest_of
from memwiki.errors import ConflictError, UnsafePathError, WriteError
from memwiki.files import temporary
from memwiki.files.read import current_bytes
from memwiki.files.temporary import sweep_temporaries, temporary_name
from memwiki.files.write import append, delete, write

OLD, NEW = b"\xef\xbb\xbfold\r\n", b"new\nwithout an end"


@pytest.fixture
def page(root) -> Path:
    (root / "a.md").write_bytes(OLD)
    return root / "a.md"


def leftovers(root: Path) -> list[str]:
    return [path.name for path in root.rglob(".memwiki-*")]


def test_bytes_are_written_as_given(root, page):
    assert write(root, "a.md", NEW, expect=digest_of(OLD)) == digest_of(NEW)
    assert page.read_bytes() == NEW
    assert leftovers(root) == []


def test_a_new_file_is_written_with_the_folders_it_needs(root):
    write(root, "wiki/deep/a.md", NEW, expect="")
    assert (root / "wiki/deep/a.md").read_bytes() == NEW


@pytest.mark.parametrize(
    ("expected", "told"),
    [(digest_of(b"older"), "changed since it was read"), ("", "already exists")],
)
def test_what_is_no_longer_as_it_was_read_is_refused(root, page, expected, told):
    with pytest.raises(ConflictError, match=told):
        write(root, "a.md", NEW, expect=expected)
    assert page.read_bytes() == OLD


def test_a_file_that_is_gone_is_not_brought_back(root):
    with pytest.raises(ConflictError, match="was deleted"):
        write(root, "a.md", NEW, expect=digest_of(OLD))
    assert not (root / "a.md").exists()


@pytest.mark.parametrize("interference", [b"from an editor", None])
def test_a_change_between_the_look_and_the_rename_is_not_lost(
    root, page, monkeypatch, interference
):
    real = os.fsync

    def meanwhile(descriptor):
        real(descriptor)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            page.unlink()
            if interference:
                page.write_bytes(interference)

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(ConflictError):
        write(root, "a.md", NEW, expect=digest_of(OLD))
    assert (page.read_bytes() if page.exists() else None) == interference
    assert leftovers(root) == []


def test_a_file_that_appears_before_the_rename_is_not_overwritten(root, monkeypatch):
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda d: (root / "a.md").write_bytes(OLD) and real(d))
    with pytest.raises(ConflictError):
        write(root, "a.md", NEW, expect="")
    assert (root / "a.md").read_bytes() == OLD


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664])
def test_the_mode_is_kept(root, page, mode):
    page.chmod(mode)
    write(root, "a.md", NEW, expect=digest_of(OLD))
    assert stat.S_IMODE(page.stat().st_mode) == mode


def test_a_file_that_nobody_may_write_is_refused(root, page):
    page.chmod(0o444)
    with pytest.raises(WriteError, match="is read-only") as refused:
        write(root, "a.md", NEW, expect=digest_of(OLD))
    assert "chmod u+w" in refused.value.hint
    assert page.read_bytes() == OLD
    assert leftovers(root) == []


def test_a_new_file_is_as_open_as_the_person_wants_new_files_to_be(root):
    before = os.umask(0o027)
    try:
        write(root, "a.md", NEW, expect="")
    finally:
        os.umask(before)
    assert stat.S_IMODE((root / "a.md").stat().st_mode) == 0o640


def test_the_owner_is_kept_or_it_does_not_matter(root, page, monkeypatch):
    given = []
    real = os.fstat

    def as_another(descriptor):
        found = real(descriptor)
        return os.stat_result((*found[:4], 4242, *found[5:])) if not given else found

    def refuse(descriptor, user, group):
        given.append(user)
        raise PermissionError(errno.EPERM, "only root gives files away")

    monkeypatch.setattr(os, "fchown", refuse)
    monkeypatch.setattr("memwiki.files.write.os.fstat", as_another)
    looked = digest_of(OLD), None
    monkeypatch.setattr("memwiki.files.write.digest_in", lambda root, path: looked)
    monkeypatch.setattr("memwiki.files.write.signature_at", lambda place: None)
    write(root, "a.md", NEW, expect=digest_of(OLD))
    assert given == [os.getuid()]
    assert page.read_bytes() == NEW


def test_a_symlink_is_written_through(root, put):
    put("real/data.md=old")
    (root / "a.md").symlink_to("real/data.md")
    write(root, "a.md", NEW, expect=digest_of(b"old"))
    assert (root / "a.md").is_symlink()
    assert (root / "real/data.md").read_bytes() == NEW


def test_a_symlink_out_of_the_workspace_is_not_written_through(root, tmp_path):
    (tmp_path / "outside.md").write_bytes(OLD)
    (root / "a.md").symlink_to("../outside.md")
    (root / "up").symlink_to("..")
    for path in ("a.md", "up/outside.md", "../outside.md"):
        with pytest.raises(UnsafePathError):
            write(root, path, NEW, expect=digest_of(OLD))
    with pytest.raises(UnsafePathError):
        write(root, "up/new.md", NEW, expect="")
    assert (tmp_path / "outside.md").read_bytes() == OLD
    assert not (tmp_path / "new.md").exists()


def test_deleting_removes_what_was_seen_and_nothing_else(root, page):
    with pytest.raises(ConflictError):
        delete(root, "a.md", expect=digest_of(NEW))
    assert page.exists()
    delete(root, "a.md", expect=digest_of(OLD))
    assert not page.exists()
    with pytest.raises(ConflictError):
        delete(root, "a.md", expect=digest_of(OLD))


def test_deleting_a_symlink_leaves_what_it_leads_to(root, page):
    (root / "link.md").symlink_to("a.md")
    delete(root, "link.md", expect=digest_of(OLD))
    assert page.read_bytes() == OLD
    assert not (root / "link.md").is_symlink()


def test_writes_that_the_system_cuts_short_go_on(root, page, monkeypatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data[:3])))
    write(root, "a.md", NEW, expect=digest_of(OLD))
    assert page.read_bytes() == NEW


def test_a_system_that_cannot_flush_folders_is_no_failure(root, page, monkeypatch):
    real = os.fsync

    def no_folders(descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", no_folders)
    write(root, "a.md", NEW, expect=digest_of(OLD))
    assert page.read_bytes() == NEW


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO])
def test_a_folder_that_cannot_be_opened_is_a_failure_only_if_the_disk_is_ill(
    root, page, monkeypatch, code
):
    real = os.open

    def guarded(path, flags, *args, **kwargs):
        if os.fspath(path) == str(root):
            raise OSError(code, os.strerror(code))
        return real(path, flags, *args, **kwargs)

    monkeypatch.setattr(os, "open", guarded)
    if code == errno.EACCES:
        write(root, "a.md", NEW, expect=digest_of(OLD))
    else:
        with pytest.raises(WriteError):
            write(root, "a.md", NEW, expect=digest_of(OLD))
    assert page.read_bytes() == NEW


def test_a_folder_in_the_way_is_an_error_that_says_so(root, page):
    with pytest.raises(WriteError, match=r"a\.md/b\.md: could not be written"):
        write(root, "a.md/b.md", NEW, expect="")
    assert page.read_bytes() == OLD


# --- a failing disk: every call that writes fails in turn ----------------------------------------

CALLS = ("write", "fsync", "replace", "unlink", "mkdir", "fchmod")


class Faults:
    """Fail the k-th call that writes, and all after it if the disk stays ill."""

    def __init__(self, monkeypatch, k, code, *, stays):
        self.k, self.code, self.stays, self.calls = k, code, stays, 0
        for name in CALLS:
            monkeypatch.setattr(os, name, self.guard(getattr(os, name)))
        real_open = os.open
        monkeypatch.setattr(
            os, "open", lambda path, flags, *a, **kw: self.open(real_open, path, flags, *a, **kw)
        )

    def guard(self, real):
        def call(*args, **kwargs):
            self.count()
            return real(*args, **kwargs)

        return call

    def open(self, real, path, flags, *args, **kwargs):
        if flags & os.O_CREAT:
            self.count()
        return real(path, flags, *args, **kwargs)

    def count(self):
        self.calls += 1
        if self.calls == self.k or (self.stays and self.calls > self.k):
            raise OSError(self.code, os.strerror(self.code))


@pytest.mark.parametrize("stays", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO, errno.EROFS])
@pytest.mark.parametrize("path", ["a.md", "new/deep/b.md"])
def test_a_failing_disk_leaves_the_old_file_or_the_new_one(
    root, page, monkeypatch, path, code, stays
):
    expect, before = (digest_of(OLD), OLD) if path == "a.md" else ("", None)
    for k in range(1, 40):
        page.write_bytes(OLD)
        with monkeypatch.context() as patch:
            faults = Faults(patch, k, code, stays=stays)
            failed = None
            try:
                write(root, path, NEW, expect=expect)
            except WriteError as error:
                failed = error
        place = root / path
        content = place.read_bytes() if place.exists() else None
        assert content in (before, NEW)
        assert failed or content == NEW
        if failed:
            assert os.strerror(code) in failed.message
            assert failed.hint
        if not stays:
            assert leftovers(root) == []
        for name in leftovers(root):
            next(root.rglob(name)).unlink()
        if path != "a.md":
            place.unlink(missing_ok=True)
            for folder in ("new/deep", "new"):
                if (root / folder).exists():
                    (root / folder).rmdir()
        if faults.calls < k:
            assert failed is None
            return
    pytest.fail("the write never came to its end")


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO])
def test_a_failing_disk_keeps_the_file_that_was_to_be_deleted(root, page, monkeypatch, code):
    Faults(monkeypatch, 1, code, stays=True)
    with pytest.raises(WriteError, match="could not be deleted"):
        delete(root, "a.md", expect=digest_of(OLD))
    assert page.read_bytes() == OLD


def test_an_interrupted_write_leaves_nothing_behind(root, page, monkeypatch):
    def interrupt(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(root, "a.md", NEW, expect=digest_of(OLD))
    assert page.read_bytes() == OLD
    assert leftovers(root) == []


# --- what dead writers leave ---------------------------------------------------------------------

KILLED = """
import os, signal, sys
from pathlib import Path
from memwiki.files.write import write
os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
write(Path(sys.argv[1]), "sub/a.md", b"new", expect="")
"""


def test_what_a_killed_writer_left_is_swept_and_the_page_is_untouched(root, put):
    put("sub/b.md")
    done = subprocess.run([sys.executable, "-c", KILLED, str(root)])
    assert done.returncode == -9
    assert len(leftovers(root)) == 1
    assert not (root / "sub/a.md").exists()
    sweep_temporaries(root, ["elsewhere"])
    assert len(leftovers(root)) == 1
    sweep_temporaries(root)
    assert leftovers(root) == []


def test_temporary_files_of_the_living_and_of_other_machines_stay_for_an_hour(
    root, put, monkeypatch
):
    ours = temporary_name()
    theirs = ".memwiki-00000000-1-0a1b2c3d.tmp"
    put(
        ours,
        f"sub/{theirs}",
        ".git/.memwiki-00000000-1-0a1b2c3d.tmp",
        ".memwiki-note.md",
        "sub/x.tmp",
    )
    now = (root / ours).stat().st_mtime_ns
    monkeypatch.setattr(temporary, "now_ns", lambda: now + 10**9)
    sweep_temporaries(root)
    assert (root / ours).exists()
    assert (root / "sub" / theirs).exists()
    monkeypatch.setattr(temporary, "now_ns", lambda: now + 3700 * 10**9)
    sweep_temporaries(root)
    assert not (root / ours).exists()
    assert not (root / "sub" / theirs).exists()
    assert (root / ".git" / theirs).exists()
    assert (root / "sub/x.tmp").exists()


@pytest.mark.parametrize("error", [PermissionError, OverflowError])
def test_a_process_that_may_not_be_asked_counts_as_living(root, put, monkeypatch, error):
    put(temporary_name())

    def refuse(process, signal):
        raise error

    monkeypatch.setattr(os, "kill", refuse)
    sweep_temporaries(root)
    assert len(leftovers(root)) == 1


def test_a_temporary_file_that_vanishes_meanwhile_is_no_failure(root, put, monkeypatch):
    put(".memwiki-00000000-1-0a1b2c3d.tmp")

    def gone(self):
        raise FileNotFoundError

    monkeypatch.setattr(Path, "lstat", gone)
    sweep_temporaries(root, [""])


def test_a_file_that_is_not_there_has_no_bytes(root, page):
    assert current_bytes(root, "b.md") is None
    assert current_bytes(root, "a.md") == OLD


# user::rw-, user:1234:r--, group::---, mask::r--, other::---
ACCESS = struct.pack("<I", 2) + b"".join(
    struct.pack("<HHI", *each)
    for each in [
        (1, 6, 2**32 - 1),
        (2, 4, 1234),
        (4, 0, 2**32 - 1),
        (16, 4, 2**32 - 1),
        (32, 0, 2**32 - 1),
    ]
)
ACCESS_LIST = "system.posix_acl_access"


def set_or_skip(place: Path, name: str, value: bytes) -> None:
    try:
        os.setxattr(place, name, value)
    except (OSError, AttributeError):
        pytest.skip("the disk of the tests keeps no such attributes")


def test_extended_attributes_are_kept(root, page):
    set_or_skip(page, "user.comment", b"mine")
    set_or_skip(page, "user.odd", b"\0\xff")
    write(root, "a.md", NEW, expect=digest_of(OLD))
    assert {name: os.getxattr(page, name) for name in os.listxattr(page)} == {
        "user.comment": b"mine",
        "user.odd": b"\0\xff",
    }


def test_a_list_of_who_may_read_is_kept(root, page):
    set_or_skip(page, ACCESS_LIST, ACCESS)
    before = page.stat().st_mode
    write(root, "a.md", NEW, expect=digest_of(OLD))
    assert os.getxattr(page, ACCESS_LIST) == ACCESS
    assert page.stat().st_mode == before


def test_a_list_that_cannot_be_kept_opens_the_file_to_no_group(root, page, monkeypatch):
    """The group's part of the mode is the mask of the list then, and not what the group may."""
    set_or_skip(page, ACCESS_LIST, ACCESS)

    def refuse(*_):
        raise OSError(errno.ENOTSUP, "not supported")

    monkeypatch.setattr(os, "setxattr", refuse)
    write(root, "a.md", NEW, expect=digest_of(OLD))
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert page.read_bytes() == NEW


def test_a_folder_gives_no_list_of_readers_to_a_file_that_had_none(root, page):
    page.chmod(0o660)
    set_or_skip(root, "system.posix_acl_default", ACCESS)
    write(root, "a.md", NEW, expect=digest_of(OLD))
    assert ACCESS_LIST not in os.listxattr(page)
    assert stat.S_IMODE(page.stat().st_mode) == 0o660


def test_a_disk_without_attributes_is_written_as_ever(root, page, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOTSUP, "not supported")

    for name in ("listxattr", "getxattr", "setxattr", "removexattr"):
        monkeypatch.setattr(os, name, refuse, raising=False)
    write(root, "a.md", NEW, expect=digest_of(OLD))
    assert page.read_bytes() == NEW


@pytest.mark.parametrize("failure", ["short", "full", "flush"])
def test_nothing_stays_of_an_addition_that_failed(root, page, monkeypatch, failure):
    """Half a heading in the journal was listed as an entry."""
    fail_to_add(monkeypatch, failure)
    with pytest.raises(WriteError):
        append(root, "a.md", b"## [2026-09-01] create | x\n")
    assert page.read_bytes() == OLD
    with pytest.raises(WriteError):
        append(root, "new.md", b"## [2026-09-01] create | x\n")
    assert not (root / "new.md").exists()


def fail_to_add(monkeypatch, failure: str) -> None:
    real = os.write

    def failing(descriptor, data):
        if failure == "full":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data[:5] if failure == "short" else data)

    def unflushed(descriptor):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "write", failing)
    if failure == "flush":
        monkeypatch.setattr(os, "fsync", unflushed)


def test_what_somebody_else_added_behind_a_failed_addition_is_not_cut_off(root, page, monkeypatch):
    real = os.write

    def short(descriptor, data):
        written = real(descriptor, data[:5])
        with page.open("ab") as file:
            file.write(b"theirs")
        return written

    monkeypatch.setattr(os, "write", short)
    with pytest.raises(WriteError):
        append(root, "a.md", b"## [2026-09-01] create | x\n")
    assert page.read_bytes() == OLD + b"## [2" + b"theirs"
