"""When upkeep is due, and what is kept of its runs."""

import json
from datetime import UTC, datetime

from memwiki.answers.index import CollectionCount, UpkeepRun, UpkeepState
from memwiki.config import Config
from memwiki.present import Look, as_text
from memwiki.upkeep.runs import note_run, runs_of, seconds_until_retention, seconds_until_upkeep
from tests.effort import for_each

NOON = int(datetime(2026, 9, 1, 12, tzinfo=UTC).timestamp()) * 10**9
RUN = UpkeepRun("upkeep", "2026-09-01T10:00:00Z", "merged 2 entries")
HOUR = 3600


@for_each(
    ("runs", "left"),
    [
        ([], 0),
        ([RUN], 4 * HOUR),
        ([RUN._replace(at="2026-09-01T05:00:00Z")], 0),
        ([RUN._replace(at="2026-09-01T11:55:00Z", error="disk full")], 300),
        ([RUN._replace(op="snapshot"), RUN], 4 * HOUR),
        ([RUN._replace(at="2026-09-02T10:00:00Z")], 0),  # by a clock that was wrong
    ],
)
def test_the_whole_upkeep_waits_six_hours_and_ten_minutes_after_an_error(runs, left):
    assert seconds_until_upkeep(Config(), runs, NOON) == left


@for_each(
    ("runs", "left"),
    [([], 0), ([RUN], 10 * HOUR), ([RUN._replace(op="consolidate")], 0)],
)
def test_retention_is_looked_at_every_twelve_hours_at_most(runs, left):
    assert seconds_until_retention(runs, NOON) == left


def test_the_runs_are_kept_the_newest_first(root):
    later = RUN._replace(op="retain", collections=(CollectionCount("daily", 9, 1),))
    note_run(root, RUN)
    note_run(root, later)
    assert list(runs_of(root)) == [later, RUN]


def test_what_is_no_record_of_ours_is_passed_over(root):
    note_run(root, RUN)
    file = next((root / ".memwiki" / "state").glob("upkeep-*.jsonl"))
    for fields in ({}, RUN._asdict() | {"at": "x"}, RUN._asdict() | {"collections": [1]}):
        with file.open("a") as held:
            held.write(json.dumps(fields) + "\n")
    assert list(runs_of(root)) == [RUN]


def test_the_file_stays_small(root):
    for _ in range(400):
        note_run(root, RUN._replace(did="x" * 500))
    file = next((root / ".memwiki" / "state").glob("upkeep-*.jsonl"))
    assert file.stat().st_size < 70_000
    assert next(runs_of(root)).op == "upkeep"


def test_where_nothing_can_be_written_no_run_is_kept(root):
    (root / ".memwiki").rename(root / "away")
    (root / ".memwiki").write_text("in the way")
    note_run(root, RUN)
    assert list(runs_of(root)) == []


def test_status_says_what_the_last_run_did_and_when_the_next_is_due(root, opened):
    (root / "memwiki.toml").write_text(
        '[layers]\nmemory = "memory.md"\n[memory]\npreset = "agent"\n'
    )
    (root / "memory.md").write_text("- Tea is green.\n")
    space = opened(clock=lambda: NOON)
    assert space.index.status().upkeep.due == "now"
    space.upkeep.run()
    state = space.index.status().upkeep
    assert (state.last.op, state.last.at, state.last.did) == (
        "upkeep",
        "2026-09-01T12:00:00Z",
        "wrote 1 file",
    )
    assert state.due == "2026-09-01T18:00:00Z"


def test_nothing_is_due_by_itself_for_a_person(root, opened):
    (root / "memory.md").write_text("- Tea is green.\n")
    assert opened().index.status().upkeep.due == ""


def test_of_a_run_that_did_nothing_that_is_said(root, opened):
    note_run(root, RUN._replace(did=""))
    shown = as_text(opened().index.status(), Look())
    assert "upkeep at 2026-09-01T10:00:00Z: nothing to do\n" in shown + "\n"


def test_where_it_is_not_told_what_a_run_did_it_is_not_said_to_be_nothing(opened):
    state = UpkeepState(RUN._replace(did=""), "now")
    shown = as_text(opened().index.status()._replace(upkeep=state), Look())
    assert "upkeep at 2026-09-01T10:00:00Z; due now\n" in shown + "\n"
