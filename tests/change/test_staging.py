"""Many files of one plan: on the disk by one flush before any has its name, or each on its own."""

from __future__ import annotations

import errno
import os
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import pytest

from memwiki.change import apply as applying
from memwiki.change import making
from memwiki.change.apply import apply
from memwiki.change.making import portions
from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_of
from memwiki.errors import ConflictError
from memwiki.files import read as reading
from memwiki.files.write import FileSystem

OLD, NEW = b"one\nold\n", b"one\nnew\n"
FOLDERS, PAGES = 4, 10


@pytest.fixture(autouse=True)
def disk(tmp_path, monkeypatch) -> list[str]:
    """What a disk that can be flushed at once is told: names, and flushes of files and folders."""
    said = list[str]()

    class Watched(FileSystem):
        def flush(self) -> None:
            said.append("flush all")

    @contextmanager
    def opened(folder: Path):
        yield Watched(folder.stat().st_dev, -1)

    replace, fsync = os.replace, os.fsync

    def named(source, target, **kwargs):
        said.append(f"name {Path(target).relative_to(tmp_path)}")
        return replace(source, target, **kwargs)

    def flushed(descriptor: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        if ".memwiki/" not in str(path):
            is_file = path.name.startswith(".memwiki-")
            said.append(f"flush {'a file' if is_file else path.relative_to(tmp_path)}")
        fsync(descriptor)

    if not Path("/proc/self/fd").exists():
        pytest.skip("names of open files are read in /proc")
    monkeypatch.setattr(making, "file_system_of", opened)
    monkeypatch.setattr(os, "replace", named)
    monkeypatch.setattr(os, "fsync", flushed)
    return said


@pytest.fixture
def root(tmp_path) -> Path:
    for number in range(FOLDERS * PAGES):
        page = tmp_path / f"f{number % FOLDERS}" / f"{number}.md"
        page.parent.mkdir(exist_ok=True)
        page.write_bytes(OLD)
    return tmp_path


def plan_for(root: Path) -> Plan:
    paths = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.md"))
    return Plan(tuple(Edit(path, digest_of(OLD), NEW, base=OLD) for path in paths), op="tag")


def texts(root: Path) -> set[bytes]:
    return {path.read_bytes() for path in root.rglob("*.md")}


def left(root: Path) -> list[Path]:
    return list(root.rglob(".memwiki-*"))


def test_many_files_take_one_flush_and_one_a_folder(root, disk):
    assert len(apply(root, plan_for(root)).paths) == FOLDERS * PAGES
    assert texts(root) == {NEW}
    assert disk.count("flush all") == 1
    assert "flush a file" not in disk
    assert sorted(disk[-FOLDERS:]) == [f"flush f{n}" for n in range(FOLDERS)]
    assert left(root) == []


def test_no_file_has_its_name_before_it_is_on_the_disk(root, disk):
    apply(root, plan_for(root))
    assert disk[0] == "flush all"
    assert all(each.startswith("name ") for each in disk[1 : 1 + FOLDERS * PAGES])


def test_what_receives_a_text_is_on_the_disk_with_its_name_before_what_gives_it(root, disk):
    gone = [Edit(f"f1/{n}.md", digest_of(OLD), b"one\n", base=OLD) for n in range(1, 40, 4)]
    taken = [Edit(f"new/{n}.md", "", b"old\n") for n in range(20)]
    gone += [Edit(f"f2/{n}.md", digest_of(OLD), b"one\n", base=OLD) for n in range(2, 40, 4)]
    apply(root, Plan((*gone, *taken), op="move"))
    kinds = list(dict.fromkeys(each.split("/")[0] for each in disk))
    assert kinds == [
        *("flush all", "name new", "flush .", "flush new"),
        *("name f1", "name f2", "flush f1", "flush f2"),
    ]
    assert disk[disk.index("name f1/1.md") - 1] == "flush all"
    assert disk.count("flush all") == 2


def test_few_files_are_flushed_one_by_one(root, disk):
    apply(root, plan_for(root)._replace(edits=plan_for(root).edits[:5]))
    assert disk.count("flush a file") == 5
    assert "flush all" not in disk


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_where_the_flush_fails_each_file_is_flushed_on_its_own(root, disk, monkeypatch, code):
    def failing(_: FileSystem) -> None:
        raise OSError(code, os.strerror(code))

    @contextmanager
    def opened(folder: Path):
        yield type("Failing", (FileSystem,), {"flush": failing})(folder.stat().st_dev, -1)

    monkeypatch.setattr(making, "file_system_of", opened)
    apply(root, plan_for(root))
    assert texts(root) == {NEW}
    assert disk.count("flush a file") == FOLDERS * PAGES
    assert left(root) == []


def test_a_disk_without_room_for_all_at_once_takes_them_one_by_one(root, disk, monkeypatch):
    real, calls = making.stage, [0]

    def full(*args, **kwargs):
        calls[0] += 1
        if calls[0] == 30:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*args, **kwargs)

    monkeypatch.setattr(making, "stage", full)
    apply(root, plan_for(root))
    assert texts(root) == {NEW}
    assert disk.count("flush a file") == FOLDERS * PAGES
    assert left(root) == []


def test_a_file_saved_by_somebody_between_is_merged(root, monkeypatch):
    real = os.replace

    def meanwhile(source, target, **kwargs):
        monkeypatch.setattr(os, "replace", real)
        (root / "f3/39.md").write_bytes(b"by hand\n" + OLD)
        return real(source, target, **kwargs)

    monkeypatch.setattr(os, "replace", meanwhile)
    assert apply(root, plan_for(root)).merged == ("f3/39.md",)
    assert (root / "f3/39.md").read_bytes() == b"by hand\n" + NEW
    assert left(root) == []


@pytest.mark.parametrize("age_s, times", [(0, 3), (10, 1)])
def test_a_file_that_any_change_would_show_on_is_read_once(root, monkeypatch, age_s, times):
    counts = Counter[str]()
    taken = reading._take

    def counted(at, path, take):
        counts[path] += 1
        return taken(at, path, take)

    monkeypatch.setattr(reading, "now_ns", lambda: time.time_ns() + age_s * 10**9)
    monkeypatch.setattr(reading, "_take", counted)
    apply(root, plan_for(root))
    assert {counts[path] for path in counts if path.endswith(".md")} == {times}
    assert texts(root) == {NEW}


@pytest.mark.parametrize("before", ["make_all", "stage"])
def test_a_text_of_the_same_size_and_time_is_met_though_all_was_read(root, monkeypatch, before):
    home = {"make_all": applying, "stage": making}[before]
    page, real = root / "f3/39.md", getattr(home, before)

    def meanwhile(*args, **kwargs):
        monkeypatch.setattr(home, before, real)
        seen = page.stat()
        page.write_bytes(b"one\nodd\n")
        os.utime(page, ns=(seen.st_atime_ns, seen.st_mtime_ns))
        return real(*args, **kwargs)

    time.sleep(0.02)  # a tick of the disk's clock
    monkeypatch.setattr(reading, "now_ns", lambda: time.time_ns() + 10**10)
    monkeypatch.setattr(home, before, meanwhile)
    with pytest.raises(ConflictError, match=r"f3/39\.md"):
        apply(root, plan_for(root))
    assert texts(root) == {OLD, b"one\nodd\n"}
    assert left(root) == []


def test_a_change_that_conflicts_between_puts_all_back(root, monkeypatch):
    real = os.replace

    def meanwhile(source, target, **kwargs):
        (root / "f3/39.md").write_bytes(b"one\nby hand\n")
        return real(source, target, **kwargs)

    monkeypatch.setattr(os, "replace", meanwhile)
    with pytest.raises(ConflictError, match=r"f3/39\.md: changed since"):
        apply(root, plan_for(root))
    assert texts(root) == {OLD, b"one\nby hand\n"}
    assert left(root) == []


@pytest.mark.parametrize("at", ["stage", "flush", "name"])
def test_who_is_interrupted_leaves_whole_files_and_nothing_beside_them(root, monkeypatch, at):
    def stop(*_args, **_kwargs):
        raise KeyboardInterrupt

    def late(real):
        calls = [0]

        def call(*args, **kwargs):
            calls[0] += 1
            return real(*args, **kwargs) if calls[0] < 20 else stop()

        return call

    if at == "flush":
        monkeypatch.setattr(FileSystem, "flush", stop)
        monkeypatch.setattr(making, "file_system_of", _real(root))
    elif at == "stage":
        monkeypatch.setattr(os, "write", late(os.write))
    else:
        monkeypatch.setattr(os, "replace", late(os.replace))
    with pytest.raises(KeyboardInterrupt):
        apply(root, plan_for(root))
    assert texts(root) <= {OLD, NEW}
    assert left(root) == []


def _real(root: Path):
    @contextmanager
    def opened(_: Path):
        yield FileSystem(root.stat().st_dev, -1)

    return opened


def test_folders_that_are_made_for_new_files_go_with_them(root, monkeypatch):
    edits = tuple(Edit(f"new/{n % 3}/{n}.md", "", NEW) for n in range(20))
    real = os.replace

    def failing(source, target, **kwargs):
        if Path(target).name == "19.md":
            raise OSError(errno.EIO, "Input/output error")
        return real(source, target, **kwargs)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(Exception, match="put back"):
        apply(root, Plan(edits))
    assert not (root / "new").exists()


def test_a_portion_ends_where_it_holds_as_much_as_may_be_twice_on_the_disk(monkeypatch):
    monkeypatch.setattr(making, "_MAX_FILES", 3)
    monkeypatch.setattr(making, "_MAX_BYTES", 10)
    steps = [Edit(str(n), "", b"x" * size) for n, size in enumerate((1, 1, 1, 1, 11, 1))]
    assert [[step.path for step in each] for each in portions(steps)] == [
        ["0", "1", "2"],
        ["3", "4"],
        ["5"],
    ]
    assert list(portions([])) == []
