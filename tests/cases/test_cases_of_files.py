"""How tools like this fail in the field, and what happens here: the files and the index."""

from __future__ import annotations

import errno
import os
import shutil
import unicodedata

import pytest

from memwiki.change.apply import apply
from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_of
from memwiki.errors import ConflictError
from memwiki.files import scan as scans
from memwiki.files.read import read
from memwiki.files.scan import Scan


def hundred(put) -> None:
    for number in range(100):
        put(f"{'wiki' if number % 2 else 'daily'}/{number}.md", f"# Page {number}\n\nheron\n")


# --- 1 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO, errno.ESTALE])
@pytest.mark.parametrize("part", ["", "wiki"])
def test_case_01_unreadable_is_not_deleted(put, root, memwiki, broken_disk, part, code):
    hundred(put)
    memwiki("sync")
    restore = broken_disk(root / part, code=code)
    answer = memwiki("sync")
    assert memwiki.code != 0
    assert answer["removed"] == []
    assert not answer["fresh"]
    assert (part or "the workspace") in answer["reason"]
    status = memwiki("status")
    assert status["pages"] == 100
    assert not status["fresh"]
    assert (part or "the workspace") in status["reason"]
    assert memwiki("search", "heron")["total"] == 100
    restore()
    answer = memwiki("sync")
    assert memwiki.code == 0
    assert (answer["added"], answer["modified"], answer["removed"]) == ([], [], [])
    assert memwiki("status")["fresh"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything; injected above")
def test_case_01_unreadable_is_not_deleted_with_real_permissions(put, root, memwiki):
    hundred(put)
    memwiki("sync")
    (root / "wiki").chmod(0)
    try:
        assert memwiki("sync")["removed"] == []
        assert memwiki.code != 0
    finally:
        (root / "wiki").chmod(0o700)
    assert memwiki("sync")["modified"] == []


@pytest.mark.parametrize("part", ["", "wiki"])
def test_case_01_a_device_mounted_over_the_pages_is_not_a_deletion(
    put, root, memwiki, tmp_path, monkeypatch, part
):
    """The folder is there and readable, and holds something else."""
    hundred(put)
    memwiki("sync")
    away = tmp_path / "away"
    (root / "wiki").rename(away)
    (root / "wiki").mkdir()
    real = scans.scan

    def mounted(*arguments, **named) -> Scan:
        seen = real(*arguments, **named)
        if part:
            seen.mounts = {**seen.mounts, part: seen.device + 1}
        else:
            seen.device += 1
        seen.fingerprint += "mounted"
        return seen

    monkeypatch.setattr(scans, "scan", mounted)
    answer = memwiki("sync")
    assert memwiki.code == 1
    assert answer["removed"] == []
    assert "another device" in answer["reason"]
    assert memwiki("search", "heron")["total"] == 100
    monkeypatch.undo()
    (root / "wiki").rmdir()
    away.rename(root / "wiki")
    monkeypatch.setenv("MEMWIKI_CACHE_DIR", str(tmp_path / "cache"))
    answer = memwiki("sync")
    assert (answer["added"], answer["modified"], answer["removed"]) == ([], [], [])


def test_case_01_one_unreadable_page_is_kept_and_said(put, root, memwiki, broken_disk):
    hundred(put)
    memwiki("sync")
    put("wiki/1.md", "# Page 1\n\nstork\n")
    restore = broken_disk(root / "wiki/1.md", code=errno.EACCES)
    answer = memwiki("sync")
    assert answer["failed"] == ["wiki/1.md"]
    assert memwiki("search", "heron")["total"] == 100
    restore()
    assert memwiki("sync")["modified"] == ["wiki/1.md"]
    assert memwiki.paths("stork") == ["wiki/1.md"]


def test_case_01_pages_that_vanish_all_at_once_are_kept_until_that_is_meant(put, root, memwiki):
    for number in range(120):
        put(f"wiki/{number}.md", "heron\n")
    put("home.md", "heron\n")
    memwiki("sync")
    shutil.rmtree(root / "wiki")
    answer = memwiki("sync")
    assert memwiki.code == 1
    assert answer["removed"] == []
    assert "120 of 121" in answer["reason"]
    searched = memwiki("search", "heron")
    assert not searched["fresh"]
    assert searched["pending"] == 120
    answer = memwiki("sync", "--force")
    assert memwiki.code == 0
    assert len(answer["removed"]) == 120
    assert memwiki.paths("heron") == ["home.md"]


def test_case_01_a_checkout_of_another_branch_may_remove_many_pages(put, root, memwiki):
    for number in range(120):
        put(f"wiki/{number}.md", "heron\n")
    put(".git/HEAD", "ref: refs/heads/main\n")
    memwiki("sync")
    shutil.rmtree(root / "wiki")
    put(".git/HEAD", "ref: refs/heads/other\n")
    assert len(memwiki("sync")["removed"]) == 120


# --- 2, 3 ----------------------------------------------------------------------------------------


def test_case_02_indexing_a_subset_keeps_the_rest(memwiki, put):
    """
    --- a.md ---
    heron
    --- b.md ---
    heron
    --- sub/c.md ---
    heron
    """
    memwiki("sync")
    put("a.md", "stork\n")
    put("b.md", "stork\n")
    answer = memwiki("sync", "a.md")
    assert (answer["modified"], answer["removed"]) == (["a.md"], [])
    assert [h["path"] for h in memwiki("--no-sync", "search", "heron")["hits"]] == [
        "b.md",
        "sub/c.md",
    ]
    assert [h["path"] for h in memwiki("--no-sync", "search", "stork")["hits"]] == ["a.md"]
    assert sorted(memwiki.paths("stork")) == ["a.md", "b.md"]


def test_case_02_a_subset_may_be_gone_and_a_name_that_never_was_is_an_error(memwiki, root):
    """
    --- a.md ---
    heron
    --- b.md ---
    heron
    """
    memwiki("sync")
    (root / "a.md").unlink()
    (root / "b.md").unlink()
    assert memwiki("sync", "a.md")["removed"] == ["a.md"]
    assert memwiki("sync", "never.md")["error"]["code"] == "not_found"
    assert memwiki("sync")["removed"] == ["b.md"]


def test_case_02_the_very_first_sync_may_be_of_a_subset(memwiki, put):
    """
    --- a.md ---
    heron
    --- b.md ---
    heron
    """
    assert memwiki("sync", "a.md")["added"] == ["a.md"]
    assert memwiki("sync")["added"] == ["b.md"]
    assert memwiki("search", "heron")["total"] == 2


ODD = {
    "comments.md": b"---\n# a comment\ntitle:   'Odd'  # kept\ntags: [a,   b]\n---\n\nheron\n",
    "crlf.md": b"# CRLF\r\n\r\nheron\r\n",
    "bom.md": b"\xef\xbb\xbf---\ntitle: Bom\n---\nheron\n",
    "open.md": b"# No newline\n\nheron",
    "broken.md": b"---\ntitle: a: b: c\n\t- [\n---\nheron\n",
    "rule.md": b"---\n\nheron after a rule\n",
    "latin.md": b"# Caf\xe9\n\nheron\n",
    "memory.md": b"- heron\n-  heron  \n",
    "index.md": b"# Mine\n\nheron\n",
}


def test_case_03_reading_leaves_bytes_alone(put, memwiki, snapshot, root):
    for path, data in ODD.items():
        put(path, data)
        os.utime(root / path, ns=(1_600_000_000_123_456_789, 1_600_000_000_123_456_789))
        (root / path).chmod(0o640)
    before = snapshot()
    commands = (
        ["sync"],
        ["sync", "--full"],
        ["reindex"],
        ["search", "heron"],
        ["search", "is:orphan"],
        ["get", "crlf"],
        ["list"],
        ["links", "bom"],
        ["links", "--unresolved"],
        ["tags"],
        ["graph"],
        ["graph", "Odd"],
        ["status"],
        ["status", "rule.md"],
        ["doctor"],
        ["doctor", "--verify"],
    )
    for command in commands:
        memwiki(*command)
        assert memwiki.code == 0, command
    for command in (["check"], ["check", "--strict"], ["check", "--fix", "--dry-run"]):
        assert memwiki(*command)["problems"]
        assert memwiki.code == 3, command
    assert snapshot() == before
    assert memwiki("search", "heron")["total"] >= len(ODD)


def test_case_03_catalogs_leave_the_bytes_of_pages_alone(put, memwiki, snapshot, root):
    put("memwiki.toml", "[catalog]\nenabled = true\n")
    for path, data in ODD.items():
        put(path, data)
        os.utime(root / path, ns=(1_600_000_000_123_456_789, 1_600_000_000_123_456_789))
        (root / path).chmod(0o640)
    before = snapshot()
    for command in (["sync"], ["catalog"], ["catalog", "--check"], ["sync", "--full"]):
        memwiki(*command)
        assert memwiki.code == 0, command
    assert snapshot() == before  # its index.md is no catalog, so there is nowhere to write
    memwiki("catalog", "--adopt")
    own = str(root / "index.md")
    assert {path for path, state in snapshot().items() if state != before[path]} == {own}
    assert snapshot()[own][0].startswith(ODD["index.md"])


# --- 4, 6: changes that no watcher saw -----------------------------------------------------------


def overwrite(root):
    (root / "a.md").write_text("# A\n\nstork\n")


def replace(root):
    (root / "a.md~tmp").write_text("# A\n\nstork\n")
    (root / "a.md~tmp").replace(root / "a.md")


def backup_and_rename(root):
    (root / "a.md").rename(root / "a.md~")
    (root / "a.md").write_text("# A\n\nstork\n")


def delete_and_recreate(root):
    (root / "a.md").unlink()
    (root / "a.md").write_text("# A\n\nstork\n")


def secretly(root):
    old = (root / "a.md").stat()
    (root / "a.md").write_text("# A\n\nstork\n")
    os.utime(root / "a.md", ns=(old.st_atime_ns, old.st_mtime_ns))


def into_the_past(root):
    (root / "a.md").write_text("# A\n\nstork\n")
    os.utime(root / "a.md", (1_000_000_000, 1_000_000_000))


def into_the_future(root):
    (root / "a.md").write_text("# A\n\nstork\n")
    os.utime(root / "a.md", (4_000_000_000, 4_000_000_000))


WAYS = (
    overwrite,
    replace,
    backup_and_rename,
    delete_and_recreate,
    secretly,
    into_the_past,
    into_the_future,
)


@pytest.mark.parametrize("save", WAYS, ids=lambda way: way.__name__)
def test_case_06_changes_made_while_off_are_caught_up(
    put, root, settled, opened, later, save, assert_in_step
):
    put("a.md", "# A\n\nheron\n")
    settled.sync()
    settled.close()
    save(root)
    space = opened(clock=later)
    found = space.search("stork")
    assert [hit.path for hit in found.hits] == ["a.md"]
    assert space.search("heron").total == 0
    assert_in_step(space)


def test_case_06_renames_moves_and_a_checkout_are_caught_up(put, root, settled, assert_in_step):
    for name in ("a.md", "b.md", "in/c.md", "in/d.md"):
        put(name, f"# {name}\n\nheron\n")
    settled.sync()
    (root / "a.md").rename(root / "z.md")
    (root / "in").rename(root / "out")
    (root / "b.md").rename(root / "out" / "b.md")
    put("new.md", "heron\n")
    found = settled.search("heron")
    assert {hit.path for hit in found.hits} == {
        "z.md",
        "out/c.md",
        "out/d.md",
        "out/b.md",
        "new.md",
    }
    assert_in_step(settled)


def test_case_06_a_file_saved_twice_in_one_tick_of_the_clock_is_not_taken_for_unchanged(
    put, root, ws, monkeypatch
):
    """Younger than two seconds, a file's signature is no proof."""
    put("a.md", "heron\n")
    ws.sync()
    state = (root / "a.md").stat()
    stores = ws.live.stores()
    put("a.md", "stork\n")
    now = (root / "a.md").stat()
    # As if the second save had left no trace in the file's state.
    stores.cards.db.execute(
        "update page set size=?, mtime_ns=?, ctime_ns=?, inode=?",
        (now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino),
    )
    assert state.st_size == now.st_size
    assert ws.search("stork").total == 1


# --- 7, 8 ----------------------------------------------------------------------------------------


def test_case_07_a_cache_never_overwrites_a_hand_edit(put, root):
    """A plan made from what was read before the person's edit is refused, then made anew."""
    put("a.md", "---\ntitle: A\n---\nheron\n")
    loaded = read(root, "a.md")
    put("a.md", "---\ntitle: A\nstatus: draft\n---\nheron\n")
    stale = Edit("a.md", digest_of(loaded), loaded.replace(b"title: A", b"title: B"), "rename")
    with pytest.raises(ConflictError):
        apply(root, Plan((stale,)))
    now = read(root, "a.md")
    apply(
        root, Plan((Edit("a.md", digest_of(now), now.replace(b"title: A", b"title: B"), "rename"),))
    )
    assert (root / "a.md").read_text() == "---\ntitle: B\nstatus: draft\n---\nheron\n"


def test_case_07_settings_keep_what_a_person_wrote_meanwhile(put, root, opened):
    space = opened()
    put("memwiki.toml", "# mine\n[files]\ngitignore = true # because\n")
    space.settings.set("recall.max_results", "5")
    text = (root / "memwiki.toml").read_text()
    assert "# mine" in text
    assert "gitignore = true # because" in text
    assert space.config.recall.max_results == 5
    assert space.config.files.gitignore


NFC = unicodedata.normalize("NFC", "café.md")
NFD = unicodedata.normalize("NFD", "café.md")


def test_case_08_colliding_names_are_all_kept(put, root, memwiki):
    names = ["Foo Bar.md", "foo-bar.md", "foo_bar.md", "README.md", "readme.md", NFC, NFD]
    for number, name in enumerate(names):
        put(name, f"heron number{number}\n")
    put("one/same.md", "---\ntitle: Same\n---\nheron\n")
    put("two/same.md", "---\ntitle: Same\n---\nheron\n")
    kept = {path.relative_to(root).as_posix() for path in root.rglob("*.md")}
    assert memwiki("search", "heron")["total"] == len(kept)
    assert {row["path"] for row in memwiki("list")["pages"]} == kept
    for number, name in enumerate(names):
        if name in kept:
            assert name in memwiki.paths(f"number{number}")
    health = memwiki("doctor")
    assert any("README.md" in note for note in health["notes"])
    assert any(NFC in note and NFD in note for note in health["notes"])


# --- 9, 10, 11 -----------------------------------------------------------------------------------


def test_case_09_deleted_means_gone(memwiki, put, root):
    """
    --- a.md ---
    heron [[b]]
    --- b.md ---
    heron [[a]]
    --- c.md ---
    heron
    """
    memwiki("sync")
    assert memwiki("links", "b", "--in")["links"]
    (root / "a.md").unlink()
    assert memwiki.paths("heron") == ["b.md", "c.md"] or set(memwiki.paths("heron")) == {
        "b.md",
        "c.md",
    }
    assert len(memwiki("search", "heron", "--limit", "2")["hits"]) == 2
    assert memwiki("links", "b", "--in")["links"] == []
    assert [row["status"] for row in memwiki("links", "b", "--out")["links"]] == ["wanted"]
    assert memwiki("get", "a")["error"]["code"] == "not_found"
    assert memwiki.code == 1


def test_case_09_emptied_means_empty(memwiki, put):
    """
    --- a.md ---
    # Heron

    heron #bird [[b]]
    --- b.md ---
    text
    """
    memwiki("sync")
    put("a.md", "")
    assert memwiki("search", "heron")["total"] == 0
    assert memwiki("tags")["tags"] == []
    assert memwiki("links", "b", "--in")["links"] == []
    assert memwiki("get", "a")["text"] == ""


def test_case_10_conflict_markers_are_found_by_search_and_reported(memwiki, put):
    put(
        "a.md",
        "---\ntitle: Heron\n<<<<<<< HEAD\ntags: [mine]\n=======\ntags: [theirs]\n>>>>>>> "
        "other\n---\n\n"
        "# Heron\n\n<<<<<<< HEAD\nstork\n=======\nibis\n>>>>>>> other\n",
    )
    assert memwiki.paths("stork") == ["a.md"]
    assert memwiki.paths("ibis") == ["a.md"]
    problems = memwiki("status", "a.md")["problems"]
    assert any("conflict" in problem["code"] for problem in problems)
    found = memwiki("check", "--only", "conflict-marker")
    assert [(each["line"], each["severity"]) for each in found["problems"]] == [
        (3, "error"),
        (12, "error"),
    ]
    assert memwiki.code == 3
    assert not [f for f in memwiki("get", "a")["fields"] if "<" in f or "=" in f or ">" in f]


def test_case_11_temporary_and_internal_files_are_ignored(memwiki, put):
    names = [
        ".git/x.md",
        ".memwiki/x.md",
        ".obsidian/x.md",
        "node_modules/x.md",
        ".#a.md",
        "#a.md#",
        "a.md~",
        "a.md.swp",
        ".a.md.swp",
        "a.sync-conflict-20260101-120000-ABCDEFG.md",
        "a (Anna's conflicted copy 2026-01-01).md",
        ".memwiki-0000-1-2.tmp",
        "._a.md",
        "4913",
    ]
    for name in names:
        put(name, "heron\n")
    put("a.md", "heron\n")
    assert memwiki.paths("heron") == ["a.md"]
    assert memwiki("status")["pages"] == 1
    assert memwiki("status", "a.sync-conflict-20260101-120000-ABCDEFG.md")["reason"]


def test_case_11_folders_called_build_dist_or_vendor_are_folders_like_any_other(memwiki, put):
    for name in ("build", "dist", "vendor", "target", "archive", "raw", "inbox"):
        put(f"{name}/page.md", "heron\n")
    assert memwiki("search", "heron")["total"] == 7


# --- 9, 16, 23 -----------------------------------------------------------------------------------


def test_case_09_deleted_means_gone_no_hit_no_link_no_slot(put, memwiki, root):
    for n in range(12):
        put(f"p{n:02}.md", f"# Heron {n}\n\nheron [[p00]]\n")
    memwiki("delete", "p00")
    assert memwiki.code == 0
    hits = memwiki.paths("heron", "--limit", "11")
    assert len(hits) == 11
    assert "p00.md" not in hits
    assert {row["status"] for row in memwiki("links", "--unresolved")["links"]} == {"wanted"}
    assert all(row["target"] == "" for row in memwiki("links", "p01")["links"])


@pytest.mark.parametrize("command", [("move", "twin", "one"), ("delete", "twin"), ("delete", "x")])
def test_case_16_destructive_verbs_never_guess(put, memwiki, root, command):
    put("x/twin.md", "one\n")
    put("y/twin.md", "two\n")
    put("x/README.md", "[[twin]]\n")
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    answer = memwiki(*command)
    assert memwiki.code in (1, 2)
    assert answer["error"]["code"] in ("ambiguous", "usage")
    if command[-1] != "x":
        assert set(answer["error"]["candidates"]) == {"x/twin.md", "y/twin.md"}
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before


def test_case_23_rename_rewrites_links_in_every_syntax_and_not_in_code(put, memwiki, root):
    put("wiki/old.md", "# Heading\n\n[self](old.md) ^b1\n")
    page = (
        '---\nup: "[[old]]"\nrelations: {uses: [old]}\n---\n'
        "[[old]] [[old.md]] [[wiki/old|text]] [[old#Heading]] ![[old#^b1]] | [[old\\|cell]] |\n"
        "[t](old.md) [t](./old.md#heading) [t](/wiki/old.md?q 'T') [t](<old.md>) [r]\n\n[r]: "
        "old.md\n\n"
        "`[[old]]`\n\n```\n[[old]]\n```\n\n    [t](old.md)\n"
    )
    put("wiki/page.md", page)
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    memwiki("move", "old", "new", "--keep-alias")
    code = page[page.index("`") :]
    head = page[: page.index("`")].replace("old", "new")
    assert (root / "wiki/page.md").read_text() == head + code
    assert len(memwiki("links", "new", "--in")["links"]) == 13
    assert memwiki("get", "old")["path"] == "wiki/new.md"
    memwiki("undo")
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
    memwiki("move", "old", "notes/deep/new")
    memwiki("move", "new", "wiki/old.md")
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
