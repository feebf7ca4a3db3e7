"""Undo and the journal through the front door."""

from __future__ import annotations

import errno
import os
import sqlite3

import pytest

from memwiki.change.plan import Edit, Plan
from memwiki.change.record import _pack, stack_of
from memwiki.commit.carry_out import carry_out
from memwiki.digest import digest_of
from memwiki.errors import (
    ConflictError,
    NotFoundError,
    UnconfirmedError,
    UnreadableError,
    UnsafePathError,
    UsageError,
)
from memwiki.sync.live import LiveIndex


def write(ws, path: str, text: str, title: str = "wrote", **named):
    """What every verb does in the end."""
    place = ws.root / path
    old = place.read_bytes() if place.exists() else None
    edit = Edit(path, "" if old is None else digest_of(old), text.encode(), "", old)
    return carry_out(ws.live, Plan((edit,), title, "update"), **named)


def test_a_change_is_found_at_once_and_undone_at_once(ws):
    """
    --- a.md ---
    alpha
    """
    answer = write(ws, "a.md", "beta\n")
    assert (answer.paths, answer.fresh, answer.diff) == (("a.md",), True, "")
    assert [hit.path for hit in ws.search("beta").hits] == ["a.md"]
    undone = ws.undo()
    assert undone.title == "undone: wrote"
    assert ws.search("beta").hits == ()
    assert (ws.root / "a.md").read_text() == "alpha\n"


def test_a_dry_run_shows_the_difference_and_changes_nothing(ws):
    """
    --- a.md ---
    alpha
    """
    answer = write(ws, "a.md", "beta\n", dry_run=True)
    assert "-alpha\n+beta\n" in answer.diff
    assert answer.dry_run
    write(ws, "a.md", "beta\n")
    shown = ws.undo(dry_run=True)
    assert "-beta\n+alpha\n" in shown.diff
    assert (ws.root / "a.md").read_text() == "beta\n"


def test_there_is_nothing_to_undo_in_a_workspace_nobody_changed(ws):
    with pytest.raises(NotFoundError, match="nothing to undo"):
        ws.undo()
    write(ws, "a.md", "x")
    with pytest.raises(NotFoundError, match="only 1 change"):
        ws.undo(2)
    with pytest.raises(UsageError):
        ws.undo(0)
    assert (ws.root / "a.md").exists()


def test_what_a_person_changed_since_is_not_undone(ws):
    write(ws, "a.md", "x")
    (ws.root / "a.md").write_text("by hand")
    with pytest.raises(ConflictError, match=r"a\.md"):
        ws.undo()


JOURNALLED = """
--- memwiki.toml ---
[layers]
log = "log.md"
"""
WITH_DIARY = (
    JOURNALLED
    + """
--- diary.md ---
---
private: true
tags: [quokkatag]
---
# Diary
"""
)


def test_an_undo_hints_at_the_journal_and_at_git_only_where_they_are(ws, write_blocks, opened):
    with pytest.raises(NotFoundError) as nothing:
        ws.undo()
    assert "log show" not in nothing.value.hint
    write(ws, "a.md", "x")
    (ws.root / "a.md").write_text("by hand")
    with pytest.raises(ConflictError) as changed:
        ws.undo()
    assert changed.value.hint == "undo the later change by hand, then repeat it"
    (ws.root / ".git").mkdir()
    with pytest.raises(ConflictError) as changed:
        ws.undo()
    assert "memwiki show NAME --at DATE" in changed.value.hint
    write_blocks(JOURNALLED)
    with pytest.raises(NotFoundError) as nothing:
        opened().undo(9)
    assert nothing.value.hint == "memwiki log show"


def test_changes_and_their_undoing_are_noted_newest_first(write_blocks, opened):
    write_blocks(JOURNALLED)
    ws = opened()
    write(ws, "a.md", "x", "wrote a")
    write(ws, "b.md", "x", "wrote b")
    ws.undo()
    assert [(e.op, e.title) for e in ws.journal.list().entries] == [
        ("undo", "undone: wrote b"),
        ("update", "wrote b"),
        ("update", "wrote a"),
    ]
    assert [e.title for e in ws.journal.list(op="UNDO").entries] == ["undone: wrote b"]
    latest = ws.journal.list(limit=1)
    assert (len(latest.entries), latest.total) == (1, 3)
    assert ws.search("wrote").hits == ()


def test_the_journal_and_what_was_shelved_from_it_are_read_as_one(write_blocks, opened):
    write_blocks(
        JOURNALLED
        + """
--- log/2025.md ---
## [2025-12-31] create | old
--- log.md ---
## [2026-09-02] move | newest
## [2026-09-01] move | newer
--- log/notes.md ---
## [2026-01-01] a page like any other
"""
    )
    ws = opened()
    assert [entry.title for entry in ws.journal.list().entries] == ["newest", "newer", "old"]
    assert [entry.title for entry in ws.journal.list(since="2026-09-02").entries] == ["newest"]
    assert [page.path for page in ws.pages.list().pages] == ["log/notes.md"]
    with pytest.raises(UsageError, match="not a day"):
        ws.journal.list(since="soon")


def test_the_journal_tells_nothing_of_what_was_done_to_private_pages_alone(write_blocks, opened):
    write_blocks(
        WITH_DIARY
        + """
--- memory.md ---
# Memory

## Facts
--- shared.md ---
---
tags: [heron]
---
# Shared
"""
    )
    ws, exported = opened(), bytearray()
    for old, new in (("quokkatag", "quokkatwo"), ("quokkatwo", "quokkathree"), ("heron", "egret")):
        ws.pages.tag_rename(old, new)
    ws.pages.move("diary.md", "affair.md")
    ws.pages.move("affair.md", "quokka.md")
    ws.entries.add_all([{"text": f"Secret {each}.", "private": True} for each in "ab"])
    ws.undo()
    told = ["renamed #heron to #egret on 1 page"]
    assert len(ws.journal.list().entries) == 7
    assert [entry.title for entry in ws.public().journal.list().entries] == told
    ws.carry.export(exported.extend, format="jsonl")
    for text in (exported.decode(), ws.public().pages.bytes("log.md").decode()):
        assert told[0] in text
        assert not [word for word in ("quokka", "diary", "affair", "added") if word in text]


def test_work_done_by_other_means_can_be_noted(write_blocks, opened):
    write_blocks(JOURNALLED)
    ws = opened()
    entry = ws.journal.add("ingest", "Paper on sleep", "created: [[Sleep]]")
    assert (entry.path, entry.line) == ("log.md", 3)
    assert ws.journal.list().entries == (entry,)
    for op, title in (("", "t"), ("a|b", "t"), ("ingest", " ")):
        with pytest.raises(UsageError):
            ws.journal.add(op, title)


def test_a_vault_that_was_adopted_keeps_no_journal(ws):
    write(ws, "a.md", "x")
    assert not (ws.root / "log.md").exists()
    with pytest.raises(NotFoundError, match="has no journal"):
        ws.journal.list()


def test_a_change_that_was_cut_short_is_named_by_doctor(ws):
    """
    --- a.md ---
    alpha
    --- b.md ---
    beta
    """
    assert ws.index.doctor().healthy
    edits = [
        Edit(f"{n}.md", digest_of(old), b"new", "", old)
        for n, old in (("a", b"alpha\n"), ("b", b"beta\n"))
    ]
    carry_out(ws.live, Plan(tuple(edits), "changed both", "update"))
    assert ws.index.doctor().healthy
    (ws.root / "b.md").write_bytes(b"beta\n")
    assert ws.index.doctor().notes == (
        "a change was interrupted: changed both; memwiki undo reverts it",
    )
    ws.undo()
    assert ws.index.doctor().healthy
    assert (ws.root / "a.md").read_text() == "alpha\n"


@pytest.mark.parametrize(
    "error", [sqlite3.DatabaseError("malformed"), UnreadableError("x", hint="y"), OSError(5, "I/O")]
)
def test_what_fails_after_a_change_does_not_have_it_made_twice(ws, root, monkeypatch, error):
    """
    --- a.md ---
    - one
    """
    ws.sync()
    sync = LiveIndex._writing

    def failing(live, *args):
        if b"two" in (root / "a.md").read_bytes():
            raise error
        return sync(live, *args)

    monkeypatch.setattr(LiveIndex, "_writing", failing)
    edited = ws.pages.append("a.md", "- two")
    assert (root / "a.md").read_text() == "- one\n- two\n"
    assert (edited.paths, edited.fresh) == (("a.md",), False)
    assert "done, but not indexed yet" in edited.notes[0]
    monkeypatch.undo()
    assert [hit.path for hit in ws.search("two").hits] == ["a.md"]


def planted(ws, **fields: object) -> None:
    """A record as a folder from elsewhere brings it along, and as one of this machine would
    read."""
    stack_of(ws.root).add({"at": "2026-01-01", "op": "update", "title": "harmless", **fields})


def test_what_was_changed_here_is_undone_without_being_asked(ws):
    write(ws, "a.md", "x")
    ws.pages.move("a.md", "b.md")
    ws.undo(2)
    assert not (ws.root / "a.md").exists()


def test_a_change_that_was_not_made_here_is_undone_only_by_who_says_so(ws):
    """
    --- a.md ---
    mine
    """
    files = [["a.md", digest_of(b"mine\n"), digest_of(b"evil\n"), 0, 4, _pack(b"evil")]]
    planted(ws, files=files)
    with pytest.raises(UnconfirmedError, match="harmless") as error:
        ws.undo()
    assert error.value.candidates == ("a.md",)
    assert "--yes" in error.value.hint
    assert "+evil" in ws.undo(dry_run=True).diff
    assert (ws.root / "a.md").read_text() == "mine\n"
    ws.undo(yes=True)
    assert (ws.root / "a.md").read_text() == "evil\n"


@pytest.mark.parametrize("harm", ["gone", "short", "other", "folder", "none"])
def test_without_the_key_of_this_machine_undo_asks(ws, harm):
    write(ws, "a.md", "x")
    key = ws.live.cache_folder.path.parent / "undo.key"
    assert key.stat().st_mode & 0o077 == 0
    data = key.read_bytes()
    key.unlink()
    if harm == "folder":
        key.mkdir()
    elif harm != "gone":
        key.write_bytes({"short": b"x", "other": bytes(32), "none": data}[harm])
    if harm == "none":
        ws.undo()
    else:
        with pytest.raises(UnconfirmedError):
            ws.undo()
        ws.undo(yes=True)
    assert not (ws.root / "a.md").exists()
    write(ws, "b.md", "x")
    assert harm == "folder" or ws.undo()


def test_a_record_that_was_changed_is_none_of_this_machine(ws):
    write(ws, "a.md", "x")
    place = stack_of(ws.root).location
    place.write_bytes(place.read_bytes().replace(b"wrote", b"Wrote"))
    with pytest.raises(UnconfirmedError):
        ws.undo()


def test_what_is_left_of_a_record_after_a_final_deletion_is_of_this_machine(ws):
    """
    --- a.md ---
    one
    --- b.md ---
    two
    """
    edits = [
        Edit(f"{n}.md", digest_of(old), b"new", "", old)
        for n, old in (("a", b"one\n"), ("b", b"two\n"))
    ]
    carry_out(ws.live, Plan(tuple(edits), "both", "update"))
    ws.pages.delete("b.md", hard=True)
    ws.undo()
    assert (ws.root / "a.md").read_text() == "one\n"


def test_a_file_with_two_names_is_parted_and_it_is_said(ws, root):
    """
    --- a.md ---
    - one
    """
    os.link(root / "a.md", root / "other.txt")
    edited = ws.pages.append("a.md", "- two")
    assert edited.notes == ("a.md: had 1 other name (hard link), which keeps the old text",)
    assert (root / "other.txt").read_text() == "- one\n"
    assert ws.pages.append("a.md", "- three").notes == ()


def test_a_journal_that_could_not_be_written_holds_no_half_entry(write_blocks, opened, monkeypatch):
    write_blocks(JOURNALLED)
    ws = opened()
    write(ws, "a.md", "x", "wrote a")
    real = os.write
    monkeypatch.setattr(
        os, "write", lambda d, data: real(d, data[:9] if b"wrote b" in bytes(data) else data)
    )
    assert "not noted" in write(ws, "b.md", "x", "wrote b").notes[0]
    monkeypatch.undo()
    assert [entry.title for entry in ws.journal.list().entries] == ["wrote a"]


@pytest.mark.parametrize(
    "files", [7, [["../a.md", "", "x", 0, 0, ""]], [[".bashrc", "", "x", 0, 0, ""]]]
)
def test_a_record_that_cannot_be_read_does_not_stop_doctor(ws, files):
    planted(ws, files=files)
    assert ws.index.doctor().healthy
    with pytest.raises((UnreadableError, UnsafePathError)):
        ws.undo(yes=True)


def test_undoing_very_many_new_pages_takes_them_out_of_the_index(ws, root, tmp_path):
    (tmp_path / "vault").mkdir()
    for number in range(120):
        (tmp_path / f"vault/{number}.md").write_text(f"# Bird {number}\n")
    ws.carry.import_(tmp_path / "vault")
    assert ws.search("bird").total == 120
    assert ws.undo().fresh
    assert ws.search("bird").total == 0


def test_a_change_is_sealed_while_the_index_is_in_memory(ws, root):
    """
    --- a.md ---
    - one
    """
    write(ws, "b.md", "x")
    assert ws.live.go_on_in_memory("the disk is full")
    write(ws, "a.md", "- two")
    ws.undo()  # which asks for changes that were not made here
    assert (root / "a.md").read_text() == "- one\n"


def test_a_cache_folder_that_takes_no_key_leaves_the_seal_to_another(
    ws, root, cache, tmp_path, monkeypatch
):
    """
    --- a.md ---
    - one
    """
    elsewhere, real = tmp_path / "elsewhere", os.open
    monkeypatch.setattr(ws.live, "key_folders", lambda: [cache, elsewhere])

    def full(path, flags, *mode, **named):
        if flags & os.O_CREAT and "undo.key" in str(path) and str(path).startswith(str(cache)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(path, flags, *mode, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", full)
        write(ws, "a.md", "- two")
    assert (elsewhere / "undo.key").exists()
    write(ws, "b.md", "x")  # the disk has space again
    assert (cache / "undo.key").exists()
    ws.undo(2)
    assert (root / "a.md").read_text() == "- one\n"


def test_an_unclosed_fence_in_the_journal_tells_nothing_private_either(write_blocks, opened):
    write_blocks(
        WITH_DIARY
        + """
--- log.md ---
# Log

```
code
"""
    )
    ws = opened()
    ws.pages.tag_rename("quokkatag", "quokkatwo")
    ws.journal.add("note", "open")
    assert len(ws.journal.list().entries) == 2
    assert [entry.title for entry in ws.public().journal.list().entries] == ["open"]
