"""index.md after a real git merge in which both branches changed it."""

from __future__ import annotations

import subprocess

import pytest
from reader import catalog_files

from memwiki.workspace import Workspace


@pytest.fixture
def git(root):
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        names = (
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "commit.gpgsign=false",
        )
        command = ["git", *names, *arguments]
        return subprocess.run(command, cwd=root, capture_output=True, text=True)

    assert run("init", "-q", "-b", "main").returncode == 0
    return run


def commit(git, ws: Workspace) -> None:
    ws.sync()
    git("add", "-A", "--", ".", ":!.memwiki")
    assert git("commit", "-q", "-m", "x").returncode == 0


@pytest.fixture
def merged(root, put, catalogued, git):
    """Both branches added a page, and one of them wrote above the block."""
    put("m.md", "# M\n")
    ws = catalogued()
    commit(git, ws)
    git("checkout", "-q", "-b", "other")
    put("n.md", "# Nn\n")
    commit(git, ws)
    git("checkout", "-q", "main")
    put("index.md", "# My words\n\n" + (root / "index.md").read_text())
    put("l.md", "# Nl\n")
    commit(git, ws)
    done = git("merge", "other")
    assert done.returncode != 0
    assert "index.md" in done.stdout
    return ws


def test_a_conflict_in_the_block_is_resolved_by_writing_it_anew(root, merged):
    assert "<<<<<<<" in (root / "index.md").read_text()
    merged.sync()
    text = (root / "index.md").read_text()
    assert text.startswith("# My words\n\n<!-- memwiki:catalog:begin -->\n3 pages.\n")
    assert [line for line in text.split("\n") if line.startswith("- ")] == [
        "- [M](m.md)",
        "- [Nl](l.md)",
        "- [Nn](n.md)",
    ]
    assert merged.catalog.check().stale == ()


def test_both_sides_kept_become_one_block(root, put, merged, git):
    ours = git("show", "main:index.md").stdout
    theirs = git("show", "other:index.md").stdout
    put("index.md", ours + theirs)
    merged.sync()
    text = (root / "index.md").read_text()
    assert text.count("memwiki:catalog:begin") == 1
    assert text.startswith("# My words\n\n")
    assert text.count("\n- ") == 3


def test_a_conflict_outside_of_the_block_is_named_and_left_to_people(root, put, catalogued):
    put("a.md", "# A\n")
    ws = catalogued()
    block = (root / "index.md").read_text()
    text = f"<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> other\n{block}"
    put("index.md", text)
    report = ws.catalog.update()
    assert (root / "index.md").read_text() == text
    assert report.notes == tuple(
        f"index.md:{line}: a conflict marker outside the catalog's block" for line in (1, 3, 5)
    )


def test_a_checkout_of_another_branch_needs_no_hook(root, put, catalogued, git):
    put("a.md", "# A\n")
    ws = catalogued()
    commit(git, ws)
    git("checkout", "-q", "-b", "other")
    put("b.md", "# B\n")
    commit(git, ws)
    before = catalog_files(root)
    git("checkout", "-q", "main")
    assert ws.sync().catalogs == ()  # what was checked out is right as it is
    git("checkout", "-q", "other")
    assert ws.sync().catalogs == ()
    assert catalog_files(root) == before
