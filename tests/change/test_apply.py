"""Applying a plan: all files as expected or nothing written, and a plain account of a failure."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memwiki.change import making
from memwiki.change.apply import apply
from memwiki.change.plan import Edit, Plan
from memwiki.change.record import stack_of
from memwiki.digest import digest_of
from memwiki.errors import (
    ConflictError,
    LockedError,
    MemwikiError,
    UnsafePathError,
    UsageError,
    WriteError,
)
from memwiki.files.lock import Lock
from tests.waiting import PATIENCE_S

OLD, NEW = b"old\n", b"new\n"
BASED = digest_of(OLD)


@pytest.fixture
def root(tmp_path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    for name in ("a.md", "b.md", "c.md"):
        (folder / name).write_bytes(OLD)
    return folder


def contents(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.glob("*.md")}


def test_a_plan_creates_changes_and_deletes(root):
    plan = Plan((Edit("new/d.md", "", NEW), Edit("a.md", BASED, NEW), Edit("b.md", BASED, None)))
    assert apply(root, plan).paths == ("new/d.md", "a.md", "b.md")
    assert contents(root) == {"a.md": NEW, "c.md": OLD}
    assert (root / "new/d.md").read_bytes() == NEW


def test_a_plan_without_edits_touches_nothing(root):
    assert apply(root, Plan(())).paths == ()
    assert not (root / ".memwiki").exists()


def test_a_change_since_is_merged_only_from_the_bytes_the_edit_was_based_on(root):
    base, by_hand, mine = b"one\ntwo\n", b"ONE\ntwo\n", b"one\nTWO\n"
    (root / "a.md").write_bytes(by_hand)
    with pytest.raises(ConflictError):
        apply(root, Plan((Edit("a.md", digest_of(base), mine, "", by_hand),)))
    with pytest.raises(ConflictError):
        apply(root, Plan((Edit("a.md", digest_of(base), mine),)))
    assert (root / "a.md").read_bytes() == by_hand
    apply(root, Plan((Edit("a.md", digest_of(base), mine, "", base),)))
    assert (root / "a.md").read_bytes() == b"ONE\nTWO\n"


def test_an_edit_that_changes_no_byte_is_not_written(root, state):
    before = state(root / "a.md")
    assert apply(root, Plan((Edit("a.md", BASED, OLD), Edit("b.md", BASED, NEW)))).paths == (
        "b.md",
    )
    assert state(root / "a.md") == before


def test_every_file_that_changed_is_named_and_nothing_is_written(root):
    (root / "b.md").write_bytes(b"edited\n")
    (root / "c.md").unlink()
    plan = Plan(tuple(Edit(name, BASED, NEW) for name in ("a.md", "b.md", "c.md")))
    with pytest.raises(ConflictError) as caught:
        apply(root, plan)
    assert caught.value.candidates == ("b.md", "c.md")
    assert "b.md, c.md" in caught.value.message
    assert contents(root) == {"a.md": OLD, "b.md": b"edited\n"}


def test_a_file_that_was_to_be_new_and_exists_is_a_conflict(root):
    with pytest.raises(ConflictError):
        apply(root, Plan((Edit("b.md", BASED, NEW), Edit("a.md", "", NEW))))
    assert contents(root)["b.md"] == OLD


def test_one_file_is_changed_by_one_edit(root):
    with pytest.raises(UsageError):
        apply(root, Plan((Edit("a.md", BASED, NEW), Edit("A.md", "", NEW))))
    assert contents(root)["a.md"] == OLD


@pytest.mark.parametrize("data", [b"text\n", b"other\n"])
def test_two_spellings_of_a_name_may_be_one_file_to_the_disk(root, data):
    (root / "tea.md").write_bytes(b"text\n")
    # What a disk that is blind to case does: both names lead to one file.
    (root / "Tea.md").symlink_to("tea.md")
    old = Edit("tea.md", digest_of(b"text\n"), None, base=b"text\n")
    apply(root, Plan((Edit("Tea.md", "", data, was="tea.md"), old), op="move"))
    assert [name for name in os.listdir(root) if name.lower() == "tea.md"] == ["Tea.md"]
    assert not (root / "Tea.md").is_symlink()
    assert (root / "Tea.md").read_bytes() == data


def test_a_folder_that_a_plan_leaves_goes_when_nothing_is_left_in_it(root):
    for path in ("a/b/x.md", "c/y.md", "c/d/.hidden"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(b"text\n")
    for folder, path in (("a/", "a/b/x.md"), ("c/", "c/y.md")):
        apply(root, Plan((Edit(path, digest_of(b"text\n"), None),), op="move", leaves=folder))
    assert not (root / "a").exists()
    assert (root / "c/d/.hidden").exists()


@pytest.mark.parametrize("path", [".git/hooks/x", "x/.obsidian/a.md", ".memwiki/lock", "../out.md"])
def test_a_plan_stays_out_of_hidden_folders_and_in_the_workspace(root, path):
    with pytest.raises(UnsafePathError):
        apply(root, Plan((Edit("a.md", BASED, NEW), Edit(path, "", NEW))))
    assert contents(root)["a.md"] == OLD


def test_files_beside_the_pages_may_be_planned(root):
    assert apply(root, Plan((Edit(".gitignore", "", b"*.tmp\n"),))).paths == (".gitignore",)


def test_who_finds_the_workspace_locked_is_told_by_whom(root):
    with (
        Lock(root / ".memwiki/lock"),
        pytest.raises(LockedError, match=f"process {os.getpid()}"),
    ):
        apply(root, Plan((Edit("a.md", BASED, NEW),)), lock_timeout_ms=20)
    assert contents(root)["a.md"] == OLD


def test_the_lock_is_free_after_a_failure(root):
    with pytest.raises(ConflictError):
        apply(root, Plan((Edit("a.md", "", NEW),)))
    assert apply(root, Plan((Edit("a.md", BASED, NEW),)), lock_timeout_ms=0).paths == ("a.md",)


def test_what_a_killed_writer_left_is_cleared_away(root):
    code = (
        "import os; print(__import__('memwiki.files.temporary').files.temporary.temporary_name())"
    )
    dead = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    (root / dead.stdout.strip()).touch()
    apply(root, Plan((Edit("a.md", BASED, NEW),)))
    assert list(root.glob(".memwiki-*")) == []


def fail_renames_to(monkeypatch, name: str, *, before) -> None:
    """Let renames to this name fail, after doing `before`."""
    real = os.replace

    def guarded(source, target, **kwargs):
        if Path(target).name == name:
            before(source, target)
            raise OSError(errno.EIO, "Input/output error")
        return real(source, target, **kwargs)

    monkeypatch.setattr(os, "replace", guarded)


THREE = Plan(tuple(Edit(name, BASED, NEW) for name in ("a.md", "b.md", "c.md")))


def test_what_was_written_before_a_failure_is_put_back(root, monkeypatch):
    fail_renames_to(monkeypatch, "b.md", before=lambda *_: None)
    with pytest.raises(WriteError, match=r"b\.md: .*; what was written before it is put back"):
        apply(root, THREE)
    assert contents(root) == dict.fromkeys(("a.md", "b.md", "c.md"), OLD)


def test_a_plan_with_a_file_that_is_read_only_touches_none(root):
    os.link(root / "a.md", root / "kept.txt")
    (root / "c.md").chmod(0o444)
    with pytest.raises(WriteError, match=r"c\.md: is read-only\Z"):
        apply(root, THREE)
    assert (root / "a.md").stat().st_nlink == 2
    assert contents(root) == dict.fromkeys(("a.md", "b.md", "c.md"), OLD)


def test_what_cannot_be_put_back_is_named_with_the_next_step(root, monkeypatch):
    def saved_by_a_person(*_):
        (root / "a.md").write_bytes(b"by hand\n")

    fail_renames_to(monkeypatch, "b.md", before=saved_by_a_person)
    with pytest.raises(WriteError) as caught:
        apply(root, THREE._replace(op="update"))
    assert "written: a.md; not written: b.md, c.md" in caught.value.message
    assert "memwiki undo" in caught.value.hint
    assert caught.value.candidates == ("b.md", "c.md")
    assert contents(root) == {"a.md": b"by hand\n", "b.md": OLD, "c.md": OLD}


def test_a_failure_at_the_first_file_is_told_as_it_is(root, monkeypatch):
    fail_renames_to(monkeypatch, "a.md", before=lambda *_: None)
    with pytest.raises(WriteError) as caught:
        apply(root, THREE)
    assert caught.value.message == "a.md: could not be written (Input/output error)"
    assert contents(root) == dict.fromkeys(("a.md", "b.md", "c.md"), OLD)


def test_a_rename_that_was_not_confirmed_is_put_back_too(root, monkeypatch):
    fail_renames_to(monkeypatch, "c.md", before=os.rename)
    with pytest.raises(WriteError, match=r"c\.md: .*; what was written before it is put back"):
        apply(root, THREE)
    assert contents(root) == dict.fromkeys(("a.md", "b.md", "c.md"), OLD)


def test_a_file_that_can_no_longer_be_read_is_not_written(root, monkeypatch):
    def replace_by_folder(source, target):
        Path(target).unlink()
        Path(target).mkdir()

    fail_renames_to(monkeypatch, "b.md", before=replace_by_folder)
    with pytest.raises(WriteError, match=r"^b\.md: "):
        apply(root, THREE)
    assert (root / "a.md").read_bytes() == (root / "c.md").read_bytes() == OLD


def test_an_edit_saved_by_a_person_midway_is_not_overwritten(root, monkeypatch):
    real = os.replace

    def meanwhile(source, target, **kwargs):
        (root / "c.md").write_bytes(b"by hand\n")
        return real(source, target, **kwargs)

    monkeypatch.setattr(os, "replace", meanwhile)
    with pytest.raises(ConflictError, match=r"c\.md: changed since it was read; what was written"):
        apply(root, THREE)
    assert contents(root) == {"a.md": OLD, "b.md": OLD, "c.md": b"by hand\n"}


def test_a_line_added_by_a_person_midway_is_merged(root, monkeypatch):
    real, plan = os.replace, Plan(tuple(edit._replace(base=OLD) for edit in THREE.edits))

    def meanwhile(source, target, **kwargs):
        monkeypatch.undo()
        (root / "c.md").write_bytes(b"by hand\n" + OLD)
        return real(source, target, **kwargs)

    monkeypatch.setattr(os, "replace", meanwhile)
    assert apply(root, plan).merged == ("c.md",)
    assert contents(root)["c.md"] == b"by hand\n" + NEW


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO])
@pytest.mark.parametrize("stays", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("few", [0, 16], ids=["staged", "one by one"])
def test_a_disk_that_fails_at_any_moment_leaves_whole_files_and_a_true_report(
    root, monkeypatch, code, stays, few
):
    monkeypatch.setattr(making, "_FEW", few)
    failures = 0
    for k in range(1, 80):
        for name in ("a.md", "b.md", "c.md"):
            (root / name).write_bytes(OLD)
        calls = 0

        def guard(real, k=k):
            def call(*args, **kwargs):
                nonlocal calls
                calls += 1
                if calls == k or (stays and calls > k):
                    raise OSError(code, os.strerror(code))
                return real(*args, **kwargs)

            return call

        with monkeypatch.context() as patch:
            for name in ("write", "fsync", "replace", "unlink", "mkdir", "fchmod", "ftruncate"):
                patch.setattr(os, name, guard(getattr(os, name)))
            try:
                done = apply(root, THREE).paths
            except MemwikiError as error:
                failures += 1
                done = tuple(name for name in THREE.paths if name not in error.candidates)
                if "; written:" not in error.message:
                    done = tuple(name for name in done if contents(root)[name] == NEW)
        assert set(contents(root).values()) <= {OLD, NEW}
        assert all(contents(root)[name] == NEW for name in done)
        assert all(contents(root)[name] == OLD for name in THREE.paths if name not in done)
        if calls < k:
            break
    assert calls < k
    assert failures > (10 if few else 1)  # what fails while it is staged is written on its own


APPEND = """
import sys
from pathlib import Path
from memwiki.change.apply import apply
from memwiki.change.plan import Edit, Plan
from memwiki.change.record import stack_of
from memwiki.digest import digest_of
from memwiki.errors import ConflictError
root, who = Path(sys.argv[1]), sys.argv[2]
for number in range(25):
    while True:
        old = (root / "memory.md").read_bytes()
        try:
            new = old + f"- {who}.{number}\\n".encode()
            apply(root, Plan((Edit("memory.md", digest_of(old), new),)))
            break
        except ConflictError:
            continue
"""


def test_no_append_is_lost_among_processes(root):
    (root / "memory.md").write_bytes(b"")
    command = [sys.executable, "-c", APPEND, str(root)]
    writers = [subprocess.Popen([*command, str(who)]) for who in range(4)]
    assert [writer.wait(PATIENCE_S) for writer in writers] == [0] * 4
    lines = (root / "memory.md").read_text().splitlines()
    assert sorted(lines) == sorted(f"- {who}.{number}" for who in range(4) for number in range(25))


def test_a_plan_made_under_the_lock_sees_what_others_added(tmp_path):
    page = tmp_path / "a.md"
    page.write_bytes(b"- one\n")

    def make(line):
        held = page.read_bytes()
        is_there = line in held
        edit = Edit("a.md", digest_of(held), held + line, base=held)
        return Plan(() if is_there else (edit,), op="update")

    assert apply(tmp_path, lambda: make(b"- two\n")).paths == ("a.md",)
    assert apply(tmp_path, lambda: make(b"- two\n")).paths == ()
    assert page.read_bytes() == b"- one\n- two\n"


def test_a_plan_that_is_not_noted_can_be_undone_all_the_same(tmp_path):
    plan = Plan((Edit("a.md", "", b"a\n"),), "added", "create", is_noted=False)
    apply(tmp_path, plan, log="log.md")
    assert not (tmp_path / "log.md").exists()
    assert next(stack_of(tmp_path).newest()).fields["title"] == "added"


def test_files_that_the_disk_tells_apart_by_case_change_in_one_plan(opened, put, root):
    if (root / "d").mkdir() or (root / "A").write_text("") or (root / "a").exists():
        pytest.skip("this disk takes them for one file")
    before = {"Case.md": "[[case]] #life\n", "case.md": "#life\n", "d/X.md": "x\n", "d/x.md": "y\n"}
    for path, text in before.items():
        put(path, text)
    space = opened()
    space.pages.move("case.md", "low.md")
    space.undo()
    space.pages.tag_rename("life", "lives")
    space.undo()
    space.pages.move("d", "e")
    assert (root / "e/X.md").read_text() == "x\n"
    space.undo()
    space.pages.append("Case.md", "More.")
    space.pages.delete("case.md")
    space.undo(2)
    assert {path: (root / path).read_text() for path in before} == before
