"""The index of what is not private: its own where anything is, and as true as the whole one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwiki.clock import now_ns
from memwiki.files.read import (
    HiddenError,
    PublicRoot,
    contents,
    current_bytes,
    digest_in,
    exists,
    read,
)
from memwiki.sync import request as preparing
from memwiki.sync.context import public_root
from memwiki.workspace import Workspace

DIARY = "---\nprivate: true\n---\n# Diary\n\nxylophone\n"
MIXED = "# Safe\n\n- It is blue.\n- It opens with 4711. [private:: true]\n"


@pytest.fixture
def vault(put, opened):
    put("wiki/tea.md", "# Tea\n\nTea is green. See [[Diary]].\n")
    put("wiki/safe.md", MIXED)
    put("wiki/diary.md", DIARY)
    return opened()


def test_where_nothing_is_private_there_is_one_index(put, opened, cache):
    put("a.md", "# A\n\nheron\n")
    ws = opened()
    assert ws.public().search("heron").total == 1
    assert isinstance(ws.public().live.context.root, PublicRoot)
    assert not list(cache.glob("*/public"))


def test_what_is_private_is_in_no_file_of_the_other_index(vault, cache):
    shown = vault.public()
    assert shown.search("tea").total == 1
    assert shown.search("xylophone").total == shown.search("4711").total == 0
    assert [page.path for page in shown.pages.list()] == ["wiki/safe.md", "wiki/tea.md"]
    assert vault.search("4711").total == 1  # a person finds it


def test_a_link_to_a_private_page_is_one_to_a_page_that_is_not_written_yet(vault):
    (link,) = vault.public().graph.links("tea").links
    assert (link.status, link.target) == ("wanted", "")
    (link,) = vault.graph.links("tea").links
    assert link.target == "wiki/diary.md"


def test_it_begins_with_what_the_whole_index_knows(vault, monkeypatch):
    vault.sync()
    made = preparing.prepared
    read_again = []
    monkeypatch.setattr(
        "memwiki.sync.feed.prepared",
        lambda root, path, *rest: read_again.append(path) or made(root, path, *rest),
    )
    assert vault.public().search("tea").total == 1
    assert set(read_again) <= {"wiki/diary.md", "wiki/safe.md"}


def test_private_pages_are_no_pending_changes_and_are_not_read_at_each_sync(
    vault, put, monkeypatch
):
    # No file is young.
    monkeypatch.setattr("memwiki.sync.request.now_ns", lambda: now_ns() + 10**10)
    shown = vault.public()
    shown.search("tea")
    assert shown.index.status().pending == 0
    put("wiki/new.md", "# New\n")
    reads = []
    mask = shown.live.context.root.mask
    shown.live.context.root.mask = lambda path, data: reads.append(path) or mask(path, data)
    assert shown.search("new").total == 1
    assert "wiki/diary.md" not in reads


STEPS = {
    "hide a page": lambda put, root: put("wiki/tea.md", "---\nprivate: yes\n---\n# Tea\n\ncup\n"),
    "show a page": lambda put, root: put("wiki/diary.md", "# Diary\n\nxylophone\n"),
    "hide a line": lambda put, root: put("wiki/tea.md", "# Tea\n\ncup [private:: true]\n\nmilk\n"),
    "show a line": lambda put, root: put("wiki/safe.md", MIXED.replace(" [private:: true]", "")),
    "change what is hidden": lambda put, root: put("wiki/diary.md", DIARY + "more\n"),
    "remove what is hidden": lambda put, root: (root / "wiki/diary.md").unlink(missing_ok=True),
    "bring it back": lambda put, root: put("wiki/diary.md", DIARY),
    "show all": lambda put, root: [
        put(path.relative_to(root).as_posix(), path.read_text().replace("private", "public"))
        for path in root.rglob("*.md")
    ],
}


@settings(max_examples=12)
@given(
    steps=st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=5),
)
def test_it_is_equal_to_a_rebuild_after_any_edits(steps, tmp_path_factory):
    root = tmp_path_factory.mktemp("vault")
    environ = {"MEMWIKI_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))}

    def put(path, text):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)

    put("memwiki.toml", "")
    put("wiki/tea.md", "# Tea\n\nTea is green. See [[Diary]].\n")
    put("wiki/safe.md", MIXED)
    put("wiki/diary.md", DIARY)
    with Workspace.open(root, environ=environ) as ws:
        for step in ["", *steps]:
            STEPS.get(step, lambda put, root: None)(put, root)
            shown = ws.public()
            root_shown, digests = shown.live.context.root, shown.pages.digests()
            pages = {path: current_bytes(root_shown, path) for path in digests}
            assert None not in pages.values()
            assert digests.keys() <= ws.pages.digests().keys()
            for word in ("xylophone", "4711", "cup"):
                is_there = any(word.encode() in data for data in pages.values())
                assert bool(shown.search(word).total) == is_there, (step, word)
        assert ws.index.doctor(verify=True).equal


def test_each_way_of_reading_sees_the_same(root, put):
    put("a.md", MIXED)
    put("diary.md", DIARY)
    from memwiki.nouns import Layers

    shown = public_root(root, Layers())
    data = read(shown, "a.md")
    assert data.count(b"\n") == MIXED.count("\n") and b"4711" not in data
    assert contents(shown, "a.md", 10)[0].data == data[:10]
    assert contents(shown, "a.md", 10)[0].digest == digest_in(shown, "a.md")[0]
    assert read(root, "a.md") == MIXED.encode()
    assert not exists(shown, "diary.md") and exists(root, "diary.md")
    with pytest.raises(HiddenError) as hidden:
        read(shown, "diary.md")
    assert hidden.value.code == "not_found"
    assert current_bytes(shown, "diary.md") is None


def test_a_folder_in_which_nothing_is_seen_makes_no_path_of_a_title(put, opened):
    put("secret/diary.md", DIARY)
    put("wiki/tea.md", "# Tea\n")
    ws = opened()
    assert ws.pages.new("secret/plan", dry_run=True).paths == ("secret/plan.md",)
    assert ws.public().pages.new("secret/plan", dry_run=True).paths == ("secret-plan.md",)
