"""What was recalled is counted once, whatever happens to the files meanwhile."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.files.temporary import temporary_name
from memwiki.files.usage_log import (
    Subject,
    Sum,
    Tally,
    UsageLog,
    forget,
    newest,
    record_line,
    tally_of,
    usage_files,
    whole_lines,
)
from memwiki.index.usage import table_in_memory

TEA = Subject("entry", "m-aaaaaa")
_subjects = st.tuples(
    st.sampled_from(["entry", "page", "entity"]), st.text(min_size=1, max_size=3)
).map(lambda each: Subject(*each))
_records = st.tuples(
    st.integers(0, 100),
    st.text(max_size=3),
    st.lists(st.tuples(_subjects, st.floats()), max_size=3),
)
_steps = st.one_of(
    st.tuples(st.just("record"), st.sampled_from(["a", "b"]), _records),
    st.tuples(st.just("compact"), st.sampled_from(["a", "b"]), st.none()),
    st.tuples(st.just("tear"), st.sampled_from(["a", "b"]), st.binary(max_size=20)),
    st.tuples(st.just("garbage"), st.sampled_from(["a", "b"]), st.binary(max_size=20)),
    st.tuples(st.just("ask"), st.just("a"), st.none()),
)


def folded(lines: list[bytes]) -> Tally:
    return tally_of(b"".join(lines))


def asked(root):
    table = table_in_memory(root)
    return dict(table.all())


@given(steps=st.lists(_steps, max_size=15))
def test_any_history_of_several_machines_is_the_fold_of_its_records(tmp_path_factory, steps):
    from memwiki.index.storage_sqlite import SqliteStorage
    from memwiki.index.usage import UsageTable

    root = tmp_path_factory.mktemp("ws")
    db = SqliteStorage(":memory:", isolation_level=None)
    db.execute("create table state (name text primary key, value text)")
    table, lines = UsageTable(db, root), []
    for verb, machine, what in steps:
        log = UsageLog(root, machine)
        if verb == "record" and (line := record_line(*what)):
            assert log.append(line)
            lines.append(line)
        elif verb == "compact" and log.location.exists():
            log.compact()
        elif verb in ("tear", "garbage") and log.location.exists():
            end = b"" if verb == "tear" else b"\n"
            with log.location.open("ab") as file:
                file.write(b"#" + what + end)  # no line of ours begins so
        elif verb == "ask":
            table.update()
    table.update()
    wanted = folded(lines)
    assert dict(table.all()) == wanted.sums == asked(root)
    for trail in wanted.trails:
        assert trail in table.found_by(trail.query)


@given(
    data=st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
)
def test_no_bytes_of_a_file_stop_the_reading(data):
    tally_of(data + b"\n")


@given(
    fields=st.dictionaries(
        st.sampled_from(["at", "recalls", "score", "of", "query"]),
        st.recursive(st.none() | st.integers() | st.floats() | st.text(max_size=3), st.lists),
    )
)
def test_fields_of_any_shape_count_nothing_or_what_they_say(fields):
    import json

    for held in tally_of(json.dumps(fields).encode() + b"\n").sums.values():
        assert min(held) >= 0


def test_what_a_crash_cut_short_is_lost_alone(tmp_path):
    log = UsageLog(tmp_path)
    lines = [record_line(at, "tea", [(TEA, 0.5)]) for at in range(3)]
    for line in lines:
        log.append(line)
    whole = log.location.read_bytes()
    for cut in range(len(whole)):
        log.location.write_bytes(whole[:cut])
        kept = tally_of(whole[:cut]).sums.get(TEA, Sum())
        assert kept.recalls == whole[:cut].count(b"\n")
        log.append(lines[0])
        assert tally_of(log.location.read_bytes()).sums[TEA].recalls in (
            kept.recalls + 1,
            kept.recalls + 2,  # all but the line end was there
        )


def test_eight_processes_lose_no_record(tmp_path):
    script = (
        "import sys; from pathlib import Path; from memwiki.files import usage_log;"
        "from memwiki.files.usage_log import Subject, record_line;"
        "usage_log._WAIT_MS = 600_000;"  # eight wait for one another
        "usage_log._GROWTH_BYTES = 5000;"  # compacted again and again meanwhile
        "line = record_line(1, 'q', [(Subject('entry', 'm-' + sys.argv[2]), 0.5)]);"
        "log = usage_log.UsageLog(Path(sys.argv[1]));"
        "assert all([log.append(line) for _ in range(200)])"
    )
    args = [sys.executable, "-c", script, os.fspath(tmp_path)]
    running = [subprocess.Popen([*args, str(number)]) for number in range(8)]
    assert [each.wait() for each in running] == [0] * 8
    sums = asked(tmp_path)
    assert [sums[Subject("entry", f"m-{n}")] for n in range(8)] == [Sum(200, 1_000_000, 1)] * 8


def test_a_file_that_grew_is_compacted_to_one_line_a_subject(tmp_path):
    log = UsageLog(tmp_path)
    line = record_line(1, "tea", [(TEA, 0.5)])
    log.append(line * 20_000)
    log.append(line)
    lines = log.location.read_bytes().splitlines()
    assert sum(b'"recalls"' in each for each in lines) == 1
    assert len(lines) == 1002
    assert asked(tmp_path)[TEA] == Sum(20_001, 20_001 * 5000, 1)


def test_a_clock_that_goes_back_takes_no_recall_away(tmp_path):
    log = UsageLog(tmp_path)
    for at in (100, 5):
        log.append(record_line(at, "tea", [(TEA, 1.0)]))
    assert asked(tmp_path)[TEA] == Sum(2, 20_000, 100)


def test_scores_and_names_from_outside_are_bounded():
    found = [(TEA, float("nan")), (TEA, 7.0), (TEA, -1.0), (Subject("page", "x" * 2_000_000), 1.0)]
    held = tally_of(record_line(1, "\ud800" + "q" * 2_000_000, found))
    assert held.sums == {TEA: Sum(3, 10_000, 1)}
    assert [len(trail.query) for trail in held.trails] == [1000]


def test_a_folder_that_is_a_link_is_not_written_through(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".memwiki").mkdir()
    (tmp_path / ".memwiki/state").symlink_to(tmp_path / "elsewhere")
    assert not UsageLog(tmp_path).append(record_line(1, "q", [(TEA, 1.0)]))
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert list(usage_files(tmp_path)) == []


def test_what_is_forgotten_leaves_no_query_that_found_it(tmp_path):
    other = Subject("entry", "m-bbbbbb")
    for machine in ("a", "b"):
        UsageLog(tmp_path, machine).append(record_line(1, "secret", [(TEA, 1.0), (other, 0.5)]))
    UsageLog(tmp_path, "a").append(record_line(1, "kept", [(other, 0.5)]))
    assert forget(tmp_path, [TEA])
    left = b"".join(each.read_bytes() for each in usage_files(tmp_path))
    assert b"m-aaaaaa" not in left
    assert b"secret" not in left
    assert tally_of(left).sums == {other: Sum(3, 15_000, 1)}
    assert [each.query for each in newest(tally_of(whole_lines(left)).trails)] == ["kept"]


def test_a_file_beyond_all_measure_is_neither_read_nor_added_to(tmp_path):
    log = UsageLog(tmp_path)
    log.append(record_line(1, "tea", [(TEA, 0.5)]))
    os.truncate(log.location, 65_000_000)
    assert not log.append(record_line(1, "tea", [(TEA, 0.5)]))
    assert asked(tmp_path) == {}


@pytest.mark.parametrize("growth", [1_000, 1_000_000])
def test_a_process_that_is_killed_loses_no_line_that_was_written(tmp_path, growth):
    script = (
        "import sys; from pathlib import Path; from memwiki.files import usage_log;"
        "from memwiki.files.usage_log import Subject, record_line;"
        "usage_log._GROWTH_BYTES = int(sys.argv[2]);"
        "line = record_line(1, 'q', [(Subject('entry', 'm-aaaaaa'), 0.5)]);"
        "log = usage_log.UsageLog(Path(sys.argv[1]));"
        "[(log.append(line), print(n, flush=True)) for n in range(100_000)]"
    )
    args = [sys.executable, "-c", script, os.fspath(tmp_path), str(growth)]
    for killed_at in (3, 50, 117):
        before = asked(tmp_path).get(TEA, Sum()).recalls
        with subprocess.Popen(args, stdout=subprocess.PIPE, text=True) as running:
            said = [next(running.stdout) for _ in range(killed_at)]
            running.kill()
            said += list(running.stdout)
        held = asked(tmp_path)[TEA].recalls - before
        whole = sum(each.endswith("\n") for each in said)
        assert whole <= held <= whole + 1 + (said[-1][-1] != "\n")


def test_what_a_killed_compaction_left_is_removed_by_the_next(tmp_path, monkeypatch):
    log = UsageLog(tmp_path)
    log.append(record_line(1, "tea", [(TEA, 0.5)]))
    left = log.location.parent / temporary_name()
    left.write_text("half", "utf-8")
    monkeypatch.setattr("memwiki.files.temporary._is_dead", lambda _: True)
    log.compact()
    assert not left.exists()
    assert asked(tmp_path)[TEA].recalls == 1
