"""What is private is nowhere at a door that was not opened for it: answers are those of a vault
without it, and changes are refused rather than let it be altered or seen.

A sample of what `benchmarks/attack.py` asks at length; the seeds are fixed.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import private_vault as vault
from private_meaning import run_meaning
from private_past import make_past_twins, run_past
from private_twins import PrivateTwin, run_reads
from private_writes import run_writes

from memwiki.errors import NotFoundError
from memwiki.files.read import PublicRoot
from memwiki.sync.live import LiveIndex
from memwiki.workspace import Workspace
from tests.effort import tries

AGENT = "full"


@pytest.fixture
def twins(tmp_path: Path):
    pair = [PrivateTwin(root, vault.TIME_NS * 2) for root in vault.make_private_twins(tmp_path)]
    yield pair
    for twin in pair:
        twin.close()


def test_what_is_read_is_answered_as_if_nothing_private_were_there(tmp_path):
    assert run_reads(tmp_path, tries(30), random.Random(41)) == []


def test_a_change_leaves_alone_what_is_private_or_is_refused(tmp_path):
    assert run_writes(tmp_path, tries(20), random.Random(42)) == []


def test_old_versions_show_nothing_that_is_private_now(tmp_path):
    assert run_past(tmp_path, tries(20), random.Random(43)) == []


def test_with_a_model_nothing_private_is_embedded_or_tells_by_what_it_means(tmp_path):
    assert run_meaning(tmp_path, tries(15), random.Random(45)) == []


def test_the_twins_differ_where_nothing_is_masked(tmp_path, monkeypatch):
    monkeypatch.setattr(
        PublicRoot, "of", classmethod(lambda cls, root, *_: _bare(cls, root)), raising=True
    )
    assert run_reads(tmp_path, 20, random.Random(44))


def _bare(cls, root):
    made = cls(root)
    made.mask, made.places = (lambda _path, data: data), (lambda _path, _data: ())
    return made


def test_a_private_page_and_a_folder_of_such_pages_answer_as_what_is_not_there(twins):
    for path in ["secret", "secret/", "secret/only.md", "wiki/divorce.md"]:
        asked = [("status", {"what": "check", "path": path}), ("browse", {"path": path})]
        asked += [("read", {"name": path}), ("links", {"name": path}), ("status", {"path": path})]
        asked += [("move", {"name": path, "to": "wiki/other.md"}), ("history", {"name": path})]
        for name, given in asked:
            one, other = (twin.tool(AGENT, name, given) for twin in twins)
            assert one == other, path
        for folder in (".", "secret"):
            view = {"command": "view", "path": f"/memories/{path}"}
            one, other = (twin.folder(folder, view) for twin in twins)
            assert one == other, path


def test_a_listing_of_folders_does_not_depend_on_private_pages_in_them(twins):
    view = {"command": "view", "path": "/memories"}
    one, other = (twin.folder(".", view) for twin in twins)
    assert one == other
    assert "secret" not in one


def test_status_tells_neither_where_nor_how_large_the_index_of_what_is_shown_is(twins):
    for twin in twins:
        said = twin.workspace.public().index.status()
        assert (said.index.generation, said.index.bytes) == (0, 0)
        assert said.index.place == twin.workspace.index.status().index.place


def test_the_index_of_what_is_shown_begins_with_the_pages_in_which_nothing_is_private(twins):
    whole = twins[0].workspace.live
    whole.sync()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LiveIndex, "_build_anew", lambda *_: pytest.fail("built from nothing"))
        public = whole.public()
    assert public is not whole
    assert not public.warnings
    assert public.lookup().counts().pages < whole.lookup().counts().pages


@pytest.fixture(scope="module")
def past_root(tmp_path_factory) -> Path:
    """A vault with old versions, which no test changes."""
    return make_past_twins(tmp_path_factory.mktemp("past"))[0]


@pytest.fixture
def past(past_root: Path):
    with Workspace.open(past_root) as ws:
        yield ws


WORDS = (
    "siebenzwei",
    "zweisieben",
    "Turku",
    "Ultima",
    "Ottokar",
    "Mephisto",
    "Rumpelstilz",
    "Liebhaber",
)


@pytest.mark.parametrize(
    "path", ["memory.md", "wiki/rent.md", "wiki/garden.md", "wiki/entities/anna.md"]
)
def test_an_old_version_hides_what_was_not_marked_yet(past, path):
    for at in ("HEAD", "HEAD~1", "HEAD~2"):
        whole, shown = past.pages.show(path, at=at), past.public().pages.show(path, at=at)
        assert any(word.lower() in whole.text.lower() for word in WORDS), at
        assert not any(word.lower() in shown.text.lower() for word in WORDS), at
        assert "private::" not in shown.text, at
        assert shown.text.count("\n") == whole.text.count("\n"), at


def test_a_commit_that_only_marked_lines_is_no_version_of_what_is_shown(past):
    versions = past.public().pages.history("wiki/rent.md").versions
    assert [each.subject for each in versions] == ["Of 2026-01-03", "Of 2026-01-01"]
    assert len(past.pages.history("wiki/rent.md").versions) == 3
    assert (versions[0].added, versions[0].removed) == (2, 2)


def test_an_entry_of_an_old_version_is_shown_only_where_it_was_not_private(past):
    assert past.entries.history("m-w00001").versions
    shown = past.public().entries.history("m-h00002")
    assert [each.text for each in shown.versions] == ["The office is in Kiel. #town"]


def test_what_is_or_names_something_private_has_no_old_version(past):
    for path in ["log.md", "index.md", "wiki/bygone.md", "wiki/divorce.md"]:
        for at in ("HEAD", "HEAD~2"):
            with pytest.raises(NotFoundError):
                past.public().pages.show(path, at=at)
