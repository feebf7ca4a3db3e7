"""What is recalled is counted, shown and survives whatever becomes of the index."""

import os
import shutil
from datetime import UTC, datetime

import pytest

from memwiki.errors import NotFoundError
from memwiki.memory.usage import subject_of

TEXT = """
--- memory.md ---
## Facts
- Tea is in the cupboard. [created:: 2026-09-01] ^m-aaaaaa
- Coffee is on the shelf. [created:: 2026-09-01] ^m-bbbbbb
- The hand wrote this.
--- wiki/kitchen.md ---
Where tea is.
"""
NOW = int(datetime(2026, 9, 11, tzinfo=UTC).timestamp()) * 10**9


@pytest.fixture
def kitchen(opened, write_blocks):
    write_blocks(TEXT)
    return opened(clock=lambda: NOW)


def test_a_recall_is_seen_in_the_entry(kitchen):
    assert kitchen.entries.record("tea", [("m-aaaaaa", 0.9), ("wiki/kitchen.md", 0.4)])
    kitchen.entries.record("tea", [("m-aaaaaa", 0.5), ("Cupboard", 1.0)])
    found = kitchen.entries.get("m-aaaaaa")
    assert (found.recalls, found.mean_score) == (2, 0.7)
    assert found.last_recalled == "2026-09-11T00:00:00Z"
    assert found.value == pytest.approx(0.3 * 1.098612 + 0.5 * 0.7 + 0.2, abs=1e-4)


def test_what_was_never_recalled_is_worth_its_youth(kitchen):
    found = kitchen.entries.get("m-bbbbbb")
    assert (found.recalls, found.last_recalled) == (0, "")
    assert found.value == pytest.approx(0.2 / 11, abs=1e-4)


def test_of_equal_importance_the_more_valued_entry_comes_first(kitchen):
    assert next(each.id for each in kitchen.entries.core()) == "m-aaaaaa"
    kitchen.entries.record("coffee", [("m-bbbbbb", 0.9)])
    assert next(each.id for each in kitchen.entries.core()) == "m-bbbbbb"


def test_an_entry_without_an_id_is_known_by_its_words(kitchen, root):
    kitchen.entries.record("hand", [(kitchen.entries.get("memory.md:4"), 0.5)])
    page = root / "memory.md"
    page.write_text(page.read_text("utf-8").replace("The hand", "\n- the HAND"), "utf-8")
    assert [each.recalls for each in kitchen.entries.list() if not each.id] == [1]


def test_usage_is_asked_by_name_rank_and_query(kitchen):
    kitchen.entries.record("Tea?", [("m-aaaaaa", 0.9), ("wiki/kitchen.md", 0.4)])
    kitchen.entries.record("cup", [("Cupboard", 1.0), ("m-aaaaaa", 0.1)])
    entries = kitchen.entries
    assert [(row.kind, row.recalls) for row in entries.usage("kitchen")] == [("page", 1)]
    assert [row.mean_score for row in entries.usage("m-aaaaaa")] == [0.5]
    assert [row.name for row in entries.usage("CUPBOARD")] == ["cupboard"]
    assert [row.name for row in entries.usage(top=1)] == ["m-aaaaaa"]
    assert entries.usage(top=1).total == 3
    assert [row.name for row in entries.usage(query="tea?")] == ["m-aaaaaa", "wiki/kitchen.md"]
    with pytest.raises(NotFoundError):
        entries.usage("nobody")


def test_usage_outlives_the_index_and_undo(kitchen, opened, cache):
    kitchen.entries.record("tea", [("m-aaaaaa", 0.9)])
    kitchen.entries.update("m-aaaaaa", "Tea is in the box.")
    kitchen.undo()
    kitchen.index.reindex()
    assert kitchen.entries.get("m-aaaaaa").recalls == 1
    kitchen.close()
    shutil.rmtree(cache)
    assert opened(clock=lambda: NOW).entries.get("m-aaaaaa").recalls == 1


def test_usage_is_added_up_beside_the_cards_once(kitchen, monkeypatch):
    kitchen.entries.record("tea", [("m-aaaaaa", 0.9)])
    kitchen.entries.get("m-aaaaaa")
    monkeypatch.setattr("memwiki.index.usage.bytes_from", lambda *_: pytest.fail("was read again"))
    assert kitchen.entries.get("m-aaaaaa").recalls == 1


def test_where_nothing_can_be_written_nothing_is(kitchen, root, monkeypatch):
    (root / ".memwiki").mkdir(exist_ok=True)
    (root / ".memwiki/state").write_text("no folder", "utf-8")
    assert not kitchen.entries.record("tea", [("m-aaaaaa", 0.9)])
    assert kitchen.entries.get("m-aaaaaa").recalls == 0


def test_a_recall_of_nothing_writes_nothing(kitchen, root):
    assert kitchen.entries.record("tea", [])
    assert not os.path.lexists(root / ".memwiki/state")


def test_names_tell_what_was_recalled():
    kinds = [subject_of(name).kind for name in ("m-7k2f9a", "wiki/a.md", "Anna Meier")]
    assert kinds == ["entry", "page", "entity"]


def test_a_repeat_counts_as_a_recall_and_a_dry_run_does_not(kitchen, root):
    page = (root / "memory.md").read_bytes()
    kitchen.entries.add("Tea is in the cupboard.", dry_run=True)
    assert kitchen.entries.get("m-aaaaaa").recalls == 0
    kitchen.entries.add("tea is in the cupboard")
    found = kitchen.entries.get("m-aaaaaa")
    assert (found.recalls, found.mean_score) == (1, 1.0)
    assert (root / "memory.md").read_bytes() == page


def test_a_repeat_is_answered_where_nothing_can_be_written(kitchen, root):
    (root / ".memwiki").mkdir(exist_ok=True)
    (root / ".memwiki/state").symlink_to(root)
    assert kitchen.entries.add("Tea is in the cupboard.").repeated


def test_nothing_of_usage_is_left_of_an_entry_that_is_deleted_for_good(kitchen, root):
    kitchen.entries.record("the secret", [("m-aaaaaa", 0.9), ("m-bbbbbb", 0.5)])
    kitchen.entries.get("m-aaaaaa")
    kitchen.entries.delete("m-aaaaaa", hard=True, dry_run=True)
    assert kitchen.entries.get("m-aaaaaa").recalls == 1
    kitchen.entries.delete("m-aaaaaa", hard=True)
    state = b"".join(each.read_bytes() for each in (root / ".memwiki/state").iterdir())
    assert b"m-aaaaaa" not in state
    assert b"secret" not in state
    assert [row.name for row in kitchen.entries.usage()] == ["m-bbbbbb"]
    assert not kitchen.entries.usage(query="the secret").usage


def test_an_entry_that_is_deleted_and_comes_back_keeps_its_usage(kitchen):
    kitchen.entries.record("tea", [("m-aaaaaa", 0.9)])
    kitchen.entries.delete("m-aaaaaa")
    kitchen.undo()
    assert kitchen.entries.get("m-aaaaaa").recalls == 1
