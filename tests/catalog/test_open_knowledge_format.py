"""A workspace that memwiki wrote is a bundle of the Open Knowledge Format 0.2."""

from __future__ import annotations

import pytest
from okf import Deviation, deviations
from reader import catalog_files

from memwiki.workspace import Workspace

CONCEPT = "---\ntype: concept\n---\n# A\n"


@pytest.fixture
def written(tmp_path):
    """A workspace made from the template, with its catalog."""
    Workspace.init(tmp_path / "notes")
    space = Workspace.open(tmp_path / "notes")
    space.sync()
    yield space
    space.close()


def test_a_new_workspace_conforms(written):
    assert (written.root / "index.md").exists()
    assert deviations(written.root) == []


def test_a_large_one_conforms_with_all_its_catalogs(written):
    for number in range(450):
        folder = written.root / f"wiki/{'ab'[number % 2]}"
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.md").write_text(
            CONCEPT.replace("A", f"{chr(97 + number % 26)}{number}")
        )
    written.sync()
    assert any(path.startswith("wiki/a/index.") for path in catalog_files(written.root))
    assert len(catalog_files(written.root)) > 5
    assert deviations(written.root) == []


def test_the_journal_is_the_one_file_of_another_form(written):
    """Ours is appended to, with more in its headings: what the agreed form of log.md asks for."""
    written.pages.set("Search", {"status": "draft"})
    assert {each.path for each in deviations(written.root)} == {"log.md"}
    assert {each.clause for each in deviations(written.root)} == {"11.3/9"}


@pytest.mark.parametrize(
    ("path", "text", "clause"),
    [
        ("a.md", "# No front matter\n", "11.1"),
        ("a.md", "---\n: [\n---\n", "11.1"),
        ("a.md", "---\ntitle: A\n---\n", "11.2"),
        ("a.md", "---\ntype: ''\n---\n", "11.2"),
        ("x/index.md", "---\nokf_version: '0.2'\n---\n# A\n", "11.3/8"),
        ("index.md", "---\ntitle: A\n---\n# A\n", "11.3/8"),
        ("index.md", "* [A](a.md)\n", "11.3/8"),
        ("index.md", "* [A](a.md)\n\n# Late\n", "11.3/8"),
        ("log.md", "## May 2026\n", "11.3/9"),
        ("log.md", "## 2026-05-01\n## 2026-06-01\n", "11.3/9"),
    ],
)
def test_the_checker_finds_what_the_format_refuses(root, put, path, text, clause):
    put(path, text)
    (found,) = deviations(root)
    assert isinstance(found, Deviation)
    assert (found.path, found.clause) == (path, clause)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", "---\ntype: Anything\nmore: [1]\n---\n[broken](nowhere.md)\n"),
        ("index.md", '---\nokf_version: "0.2"\n---\n# A\n\n* [A](a.md) - text\n'),
        ("x/index.md", "# A\n\n* [A](a.md) - text\n"),
        ("log.md", "---\ntype: Log\n---\n# Log\n## 2026-06-01\n* x\n## 2026-05-01\n"),
        (".memwiki/x.md", "anything\n"),
    ],
)
def test_the_checker_accepts_what_the_format_allows(root, put, path, text):
    put(path, text)
    assert deviations(root) == []
