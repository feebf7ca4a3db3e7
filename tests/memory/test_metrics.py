"""Metrics: what memories there are, and how the last recalls did."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.cli.main import main
from memwiki.files.usage_log import (
    MAX_TIMINGS,
    RecallTiming,
    Subject,
    UsageLog,
    record_line,
    tally_of,
    timings_of,
)
from memwiki.memory.listing import percentile

TEXT = """
--- memory.md ---
## Facts
- Tea is in the cupboard. [importance:: 0.9] ^m-aaaaaa
- Coffee is on the shelf. [importance:: 0.5] ^m-bbbbbb
## Preferences
- Prefers tea. [type:: preference] [importance:: 0.1] ^m-cccccc
"""


@pytest.fixture
def kitchen(ws, write_blocks):
    write_blocks(TEXT)
    return ws


def test_an_empty_workspace_has_nothing_to_tell(ws):
    found = ws.index.metrics()
    assert (found.memories, found.recalls) == ({}, 0)
    assert {found.average_importance, found.never_recalled, found.p50_ms, found.p99_ms} == {None}
    assert found.cache_hit_rate is None


def test_recalls_of_all_processes_are_timed_and_cached_ones_count(kitchen, opened):
    first, again = kitchen.recall("where is tea"), kitchen.recall("where is tea")
    assert (first.cached, again.cached) == (False, True)
    opened().recall("the coffee")
    opened().recall("nothing-says-this-word")
    found = opened().index.metrics()
    assert (found.recalls, found.cache_hit_rate) == (4, 0.25)
    assert 0 < found.p50_ms <= found.p99_ms
    assert found.memories == {"fact": 2, "preference": 1}
    assert found.average_importance == 0.5
    assert found.never_recalled == 0
    assert kitchen.entries.get("m-aaaaaa").recalls == 2


def test_a_recall_that_is_not_recorded_is_not_timed(kitchen):
    kitchen.recall("where is tea", record=False)
    assert (kitchen.index.metrics().recalls, kitchen.index.metrics().never_recalled) == (0, 1)


def test_a_log_that_is_no_file_breaks_no_recall(kitchen, root):
    UsageLog(root).location.mkdir(parents=True)
    assert kitchen.recall("where is tea").hits
    assert kitchen.index.metrics().recalls == 0


def test_compaction_keeps_the_newest_timings_and_forgetting_keeps_no_query(tmp_path):
    log, tea = UsageLog(tmp_path), Subject("entry", "m-aaaaaa")
    lines = (
        record_line(at, "secret", [(tea, 0.5)], RecallTiming(at, at / 7, at % 2 == 0))
        for at in range(MAX_TIMINGS + 50)
    )
    assert log.append(b"".join(lines))
    before = timings_of(tmp_path)
    log.forget([tea])
    assert b"secret" not in log.location.read_bytes()
    log.compact()
    after = timings_of(tmp_path)
    assert before == after
    assert [after[0].at, len(after)] == [50, MAX_TIMINGS]


@given(
    st.dictionaries(
        st.sampled_from(["at", "ms", "cached", "of", "query"]),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    )
)
def test_any_line_is_a_timing_or_none(fields):
    assert all(
        0 <= each.ms <= 10**9 for each in tally_of(json.dumps(fields).encode() + b"\n").timings
    )


@given(st.lists(st.floats(0, 1e6), min_size=1), st.integers(1, 99))
def test_so_many_percent_do_not_exceed_a_percentile(values, percent):
    found = percentile(sorted(values), percent)
    assert sum(each <= found for each in values) * 100 >= percent * len(values)
    assert sum(each < found for each in values) * 100 < percent * len(values)


def test_the_command_line_shows_both(kitchen, root, capsys):
    kitchen.recall("where is tea")
    assert main(["-C", str(root), "status", "--metrics"]) == 0
    assert "3: 2 fact, 1 preference" in capsys.readouterr().out
    assert main(["-C", str(root), "status", "--metrics", "memory.md"]) == 2
    assert main(["-C", str(root), "usage", "--trail", "--query", "TEA where", "--json"]) == 0
    assert '"m-aaaaaa"' in capsys.readouterr().out


def test_the_trail_is_newest_first_and_filtered_by_words(kitchen):
    for question in ("Where is tea?", "Where is coffee?", "茶在哪里 tea"):
        kitchen.entries.record(question, [("m-aaaaaa", 0.9), ("memory.md", 0.4)])
    assert kitchen.entries.trails().total == 3
    found = kitchen.entries.trails("IS where", limit=1)
    assert [found.total, len(found.trails)] == [2, 1]
    assert found.trails[0].recalled == ("m-aaaaaa", "memory.md")
    assert [each.query for each in kitchen.entries.trails("茶")] == ["茶在哪里 tea"]
    assert kitchen.entries.trails("nothing").trails == ()
