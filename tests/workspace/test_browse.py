"""What there is, with the lines of an index.md, in any workspace and without writing one."""

from __future__ import annotations

import json

import pytest

from memwiki.catalog.store import ListingStore
from memwiki.cli.main import main
from memwiki.commit import catalogs
from memwiki.errors import LockedError, NotFoundError, UsageError
from memwiki.index.meanings.store import MeaningStore
from memwiki.sync.live import LiveIndex


@pytest.fixture
def vault(put, ws):
    put("README.md", "# Vault\n\n[[tea]] [[Nowhere]]\n")
    put(
        "wiki/tea.md",
        "---\ntype: drink\ntags: [hot]\nupdated: 2026-09-01\n---\n# Tea \\*\\_\n\nGreen leaves.\n",
    )
    put("wiki/deep/pot.md", "---\nupdated: 2026-10-01\ntags: [hot/clay]\n---\n# Pot\n\n[[tea]]\n")
    put("memory.md", "# Memory\n\n- Likes tea. #hot ^m-aaaaaa\n- Tall.\n")
    return ws


def shown(answer):
    return {section.title: list(section.lines) for section in answer}


TEA = "- [Tea \\*\\_](wiki/tea.md) — Green leaves. · 2026-09-01 · tags: hot"
POT = "- [Pot](wiki/deep/pot.md) · 2026-10-01 · tags: hot/clay"


def test_without_arguments_it_is_the_router_of_the_workspace(vault):
    before = sorted(vault.root.rglob("*.md"))
    answer = vault.browse()
    assert shown(answer) == {
        "Folders": ["- [wiki](wiki/) — 2 pages in 1 folder: deep"],
        "Start here": ["- [Vault](README.md)", "- [Memory](memory.md)"],
        "Recent": [POT, TEA],
        "Most linked": ["- [Tea \\*\\_](wiki/tea.md) — linked from 2 pages"],
        "Tags": ["- hot — used 3 times", "- hot/clay — used 1 time"],
    }
    assert (answer.total, answer.next_offset, answer.fresh) == (4, 0, True)
    assert sorted(vault.root.rglob("*.md")) == before


@pytest.mark.parametrize("is_private", [False, True])
@pytest.mark.parametrize("make", ["sync", "reindex"])
def test_after_a_sync_or_build_the_first_look_lists_no_page(
    vault, put, monkeypatch, make, is_private
):
    if is_private:
        put("wiki/diary.md", "---\nprivate: true\n---\n# Diary\n")
    getattr(vault.index if make == "reindex" else vault, make)()
    listed = []
    monkeypatch.setattr(ListingStore, "catch_up", lambda *_: listed.append(1))
    assert shown(vault.browse())["Recent"] == [POT, TEA]
    assert listed == []


@pytest.fixture
def listed(vault, monkeypatch):
    """The paths that are listed from now on, after a first sync."""
    vault.sync()
    paths, real = [], ListingStore.listed

    def noted(store, path, digest):
        paths.append(path)
        return real(store, path, digest)

    monkeypatch.setattr(ListingStore, "listed", noted)
    return paths


def test_a_sync_lists_what_changed_and_no_more(vault, put, listed):
    vault.sync()
    put("wiki/cup.md", "# Cup\n")
    vault.sync()
    vault.browse()
    assert listed == ["wiki/cup.md"]


def test_what_an_added_memory_changes_is_listed_by_who_browses(vault, listed):
    vault.entries.add("Prefers green tea.")
    assert listed == []
    vault.browse()
    assert listed == ["memory.md"]


def test_a_folder_shows_what_is_in_it_and_filters_all_below_it(vault):
    folders = ["- [deep](wiki/deep/) — 1 page"]
    assert shown(vault.browse("wiki/")) == {"Folders": folders, "Pages": [TEA]}
    assert shown(vault.browse("wiki", tag="hot")) == {"Pages": [POT, TEA]}
    assert shown(vault.browse(type="DRINK")) == {"Pages": [TEA]}
    assert shown(vault.browse(since="2026-09-15")) == {"Pages": [POT]}
    assert shown(vault.browse(what="recent")) == {"Recent": [POT, TEA]}
    assert shown(vault.browse(what="tags", tag="hot/")) == {"Tags": ["- hot/clay — used 1 time"]}
    memories = vault.browse(what="memories", tag="hot")
    assert shown(memories)["Memories"] == [
        r"- [Likes tea. \#hot](memory.md) — fact · m-aaaaaa · line 3"
    ]
    assert vault.browse("wiki", what="memories").total == 0


def test_pages_are_turned(vault):
    first = vault.browse("wiki", tag="hot", limit=1)
    assert (first.total, first.next_offset, shown(first)) == (2, 1, {"Pages": [POT]})
    last = vault.browse("wiki", tag="hot", limit=1, offset=first.next_offset)
    assert (last.next_offset, shown(last)) == (0, {"Pages": [TEA]})
    assert shown(vault.browse("wiki", tag="hot", offset=9)) == {}


def test_what_is_not_there_is_an_error(vault):
    with pytest.raises(NotFoundError):
        vault.browse("nowhere")
    for asked in ({"what": "all"}, {"since": "soon"}, {"limit": 0}, {"offset": -1}):
        with pytest.raises(UsageError):
            vault.browse(**asked)


def test_a_namespace_shows_its_own(vault, put, opened):
    put("memwiki.toml", '[layers]\nnamespaces = "namespaces"\n')
    put("namespaces/work/a/b.md", "# B\n")
    work = opened(namespace="work")
    assert shown(work.browse())["Folders"] == ["- [a](namespaces/work/a/) — 1 page"]
    assert shown(work.browse("a")) == {"Pages": ["- [B](namespaces/work/a/b.md)"]}


def test_the_command_prints_the_lines(vault, capsys):
    assert main(["-C", str(vault.root), "browse", "wiki", "--tag", "hot", "--limit", "1"]) == 0
    said = capsys.readouterr()
    assert said.out == f"## Pages\n{POT}\n"
    assert said.err == "There are 2 in all; --offset 1 shows more.\n"
    assert main(["-C", str(vault.root), "browse", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sections"][0]["title"] == "Folders"


@pytest.mark.parametrize("is_private", [False, True])
@pytest.mark.parametrize("asked", [["search", "tea"], ["recall", "tea"], ["tags"]])
def test_after_a_question_that_made_the_index_the_first_look_lists_no_page(
    vault, put, monkeypatch, asked, is_private
):
    if is_private:
        put("wiki/diary.md", "---\nprivate: true\n---\n# Diary\n")
    monkeypatch.setattr(catalogs, "_MAX_UNLISTED", 2)
    assert main(["-C", str(vault.root), *asked]) == 0
    listed = []
    monkeypatch.setattr(ListingStore, "catch_up", lambda *_: listed.append(1))
    assert shown(vault.browse())["Recent"] == [POT, TEA]
    assert listed == []


def test_a_question_that_took_in_little_lists_nothing(vault, monkeypatch):
    listed = []
    monkeypatch.setattr(ListingStore, "update", lambda _: listed.append(1))
    assert main(["-C", str(vault.root), "search", "tea"]) == 0
    assert listed == []


def test_what_was_listed_is_browsed_while_others_write(vault, put, opened):
    assert "Tea" in str(vault.browse())
    with opened().live.amending():
        put("b.md", "# Stork\n")
        found = vault.browse()
    assert "Tea" in str(found)
    assert not found.fresh


def test_while_another_process_begins_to_list_a_new_build_nothing_is_shown_as_empty(
    vault, monkeypatch
):
    whole = vault.browse()
    live = vault.public().live
    with live.amending() as stores:  # the tables are there, and nothing is in them yet
        ListingStore(stores.cards, live.context.layers).make("as it lists them")
    waited, real = list[int | None](), LiveIndex.amending

    def busy(self, wait_ms=None):
        waited.append(wait_ms)
        if wait_ms is not None:
            raise LockedError("the index is being written", "wait")
        return real(self)

    monkeypatch.setattr(LiveIndex, "amending", busy)
    assert vault.browse() == whole
    assert waited[-1] is None


def test_pages_that_are_in_no_folder_are_shown_once(ws, put):
    assert ws.browse().sections == ()
    for name in ("tea", "milk", "water"):
        put(f"{name}.md", f"# {name.title()}\n")
    (section,) = ws.browse(limit=2).sections
    assert section.title == "Pages"
    assert section.lines == ("- [Milk](milk.md)", "- [Tea](tea.md)")
    put("index.md", "# Start\n")
    lines = [line for each in ws.browse().sections for line in each.lines]
    assert sorted(lines) == sorted(set(lines))


@pytest.mark.parametrize(("count", "is_listed"), [(100, False), (201, True)])
def test_a_sync_of_a_hundred_pages_leaves_their_lines_to_who_browses(vault, put, count, is_listed):
    vault.browse()
    for number in range(count):
        put(f"new/{number}.md", "text\n")
    vault.sync()
    with vault.live.opened() as stores:
        listed = ListingStore(stores.cards, vault.live.context.layers)
        assert (listed.tree() == stores.cards.tree()) == is_listed
    assert f"- [new](new/) — {count} pages" in shown(vault.browse())["Folders"]


def test_after_one_change_no_other_page_is_looked_at(opened, write_blocks, root, monkeypatch):
    write_blocks("--- a.md ---\n# Heron\n--- b.md ---\n# Stork\n[[a]]\n--- c.md ---\n# Ibis\n")
    space = opened()
    space.browse()
    (root / "c.md").write_text("# Egret\n[[b]]\n")
    (root / "d.md").write_text("# Coot\n")
    (root / "a.md").unlink()
    space.sync()
    for store in (ListingStore, MeaningStore):
        monkeypatch.setattr(store, "digests", lambda _: pytest.fail("it read all pages"))
    shown = "\n".join(line for each in space.browse().sections for line in each.lines)
    assert all(name in shown for name in ("Stork", "Egret", "Coot"))
    assert "Heron" not in shown
