"""Git changes many files at once behind memwiki's back; no hook tells, the next command notices."""

import json
import os
import subprocess

import pytest

from memwiki.workspace import Workspace


@pytest.fixture
def notes(tmp_path, repository_at):
    """A new workspace with `--git`, and everything in it committed."""
    root = tmp_path / "notes"
    Workspace.init(root, git=True)
    made = repository_at(root)
    made.commit("begin")
    return made


@pytest.fixture
def space(notes):
    opened = Workspace.open(notes.root, find=False)
    yield opened
    opened.close()


def add(repository, path, text):
    place = repository.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("a") as file:
        file.write(text)


def found(space, query):
    return {hit.path for hit in space.search(query).hits}


def test_a_new_repository_leaves_our_own_files_out(notes, space):
    space.sync()
    assert notes("status", "--porcelain") == "?? index.md"  # the catalog is everybody's
    assert ".memwiki" not in notes("ls-files")


def test_a_folder_that_is_a_repository_stays_the_one_it_is(tmp_path, repository_at):
    made = repository_at(tmp_path / "notes")
    add(made, "other.txt", "x")
    rev = made.commit("begin")
    Workspace.init(tmp_path / "notes", git=True, force=True)
    assert made("rev-parse", "HEAD") == rev


def test_a_checkout_of_another_branch_is_noticed(notes, space, assert_in_step):
    notes("checkout", "-qb", "side")
    add(notes, "wiki/on-the-side.md", "# Sideways\n\nquixotic\n")
    (notes.root / "wiki/concepts/tags.md").unlink()
    notes.commit("side")
    assert found(space, "quixotic") == {"wiki/on-the-side.md"}
    notes("checkout", "-q", "main")
    assert found(space, "quixotic") == set()
    assert space.pages.get("Tags").path == "wiki/concepts/tags.md"
    notes("checkout", "-q", "side")
    assert found(space, "quixotic") == {"wiki/on-the-side.md"}
    assert_in_step(space)


def test_a_checkout_that_takes_most_pages_away_is_meant(notes, space, assert_in_step):
    notes("checkout", "-qb", "many")
    for number in range(250):
        add(notes, f"wiki/many/p{number}.md", f"# Page {number}\n")
    notes.commit("many")
    assert space.sync().fresh
    notes("checkout", "-q", "main")
    assert space.sync().fresh
    assert_in_step(space)


def test_both_sides_of_a_merge_appended(notes, space, assert_in_step):
    """Cases 6 and 10: entries, days and the journal merge clean, and all of it is found."""
    files = {
        "memory.md": "- {} likes tea. #design\n",
        "daily/2026-01-05.md": "- {} came by.\n",
        "log.md": "## [2026-01-05] update | {} was here\n",
    }
    add(notes, "daily/2026-01-05.md", "# 5 January\n\n")
    add(notes, "log.md", "## [2026-01-04] create | Begin\n")
    notes.commit("the day begins")
    notes("checkout", "-qb", "side")
    for path, text in files.items():
        add(notes, path, text.format("Quixote"))
    notes.commit("side")
    notes("checkout", "-q", "main")
    for path, text in files.items():
        add(notes, path, text.format("Sancho"))
    notes.commit("main")
    notes("-c", "user.name=x", "merge", "-q", "-m", "merge", "side")
    for path, text in files.items():
        merged = (notes.root / path).read_text()
        for who in ("Quixote", "Sancho"):
            assert merged.count(text.format(who)) == 1, path
        assert "<<<<" not in merged
    assert found(space, "quixote") == found(space, "sancho") == {"memory.md", "daily/2026-01-05.md"}
    assert_in_step(space)


def test_a_conflict_is_searchable_reported_and_no_field(notes, space):
    """Case 10: a page that both sides changed in one place, as git leaves it."""
    for side, word in (("side", "quixote"), ("main", "sancho")):
        notes("checkout", "-q", *(["-b"] if side == "side" else []), side)
        page = notes.root / "wiki/concepts/tags.md"
        page.write_text(page.read_text().replace("title: Tags", f"title: Tags {word}"))
        notes.commit(side)
    notes("merge", "-q", "side", check=False)
    assert "<<<<<<<" in page.read_text()
    assert found(space, "quixote") == found(space, "sancho") == {"wiki/concepts/tags.md"}
    assert "<<<" not in json.dumps(dict(space.pages.get("wiki/concepts/tags.md").fields))
    problems = space.index.why("wiki/concepts/tags.md").problems
    assert any("conflict" in f"{each.code} {each.message}" for each in problems)


def test_a_hard_reset_and_restored_times_are_noticed(notes, space, assert_in_step):
    page = notes.root / "wiki/start-here.md"
    before = page.stat()
    same_size = page.read_text().replace("memory", "mammal")
    page.write_text(same_size)
    os.utime(page, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "wiki/start-here.md" in found(space, "mammal")
    notes("reset", "-q", "--hard")
    assert found(space, "mammal") == set()
    assert_in_step(space)


def test_history_after_a_merge_tells_both_sides(notes, space):
    notes("checkout", "-qb", "side")
    add(notes, "memory.md", "- Quixote likes tea.\n")
    notes.commit("side")
    notes("checkout", "-q", "main")
    add(notes, "memory.md", "- Sancho likes tea.\n")
    notes.commit("main")
    subprocess.run(["git", "merge", "-q", "-m", "m", "side"], cwd=notes.root, check=True)
    subjects = [version.subject for version in space.pages.history("memory.md").versions]
    assert {"side", "main", "begin"} <= set(subjects)
    assert "Quixote" in space.pages.show("memory.md", at="side").text
    assert "Sancho" not in space.pages.show("memory.md", at="side").text


def test_catalogs_merge_clean_and_are_written_anew(notes, space):
    """Case 22: both sides added a page to the list of all pages, at the same place."""
    space.sync()
    notes.commit("with a catalog")
    for side, title in (("side", "Quixote"), ("main", "Sancho")):
        notes("checkout", "-q", *(["-b"] if side == "side" else []), side)
        add(notes, f"wiki/{title.lower()}.md", f"# {title}\n\nA page by {title}.\n")
        space.sync()
        notes.commit(side)
        listed = (notes.root / "index.md").read_text()
        assert f"[{title}](wiki/{title.lower()}.md)" in listed
    notes("merge", "-q", "-m", "merge", "side")
    space.sync()
    merged = (notes.root / "index.md").read_bytes()
    assert merged.count(b"[Quixote](") == merged.count(b"[Sancho](") == 1
    assert space.catalog.check().stale == ()
    (notes.root / "index.md").unlink()
    space.sync()
    assert (notes.root / "index.md").read_bytes() == merged
