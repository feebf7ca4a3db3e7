"""Text files below one folder: kept byte for byte, by plans that can be undone."""

from __future__ import annotations

import os

import pytest

from memwiki.errors import (
    AlreadyExistsError,
    CatalogTextError,
    ConflictError,
    NotEditableError,
    NotFoundError,
    OutsideError,
    PageTooLongError,
    UnreadableError,
    UnsafePathError,
    UsageError,
)

HOSTILE = (
    "../x.md",
    "a/../../x.md",
    "/etc/passwd",
    "a\0b",
    "%2e%2e/x",
    "..%2fx",
    "a\\..\\x",
    ".hidden.md",
    ".git/config",
    "node_modules/x.md",
    "x.tmp",
    "out/x.md",
    "out.md",
    "up/wiki.md",
    "a/" * 300_000,
    "\ud800.md",
)


@pytest.fixture
def folder(ws):
    return ws.folder("memories")


def everything(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not {".memwiki", "cache"} & {*path.parts}
    }


def test_any_text_is_kept_byte_for_byte_and_pages_are_found(ws, folder, assert_in_step):
    for name in ("notes.txt", "tea.md"):
        for text in ("", "a\r\nb\u2028\x0b\ufeff", "heron\n\n  nests\n"):
            if folder.kind(name):
                folder.write(name, text)
            else:
                folder.create(name, text)
            assert folder.read(name).text.encode() == text.encode()
            assert (ws.root / "memories" / name).read_bytes() == text.encode()
    assert [hit.path for hit in ws.search("heron nests")] == ["memories/tea.md"]
    assert_in_step(ws)


def test_every_change_is_undone(ws, folder, put):
    put("memories/pic.png", b"\0\xff")
    put("home.md", "[[memories/d/a]]\n")
    states = [everything(ws.root)]
    for change in (
        lambda: folder.create("d/a.md", "# A\n"),
        lambda: folder.create("n.txt", "x"),
        lambda: folder.write("n.txt", "y"),
        lambda: folder.insert("n.txt", 0, "top\n"),
        lambda: folder.rename("d", "e/f"),
        lambda: folder.rename("e/f/a.md", "g.md"),
        lambda: folder.delete("pic.png"),
        lambda: folder.delete("e"),
        lambda: folder.delete("g.md"),
    ):
        change()
        states.append(everything(ws.root))
    assert states[-1] == {"home.md": b"[[memories/g]]\n", "memories/n.txt": b"top\ny\n"}
    for before in reversed(states[:-1]):
        if before != everything(ws.root):  # an empty folder leaves nothing to undo
            ws.undo()
        assert everything(ws.root) == before


def test_a_change_is_shown_first_noted_and_its_links_are_kept_true(ws, folder, put, opened):
    """
    --- memwiki.toml ---
    [layers]
    log = "log.md"
    --- memories/a.md ---
    # A
    --- memories/sub/b.md ---
    [x](../a.md) and [[a]]
    """
    shown = folder.rename("a.md", "sub/c.md", dry_run=True)
    assert shown.dry_run and "rename to memories/sub/c.md" in shown.diff
    assert folder.kind("a.md") == "file"
    folder.rename("a.md", "sub/c.md")
    assert folder.read("sub/b.md").text == "[x](c.md) and [[c]]\n"
    gone = folder.delete("sub/c.md")
    assert gone.notes[0] == "2 links no longer reach their page"
    assert [entry.op for entry in ws.journal.list()] == ["delete", "move"]


def test_a_link_that_cannot_be_kept_true_is_noted_and_the_rename_is_made(ws, folder, put):
    put("raw/a.md", "[[tea]]\n")
    put("memwiki.toml", '[layers]\nraw = "raw"\nlog = "log.md"\n')
    put("memories/tea.md", "# Green\n")
    ws.reload()
    done = ws.folder("memories").rename("tea.md", "pot.md")
    assert done.notes == (
        "raw/a.md:1: tea is a broken link now; not rewritten (sources are never changed)",
    )
    assert f"- {done.notes[0]}\n" in (ws.root / "log.md").read_text()


def test_what_an_editor_changes_meanwhile_is_merged_or_refused(ws, folder, put):
    folder.create("a.md", "one\ntwo\nthree\n")
    file = folder.read("a.md")
    put("memories/a.md", "one\ntwo\nTHREE\n")
    assert folder.write("a.md", "ONE\ntwo\nthree\n", base=file).merged == ("memories/a.md",)
    assert folder.read("a.md").text == "ONE\ntwo\nTHREE\n"
    with pytest.raises(ConflictError):
        folder.write("a.md", "1\ntwo\nthree\n", base=file)
    assert folder.read("a.md").text == "ONE\ntwo\nTHREE\n"


def test_no_path_leads_out_or_at_what_is_hidden(ws, folder, put, tmp_path):
    put("wiki.md", "secret\n")
    put("memories/x.md", "x\n")
    (tmp_path / "outside").mkdir()
    for name, target in (("out", tmp_path / "outside"), ("up", ws.root)):
        os.symlink(target, ws.root / "memories" / name)
    os.symlink(tmp_path / "outside" / "new.md", ws.root / "memories" / "out.md")
    before = everything(tmp_path)
    for path in HOSTILE:
        for use in (
            lambda: folder.read(path),
            lambda: folder.list(path),
            lambda: folder.kind(path),
            lambda: folder.create(path, "x"),
            lambda: folder.delete(path),
            lambda: folder.rename("x.md", path),
            lambda: folder.rename(path, "y.md"),
        ):
            with pytest.raises(UnsafePathError):
                use()
    assert everything(tmp_path) == before
    assert [item.path for item in folder.list().items] == ["x.md"]


def test_a_folder_that_leads_out_is_none(ws):
    for path in ("..", "/etc", ".git", "a/../../b", ".memwiki/state"):
        with pytest.raises(OutsideError):
            ws.folder(path).list()


def test_what_cannot_be_done_says_so_and_changes_nothing(ws, folder, put):
    put("memories/a.md", "x\n")
    put("memories/d/b.txt", b"\xff\n")
    put("memories/d/.hidden", "")
    (ws.root / "memories" / "empty").mkdir()
    before = everything(ws.root)
    limit = ws.config.files.max_bytes
    for error, use in (
        (NotFoundError, lambda: folder.read("none.md")),
        (NotFoundError, lambda: folder.list("none")),
        (UsageError, lambda: folder.list("a.md")),
        (UnreadableError, lambda: folder.read("d")),
        (UnreadableError, lambda: folder.read("d/b.txt")),
        (AlreadyExistsError, lambda: folder.create("a.md", "y")),
        (AlreadyExistsError, lambda: folder.create("A.md", "y")),
        (UsageError, lambda: folder.create("a.md/b.md", "y")),
        (CatalogTextError, lambda: folder.create("c.md", "<!-- memwiki:catalog:begin -->\n")),
        (PageTooLongError, lambda: folder.create("c.md", "x" * (limit + 1))),
        (NotEditableError, lambda: folder.create("c.md", "\ud800")),
        (UsageError, lambda: folder.insert("a.md", 2, "y")),
        (UsageError, lambda: folder.write("d/b.txt", "y", base=folder.read("a.md"))),
        (UsageError, lambda: folder.delete("")),
        (UsageError, lambda: folder.rename("", "b")),
        (UsageError, lambda: folder.rename("d", "d/e")),
        (NotEditableError, lambda: folder.delete("d")),
        (NotEditableError, lambda: folder.rename("empty", "full")),
        (AlreadyExistsError, lambda: folder.rename("none.md", "a.md")),
    ):
        with pytest.raises(error):
            use()
    assert everything(ws.root) == before


def test_a_namespace_has_folders_of_its_own(ws, put, opened):
    put("memwiki.toml", '[layers]\nnamespaces = "namespaces"\n')
    put("namespaces/work/memories/a.md", "work\n")
    put("memories/a.md", "mine\n")
    work, plain = opened(namespace="work"), opened()
    assert work.folder("memories").read("a.md").text == "work\n"
    assert [item.path for item in work.folder(".").list().items] == ["memories", "memories/a.md"]
    shown = [item.path for item in plain.folder(".").list().items]
    assert shown == ["memories", "memories/a.md", "memwiki.toml"]
    with pytest.raises(UnsafePathError):
        plain.folder(".").read("namespaces/work/memories/a.md")


def test_a_text_and_what_its_file_became_are_one_text(folder):
    folder.create("tea.md", "one\ntwo\nthree\nfour\n")
    base = folder.read("tea.md")
    folder.write("tea.md", "one\nZWEI\nthree\nVIER\n")
    apart = folder.merged("tea.md", "EINS\ntwo\nthree\nfour\n", base)
    assert (apart.text, apart.is_clean) == ("EINS\nZWEI\nthree\nVIER\n", True)
    met = folder.merged("tea.md", "one\nDEUX\nthree\nfour\n", base)
    assert (met.text, met.is_clean) == ("one\nDEUX\nthree\nVIER\n", False)
    assert met.file == folder.read("tea.md")


def test_why_a_file_is_read_only_is_said_before_anybody_writes(ws):
    folder = ws.folder(".")
    assert folder.why_read_only("wiki/tea.md") == ""
    assert folder.why_read_only("AGENTS.md") == "it tells agents how to work"
