"""The journal: what an entry looks like, every shape that is read, and where long ones go."""

from __future__ import annotations

import pytest

from memwiki.change.apply import apply, note
from memwiki.change.journal import JournalEntry, entry_text, read_entries, unread_lines
from memwiki.change.plan import Edit, Plan
from memwiki.clock import local_day
from tests.effort import for_each

NOON = 1_790_000_000 * 10**9
DAY = local_day(NOON).isoformat()


def read(text: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [entry[:4] for entry in read_entries(text.split("\n"))]


@for_each(
    "text",
    [
        "## [2026-09-01] ingest | Paper on sleep\n- created: [[Sleep]]",
        "## 2026-09-01 ingest | Paper on sleep\n- created: [[Sleep]]",
        "## 2026-09-01 — ingest | Paper on sleep\n\n- created: [[Sleep]]",
        "## [2026-09-01] - ingest | Paper on sleep\r\n* created: [[Sleep]]\r",
        "# Log\n\nwhat happened\n\n### [2026-09-01]: ingest | Paper on sleep ###\ncreated: "
        "[[Sleep]]",
    ],
)
def test_an_entry_is_read_in_every_shape(text):
    assert read(text) == [("2026-09-01", "ingest", "Paper on sleep", ("created: [[Sleep]]",))]


def test_a_day_with_items_and_items_with_a_day_are_read():
    assert read("## 2026-09-02\n- wrote a\n- wrote b\n## 2026-09-01") == [
        ("2026-09-02", "", "", ("wrote a", "wrote b")),
        ("2026-09-01", "", "", ()),
    ]
    assert read("- 2026-09-01 — one\n- 2026-09-02: two | three") == [
        ("2026-09-01", "", "one", ()),
        ("2026-09-02", "two", "three", ()),
    ]


def test_what_belongs_to_no_entry_is_passed_over():
    assert read("# Log\n\nprose\n- item\n## Ideas\n- later") == []


def test_headings_without_a_day_are_named():
    lines = "# Log\n## [2026-09-01] a | b\n## Ideas\n### 2026-13-45x\n".split("\n")
    assert list(unread_lines(lines)) == [3]


def test_what_is_written_is_read_back():
    entry = JournalEntry("2026-09-01", "move", "a | b\nc", ("from: [[a]]", "two\nlines"))
    assert read(entry_text(entry)) == [
        ("2026-09-01", "move", "a | b c", ("from: [[a]]", "two lines"))
    ]


def update(root, title: str = "t", log: str = "log.md"):
    number = len(list(root.glob("*.md")))
    plan = Plan((Edit(f"p{number}.md", "", b"x"),), title, "create", ("created: [[p]]",))
    return apply(root, plan, log=log, clock=lambda: NOON)


def test_a_change_is_noted_at_the_end_of_the_journal(tmp_path):
    update(tmp_path, "one")
    update(tmp_path, "two")
    assert (tmp_path / "log.md").read_text() == (
        f"# Log\n\n## [{DAY}] create | one\n- created: [[p]]\n"
        f"\n## [{DAY}] create | two\n- created: [[p]]\n"
    )


@pytest.mark.parametrize(
    "before", [b"# Mine", b"# Mine\r\n\r\n## 2026-01-01\r\n", b"\xef\xbb\xbf# Mine\n"]
)
def test_what_stands_in_the_journal_stays_as_it_is(tmp_path, before):
    (tmp_path / "log.md").write_bytes(before)
    update(tmp_path)
    after = (tmp_path / "log.md").read_bytes()
    assert after.startswith(before)
    assert after.count(b"\r\n") == (after.count(b"\n") if b"\r" in before else 0)


@pytest.mark.parametrize("order", ["le", "be"])
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_a_journal_in_utf16_stays_one_text(tmp_path, order, end):
    before = f"\ufeff# Mine{end}".encode(f"utf-16-{order}")
    (tmp_path / "log.md").write_bytes(before)
    update(tmp_path, "größer")
    after = (tmp_path / "log.md").read_bytes()
    assert after.startswith(before)
    lines = after.decode("utf-16").splitlines()
    assert lines == ["# Mine", "", f"## [{DAY}] create | größer", "- created: [[p]]"]


def test_a_workspace_without_a_journal_gets_none(tmp_path):
    update(tmp_path, log="")
    assert not (tmp_path / "log.md").exists()


def test_a_journal_that_cannot_be_written_does_not_undo_the_change(tmp_path):
    (tmp_path / "log.md").mkdir()
    done = update(tmp_path)
    assert done.paths == ("p1.md",) or done.paths == ("p0.md",)
    assert "done, but not noted" in done.notes[0]


def test_a_change_of_nothing_is_not_noted(tmp_path):
    (tmp_path / "a.md").write_bytes(b"x")
    data = b"x"
    from memwiki.digest import digest_of

    apply(tmp_path, Plan((Edit("a.md", digest_of(data), data),), "t", "update"), log="log.md")
    assert not (tmp_path / "log.md").exists()


def test_a_long_journal_is_shelved_by_year_and_a_new_one_begun(tmp_path):
    for name in ("log/2026.md", "log/2026-2.md"):
        long = b"# Log\n" + b"x" * 1_000_001
        (tmp_path / "log.md").write_bytes(long)
        update(tmp_path)
        assert (tmp_path / name).read_bytes() == long
        assert (tmp_path / "log.md").stat().st_size < 100


def test_of_a_journal_that_is_a_link_the_file_is_shelved_and_the_link_stays(tmp_path):
    (tmp_path / "notes").mkdir()
    long = b"# Log\n" + b"x" * 1_000_001
    (tmp_path / "notes" / "journal.md").write_bytes(long)
    (tmp_path / "log.md").symlink_to("notes/journal.md")
    update(tmp_path, "one")
    assert (tmp_path / "log" / "2026.md").read_bytes() == long
    assert (tmp_path / "log.md").is_symlink()
    assert b"create | one" in (tmp_path / "notes" / "journal.md").read_bytes()


def test_what_was_done_by_other_means_can_be_noted(tmp_path):
    assert note(tmp_path, JournalEntry(DAY, "ingest", "Paper"), "log.md") == 3
    assert (
        note(tmp_path, JournalEntry(DAY, "query", "Sleep?", ("filed: [[Sleep]]",)), "log.md") == 5
    )
    lines = (tmp_path / "log.md").read_text().split("\n")
    assert [entry.line for entry in read_entries(lines)] == [3, 5]
