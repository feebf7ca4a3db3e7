"""Deleting: into the archive where there is one, and never without saying what leads nowhere
then."""

import pytest

from memwiki.errors import AmbiguousError, NotEditableError, NotFoundError, UsageError
from memwiki.pages.delete import archive_path
from tests.effort import for_each

ARCHIVE = '[layers]\narchive = "archive"\n'


def test_without_an_archive_the_file_is_deleted_and_undo_has_its_bytes(ws, root):
    """
    --- a.md ---
    text
    --- b.md ---
    [[a]] [a](a.md#h)
    --- c.md ---
    [[x/a]]
    """
    edited = ws.pages.delete("a")
    assert (edited.op, edited.title, edited.paths) == ("delete", "deleted a.md", ("a.md",))
    assert edited.notes == (
        "2 links no longer reach their page",
        "b.md:1: a is a broken link now",
        "b.md:1: a.md is a broken link now",
    )
    assert not (root / "a.md").exists()
    ws.undo()
    assert (root / "a.md").read_text() == "text\n"


def test_with_an_archive_it_is_put_there_with_links_that_lead_where_they_led(root, put, opened):
    put("memwiki.toml", ARCHIVE)
    put("wiki/a.md", "[b](b.md) [[b]]\n")
    put("wiki/b.md", "[a](a.md)\n")
    ws = opened()
    edited = ws.pages.delete("a")
    assert edited.title == "archived wiki/a.md as archive/wiki/a.md"
    assert (root / "archive/wiki/a.md").read_text() == "[b](../../wiki/b.md) [[b]]\n"
    assert (root / "wiki/b.md").read_text() == "[a](a.md)\n"
    with pytest.raises(NotFoundError):
        ws.pages.get("a")
    assert ws.pages.get("archive/wiki/a.md").path == "archive/wiki/a.md"
    ws.pages.move("archive/wiki/a.md", "wiki/")
    assert (root / "wiki/a.md").read_text() == "[b](b.md) [[b]]\n"
    assert ws.graph.links("a", "in").links[0].source == "wiki/b.md"


@for_each(
    ("path", "taken", "shelf"),
    [
        ("wiki/a.md", (), "archive/wiki/a.md"),
        ("wiki/a.md", ("archive/wiki/a.md",), "archive/wiki/a-2.md"),
        ("a.b.md", ("archive/a.b.md", "archive/a.b-2.md"), "archive/a.b-3.md"),
        ("x/i.png", ("archive/x/i.png",), "archive/x/i-2.png"),
        ("x/LICENSE", ("archive/x/LICENSE",), "archive/x/LICENSE-2"),
        ("archive/a.md", (), ""),
    ],
)
def test_a_name_that_is_taken_in_the_archive_gets_a_number(path, taken, shelf):
    assert archive_path(path, "archive", lambda place: place in taken) == shelf


def test_what_lies_in_the_archive_is_deleted_from_it(root, put, opened):
    put("memwiki.toml", ARCHIVE)
    put("archive/a.md", "a\n")
    opened().pages.delete("archive/a.md")
    assert not (root / "archive/a.md").exists()


def test_hard_keeps_nothing_under_any_name_the_page_had(root, put, opened):
    put("memwiki.toml", ARCHIVE)
    put("a.md", "the secret\n")
    put("b.md", "[[a]]\n")
    ws = opened()
    ws.pages.move("a", "wiki/c")
    ws.pages.delete("c", hard=True)
    assert not (root / "archive").exists()
    ws.undo()  # of the move: the link alone is left of it
    assert (root / "b.md").read_text() == "[[a]]\n"
    assert not (root / "a.md").exists()
    with pytest.raises(NotFoundError):
        ws.undo()


def test_a_link_that_means_another_page_afterwards_is_told(ws):
    """
    --- x/a.md ---
    one
    --- x/page.md ---
    [[a]]
    --- y/a.md ---
    two
    """
    assert ws.pages.delete("x/a.md").notes == ("x/page.md:1: a now means y/a.md",)


def test_broken_links_are_told_in_the_same_order_whenever_they_were_indexed(ws, put):
    for name in ("z", "k", "b"):
        put(f"{name}.md", "[[a]]\n\n[[a]]\n")
        ws.sync()
    put("a.md")
    told = [note.partition(": ")[0] for note in ws.pages.delete("a", dry_run=True).notes[1:]]
    assert told == ["b.md:1", "b.md:3", "k.md:1", "k.md:3", "z.md:1", "z.md:3"]


def test_no_more_than_twenty_places_are_named(ws, put):
    put("a.md")
    for n in range(25):
        put(f"p{n:02}.md", "[[a]]\n")
    notes = ws.pages.delete("a", dry_run=True).notes
    assert notes[0] == "25 links no longer reach their page"
    assert notes[-1] == "and 5 more"
    assert len(notes) == 22


@pytest.mark.parametrize(
    ("name", "error"), [("nobody", NotFoundError), ("dir", UsageError), ("twin", AmbiguousError)]
)
def test_a_name_that_is_not_one_page_deletes_nothing(ws, put, root, name, error):
    for path in ("dir/README.md", "x/twin.md", "y/twin.md"):
        put(path, "text\n")
    with pytest.raises(error):
        ws.pages.delete(name)
    assert len(list(root.rglob("*.md"))) == 3


def test_a_dry_run_deletes_nothing(ws, put, root):
    put("a.md", "a\n")
    assert (
        ws.pages.delete("a", dry_run=True).diff == "--- a/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    )
    assert (root / "a.md").exists()


def test_a_symlink_is_not_deleted_as_undo_would_bring_back_a_file(ws, root, put):
    put("raw.txt", "# A\n")
    (root / "s.md").symlink_to("raw.txt")
    with pytest.raises(UsageError, match="is a symlink"):
        ws.pages.delete("s.md")
    assert (root / "s.md").is_symlink()


def test_deleting_a_page_tells_of_the_entries_that_refer_to_one_of_its_entries(ws, put):
    put("memory.md", "- a [because:: m-bbbbbb] ^m-aaaaaa\n")
    put("notes/b.md", "- b ^m-bbbbbb\n")
    (_, note) = ws.pages.delete("notes/b.md").notes
    assert note == "memory.md:1: ^m-bbbbbb is a broken link now"


def test_an_entry_in_the_archive_is_referred_to_as_before(put, opened):
    put("memwiki.toml", ARCHIVE)
    put("memory.md", "- a [because:: m-bbbbbb] [subject:: b] ^m-aaaaaa\n")
    put("notes/b.md", "- b ^m-bbbbbb\n")
    ws = opened()
    (_, note) = ws.pages.delete("notes/b.md").notes
    assert note == "memory.md:1: b is a broken link now"
    (row,) = (row for row in ws.graph.links("memory").links if row.relation == "because")
    assert (row.target, row.status) == ("archive/notes/b.md", "resolved")


def test_a_folder_that_is_there_is_meant_and_no_page_of_its_name_elsewhere(ws, root):
    """
    --- daily/x.md ---
    text
    --- templates/daily.md ---
    {{date}}
    --- tea/a.md ---
    text
    --- tea.md ---
    text
    """
    with pytest.raises(UsageError, match="daily: is a folder"):
        ws.pages.delete("daily")
    assert set(ws.pages.move("daily", "journal").paths) == {"daily/x.md", "journal/x.md"}
    assert (root / "templates/daily.md").exists()
    assert ws.pages.delete("tea").paths == ("tea.md",)  # as its path says, too


def test_the_settings_and_the_journal_are_neither_deleted_nor_moved(root, put, opened):
    put("memwiki.toml", '[layers]\nlog = "log.md"\n')
    put("a.md", "# A\n")
    put("log/2025.md", "## [2025-01-01] add | Tea\n")
    ws = opened()
    ws.journal.add("note", "Tea was tasted")
    before = {path: path.read_bytes() for path in root.glob("[!.]*.*")}
    for path in ("memwiki.toml", "log.md", "log/2025.md"):
        with pytest.raises(NotEditableError, match="of the workspace"):
            ws.pages.delete(path, hard=True)
        with pytest.raises(NotEditableError, match="of the workspace"):
            ws.pages.move(path, "b.md")
    with pytest.raises(NotEditableError, match="is for the journal"):
        ws.pages.move("a.md", "log/2026.md")
    assert {path: path.read_bytes() for path in root.glob("[!.]*.*")} == before


def test_deleting_a_page_says_how_many_memories_leave_with_it(ws, put):
    put("memory.md", "# Memory\n\n- Tea is green. ^m-000001\n- Rice is white. ^m-000002\n")
    put("memories/one.md", "---\ntype: memory\n---\n- Water is wet. ^m-000003\n")
    said = "takes {} along; one alone goes by its id"
    assert ws.pages.delete("memory.md", dry_run=True).notes[0] == said.format("2 memories")
    assert ws.pages.delete("one").notes[0] == said.format("1 memory")
