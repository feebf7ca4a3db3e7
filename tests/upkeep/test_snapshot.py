"""The snapshot: core memories in one file, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.memory.snapshot import SnapshotPage, snapshot_of, snapshot_pages
from memwiki.nouns import Layers
from memwiki.workspace import Workspace
from tests.effort import for_each

LAYERS = Layers("memory.md", "learnings.md", wiki="wiki")
MEMORY = """
--- memwiki.toml ---
[layers]
memory = "memory.md"
learnings = "learnings.md"
daily = "daily"
wiki = "wiki"
--- memory.md ---
# Memory

## Facts
- Tea is in the cupboard. [created:: 2026-09-01] ^m-aaaaaa
  - data:: cup
- [private:: true] The code is 1234.
- ~~Coffee is here.~~ [superseded_by:: m-aaaaaa] ^m-bbbbbb
- 茶在柜子里。
--- learnings.md ---
## Skills
- How to pour
  ```
  ## no heading
  ```
--- daily/2026-09-01.md ---
- Something happened.
--- wiki/page.md ---
No entries here.
"""


@pytest.fixture
def space(opened, write_blocks):
    write_blocks(MEMORY)
    return opened()


def test_the_snapshot_holds_what_is_core_and_holds_and_is_no_secret(space, root):
    report = space.upkeep.snapshot()
    assert [step.verb for step in report.steps] == ["wrote"]
    text = (root / "MEMORY_SNAPSHOT.md").read_text("utf-8")
    assert "^m-aaaaaa" in text and "茶在柜子里" in text and "How to pour" in text
    assert all(word not in text for word in ("1234", "Coffee", "happened", "No entries"))


@pytest.mark.parametrize("word", ["true", "yes", "1", "Yes"])
def test_what_is_private_in_whatever_word_is_in_no_snapshot(opened, write_blocks, root, word):
    write_blocks(
        f"{MEMORY}--- wiki/memory/p.md ---\n---\ntype: memory\nprivate: {word}\n---\n"
        "- The page. ^m-pppppp\n--- wiki/memory/q.md ---\n---\ntype: memory\n---\n"
        f"- The entry. [private:: {word}]\n- Open.\n"
    )
    opened().upkeep.snapshot()
    text = (root / "MEMORY_SNAPSHOT.md").read_text("utf-8")
    assert "Open." in text and "The page" not in text and "The entry" not in text


def test_no_line_that_a_mark_hides_is_in_the_snapshot(opened, write_blocks, root):
    settings = '--- memwiki.toml ---\n[layers]\nmemory = "memory.md"\n'
    page = "- Open.\n\nHouse 4711. [private:: true]\n\n## Health [private:: true]\n- 4711\n"
    write_blocks(f"{settings}--- memory.md ---\n{page}")
    opened().upkeep.snapshot()
    text = (root / "MEMORY_SNAPSHOT.md").read_text("utf-8")
    assert "Open." in text and "4711" not in text and "Health" not in text


def test_a_snapshot_goes_when_all_it_holds_became_private(opened, write_blocks, root):
    settings = '--- memwiki.toml ---\n[layers]\nmemory = "memory.md"\n'
    write_blocks(f"{settings}--- memory.md ---\n- Open.\n")
    opened().upkeep.snapshot()
    assert b"Open." in (root / "MEMORY_SNAPSHOT.md").read_bytes()
    (root / "memory.md").write_text("- Open. [private:: true]\n")
    opened().upkeep.snapshot()
    assert not (root / "MEMORY_SNAPSHOT.md").exists()


@pytest.mark.parametrize("form", ["zip", "jsonl", "md"])
def test_no_export_has_what_a_snapshot_still_tells_of_an_entry_made_private(
    opened, write_blocks, root, tmp_path, form
):
    settings = '--- memwiki.toml ---\n[layers]\nmemory = "memory.md"\n'
    write_blocks(f"{settings}--- memory.md ---\n- Open.\n- The code is walrus.\n")
    space = opened()
    space.upkeep.snapshot()
    (root / "memory.md").write_text("- Open.\n- The code is walrus. [private:: true]\n")
    space.carry.export(tmp_path / "out", format=form)
    shipped = (tmp_path / "out").read_bytes()
    assert b"walrus" not in shipped and b"MEMORY_SNAPSHOT" not in shipped
    space.carry.export(tmp_path / "all", format="jsonl", private=True)
    assert b"MEMORY_SNAPSHOT" in (tmp_path / "all").read_bytes()


def test_what_is_made_private_goes_from_the_snapshot_at_once(space, root):
    snapshot = root / "MEMORY_SNAPSHOT.md"
    space.upkeep.snapshot()
    edited = space.entries.update("m-aaaaaa", fields={"private": "true"})
    assert edited.paths == ("memory.md", "MEMORY_SNAPSHOT.md")
    left = snapshot.read_text("utf-8")
    assert "cupboard" not in left and "茶在柜子里" in left and "How to pour" in left
    space.undo()
    assert "cupboard" in snapshot.read_text("utf-8")
    space.pages.set("memory.md", {"private": "true"})
    left = snapshot.read_text("utf-8")
    assert "茶在柜子里" not in left and "How to pour" in left
    before = snapshot.read_bytes()
    space.entries.add("One more skill.", to="learnings.md")
    assert snapshot.read_bytes() == before


def test_written_again_it_is_the_same(space, root):
    space.upkeep.snapshot()
    before = (root / "MEMORY_SNAPSHOT.md").read_bytes()
    assert space.upkeep.snapshot().edited.paths == ()
    assert (root / "MEMORY_SNAPSHOT.md").read_bytes() == before


def test_it_is_no_page_and_no_hit(space):
    space.upkeep.snapshot()
    assert len(space.search("cupboard").hits) == 1
    assert "MEMORY_SNAPSHOT.md" not in [row.path for row in space.pages.list()]
    assert [p.code for p in space.check.run().problems if p.path == "MEMORY_SNAPSHOT.md"] == []


def test_a_page_of_that_name_that_is_not_ours_is_a_page(space, root):
    (root / "MEMORY_SNAPSHOT.md").write_text("# A snapshot of my own\n")
    assert "MEMORY_SNAPSHOT.md" in [row.path for row in space.pages.list()]


def test_a_snapshot_is_undone(space, root):
    space.upkeep.snapshot()
    space.undo()
    assert not (root / "MEMORY_SNAPSHOT.md").exists()


def test_a_folder_with_a_snapshot_alone_gets_its_memories(space, root, tmp_path):
    space.upkeep.snapshot()
    target = tmp_path / "new"
    target.mkdir()
    (target / "MEMORY_SNAPSHOT.md").write_bytes((root / "MEMORY_SNAPSHOT.md").read_bytes())
    with Workspace.init(target) as born:
        assert {entry.text for entry in born.entries.list()} == {
            "Tea is in the cupboard.",
            "茶在柜子里。",
            "How to pour\n```\n## no heading\n```",
        }
        assert born.entries.get("m-aaaaaa").created == "2026-09-01"
        assert born.upkeep.snapshot().edited.paths == ()
    assert (target / "learnings.md").read_bytes() == (root / "learnings.md").read_bytes()


def test_it_is_left_where_the_setting_says_so(space, root, tmp_path, monkeypatch):
    space.upkeep.snapshot()
    target = tmp_path / "new"
    target.mkdir()
    (target / "MEMORY_SNAPSHOT.md").write_bytes((root / "MEMORY_SNAPSHOT.md").read_bytes())
    monkeypatch.setenv("MEMWIKI_MEMORY_AUTO_HYDRATE", "false")
    with Workspace.init(target, bare=True) as born:
        assert list(born.entries.list()) == []


TEXTS = st.text(st.sampled_from("a`~#\n\r- 茶<!>") | st.characters(codec="utf-8"), max_size=40)


@given(st.dictionaries(st.sampled_from(["memory.md", "wiki/a b.md", "wiki/茶.md"]), TEXTS))
def test_every_page_comes_back_byte_for_byte(pages):
    held = [SnapshotPage(path, text.encode()) for path, text in pages.items()]
    assert snapshot_pages(snapshot_of(held), LAYERS) == held


@for_each(
    "path", ["../memory.md", "/wiki/a.md", "wiki/../../a.md", ".git/a.md", "AGENTS.md", "wiki/a.sh"]
)
def test_a_snapshot_from_elsewhere_writes_nothing_outside_of_memory(path):
    assert snapshot_pages(snapshot_of([SnapshotPage(path, b"- x\n")]), LAYERS) == []


@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(data):
    snapshot_pages(b"<!-- memwiki:snapshot -->" + data, LAYERS)
