"""What a verb runs: no more of the house than it was cut down to."""

from __future__ import annotations

from calls import VERBS, counted

MOST = 1_100  # functions that adding a sentence runs; fewer is better


def test_adding_a_sentence_runs_no_more_functions(tmp_path):
    assert len(counted(VERBS["entries.add"], tmp_path / "vault").of) <= MOST


def test_a_plain_sentence_enters_nothing_that_reads_times_values_or_secrets(tmp_path):
    calls = counted(VERBS["entries.add"], tmp_path / "vault")
    assert not {"times/chinese.py", "times/standing.py", "judgement/frames.py"} & {*calls.files}
    assert ("secrets.py", "assigned") not in calls.of
