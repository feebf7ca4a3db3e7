"""A folder that is as it was proven to be is not looked at, and the index is as if it were."""

from __future__ import annotations

import os
import shutil

import pytest

from memwiki.index.cards.store import Cards

FOLDERS = ("", "a/", "a/b/", "c/", "c d/", "茶/")


@pytest.fixture
def space(put, settled, later, opened, monkeypatch):
    """Some folders of five pages, synced; what was looked at later is in `looked`."""
    settled.close()
    for folder in FOLDERS:
        for number in range(5):
            put(f"{folder}p{number}.md", f"# P{number}\n\nIn {folder or 'the root'} [[p1]].\n")
    space = opened(clock=later)
    space.sync()
    space.looked = []
    real = Cards.held

    def held(self, folders=None):
        space.looked.append(folders)
        return real(self, folders)

    monkeypatch.setattr(Cards, "held", held)
    return space


@pytest.fixture
def changed(space, assert_in_step):
    """Sync: what became of the pages, and the folders that were looked at."""

    def sync():
        space.looked.clear()
        changes = space.sync()
        assert_in_step(space)
        assert (changes.unchanged, changes.fresh) == (
            len(space.live.stores().cards.digests()) - len(changes.added + changes.modified),
            True,
        )
        looked = space.looked[0] if space.looked else set()
        return changes, looked if looked is None else sorted(looked)

    return sync


def test_only_the_folder_of_what_changed_is_looked_at(space, changed, put, root):
    put("a/p1.md", "# Other\n")
    changes, looked = changed()
    assert (changes.modified, looked) == (("a/p1.md",), ["a/"])
    put("a/new.md", "# New\n")
    (root / "c d" / "p2.md").unlink()
    changes, looked = changed()
    assert (changes.added, changes.removed) == (("a/new.md",), ("c d/p2.md",))
    assert looked == ["a/", "c d/"]
    put("p3.md", "# Of the root\n")
    changes, looked = changed()
    assert (changes.modified, looked) == (("p3.md",), [""])


def test_a_folder_that_comes_goes_or_is_renamed_is_looked_at(space, changed, put, root):
    put("a/new/p.md", "# New\n")
    changes, looked = changed()
    assert (changes.added, looked) == (("a/new/p.md",), ["a/new/"])
    (root / "c").rename(root / "e")
    changes, looked = changed()
    assert (len(changes.renamed), looked) == (5, ["c/", "e/"])
    shutil.rmtree(root / "a")
    changes, looked = changed()
    assert (len(changes.removed), looked) == (11, ["a/", "a/b/", "a/new/"])


def test_a_page_that_is_ignored_and_taken_back_is_there(space, changed, put, root):
    put(".memwikiignore", "a/p1.md\n")
    changes, looked = changed()
    assert (changes.removed, looked) == (("a/p1.md",), ["a/"])
    (root / ".memwikiignore").unlink()
    changes, looked = changed()
    assert (changes.added, looked) == (("a/p1.md",), ["a/"])


def test_a_page_that_was_touched_or_read_too_young_is_looked_at_again(space, changed, root, put):
    os.utime(root / "a" / "p1.md")
    assert changed()[1] == ["a/"]
    put("c/p1.md", "# Other\n")
    assert changed()[1] == ["c/"]


def test_a_folder_that_went_before_all_in_it_was_proof_is_missed(space, changed, root, put):
    put("c/p1.md", "# Other\n")
    young = os.stat(root / "c" / "p1.md").st_mtime + 7200
    os.utime(root / "c" / "p1.md", (young, young))
    assert changed()[1] == ["c/"]
    (root / "c").rename(root / "e")
    changes, looked = changed()
    assert (len(changes.renamed), looked) == (5, ["c/", "e/"])


def test_when_most_folders_changed_all_are_looked_at(changed, put):
    for folder in FOLDERS[1:]:
        put(f"{folder}p1.md", "# Other\n")
    changes, looked = changed()
    assert (len(changes.modified), looked) == (5, None)


def test_a_page_that_a_hint_took_in_makes_the_next_sync_look_at_all(space, changed, put):
    put("a/p1.md", "# Other\n")
    assert space.live.sync_paths(["a/p1.md"]).modified == ("a/p1.md",)
    put("c/p1.md", "# Other\n")
    assert changed()[1] is None
    put("c/p1.md", "# Again\n")
    assert changed()[1] == ["c/"]


def test_a_store_that_lacks_pages_is_given_all_of_them(space, changed, put, place_of):
    shutil.rmtree(place_of(space) / "keyword")
    put("a/p1.md", "# Other\n")
    assert changed()[0].modified == ("a/p1.md",)


def test_pages_that_vanish_at_once_are_kept_though_other_folders_are_as_they_were(
    space, put, root, assert_in_step
):
    for number in range(150):
        put(f"many/p{number}.md", f"# {number}\n")
    assert len(space.sync().added) == 150
    shutil.rmtree(root / "many")
    changes = space.sync()
    assert (changes.removed, changes.fresh) == ((), False)
    assert "150 of 180 pages vanished" in changes.reason
    assert len(space.sync(force=True).removed) == 150
    assert_in_step(space)


def test_a_remark_that_was_damaged_is_a_damaged_index(space, put, place_of, assert_in_step):
    cards = space.live.stores().cards
    cards.note("proven", "[")
    put("a/p1.md", "# Other\n")
    assert space.sync().fresh
    assert_in_step(space)
