"""What is asked in one namespace is answered as if there were no other one, at every door.

A sample of what `benchmarks/attack.py` asks at length; the seeds are fixed.
"""

from __future__ import annotations

import random
import sys
from itertools import product
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from attack import make_twins, run, run_without
from twins import Twin

from memwiki.errors import NotFoundError, OutsideError
from memwiki.files.paths import why_unsafe
from memwiki.scope import Scope
from memwiki.tools.call import call
from memwiki.tools.table import DoorSettings
from memwiki.workspace import Workspace
from tests.effort import tries

OTHERS = ("namespaces/work", "namespaces/work/wiki", "../work", "./../work/wiki", "wiki/../../work")


@pytest.fixture
def twins(tmp_path: Path):
    pair = [Twin(root) for root in make_twins(tmp_path)]
    yield pair
    for twin in pair:
        twin.close()


def test_what_is_read_in_a_namespace_tells_nothing_of_another_one(tmp_path):
    assert run(tmp_path, tries(50), random.Random(21)) == []


def test_what_is_written_in_a_namespace_is_answered_as_if_there_were_no_other_one(tmp_path):
    assert run(tmp_path, tries(20), random.Random(22), is_writing=True) == []


def test_without_a_namespace_nothing_in_one_is_found_by_its_name(tmp_path):
    assert run_without(tmp_path, tries(25), random.Random(23)) == []


def test_the_twins_differ_where_a_gate_is_left_open(tmp_path, monkeypatch):
    monkeypatch.setattr(Scope, "reaches", lambda *_: True)
    assert run(tmp_path, 50, random.Random(24))


def test_a_path_into_another_namespace_is_refused_whether_or_not_it_is_there(twins):
    for path in OTHERS:
        for twin in twins:
            ws = twin.workspace
            for ask in (lambda: ws.check.run([path]), lambda: ws.index.why(path)):
                with pytest.raises(OutsideError, match="is outside of namespace home"):
                    ask()
            with pytest.raises(OutsideError, match="is outside of namespace home"):
                ws.browse(path)


def test_a_whole_path_into_another_namespace_is_answered_alike_whether_or_not_it_is_there(twins):
    for start, path in product(("{root}", ".", "wiki/.."), ("memory.md", "wiki", "none.md")):
        for tool, more in (("move", {"to": "Other"}), ("forget", {})):
            given = {"name": f"{start}/namespaces/work/{path}", **more}
            one, other = (twin.tool("full", tool, given) for twin in twins)
            assert one == other, given
            assert "error not_" in one, given


def test_browse_lists_nothing_of_another_namespace(twins):
    for kind in ["pages", "memories", "recent"]:
        said = [twin.tool("full", "browse", {"path": "../work", "what": kind}) for twin in twins]
        assert said[0] == said[1], kind
        assert "outside of namespace home" in said[0], kind


def test_browse_without_a_namespace_lists_no_folder_of_one(tmp_path):
    root, _ = make_twins(tmp_path)
    with Workspace.open(root) as ws, pytest.raises(NotFoundError):
        ws.browse("namespaces/work")


def test_a_link_of_the_file_system_leads_into_no_other_namespace(twins):
    for twin in twins:
        (twin.root / "namespaces/home/linked").symlink_to("../work")
    asked = [("status", {"path": "linked/memory.md"}), ("browse", {"path": "linked"})]
    asked += [("status", {"what": "check", "path": "linked"}), ("read", {"name": "linked/memory"})]
    for name, given in asked:
        said = [twin.tool("full", name, given) for twin in twins]
        assert "Turku" not in said[0]
        assert "quarz" not in said[0]


def test_a_link_from_outside_into_another_namespace_leads_nowhere_here(twins):
    for given in [{}, {"depth": 3}, {"direction": "out"}]:
        said = [twin.tool("full", "links", {"name": "wiki/tea.md", **given}) for twin in twins]
        assert said[0] == said[1], given
        assert "namespaces/work/wiki/merger" in said[0], given


def test_what_is_in_another_namespace_is_answered_as_what_is_not_there(twins):
    for name in [
        "namespaces/work/memory.md:5",
        "namespaces/work/memory.md#^m-w00001",
        "m-w00001",
        "namespaces/./work/memory.md",
        "namespaces/work/wiki/ignored.md",
        "namespaces/work/index.md",
        "namespaces/work/raw/scan.png",
        "namespaces/work",
    ]:
        for verb in (
            ["get"],
            ["graph"],
            ["links"],
            ["move", "--dry-run", "x.md"],
            ["entry", "get"],
        ):
            said = [twin.command([verb[0], *verb[1:2], name, *verb[2:]]) for twin in twins]
            assert said[0] == said[1], name
        said = [twin.tool("full", "links", {"name": name, "depth": 2}) for twin in twins]
        assert said[0] == said[1], name


def test_undo_at_a_door_shows_no_change_of_another_namespace(twins):
    root = twins[0].root
    with Workspace.open(root, namespace="work") as ws:
        ws.by("agent/1 via test").entries.add("Zweihundert and one.")
    for given in ({"dry_run": True}, {}):
        said = twins[0].tool("full", "undo", given)
        assert said.startswith("error not_yours: "), said
        assert "undred" not in said and "memory.md" not in said
    assert "Zweihundert and one." in (root / "namespaces/work/memory.md").read_text()


def test_the_journal_of_a_namespace_names_no_other_one(twins):
    entries = twins[0].workspace.journal.list().entries
    assert [entry.title for entry in entries] == ["namespaces/home/wiki/rent.md"]


def test_status_counts_what_is_in_the_namespace(twins):
    one, other = (twin.workspace.index.status() for twin in twins)
    assert (one.pages, one.links, one.on_disk) == (other.pages, other.links, other.on_disk)
    assert (one.index.bytes, one.index.generation) == (0, 0)


def test_a_plain_path_is_meant_in_the_namespace(twins):
    scope = twins[0].workspace.live.context.scope()
    for path, own in (
        ("wiki", "namespaces/home/wiki"),
        ("/wiki/", "namespaces/home/wiki/"),
        ("a/../wiki//x.md", "namespaces/home/wiki/x.md"),
        ("../home/wiki", "namespaces/home/wiki"),
        ("namespaces/home/wiki", "namespaces/home/wiki"),
        ("NAMESPACES/Work", "namespaces/home/NAMESPACES/Work"),
    ):
        assert scope.asked_path(path) == own
        assert not why_unsafe(own.rstrip("/"))


def test_a_door_to_no_namespace_changes_no_page_of_one_unless_the_user_names_it(tmp_path):
    (tmp_path / "namespaces/work").mkdir(parents=True)
    (tmp_path / "memwiki.toml").write_text('[layers]\nnamespaces = "namespaces"\n')
    (tmp_path / "namespaces/work/x.md").write_text("# X\n\n[[tea]]\n")
    (tmp_path / "tea.md").write_text("# Tea\n")
    told = "namespaces/work/x.md: belongs to a namespace"
    named = DoorSettings(named=("namespaces/work/x.md",), profile="full")
    with Workspace.open(tmp_path) as ws:
        for name, given in (
            ("write", {"action": "append", "name": "namespaces/work/x.md", "text": "a"}),
            ("tag", {"action": "add", "name": "namespaces/work/x.md", "tags": ["a"]}),
            ("move", {"name": "tea.md", "to": "namespaces/work/tea.md"}),
        ):
            answer = call(ws, name, given, settings=DoorSettings(profile="full"))
            assert told.replace("x.md", "tea.md") in answer.text or told in answer.text
            if name != "move":
                assert not call(ws, name, given, settings=named).is_error
        given = {"name": "tea.md", "to": "cha.md"}
        assert not call(ws, "move", given, settings=DoorSettings(profile="full")).is_error
    assert "[[cha]]" in (tmp_path / "namespaces/work/x.md").read_text()
