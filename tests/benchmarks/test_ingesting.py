"""The small twin of the benchmark of sources: made ones, answered well and badly at random, and
pages that were cut out of a vault."""

from __future__ import annotations

import json
import random

import ingesting
import pytest

from memwiki.workspace import Workspace
from tests.effort import for_each

_THINGS = ("harbour", "bakery", "station", "library", "museum", "chapel")


@pytest.fixture
def vault(tmp_path):
    place = tmp_path / "vault"
    place.mkdir()
    for number, thing in enumerate(_THINGS):
        lines = [
            f"The {thing} of the town was opened in {1900 + number + line} by the {other} guild."
            for line, other in enumerate(_THINGS * 2)
        ]
        text = "\n\n".join([f"# {thing.capitalize()}", *lines, "More words for it. " * 80, ""])
        (place / f"{thing}.md").write_text(text)
    return place


def test_good_claims_are_accepted_and_lies_set_aside(vault):
    found = ingesting.real_run(vault, 3, 1)
    assert [each.faults for each in found.values()] == [()] * 3
    assert found["good"].accepted == found["good"].operations > 3
    assert found["good"].aside == 0
    assert found["lying"].aside >= ingesting.MIN_ASIDE * found["lying"].claims > 10


def test_many_sources_keep_index_tags_and_pages_consistent(tmp_path):
    made = ingesting.made_run(tmp_path / "made", 10, 3)
    assert made.faults == () and made.accepted > 3


def test_a_page_that_lost_a_line_is_seen():
    assert ingesting.shortened({"a": ["one", "two"]}, {"a": ["one"]}) == ["a"]
    assert ingesting.shortened({"a": ["tags: [x]"]}, {"a": ["tags: [x, y]", "more"]}) == []


def test_a_source_that_no_page_is_about_is_seen(tmp_path):
    root = tmp_path / "made"
    ingesting.made_run(root, 1, 1)
    (root / "raw/loose.md").write_text("# Loose\n\nA pump.\n")
    with Workspace.open(root, find=False) as space:
        assert "no page is about raw/loose.md" in [*ingesting.inconsistent(space)]


@for_each("model", ingesting.MODELS)
def test_a_reply_is_made_of_the_brief_alone(model):
    lines = {n: f"The {each} of the town was opened long ago." for n, each in enumerate(_THINGS, 1)}
    asked = ingesting.Shown("p-000000", lines, {0: "Town", 1: "Museum"}, ["town"])
    assert (
        json.loads(json.dumps(ingesting.MODELS[model](asked, random.Random(1))))["claims"]
        is not None
    )
