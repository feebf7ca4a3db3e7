"""A page that went and one that came with the same bytes is a rename."""

from __future__ import annotations

import pytest

from memwiki.answers.index import Rename, WatchEventKind


@pytest.fixture
def three(ws, put):
    for name in ("a", "b", "sub/c"):
        put(f"{name}.md", f"# {name}\n")
    ws.sync()
    return ws


def test_a_rename_is_named_beside_what_came_and_went(three):
    (three.root / "a.md").rename(three.root / "sub" / "new.md")
    changes = three.sync()
    assert changes.renamed == (Rename("a.md", "sub/new.md"),)
    assert (changes.added, changes.removed) == (("sub/new.md",), ("a.md",))


def test_a_folder_that_is_renamed_is_a_rename_of_each_page(three):
    (three.root / "sub").rename(three.root / "other")
    assert three.sync().renamed == (Rename("sub/c.md", "other/c.md"),)


def test_other_bytes_are_another_page(three, put):
    (three.root / "a.md").unlink()
    put("new.md", "# a, changed\n")
    assert three.sync().renamed == ()


def test_of_equal_pages_each_is_renamed_once(three, put):
    put("b.md", "# a\n")
    three.sync()
    (three.root / "a.md").rename(three.root / "x.md")
    (three.root / "b.md").rename(three.root / "y.md")
    put("z.md", "# a\n")
    assert three.sync().renamed == (Rename("a.md", "x.md"), Rename("b.md", "y.md"))


def test_a_copy_is_no_rename(three, put):
    put("x.md", "# a\n")
    assert three.sync().renamed == ()


def test_a_watcher_tells_of_a_rename_and_of_what_it_watches(three):
    events = []
    with three.watch(tell=events.append):
        pass
    begin = events[0]
    assert begin.event is WatchEventKind.STARTED
    assert (begin.workspace, begin.pages) == (str(three.root), 3)
    assert {(event.workspace, event.pages) for event in events[1:]} <= {("", 0)}
