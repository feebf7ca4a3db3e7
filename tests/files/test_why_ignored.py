"""Why a file is not found, said in words."""

from __future__ import annotations

import os

import pytest

from memwiki.files.ignore import load_ignore, why_ignored
from memwiki.files.scan import scan


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("a.md", ""),
        ("deep/down/a.markdown", ""),
        (".git/a.md", "its folder starts with a dot"),
        ("x/node_modules/p/a.md", "its folder is node_modules"),
        (".a.md.swp", "it is a temporary, swap or backup file"),
        ("a.sync-conflict-20260901-101112-X.md", "it is a copy that a sync service set aside"),
        ("drafts/a.md", ".memwikiignore line 3: drafts/"),
        ("x/b.secret.md", ".memwikiignore line 5: *.secret.md"),
        ("pic.png", "it is not a markdown file (.md, .markdown)"),
        ("folder", "it is a folder"),
        ("pipe.md", "it is not a regular file"),
        ("nowhere.md", "it cannot be read (No such file or directory)"),
        ("out.md", "it is a symlink that leads out of the workspace"),
        ("twin.md", "it is the same file as a.md"),
        ("only.md", ""),
        ("hidden.md", "it is a symlink to .git/a.md, and its folder starts with a dot"),
        ("lost.md", "it is a broken symlink"),
        ("linked/a.markdown", "its folder linked is a symlink"),
        ("linked", "it is a symlink to deep/down, which is a folder"),
        ("caf\udce9.md", "its name is not valid UTF-8"),
    ],
)
def test_a_reason_is_given_for_each_path(root, put, tmp_path, path, reason):
    put("a.md", "deep/down/a.markdown", ".git/a.md", "x/node_modules/p/a.md", ".a.md.swp")
    put("a.sync-conflict-20260901-101112-X.md", "drafts/a.md", "x/b.secret.md", "pic.png")
    put(".memwikiignore=\n# what is mine\ndrafts/\n\n*.secret.md\n", "folder/x.md", "data.txt")
    os.mkfifo(root / "pipe.md")
    (tmp_path / "outside.md").touch()
    links = {"out.md": tmp_path / "outside.md", "twin.md": "a.md", "only.md": "data.txt"}
    links |= {"hidden.md": ".git/a.md", "lost.md": "missing.txt", "linked": "deep/down"}
    for name, target in links.items():
        (root / name).symlink_to(target)
    assert why_ignored(root, path) == reason
    assert (path in scan(root).files) == (reason == "")


def test_negated_patterns_are_explained_too(root, put):
    put(".memwikiignore=drafts/*\n!drafts/keep.md\n", "drafts/a.md", "drafts/keep.md")
    rules = load_ignore(root)
    assert why_ignored(root, "drafts/a.md", ignore=rules) == ".memwikiignore line 1: drafts/*"
    assert why_ignored(root, "drafts/keep.md", ignore=rules) == ""
