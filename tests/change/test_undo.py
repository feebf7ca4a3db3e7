"""Undo: a stack of changes, the exact bytes back, and nothing taken back that somebody changed
since."""

from __future__ import annotations

import base64
import errno
import json
import os
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.change import record
from memwiki.change.apply import apply
from memwiki.change.plan import Edit, Plan
from memwiki.change.record import (
    STACK_BYTES,
    Inverse,
    _pack,
    change_between,
    inverse_of,
    pack_window,
    stack_of,
    take_out,
    unpack_window,
    window_of,
)
from memwiki.change.undo import cut_short, undo_plan
from memwiki.digest import digest_of
from memwiki.errors import ConflictError, UnreadableError, UnsafePathError, WriteError
from memwiki.files import records
from memwiki.files.read import current_bytes
from memwiki.files.records import Records


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
    with pytest.raises(ConflictError, match=r"^b\.md:1: changed since \"change\""):
        undo(root)
    assert contents(root) == {"a": b"2", "b": b"by hand"}
    (root / "b.md").write_bytes(b"2")
    undo(root)
    assert contents(root) == {"a": b"1", "b": b"1"}


def test_only_a_few_changes_of_a_file_that_was_changed_since_are_named(root):
    for number in range(5):
        change(root, f"b{number}", b=f"{number}".encode())
        change(root, f"a{number}", a=f"{number}".encode())
    (root / "b.md").write_bytes(b"by hand")
    with pytest.raises(ConflictError, match='since "b4, b3, b2 and 2 more"; nothing was undone'):
        undo(root, 10)
    with pytest.raises(ConflictError, match='since "b4, b3, b2"; nothing was undone'):
        undo(root, 6)


def test_what_others_changed_elsewhere_in_a_file_stays_when_a_change_is_undone(root):
    lines = [f"- entry {n}" for n in range(60)]
    before = "\n".join(lines).encode()
    change(root, a=before)
    change(root, a=before.replace(b"- entry 30\n", b""))
    (root / "a.md").write_bytes(b"- above\n" + (root / "a.md").read_bytes() + b"\n- below\n")
    undo(root)
    assert contents(root) == {"a": b"- above\n" + before + b"\n- below\n"}


def test_lines_that_both_changed_are_named_and_those_in_no_file_are_counted(root):
    before = b"- one\n- two\n- three\n- four\n"
    change(root, a=before)
    change(root, a=before.replace(b"two", b"2"))
    (root / "a.md").write_bytes(before.replace(b"two", b"zwei"))
    with pytest.raises(ConflictError, match=r"^a\.md:2: changed since .* 1 line of it only in"):
        undo(root)


def test_two_changes_are_undone_below_what_others_added(root):
    change(root, a=b"- one\n- two\n- three\n")
    change(root, a=b"- one\n- three\n")
    change(root, a=b"- three\n")
    (root / "a.md").write_bytes(b"- three\n\n# By hand\n")
    undo(root, 2)
    assert contents(root) == {"a": b"- one\n- two\n- three\n\n# By hand\n"}


@pytest.mark.parametrize("moved", [b"# Page\n\n[[a]]\n", b"# Page\n\n[[b/a]]\n"])
def test_a_file_that_was_moved_comes_back_with_what_others_added(root, moved):
    old = b"# Page\n\n[[a]]\n"
    (root / "old.md").write_bytes(old)
    edits = (
        Edit("new.md", "", moved, was="old.md"),
        Edit("old.md", digest_of(old), None, base=old),
    )
    apply(root, Plan(edits, "moved", "move"))
    (root / "new.md").write_bytes(b"# By hand\n\n" + moved)
    undo(root)
    assert contents(root) == {"old": b"# By hand\n\n" + old}


@given(
    st.lists(st.sampled_from("abcdefgh"), max_size=12),
    st.integers(0, 12),
    st.integers(0, 3),
    st.lists(st.sampled_from("xyz"), max_size=3),
)
def test_a_change_is_taken_out_of_its_own_text_or_refused(lines, at, gone, made):
    before = "".join(f"{line}\n" for line in lines).encode()
    new = [*lines[:at], *made, *lines[at + gone :]]
    after = "".join(f"{line}\n" for line in new).encode()
    window = window_of(before, change_between(before, after), is_whole=True)
    assert unpack_window(pack_window(window)) == window
    assert take_out(window, before, after).data in (before, None)
    found = take_out(window, before, b"top\n\n" + after).data
    assert found in (b"top\n\n" + before, None)


def test_a_file_that_is_written_twice_comes_back_from_between(root, monkeypatch):
    before = {"a": b"- tea\n- x\n", "b": b"- sea\n- y\n"}
    after = {"a": b"- sea\n- x\n", "b": b"- tea\n- y\n"}
    real, left = os.replace, [2, 1, 3]
    for written in left:
        change(root, **before)
        calls = iter(range(written))

        def killed(source, target, calls=calls):
            if next(calls, None) is None:
                raise KeyboardInterrupt
            real(source, target)

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(os, "replace", killed)
            change(root, **after)
        held = b"".join(contents(root).values())
        assert b"tea" in held
        assert b"sea" in held
        records = stack_of(root).newest()
        assert [n for n, _ in cut_short(records, lambda path: current_bytes(root, path))] == [1]
        undo(root)
        assert contents(root) == before


def test_doctor_finds_a_change_cut_short_below_others(root):
    change(root, "both", a=b"1", b=b"1")
    change(root, "cut", a=b"2", b=b"2")
    (root / "b.md").write_bytes(b"1")
    change(root, "later", c=b"1")
    change(root, "again", a=b"3")
    records = stack_of(root).newest()
    found = list(cut_short(records, lambda path: current_bytes(root, path)))
    assert found == [(3, "cut")]


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
    kept = stack_of(root).location.read_text("utf-8")
    assert "a.md" not in kept
    assert "b.md" in kept
    undo(root)
    assert contents(root) == {}


def test_the_stack_keeps_only_what_differs(root):
    long = b"".join(b"- entry %d\n" % n for n in range(20_000))
    change(root, a=long)
    size = stack_of(root).location.stat().st_size
    change(root, a=long + b"- one more\n")
    assert stack_of(root).location.stat().st_size - size < 600


def test_the_oldest_changes_are_dropped_when_the_stack_grows_too_large(root):
    records = Records(root, "undo", max_bytes=2000)
    for number in range(100):
        offset = records.add({"title": f"{number}", "files": []})
        newest = next(records.newest())
        assert newest == (offset, {"title": f"{number}", "files": []})
        assert records.location.stat().st_size <= 2000
    assert STACK_BYTES > 2000


def test_a_record_that_a_crash_cut_short_is_passed_over(root):
    change(root, a=b"1")
    with stack_of(root).location.open("ab") as file:
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
    planted(root, inverse_of("../../evil.md", b"x", None))
    with pytest.raises(UnreadableError):
        undo(root)
    assert not (root.parent.parent / "evil.md").exists()


def test_nothing_is_changed_when_what_undoes_it_cannot_be_kept(root):
    change(root, a=b"1")
    place = stack_of(root).location
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


@given(
    st.lists(st.sampled_from(["a\n", "b\n", "\n", "ab\n"]), max_size=30),
    st.lists(st.sampled_from(["a\n", "b\n", "\n", "ab\n", "a"]), max_size=30),
    st.tuples(st.floats(0, 1), st.floats(0, 1)),
    st.booleans(),
)
def test_what_is_noted_of_a_long_text_is_what_all_its_lines_would_say(lines, new, part, is_whole):
    from memwiki.change import record

    before, (start, stop) = "".join(lines), sorted(int(len(lines) * each) for each in part)
    after = "".join([*lines[:start], *new, *lines[stop:]])
    texts = before.encode(), after.encode()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(record, "_AROUND", 2)
        near = noted(*texts, is_whole)
        all_lines = (0, *map(record.lines_of, texts))
        patched.setattr(record, "_lines_near", lambda *_: all_lines)
        assert near == noted(*texts, is_whole)


def noted(before, after, is_whole):
    window = window_of(before, change_between(before, after), is_whole=is_whole)
    return inverse_of("a.md", before, after), window


def test_of_a_long_page_only_the_lines_around_a_change_are_looked_at(monkeypatch):
    from memwiki.change import record

    lines = [b"- Fact %d.\n" % number for number in range(5_000)]
    looked, real = list[int](), record.lines_of
    monkeypatch.setattr(record, "lines_of", lambda data: looked.append(len(data)) or real(data))
    after = b"".join([*lines[:2_000], b"- One more.\n", *lines[2_000:]])
    inverse, window = noted(b"".join(lines), after, False)
    assert window.length == 0
    assert (inverse.start, inverse.length, inverse.data) == (len(b"".join(lines[:2_000])), 12, b"")
    assert max(looked) < 1_000


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
        stack_of(root).location.unlink(missing_ok=True)
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
    place = stack_of(root).location
    assert place.parent == root / ".memwiki" / "state"
    assert place.stat().st_mode & 0o077 == 0
    assert (root / ".memwiki" / ".gitignore").read_text() == "*\n"
    assert all(json.loads(line) for line in place.read_text().splitlines())
    assert os.uname().nodename not in place.name


def planted(root: Path, *inverses: Inverse, **beside: object) -> None:
    """A record that a workspace from elsewhere may bring along."""
    files = [[*each[:-1], _pack(each.data)] for each in inverses]
    fields = {"at": "2026-01-01", "op": "create", "title": "harmless", "files": files}
    stack_of(root).add(fields | beside)


@pytest.mark.parametrize("path", ["{out}/a.md", "../out/a.md", "link/a.md"])
def test_a_planted_record_deletes_nothing_outside_the_workspace(root, tmp_path, path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.md").write_bytes(b"known")
    (root / "link").symlink_to(out)
    planted(root, inverse_of(path.format(out=out), None, b"known"))
    with pytest.raises((UnsafePathError, UnreadableError)):
        undo(root)
    assert (out / "a.md").read_bytes() == b"known"


@pytest.mark.parametrize(
    "path",
    [
        ".bashrc",
        ".gitattributes",
        "Makefile",
        "hook.sh",
        ".git/config",
        ".github/a.md",
        ".memwikiignore",
        "notes/.envrc",
        "a.canvas",
        ".#a.md",
    ],
)
def test_undo_writes_no_file_that_changes_do_not_write(root, path):
    planted(root, inverse_of(path, b"evil", None))
    with pytest.raises(UnsafePathError):
        undo(root)
    assert not (root / path).exists()
    stack_of(root).location.unlink()
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_bytes(b"mine")
    planted(root, inverse_of(path, None, b"mine"))
    with pytest.raises(UnsafePathError):
        undo(root)
    assert (root / path).read_bytes() == b"mine"


def test_undo_changes_no_script_and_no_settings_of_others(root):
    for path in ("run.sh", ".gitattributes"):
        (root / path).write_bytes(b"old")
        planted(root, inverse_of(path, b"evil", b"old"))
        with pytest.raises(UnsafePathError):
            undo(root)
        assert (root / path).read_bytes() == b"old"
        stack_of(root).location.unlink()


def test_an_image_that_was_deleted_comes_back_and_no_hidden_file(root):
    (root / "a.png").write_bytes(b"pixels")
    gone = Edit("a.png", digest_of(b"pixels"), None, "deleted", b"pixels")
    apply(root, Plan((gone,), "deleted a.png", "delete"))
    undo(root)
    assert (root / "a.png").read_bytes() == b"pixels"
    planted(root, inverse_of(".bashrc", b"evil", None), op="delete")
    with pytest.raises(UnsafePathError):
        undo(root)


def test_a_planted_record_renames_no_file_to_a_hidden_one(root):
    (root / "innocent.txt").write_bytes(b"evil")
    planted(root, inverse_of(".bashrc", b"evil", None), inverse_of("innocent.txt", None, b"evil"))
    with pytest.raises(UnsafePathError):
        undo(root)


def test_undo_never_makes_a_file_executable(root):
    planted(
        root, inverse_of("a.md", b"#!/bin/sh\n", None), attributes={"a.md": [0o4755, -1, -1, {}]}
    )
    undo(root)
    assert (root / "a.md").stat().st_mode & 0o7777 == 0o644
    (root / "tool.md").write_bytes(b"known")
    (root / "tool.md").chmod(0o755)
    planted(
        root,
        inverse_of("b.md", b"#!/bin/sh\n", None),
        inverse_of("tool.md", None, b"known"),
        moved={"tool.md": "b.md"},
    )
    undo(root)
    assert (root / "b.md").stat().st_mode & 0o111 == 0


def test_a_planted_record_takes_no_hidden_folder_along(root):
    (root / ".git" / "refs").mkdir(
        parents=True
    )  # git takes a folder without refs/ for no repository
    (root / "a.md").write_bytes(b"known")
    planted(root, inverse_of("a.md", b"older", b"known"), folders=[".git/refs", ".git"])
    undo(root)
    assert (root / "a.md").read_bytes() == b"older"
    assert (root / ".git" / "refs").is_dir()


def test_a_planted_link_is_not_written_through_into_a_hidden_folder(root):
    (root / ".git").mkdir()
    (root / ".git" / "config").write_bytes(b"old")
    (root / "page.md").symlink_to(".git/config")
    planted(root, inverse_of("page.md", b"evil", b"old"))
    with pytest.raises(UnsafePathError):
        undo(root)
    assert (root / ".git" / "config").read_bytes() == b"old"


GOOD = ["a.md", "", digest_of(b""), 0, 0, ""]


@pytest.mark.parametrize(
    "wrong",
    [
        {"files": 7},
        {"files": {"a": 1}},
        {"files": [7]},
        {"files": ["abcdef"]},
        {},
        {"files": [[]]},
        *(
            {"files": [[*GOOD[:at], wrong, *GOOD[at + 1 :]]]}
            for at in range(6)
            for wrong in (None, True, -1, 2**80, 1.5, [], {}, "\ud800", "\0", "é")
            if not (at in (1, 2) and isinstance(wrong, str)) and not (at == 0 and wrong == "é")
        ),
        *(
            {"files": [GOOD], name: wrong}
            for name in ("attributes", "modes", "moved", "folders")
            for wrong in (7, "x", [7], {"a.md": [7]})
        ),
        {"files": [GOOD], "attributes": {"a.md": [420, 0, 0, {"user.x": 7}]}},
        {"files": [["", *GOOD[1:]]]},
        {"files": [["a/../b.md", *GOOD[1:]]]},
        {"files": [["/a.md", *GOOD[1:]]]},
    ],
)
def test_a_record_of_a_wrong_shape_is_one_that_cannot_be_read(root, wrong):
    stack_of(root).add({"at": 7, "title": ["x"], **wrong})
    with pytest.raises(UnreadableError):
        undo(root)
    change(root, a=b"secret")
    gone = Plan(
        (Edit("a.md", digest_of(b"secret"), None, "", b"secret"),), "t", "delete", is_final=True
    )
    apply(root, gone)
    assert list(stack_of(root).newest()) == []


def test_lines_of_the_stack_that_are_no_json_are_passed_over(root):
    change(root, a=b"1")
    with stack_of(root).location.open("ab") as file:
        file.write(b"[" * 100_000 + b"\n" + b'{"a":' + b"1" * 5_000 + b"}\n\xff\xfe\n[1]\n\0\n")
        file.write(b'{"a":' * 100_000 + b"\n")
    assert [each.fields["title"] for each in stack_of(root).newest()] == ["change"]


def test_a_record_that_would_fill_the_memory_is_not_unpacked(root, monkeypatch):
    monkeypatch.setattr(record, "_MAX_BYTES", 1_000_000)
    bomb = base64.b64encode(zlib.compress(bytes(100_000_000), 9)).decode()
    stack_of(root).add({"at": "", "title": "t", "files": [[*GOOD[:5], bomb]]})
    tracemalloc.start()
    with pytest.raises(UnreadableError):
        undo(root)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_what_was_packed_here_is_unpacked_however_well_it_packs(root, monkeypatch):
    monkeypatch.setattr(record, "_MAX_BYTES", 10_000)
    data = {"a": bytes(300_000), "b": b"- the same line\n" * 5_000, "c": b"x" * 4_000}
    change(root, **data)
    change(root, **dict.fromkeys(data))
    undo(root)
    assert contents(root) == data


def test_a_stack_that_is_larger_than_memory_is_read_from_its_end(root, monkeypatch):
    change(root, a=b"1")
    place = stack_of(root).location
    line = place.read_bytes()
    with place.open("r+b") as file:
        file.truncate(3_000_000_000)
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + line)
    assert next(stack_of(root).newest()).fields["title"] == "change"
    monkeypatch.setattr(records, "MAX_RECORD_BYTES", 1_000_000)
    with pytest.raises(UnreadableError, match="too long"):
        list(stack_of(root).newest())


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
    stack = stack_of(root).location
    outside = tmp_path / "outside.jsonl"
    stack.rename(outside)
    stack.symlink_to(outside)
    before = outside.read_bytes()
    with pytest.raises(UnsafePathError, match="is a symlink"):
        undo(root)
    assert outside.read_bytes() == before


def test_a_private_file_stays_private_whatever_else_is_undone_with_it(root):
    """What came and what went were once paired by their position."""
    change(root, secret=b"secret")
    (root / "secret.md").chmod(0o600)
    change(root, secret=None)
    change(root, other=b"public")
    undo(root, 2)
    assert contents(root) == {"secret": b"secret"}
    assert (root / "secret.md").stat().st_mode & 0o777 == 0o600


def moved(root: Path, old: str, new: str, data: bytes) -> None:
    held = (root / old).read_bytes()
    edits = (Edit(new, "", data, was=old), Edit(old, digest_of(held), None, base=held))
    apply(root, Plan(edits, f"moved {old}", "move"))


def test_files_that_were_moved_twice_come_back_as_they_were(root):
    for name, mode in (("a.md", 0o600), ("b.md", 0o640), ("tool.sh", 0o755)):
        (root / name).write_bytes(name.encode())
        (root / name).chmod(mode)
    moved(root, "a.md", "c.md", b"rewritten")
    moved(root, "b.md", "a.md", b"b.md")
    moved(root, "c.md", "b.md", b"again")
    moved(root, "tool.sh", "new.sh", b"tool.sh")
    undo(root, 4)
    modes = {path.name: path.stat().st_mode & 0o777 for path in root.glob("[!.]*")}
    assert modes == {"a.md": 0o600, "b.md": 0o640, "tool.sh": 0o755}
    assert contents(root) == {"a": b"a.md", "b": b"b.md"}


@pytest.mark.parametrize(
    ("before", "since", "after"), [(0o644, 0o600, 0o600), (0o600, 0o644, 0o600)]
)
def test_a_file_that_moves_back_is_open_to_nobody_it_was_ever_closed_to(root, before, since, after):
    (root / "a.md").write_bytes(b"1")
    (root / "a.md").chmod(before)
    moved(root, "a.md", "b.md", b"2")
    (root / "b.md").chmod(since)
    undo(root)
    assert (root / "a.md").stat().st_mode & 0o777 == after


def test_a_file_that_only_moves_is_not_kept_twice(root):
    data = os.urandom(100_000)
    (root / "a.png").write_bytes(data)
    moved(root, "a.png", "b.png", data)
    assert stack_of(root).location.stat().st_size < 1_000
    undo(root)
    assert (root / "a.png").read_bytes() == data


def test_a_deleted_file_comes_back_with_what_hung_on_it(root):
    change(root, a=b"1")
    try:
        os.setxattr(root / "a.md", "user.comment", b"mine")
    except (OSError, AttributeError):
        pytest.skip("the disk of the tests keeps no such attributes")
    change(root, a=None)
    undo(root)
    assert os.getxattr(root / "a.md", "user.comment") == b"mine"


@pytest.mark.parametrize("call", ["pwrite", "fsync"])
def test_a_record_that_could_not_be_written_whole_is_not_there(root, monkeypatch, call):
    change(root, a=b"1")
    before = stack_of(root).location.read_bytes()
    real = os.pwrite

    def failing(descriptor, *rest):
        if call == "pwrite" and len(rest[0]) > 10:
            return real(descriptor, rest[0][:10], rest[1])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, failing)
    with pytest.raises(WriteError, match="undo"):
        change(root, a=b"2")
    monkeypatch.undo()
    assert stack_of(root).location.read_bytes() == before
    assert contents(root) == {"a": b"1"}


def test_a_record_without_its_end_is_none_though_it_can_be_read(root):
    """All of it was written but for the end of the line: its change was never made."""
    change(root, a=b"1")
    line = stack_of(root).location.read_bytes()
    with stack_of(root).location.open("ab") as file:
        file.write(line.rstrip())
    assert len(list(stack_of(root).newest())) == 1


def test_a_stack_that_was_shortened_is_still_nobody_elses_to_read(root):
    change(root, a=b"1", b=b"2")
    data = b"1"
    gone = Plan((Edit("a.md", digest_of(data), None, "", data),), "t", "delete", is_final=True)
    apply(root, gone)
    assert stack_of(root).location.stat().st_mode & 0o077 == 0


def test_records_of_the_first_version_are_undone(root):
    planted(root, inverse_of("a.md", b"1", None), modes={"a.md": 0o600}, folders=[])
    undo(root)
    assert (root / "a.md").stat().st_mode & 0o777 == 0o600


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


@pytest.mark.parametrize("path", [".env", ".git/config", "a/.hidden", ".memwiki/state/x"])
def test_a_record_of_an_import_names_no_hidden_file(root, path):
    import json

    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("mine")
    digest = digest_of(b"mine")
    record = {"op": "import", "title": "x", "files": [[path, digest, "", 0, 4, ""]]}
    stack_of(root).add(json.loads(json.dumps(record)))
    with pytest.raises(UnsafePathError):
        undo_plan(list(stack_of(root).newest()), lambda path: (root / path).read_bytes())


@pytest.mark.parametrize(
    "name", ["tab\there.md", "two\nlines.md", "\x1b[31mred.md", "caf\udce9.md"]
)
def test_a_page_of_an_odd_name_comes_back(root, name):
    (root / name).write_bytes(b"precious\n")
    change(root, **{"other.md": b"new\n"})
    change(root, **{name: None})
    undo(root)
    assert (root / name).read_bytes() == b"precious\n"
    undo(root)
    assert not (root / "other.md").exists()
