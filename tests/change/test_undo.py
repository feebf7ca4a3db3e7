"""Undo: a stack of changes, the exact bytes back, and nothing taken back that somebody changed since."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.change.apply import apply
from memwiki.change.plan import Edit, Plan
from memwiki.change.undo import MAX_BYTES, as_record, inverse_of, stack_of, undo_plan
from memwiki.digest import digest_of
from memwiki.errors import ConflictError, UnreadableError, UnsafePathError, WriteError
from memwiki.files.records import Records
from memwiki.files.write import current_bytes


@pytest.fixture
def root(tmp_path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


def change(root: Path, title: str = "change", **files: bytes | None) -> None:
    """Make one undoable change of some files."""
    edits = []
    for name, data in files.items():
        path = f"{name}.md"
        old = current_bytes(root, path)
        edits.append(Edit(path, "" if old is None else digest_of(old), data, "", old))
    apply(root, Plan(tuple(edits), title, "update"))


def undo(root: Path, count: int = 1) -> tuple[str, ...]:
    records = [record for record, _ in zip(stack_of(root).newest(), range(count), strict=False)]
    return apply(root, undo_plan(records, lambda path: current_bytes(root, path))).paths


def contents(root: Path) -> dict[str, bytes]:
    return {path.stem: path.read_bytes() for path in root.glob("*.md")}


def test_undo_brings_back_what_was_changed_created_and_deleted(root):
    change(root, a=b"one\r\n", b=b"\xef\xbb\xbfbom", c=b"gone")
    before = contents(root)
    change(root, a=b"two", b=b"", c=None, d=b"new")
    assert sorted(undo(root)) == ["a.md", "b.md", "c.md", "d.md"]
    assert contents(root) == before


def test_undo_twice_reverts_two_changes(root):
    for text in (b"1", b"2", b"3"):
        change(root, a=text)
    undo(root)
    assert contents(root) == {"a": b"2"}
    undo(root)
    assert contents(root) == {"a": b"1"}
    undo(root)
    assert contents(root) == {}
    assert list(stack_of(root).newest()) == []


def test_several_changes_are_undone_at_once(root):
    change(root, a=b"1")
    change(root, a=b"1\n2", b=b"x")
    change(root, a=b"0\n1\n2")
    undo(root, 2)
    assert contents(root) == {"a": b"1"}


def test_a_file_changed_since_is_named_and_nothing_is_undone(root):
    change(root, a=b"1", b=b"1")
    change(root, a=b"2", b=b"2")
    (root / "b.md").write_bytes(b"by hand")
    with pytest.raises(ConflictError, match=r"b\.md: changed since `change`"):
        undo(root)
    assert contents(root) == {"a": b"2", "b": b"by hand"}
    (root / "b.md").write_bytes(b"2")
    undo(root)
    assert contents(root) == {"a": b"1", "b": b"1"}


def test_a_change_on_top_of_somebody_elses_is_undone_alone(root):
    change(root, a=b"one\ntwo\n")
    old = b"one\ntwo\n"
    (root / "a.md").write_bytes(b"ONE\ntwo\n")
    done = apply(root, Plan((Edit("a.md", digest_of(old), b"one\nTWO\n", "", old),), "t", "update"))
    assert done.merged == ("a.md",)
    assert contents(root) == {"a": b"ONE\nTWO\n"}
    undo(root)
    assert contents(root) == {"a": b"ONE\ntwo\n"}


def test_a_change_made_between_looking_and_undoing_is_kept(root):
    change(root, a=b"1")
    plan = undo_plan([next(stack_of(root).newest())], lambda path: current_bytes(root, path))
    change(root, b=b"2")
    with pytest.raises(ConflictError, match="meanwhile"):
        apply(root, plan)
    assert contents(root) == {"a": b"1", "b": b"2"}


def test_a_plan_without_a_name_leaves_no_trace(root):
    apply(root, Plan((Edit("a.md", "", b"catalog"),)))
    assert list(stack_of(root).newest()) == []


def test_a_final_deletion_leaves_nothing_of_the_file_behind(root):
    change(root, "wrote", a=b"secret", b=b"plain")
    change(root, "again", a=b"secret 2")
    data = b"secret 2"
    apply(
        root, Plan((Edit("a.md", digest_of(data), None, "", data),), "t", "delete", is_final=True)
    )
    kept = stack_of(root).place.read_text("utf-8")
    assert "a.md" not in kept
    assert "b.md" in kept
    undo(root)
    assert contents(root) == {}


def test_the_stack_keeps_only_what_differs(root):
    long = b"".join(b"- entry %d\n" % n for n in range(20_000))
    change(root, a=long)
    size = stack_of(root).place.stat().st_size
    change(root, a=long + b"- one more\n")
    assert stack_of(root).place.stat().st_size - size < 300


def test_the_oldest_changes_are_dropped_when_the_stack_grows_too_large(root):
    records = Records(root, "undo", max_bytes=2000)
    for number in range(100):
        offset = records.add({"title": f"{number}", "files": []})
        newest = next(records.newest())
        assert newest == (offset, {"title": f"{number}", "files": []})
        assert records.place.stat().st_size <= 2000
    assert MAX_BYTES > 2000


def test_a_record_that_a_crash_cut_short_is_passed_over(root):
    change(root, a=b"1")
    with stack_of(root).place.open("ab") as file:
        file.write(b'{"at":"now","files":[["a.m')
    assert next(stack_of(root).newest()).fields["title"] == "change"
    change(root, a=b"2")
    assert len(list(stack_of(root).newest())) == 2
    undo(root)
    assert contents(root) == {"a": b"1"}


@pytest.mark.parametrize("files", [[["a.md", 1]], [["a.md", "x", "y", 0, 1, "no base64!"]], None])
def test_a_record_that_makes_no_sense_is_refused(root, files):
    stack_of(root).add({"at": "2026-01-01", "title": "t", "files": files})
    with pytest.raises(UnreadableError, match="2026-01-01"):
        undo(root)


def test_a_record_from_elsewhere_cannot_write_outside(root):
    planted = [inverse_of("../../evil.md", b"x", None)]
    stack_of(root).add(as_record(Plan((), "t", "update"), planted, ""))
    with pytest.raises(UnsafePathError):
        undo(root)
    assert not (root.parent.parent / "evil.md").exists()


def test_nothing_is_changed_when_what_undoes_it_cannot_be_kept(root):
    change(root, a=b"1")
    place = stack_of(root).place
    place.unlink()
    place.mkdir()
    with pytest.raises(WriteError, match="undo"):
        change(root, a=b"2")
    assert contents(root) == {"a": b"1"}


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_an_inverse_turns_the_new_bytes_into_the_old(old, new):
    inverse = inverse_of("a.md", old, new)
    assert new[: inverse.start] + inverse.data + new[inverse.start + inverse.length :] == old
    assert len(inverse.data) <= len(old)


KILLED = """
import os, sys
from pathlib import Path
from memwiki.change.apply import apply
from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_of
root, k = Path(sys.argv[1]), int(sys.argv[2])
calls = 0
def guard(real):
    def call(*args, **kwargs):
        global calls
        calls += 1
        if calls == k:
            os._exit(9)
        return real(*args, **kwargs)
    return call
for name in ("write", "pwrite", "fsync", "replace", "rename", "unlink", "ftruncate", "truncate"):
    setattr(os, name, guard(getattr(os, name)))
edits = [Edit(f"{n}.md", digest_of(b"old"), b"new", "", b"old") for n in "ab"]
edits.append(Edit("c.md", digest_of(b"old"), None, "", b"old"))
edits.append(Edit("d.md", "", b"new"))
apply(root, Plan(tuple(edits), "killed", "update"), log="log.md")
"""


def test_a_change_killed_at_any_moment_can_be_taken_back_whole(root):
    old = {"a": b"old", "b": b"old", "c": b"old"}
    new = {"a": b"new", "b": b"new", "d": b"new"}
    half = 0
    for k in range(1, 100):
        for path in root.glob("*.md"):
            path.unlink()
        for name, data in old.items():
            (root / f"{name}.md").write_bytes(data)
        stack_of(root).place.unlink(missing_ok=True)
        code = subprocess.run([sys.executable, "-c", KILLED, str(root), str(k)]).returncode
        left = {name: data for name, data in contents(root).items() if name != "log"}
        assert all(data in (old.get(name), new.get(name)) for name, data in left.items())
        half += left not in (old, new)
        if list(stack_of(root).newest()):
            undo(root)
            left = {name: data for name, data in contents(root).items() if name != "log"}
        assert left == old
        if code == 0:
            break
    assert code == 0
    assert half > 3


def test_the_undo_file_is_for_this_machine_and_nobody_elses_eyes(root):
    change(root, a=b"1")
    place = stack_of(root).place
    assert place.parent == root / ".memwiki" / "state"
    assert place.stat().st_mode & 0o077 == 0
    assert (root / ".memwiki" / ".gitignore").read_text() == "*\n"
    assert all(json.loads(line) for line in place.read_text().splitlines())
    assert os.uname().nodename not in place.name


def planted(root: Path, path: str, held: bytes) -> None:
    """A record that a workspace from elsewhere may bring along: to undo it is to delete a file."""
    gone = inverse_of(path, None, held)
    stack_of(root).add(as_record(Plan((), "harmless", "create"), [gone], "2026-01-01"))


@pytest.mark.parametrize("path", ["{out}/a.md", "../out/a.md", "link/a.md"])
def test_a_planted_record_deletes_nothing_outside_the_workspace(root, tmp_path, path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.md").write_bytes(b"known")
    (root / "link").symlink_to(out)
    planted(root, path.format(out=out), b"known")
    with pytest.raises(UnsafePathError):
        undo(root)
    assert (out / "a.md").read_bytes() == b"known"


def test_a_planted_link_in_place_of_the_stack_is_not_followed(root, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (root / ".memwiki").mkdir()
    (root / ".memwiki" / "state").symlink_to(out)
    with pytest.raises(UnsafePathError, match="is a symlink"):
        change(root, a=b"1")
    assert list(out.iterdir()) == []
    assert contents(root) == {}


def test_undo_cuts_no_file_that_a_planted_link_leads_to(root, tmp_path):
    change(root, a=b"1")
    stack = stack_of(root).place
    outside = tmp_path / "outside.jsonl"
    stack.rename(outside)
    stack.symlink_to(outside)
    before = outside.read_bytes()
    with pytest.raises(UnsafePathError, match="is a symlink"):
        undo(root)
    assert outside.read_bytes() == before


def test_a_private_file_that_was_deleted_comes_back_private(root):
    change(root, a=b"secret", b=b"plain")
    (root / "a.md").chmod(0o600)
    (root / "b.md").chmod(0o640)
    change(root, a=None, b=None)
    undo(root)
    modes = {path.stem: path.stat().st_mode & 0o777 for path in root.glob("*.md")}
    assert modes == {"a": 0o600, "b": 0o640}


def test_a_folder_that_a_change_made_goes_with_its_undo(root):
    (root / "old").mkdir()
    plan = Plan((Edit("new/deep/a.md", "", b"1"), Edit("old/b.md", "", b"2")), "t", "create")
    apply(root, plan)
    undo(root)
    assert [path.name for path in root.iterdir() if path.name != ".memwiki"] == ["old"]


def test_a_folder_that_somebody_put_a_file_into_stays(root):
    apply(root, Plan((Edit("new/a.md", "", b"1"),), "t", "create"))
    (root / "new" / "mine.txt").write_bytes(b"x")
    undo(root)
    assert [path.name for path in (root / "new").iterdir()] == ["mine.txt"]
