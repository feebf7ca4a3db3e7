"""What the walk finds, what it leaves out, and when two walks are the same."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest

from memwiki.digest import digest_of
from memwiki.errors import UnreadableError
from memwiki.files import scan as scan_module
from memwiki.files.ignore import Ignore, load_ignore
from memwiki.files.read import signature_of
from memwiki.files.scan import scan, stepping
from memwiki.files.temporary import temporary_name


def test_pages_are_markdown_files_in_any_case(root, put):
    put("a.md", "B.MD", "c.markdown", "d.Markdown", "e.mdx", "f.txt", "g")
    found = scan(root)
    assert sorted(found.files) == ["B.MD", "a.md", "c.markdown", "d.Markdown"]
    assert sorted(found.attachments) == ["e.mdx", "f.txt", "g"]
    assert found.count == 4


def test_a_signature_is_what_the_system_says_of_the_file(root, put):
    put("a.md=text")
    seen = (root / "a.md").stat()
    assert scan(root).files["a.md"] == (4, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)


def test_hidden_folders_and_node_modules_are_passed_over_and_counted(root, put):
    put("a.md", ".git/x.md", ".obsidian/y.md", "deep/.trash/z.md", "node_modules/p/README.md")
    found = scan(root)
    assert list(found.files) == ["a.md"]
    assert sorted(found.ignored_paths) == [".git/", ".obsidian/", "deep/.trash/", "node_modules/"]
    assert found.ignored == 4


LEFTOVERS = (
    "a.md~",
    ".#a.md",
    "#a.md#",
    ".a.md.swp",
    "a.swp",
    "4913",
    "a.md.tmp",
    "._a.md",
    "~$a.md",
    ".goutputstream-X1Y2",
    "a.md___jb_tmp___",
    ".syncthing.a.md.tmp",
    "~syncthing~a.md.tmp",
    "a.sync-conflict-20260901-101112-ABCDEFG.md",
    "a (Anna's conflicted copy 2026-09-01).md",
    "a (conflicted copy 2026-09-01 101112).md",
    "a (Case Conflict 1).md",
    "a (SFConflict x 2026).md",
    "a (In Konflikt stehende Kopie von Jo 2026-01-02).md",
    "a (Copie en conflit de Jo 2026-01-02).md",
    "a (Copia en conflicto de Jo 2026-01-02).md",
    "a_conflict-20260901-101112.md",
)


def test_temporary_swap_and_conflict_files_are_no_pages(root, put):
    leftovers = [f"sub/{name}" for name in LEFTOVERS]
    put("a.md", *leftovers)
    found = scan(root)
    assert list(found.files) == ["a.md"]
    assert sorted(found.ignored_paths) == sorted(leftovers)
    assert found.attachments == ()


def test_the_temporary_files_of_our_own_writes_are_no_pages(root, put):
    name = temporary_name()  # new in each process: no name of a test
    put("a.md", name)
    found = scan(root)
    assert list(found.files) == ["a.md"]
    assert found.ignored_paths == (name,)


def test_names_that_only_look_odd_are_pages(root, put):
    names = [
        "Conflicts.md",
        "Konflikt (1).md",
        "conflicted copy.md",
        "#1 idea.md",
        ".hidden.md",
        "~draft.md",
        "a..md",
    ]
    names += ["a b.md", "📂 x/ö 100%.md", "知识/页面.md", 'it\'s "q".md', "a\nb.md"]
    put(*names)
    assert sorted(scan(root).files) == sorted(names)


def test_one_folder_of_conflict_copies_keeps_its_other_pages(root, put):
    put("x/a.md", "x/a.sync-conflict-20260901-101112-ABCDEFG.md", "x/z.md")
    assert list(scan(root).files) == ["x/a.md", "x/z.md"]


def test_a_name_that_is_no_unicode_is_passed_over_and_counted(root, put):
    put("a.md")
    for name in (b"caf\xe9.md", b"caf\xe9.png", b"fold\xe9r/x.md", b"fold\xe9r/y.txt"):
        place = os.path.join(os.fsencode(root), name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w"):
            pass
    found = scan(root)
    assert list(found.files) == ["a.md"]
    assert found.attachments == ()
    assert found.ignored == 3


def test_a_folder_may_be_named_like_a_page(root, put):
    put("odd.md/inner.md", "odd.md/pic.png")
    found = scan(root)
    assert list(found.files) == ["odd.md/inner.md"]
    assert found.attachments == ("odd.md/pic.png",)


def test_sockets_and_fifos_are_never_opened(root, put, monkeypatch):
    put("a.md")
    os.mkfifo(root / "pipe.md")
    monkeypatch.chdir(root)  # a socket's path may not be long
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("door")
        found = scan(root)
    assert list(found.files) == ["a.md"]
    assert sorted(found.ignored_paths) == ["door", "pipe.md"]


def test_folders_a_hundred_deep_are_walked(root):
    deep = root.joinpath(*["d"] * 100)
    deep.mkdir(parents=True)
    (deep / "a.md").write_text("x")
    assert list(scan(root).files) == ["d/" * 100 + "a.md"]


def test_many_files_in_one_folder_are_found(root):
    for number in range(3000):
        (root / f"{number}.md").touch()
    assert scan(root).count == 3000


def test_names_that_differ_in_case_or_unicode_form_are_all_kept_and_reported(root, put):
    put("README.md", "readme.md", "caf\u00e9.md", "cafe\u0301.md", "other.md")
    found = scan(root)
    assert found.count == 5
    assert found.collisions == (("README.md", "readme.md"), ("cafe\u0301.md", "caf\u00e9.md"))


# --- the same or not -----------------------------------------------------------------------------


def test_two_walks_over_an_unchanged_folder_are_equal(root, put):
    put("a.md", "b/c.md", "b/pic.png")
    assert scan(root).fingerprint == scan(root).fingerprint


CHANGES = {
    "a page is added": lambda root: (root / "new.md").touch(),
    "a page is removed": lambda root: (root / "a.md").unlink(),
    "a page is renamed": lambda root: (root / "a.md").rename(root / "z.md"),
    "a page grows": lambda root: (root / "a.md").write_text("longer than before"),
    "a page is touched": lambda root: os.utime(root / "a.md", ns=(1, 1)),
    "a page moves to another folder": lambda root: (root / "a.md").rename(root / "b/a.md"),
    "an attachment is added": lambda root: (root / "pic.png").touch(),
    "an attachment is removed": lambda root: (root / "b/pic.jpg").unlink(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_shows_in_the_fingerprint(root, put, change):
    put("a.md", "b/c.md", "b/pic.jpg")
    before = scan(root).fingerprint
    change(root)
    assert scan(root).fingerprint != before


def test_replacing_a_page_by_one_of_the_same_size_and_time_shows(root, put):
    put("a.md=one", "other.md=two")
    times = (root / "a.md").stat()
    before = scan(root).fingerprint
    (root / "other.md").replace(root / "a.md")
    os.utime(root / "a.md", ns=(times.st_atime_ns, times.st_mtime_ns))
    (root / "other.md").write_text("two")
    assert scan(root).fingerprint != before


def test_a_swap_file_of_an_editor_changes_nothing(root, put):
    put("a.md")
    before = scan(root).fingerprint
    put(".a.md.swp", "4913", "a.md~")
    assert scan(root).fingerprint == before


def test_the_order_in_which_the_system_lists_a_folder_does_not_matter(root, put, monkeypatch):
    put("a.md", "b/c.md", "b/d.md", "z/e.md", "pic.png", "note.txt")
    before = scan(root)
    real = os.scandir

    class Reversed:
        def __init__(self, place):
            with real(place) as listing:
                self.entries = list(listing)[::-1]

        def __enter__(self):
            return iter(self.entries)

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(os, "scandir", Reversed)
    assert scan(root).fingerprint == before.fingerprint
    assert list(scan(root).files) == list(before.files)


# --- unreadable is not deleted -------------------------------------------------------------------


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO, errno.ESTALE, errno.ENOTCONN])
def test_a_folder_that_cannot_be_listed_is_unknown_and_not_empty(root, put, fail_folder, code):
    put("a.md", "sub/b.md", "sub/deep/c.md")
    fail_folder(root / "sub", code)
    found = scan(root)
    assert found.unreadable == ("sub",)
    assert list(found.files) == ["a.md"]


def test_a_root_that_cannot_be_listed_is_unknown(root, put, fail_folder):
    put("a.md")
    fail_folder(root)
    found = scan(root, ignore=Ignore())
    assert found.unreadable == ("",)
    assert (found.count, found.device) == (0, 0)


def test_a_root_that_is_gone_is_unknown(root):
    assert scan(root / "nowhere").unreadable == ("",)


def test_a_folder_removed_during_the_walk_is_gone(root, put, fail_folder):
    put("a.md", "sub/b.md")
    fail_folder(root / "sub", errno.ENOENT)
    found = scan(root)
    assert (found.unreadable, list(found.files)) == ((), ["a.md"])


def test_unreadable_folders_change_the_fingerprint(root, put, fail_folder):
    put("a.md", "empty/.keep")
    (root / "empty/.keep").unlink()
    before = scan(root).fingerprint
    fail_folder(root / "empty")
    assert scan(root).fingerprint != before


class Entry:
    """A directory entry whose file the disk no longer gives."""

    def __init__(self, entry, error):
        self.name, self.entry, self.error = entry.name, entry, error
        entry.stat(follow_symlinks=False)  # kept by the entry, which outlives the open folder
        self.is_dir, self.is_file, self.is_symlink = entry.is_dir, entry.is_file, entry.is_symlink

    def stat(self, follow_symlinks=True):
        if self.name == "bad.md":
            raise OSError(self.error, os.strerror(self.error))
        return self.entry.stat(follow_symlinks=follow_symlinks)


@pytest.mark.parametrize(("code", "unreadable"), [(errno.EIO, ("bad.md",)), (errno.ENOENT, ())])
def test_one_file_without_a_signature_does_not_stop_the_others(
    root, put, monkeypatch, code, unreadable
):
    put("a.md", "bad.md", "z.md")
    real = os.scandir

    class Listing:
        def __init__(self, place):
            self.place = place

        def __enter__(self):
            with real(self.place) as listing:
                return [Entry(each, code) for each in listing]

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(os, "scandir", Listing)
    monkeypatch.setattr(scan_module, "_STAT", lambda entry: entry.stat())
    found = scan(root)
    assert sorted(found.files) == ["a.md", "z.md"]
    assert found.unreadable == unreadable


def test_a_folder_on_another_device_is_noted(root, put, monkeypatch):
    put("a.md", "mnt/b.md", "mnt/deep/c.md")
    before = scan(root)
    strange = (root / "mnt").stat().st_ino
    below = (root / "mnt/deep").stat().st_ino
    real = os.stat

    def stat_elsewhere(place, *args, **kwargs):
        found = real(place, *args, **kwargs)
        if found.st_ino not in (strange, below):
            return found
        return os.stat_result((*found[:2], 4242, *found[3:]))

    monkeypatch.setattr(os, "stat", stat_elsewhere)
    after = scan(root)
    assert before.mounts == {}
    assert after.mounts == {"mnt": 4242}
    assert after.device == before.device == real(root).st_dev
    assert after.fingerprint != before.fingerprint


# --- symlinks ------------------------------------------------------------------------------------


def test_symlinks_out_of_the_workspace_are_not_followed(root, put, tmp_path):
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets/x.md").write_text("secret")
    put("a.md")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "folder").symlink_to(tmp_path / "secrets")
    (root / "pic.png").symlink_to("/etc/hostname")
    found = scan(root)
    assert list(found.files) == ["a.md"]
    assert found.attachments == ()
    assert found.ignored == 3


def test_a_file_reached_twice_is_one_page(root, put):
    put("AGENTS.md", "2026/a.md")
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    (root / "current").symlink_to("2026")
    found = scan(root)
    assert sorted(found.files) == ["2026/a.md", "AGENTS.md"]
    assert sorted(found.ignored_paths) == ["CLAUDE.md", "current"]


def test_a_symlink_that_is_the_only_way_to_a_file_is_a_page(root, put):
    put("data/notes.txt=text", "pic.bin")
    (root / "notes.md").symlink_to("data/notes.txt")
    (root / "sub").mkdir()
    (root / "sub/again.md").symlink_to("../data/notes.txt")
    (root / "view.png").symlink_to("pic.bin")
    found = scan(root)
    assert list(found.files) == ["notes.md"]
    assert found.files["notes.md"][0] == 4
    assert "view.png" in found.attachments
    assert found.ignored_paths == ("sub/again.md",)


def test_symlinks_into_hidden_or_excluded_places_are_not_followed(root, put):
    put(".git/config.txt", "private/x.txt", ".memwikiignore=private/\n")
    (root / "a.md").symlink_to(".git/config.txt")
    (root / "b.md").symlink_to("private/x.txt")
    assert scan(root).count == 0


def test_symlinks_in_circles_or_to_nothing_are_passed_over(root, put):
    put("a.md")
    (root / "loop").symlink_to(".")
    (root / "self.md").symlink_to("self.md")
    (root / "x.md").symlink_to("y.md")
    (root / "y.md").symlink_to("x.md")
    (root / "gone.md").symlink_to("missing.txt")
    found = scan(root)
    assert list(found.files) == ["a.md"]
    assert found.ignored == 5


def test_hard_links_are_two_pages(root, put):
    put("a.md")
    os.link(root / "a.md", root / "b.md")
    assert scan(root).count == 2


def test_the_workspace_itself_may_be_a_symlink(root, put, tmp_path):
    put("a.md", "data.txt")
    (root / "l.md").symlink_to("data.txt")
    (tmp_path / "alias").symlink_to(root)
    assert sorted(scan(tmp_path / "alias").files) == ["a.md", "l.md"]


# --- .memwikiignore ------------------------------------------------------------------------------


def test_memwikiignore_leaves_out_what_it_names(root, put):
    put(".memwikiignore=# mine\n\ndrafts/\n*.private.md\n", "a.md", "drafts/b.md", "x/c.private.md")
    found = scan(root)
    assert list(found.files) == ["a.md"]
    assert sorted(found.ignored_paths) == ["drafts/", "x/c.private.md"]


def test_a_later_pattern_takes_a_page_back_in(root, put):
    put(".memwikiignore=drafts/*\n!drafts/keep.md\n", "drafts/a.md", "drafts/keep.md")
    assert list(scan(root).files) == ["drafts/keep.md"]


def test_gitignore_counts_only_where_it_is_asked_for(root, put):
    put(".gitignore=journal.md\n", ".memwikiignore=!journal.md\n", "journal.md", "a.md")
    put("sub/b.md")
    assert scan(root).count == 3
    (root / ".memwikiignore").unlink()
    assert sorted(scan(root, ignore=load_ignore(root, gitignore=True)).files) == [
        "a.md",
        "sub/b.md",
    ]


def test_a_line_that_is_no_pattern_is_passed_over(root, put):
    put(".memwikiignore=!\n/\nb.md\r\n", "a.md", "b.md")
    assert list(scan(root).files) == ["a.md"]
    put(".memwikiignore=!\n")
    assert not load_ignore(root)


def test_an_ignore_file_that_cannot_be_read_stops_the_walk(root, put):
    put("private.md")
    (root / ".memwikiignore").mkdir()
    with pytest.raises(UnreadableError) as caught:
        scan(root)
    assert caught.value.path == ".memwikiignore"


def test_a_scan_reads_no_page(root, put, monkeypatch):
    put("a.md", "b/c.md")
    real, opened = os.open, []
    monkeypatch.setattr(
        os, "open", lambda path, *a, **k: opened.append(Path(path)) or real(path, *a, **k)
    )
    scan(root, ignore=Ignore())
    assert opened == [root, root / "b"]


def test_a_digest_is_blake2b_in_32_hex_digits():
    assert digest_of(b"") == "cae66941d9efbd404e4d88758ea67670"


def test_a_folder_whose_path_is_longer_than_the_system_takes_is_passed_over_and_counted(root, put):
    put("a.md")
    here = os.open(root, os.O_RDONLY)
    name = "n" * 250
    for _ in range(18):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("deep.md", os.O_WRONLY | os.O_CREAT, dir_fd=here))
    os.close(here)
    found = scan(root)
    assert list(found.files) == ["a.md"]
    assert found.unreadable == ()
    assert len(found.ignored_paths) == 1
    assert found.ignored_paths[0].endswith(f"{name}/")


@pytest.mark.parametrize("year", [1600, 2400])
def test_no_time_of_a_file_keeps_a_workspace_from_being_read(ws, root, put, year):
    at = (year - 1970) * 31_556_952
    for word in ("green", "black"):
        put(f"tea.md=# Tea\n\n{word}\n")
        os.utime(root / "tea.md", (at, at))
        assert [hit.path for hit in ws.search(word).hits] == ["tea.md"]
        assert ws.index.overview().fresh
    assert ws.index.trend().pages_by_file_time == 1


def test_a_file_of_any_number_has_a_signature_that_the_index_holds():
    """File systems that make the numbers up, as some that join others, take all 64 bits."""
    stated = SimpleNamespace(st_size=1, st_mtime_ns=2, st_ctime_ns=3, st_ino=2**64 - 1)
    assert signature_of(stated) == (1, 2, 3, 2**63 - 1)


def test_who_walks_is_asked_before_each_folder_and_may_end_it(root, put):
    put("a.md", "b/c.md", "d/e/f.md")
    steps = []
    with stepping(lambda: steps.append(1)):
        found = scan(root)
    assert (len(steps), found.count) == (4, 3)

    def end():
        raise RuntimeError

    with stepping(end), pytest.raises(RuntimeError):
        scan(root)
    assert scan(root).count == 3
