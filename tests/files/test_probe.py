"""What lies at one path, without a walk: it must say what a walk would find, or that it cannot."""

from __future__ import annotations

import os

import pytest

from memwiki.files import ignore as glances
from memwiki.files.ignore import PathState, device_of, is_case_blind, load_ignore, probe
from memwiki.files.scan import scan


def look(root, path):
    return probe(root, path, load_ignore(root))


def test_a_page_is_there_or_gone(root, put):
    put("a.md", "sub/b.markdown", ".memwikiignore=drafts/\nsecret.md\n", "drafts/c.md", "secret.md")
    put(".hidden/d.md")
    assert look(root, "a.md") is PathState.PAGE
    assert look(root, "sub/b.markdown") is PathState.PAGE
    for path in ("b.md", "sub/c.md", "drafts/c.md", "secret.md", ".hidden/d.md", ".#a.md"):
        assert look(root, path) is PathState.GONE, path


@pytest.mark.parametrize(
    "path",
    [
        "",
        "sub",
        "picture.png",
        "never/a.md",
        "a.md/b.md",
        "sub//a.md",
        "./a.md",
        "a\0.md",
        "link.md",
        "folder.md",
        "linked/a.md",
        "x" * 300 + ".md",
        "x" * 300 + "/a.md",
        ".memwikiignore",
    ],
)
def test_what_concerns_more_than_one_path_is_unclear(root, put, path):
    put("a.md", "sub/a.md")
    (root / "link.md").symlink_to(root / "a.md")
    (root / "linked").symlink_to(root / "sub")
    (root / "folder.md").mkdir()
    assert look(root, path) is PathState.UNCLEAR


def test_a_path_out_of_the_workspace_is_no_page(root, put):
    (root.parent / "outside.md").write_text("heron")
    assert look(root, "../outside.md") is not PathState.PAGE
    assert look(root, str(root.parent / "outside.md")) is not PathState.PAGE


def test_a_page_on_another_device_is_unclear(root, put, monkeypatch):
    put("sub/a.md")
    monkeypatch.setattr(glances, "device_of", lambda _: 1)
    assert look(root, "sub/a.md") is PathState.UNCLEAR
    assert look(root, "sub/b.md") is PathState.UNCLEAR


def test_a_workspace_that_is_gone_loses_no_page(root):
    assert look(root / "away", "a.md") is PathState.UNCLEAR
    assert device_of(root / "away") == 0


def test_a_folder_that_goes_while_it_is_looked_at_loses_no_page(root, put, monkeypatch):
    put("sub/a.md")
    real = os.lstat

    def vanish(path, **named):
        if str(path).endswith("b.md"):
            (root / "sub").rename(root / "gone")
        return real(path, **named)

    monkeypatch.setattr(os, "lstat", vanish)
    assert look(root, "sub/b.md") is PathState.UNCLEAR


def test_a_file_system_that_takes_two_names_for_one_is_known(root):
    assert not is_case_blind(root)
    (root / ".MEMWIKI").mkdir()
    assert is_case_blind(root)


def test_every_page_of_a_walk_is_a_page_at_a_glance(root, put):
    for path in ("a.md", "b.MD", "sub/deep/c.md", ".odd.md", "sub/caf\u00e9.md", "x (1).md"):
        put(path)
    for path in (
        "a.md~",
        "#a.md#",
        "a.sync-conflict-20260101-120000-ABC.md",
        "node_modules/a.md",
        "~$a.md",
    ):
        put(path)
    seen = scan(root)
    assert [path for path in seen.files if look(root, path) is not PathState.PAGE] == []
    ignored = [path for path in seen.ignored_paths if path.endswith(".md")]
    assert [path for path in ignored if look(root, path) is PathState.PAGE] == []
