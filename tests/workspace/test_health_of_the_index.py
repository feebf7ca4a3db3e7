"""`status`, `doctor`, `cache`, and what happens where no index can be kept."""

from __future__ import annotations

import os
import shutil

import pytest

from memwiki.setup import machine as caching
from memwiki.sync import opened as front_door
from memwiki.workspace import Workspace


def test_status_counts_what_is_there(ws):
    """
    --- a.md ---
    # A

    [[b]] #x

    ## Part
    --- memory.md ---
    - one #y
    - two
    --- .hidden/x.md ---
    no
    --- note.md~ ---
    no
    """
    ws.sync()
    status = ws.index.status()
    assert (status.pages, status.entries, status.links, status.tags) == (2, 2, 1, 2)
    assert (status.sections, status.on_disk, status.pending, status.fresh) == (2, 2, 0, True)
    assert status.ignored >= 2
    assert status.workspace == str(ws.root)
    assert status.index.backend == "whoosh"
    assert status.index.bytes > 0
    assert status.index.generation >= 1
    assert status.index.place == str(ws.live.cache_folder.path)


def test_why_a_file_is_or_is_not_found(ws, put):
    for name in ("a.md", "gone.md", ".hidden/x.md", "a.md~", "picture.png", "private/x.md"):
        put(name, "text\n")
    put(".memwikiignore", "private/\n")
    put("index.md", "<!-- memwiki:catalog:begin -->\n<!-- memwiki:catalog:end -->\n")
    ws.sync()
    put("new.md", "text\n")
    (ws.root / "gone.md").unlink()
    for path, found, reason in (
        ("a.md", True, "indexed"),
        ("./a.md", True, "indexed"),
        ("new.md", False, "new"),
        ("gone.md", False, "still in the index"),
        ("nowhere.md", False, "no such file"),
        (".hidden/x.md", False, "starts with a dot"),
        ("a.md~", False, "temporary"),
        ("picture.png", False, "not a markdown file"),
        ("private/x.md", False, ".memwikiignore line 1"),
        ("index.md", False, "catalog"),
    ):
        answer = ws.index.why(path)
        assert (answer.found, reason in answer.reason) == (found, True), (path, answer.reason)


def test_problems_of_a_file_are_told_with_it(ws, put):
    put("a.md", "---\ntitle: a: b\n---\ntext\n")
    ws.sync()
    assert ws.index.why("a.md").found
    assert ws.index.why("a.md").problems
    assert ws.index.status().problems == 1


def test_a_whole_index_is_healthy_and_equal_to_a_rebuild(ws):
    """
    --- a.md ---
    [[b]] text
    --- memory.md ---
    - one
    """
    health = ws.index.doctor(verify=True)
    assert tuple(health) == (True, (), True, ())
    assert ws.index.doctor().equal is None
    assert ws.index.doctor().healthy


@pytest.mark.parametrize(
    ("harm", "store"),
    [
        ("update page set title='other'", "page"),
        ("delete from tag", "tag"),
        ("update link set count=77", "link"),
        ("delete from name where kind=4", "name"),
        ("insert into field values (1, 1, '')", "field"),
        ("insert into unit_field values (1, 1, x'')", "unit_field"),
        ("update place set start=start+1", "place"),
    ],
)
def test_an_index_that_was_tampered_with_is_unequal_and_ill(settled, put, harm, store):
    put("a.md", "# A\n\n[[b]] #x\n")
    settled.sync()
    settled.live.stores().cards.db.execute(harm)
    settled.live.stores().note_intact()  # or the sync would see that somebody else was at it
    health = settled.index.doctor(verify=True)
    assert (health.healthy, health.equal) == (False, False)
    assert {row.store for row in health.differences} == {store}
    assert all(row.path == "a.md" for row in health.differences)
    settled.index.reindex()
    assert settled.index.doctor(verify=True).equal


def test_verifying_leaves_no_scratch_behind(ws, tmp_path, monkeypatch):
    """
    --- a.md ---
    text
    """
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    assert ws.index.doctor(verify=True).equal
    assert list(scratch.iterdir()) == []


def test_the_doctor_names_what_is_odd(ws, put, root):
    put("a.md", "text\n")
    put("A.md", "text\n")
    if len(list(root.glob("*.md"))) == 2:
        assert any("A.md" in note and "a.md" in note for note in ws.index.doctor().notes)
        assert not ws.index.doctor().healthy


# --- caches --------------------------------------------------------------------------------------


def test_indexes_of_workspaces_that_are_gone_are_listed_and_removed(ws, opened, tmp_path):
    """
    --- a.md ---
    text
    """
    ws.sync()
    (tmp_path / "other" / ".memwiki").mkdir(parents=True)
    other = Workspace.open(tmp_path / "other", find=False)
    other.sync()
    other.close()
    listed = ws.index.caches().caches
    assert {entry.workspace for entry in listed} == {str(ws.root), str(tmp_path / "other")}
    assert all(entry.bytes > 0 and not entry.is_orphan for entry in listed)
    shutil.rmtree(tmp_path / "other")
    assert [e.is_orphan for e in ws.index.caches().caches if "other" in e.workspace] == [True]
    pruned = ws.index.caches(prune=True)
    assert len(pruned.removed) == 1
    assert [entry.workspace for entry in pruned.caches] == [str(ws.root)]
    assert not os.path.exists(pruned.removed[0])
    assert ws.search("text").total == 1


def test_without_a_cache_there_are_no_caches(monkeypatch, ws):
    monkeypatch.setattr(caching, "cache_root", lambda *_: None)
    assert ws.index.caches(prune=True).caches == ()


# --- no place for an index -----------------------------------------------------------------------


@pytest.fixture
def homeless(root, monkeypatch):
    """A workspace where no cache folder can be written."""
    monkeypatch.setattr(front_door, "cache_root", lambda *_: None)
    space = Workspace.open(root, find=False)
    yield space
    space.close()


def test_without_a_cache_folder_answers_come_from_memory_with_one_warning(homeless, put):
    """
    --- a.md ---
    # A

    heron [[b]] #x
    --- b.md ---
    # B
    """
    assert homeless.search("heron").total == 1
    assert homeless.search('"heron"').hits[0].path == "a.md"
    assert [row.source for row in homeless.graph.links("b", "in").links] == ["a.md"]
    put("c.md", "heron\n")
    assert homeless.search("heron").total == 2
    (homeless.root / "a.md").unlink()
    assert [hit.path for hit in homeless.search("heron").hits] == ["c.md"]
    assert homeless.index.status().index.backend == "memory"
    assert homeless.index.status().pages == 2
    assert homeless.index.reindex().added == ("b.md", "c.md")
    assert homeless.search("heron").total == 1
    assert len(homeless.live.warnings) == 1
    assert not homeless.index.doctor().healthy


def test_in_memory_threads_take_turns(homeless):
    """
    --- a.md ---
    heron
    """
    import threading

    totals: list[int] = []
    threads = [
        threading.Thread(target=lambda: totals.append(homeless.search("heron").total))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert totals == [1] * 8


def test_a_read_only_vault_is_searchable(root, opened):
    """
    --- a.md ---
    heron
    """
    shutil.rmtree(root / ".memwiki")
    root.chmod(0o500)
    try:
        assert opened().search("heron").total == 1
        assert sorted(path.name for path in root.iterdir()) == ["a.md"]
    finally:
        root.chmod(0o700)


@pytest.mark.parametrize(
    ("when", "is_before", "edits"),  # any two of them meet
    [
        ("sync_stores", True, 1),
        ("sync_stores", False, 2),
        ("sync_stores", True, 99),
        ("dump", False, 1),
        ("dump", True, 2),
        ("dump", False, 99),
    ],
)
def test_pages_that_are_edited_while_the_index_is_verified_are_no_difference(
    settled, put, root, monkeypatch, when, is_before, edits
):
    """
    --- a.md ---
    heron [[b]]
    --- b.md ---
    stork
    --- c.md ---
    ibis
    """
    from memwiki.health import doctor as health

    real, left = getattr(health, when), [edits]

    def edit() -> None:
        if left[0]:
            left[0] -= 1
            put("a.md", f"heron {left[0]} #x{left[0]} [[c]]\n")
            put(f"new{left[0]}.md", "egret\n")
            put(f"picture{left[0]}.png", "")
            (root / "b.md").unlink(missing_ok=True)

    def edited(*given):
        if is_before:
            edit()
        answer = real(*given)
        if not is_before:
            edit()
        return answer

    monkeypatch.setattr(health, when, edited)
    found = settled.index.doctor(verify=True)
    assert (found.equal, found.differences) == (True, ())
    assert found.healthy  # a page that never rests is a note, no illness of the index


def test_a_row_that_is_wrong_is_a_difference_while_another_page_is_edited(
    settled, put, monkeypatch
):
    """
    --- a.md ---
    heron
    --- b.md ---
    stork
    """
    from memwiki.health import doctor as health

    stores = settled.live.stores()
    stores.cards.db.execute("update page set title='other' where path='b.md'")
    stores.note_intact()
    real, count = health.dump, iter(range(99))

    def edited(given):
        rows = real(given)
        put("a.md", f"heron {next(count)}\n")
        return rows

    monkeypatch.setattr(health, "dump", edited)
    found = settled.index.doctor(verify=True)
    assert (found.equal, [each.path for each in found.differences]) == (False, ["b.md"])
