"""The small twins of benchmarks: hostile replies to every job, and proposals over a vault that
somebody edits meanwhile."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import accepting
import proposing

from memwiki.curation.work import JOBS
from tests.effort import tries


@pytest.mark.parametrize("seed", range(11, 11 + tries(1)))
def test_hostile_replies_add_words_alone(root, seed):
    root.mkdir(exist_ok=True)
    made = proposing.attack(root, seed, 1, is_huge=seed == 11)
    made.space.close()
    assert not made.faults
    assert made.briefs().keys() == {job.name for job in JOBS.values()}
    assert made.counts["accepted"] and made.counts["usage"] and made.counts["model_reply"]


def test_a_list_that_only_what_follows_would_begin_is_none(root):
    """`2)` is a number; with a footnote behind it, it would be an item, and so an entry."""
    root.mkdir(exist_ok=True)
    made = proposing.Attack(root, 1)
    for claim in ("2)", "14.", "1. 2)"):
        claims = [{"text": claim, "lines": [1]}]
        for each in (
            {"do": "add_page", "title": "Heat", "claims": claims},
            {"do": "add_claims", "page": "Tea", "claims": claims},
            {"do": "note_contradiction", "page": "Tea", "against": "Kiel", "text": claim},
            {"do": "add_entry", "text": claim, "lines": [1]},
        ):
            made.take(claim, lambda each=each: made._propose([each]))
    made.space.close()
    assert not made.faults
    assert made.counts["accepted"] == 12


def test_hostile_replies_to_compress_lose_no_entry_of_the_inbox(root):
    root.mkdir(exist_ok=True)
    made = proposing.Attack(root, 5)
    brief = made.briefs()["compress"]
    for n in range(8):
        made.take(f"{n} compress", lambda: made._reply(brief(), "compress"))
    made.space.close()
    assert not made.faults
    assert made.counts["compress: accepted"] == made.counts["join_entries accepted"] > 1


def test_what_is_accepted_and_undone_beside_an_editor_loses_nothing(root):
    for name in ("one", "two", "three"):
        (root / "notes").mkdir(parents=True, exist_ok=True)
        (root / f"notes/{name}.md").write_text(f"# {name}\n\nSee [[one]].\n", "utf-8")
    made = accepting.edited(root, 3, 12)
    made.space.close()
    assert not made.faults
    assert made.counts["undone"] and made.counts["accepted"]
