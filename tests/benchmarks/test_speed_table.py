"""The speed table: commands run in turn, figures are held against targets, nothing is taken on
trust."""

from __future__ import annotations

import sys
from pathlib import Path

import measure
import pytest
import speed
from speed import Row

from tests.effort import for_each

_REFERENCE = """
import json, pathlib, sys
verb, *args = sys.argv[1:]
if verb == "index":
    pathlib.Path(args[1]).write_text("x" * 100)
print(json.dumps({"p50_ms": 1.0, "p95_ms": 2.0}))
"""


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    file = tmp_path / "reference.py"
    file.write_text(_REFERENCE)
    return file


def _python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-S", "-c", code)


def test_commands_run_in_turn_so_that_a_busy_machine_slows_all_alike(tmp_path: Path) -> None:
    log = tmp_path / "log"
    commands = {name: _python(f"open({str(log)!r}, 'a').write({name!r})") for name in "AB"}
    found = measure.in_turn(commands, {}, 2)
    assert log.read_text() == "ABAB"
    assert all(each.cpu_s > 0 and each.peak_mb > 1 for runs in found.values() for each in runs)


def test_a_command_that_fails_is_no_measurement() -> None:
    with pytest.raises(measure.CommandFailedError, match="exit 3"):
        measure.must(_python("raise SystemExit(3)"), {})


@for_each(
    ("measured", "verdict"), [(1.0, "aim"), (2.0, "aim"), (2.1, "ok"), (3.0, "ok"), (3.1, "MISS")]
)
def test_a_figure_reaches_its_aim_or_its_target_or_misses(measured: float, verdict: str) -> None:
    assert Row("x", measured, "s", "<= 3 s", limit=3, aim=2).verdict == verdict


def test_a_figure_without_a_target_is_only_shown() -> None:
    assert Row("x", 1.0, "s", "").verdict == ""


def test_a_relative_target_is_shown_with_what_it_came_to() -> None:
    row = Row("help", 0.05, "s", "<= 7 x pass", 0.07, 0.04, {"pass": 0.01})
    assert speed.shown(row)[1:6] == (
        "50.0 ms",
        "pass 10.0 ms",
        "5.0 x",
        "<= 7 x pass = 70.0 ms",
        "ok",
    )


def test_the_table_measures_a_folder_beside_the_reference(
    root: Path, reference: Path, script
) -> None:
    """
    --- tea.md ---
    # Tea
    Green and black.
    --- ink.md ---
    # Ink
    Blue. See [[tea]].
    """
    before = sorted(root.rglob("*"))
    code, found, _ = script(
        "speed",
        root,
        "--reference",
        reference,
        "--runs",
        1,
        "--only",
        "noop",
        "warm",
        "size",
        "help",
    )
    # Where recoll is installed, a row more is beside it.
    rows = {row["what"]: row for row in found["rows"] if "recoll" not in row["what"]}
    assert list(rows) == [
        "sync, nothing to do",
        "warm query, p50",
        "warm query, p95",
        "derived stores / corpus",
        "memwiki --help",
        "memwiki --version",
    ]
    assert set(rows["sync, nothing to do"]["beside"]) == {"pass", "scan"}
    assert code == any(row["verdict"] == "MISS" for row in found["rows"])
    assert sorted(root.rglob("*")) == before


def test_an_edit_that_was_not_taken_in_is_no_measurement(root: Path, tmp_path: Path) -> None:
    """
    --- tea.md ---
    # Tea
    """
    bench = speed.Bench(root, root, root, 1, tmp_path)
    measure.must(measure.memwiki(root, "-q", "sync"), bench.env)
    with pytest.raises(measure.CommandFailedError, match="0 pages were taken in, not 1"):
        speed._sync_of(root, bench, 1)


def test_pages_are_found_without_asking_memwiki(root: Path) -> None:
    """
    --- a.md ---
    a
    --- sub/B.MARKDOWN ---
    b
    --- .hidden/c.md ---
    c
    --- node_modules/d.md ---
    d
    --- ~e.md ---
    e
    --- f.txt ---
    f
    """
    assert measure.pages(root) == ["a.md", "sub/B.MARKDOWN"]


def test_chinese_is_told_apart_because_its_index_is_larger(root: Path) -> None:
    """
    --- zh.md ---
    事务隔离级别和慢查询日志
    """
    assert speed.is_dense(root)


def test_a_chinese_word_does_not_make_a_page_chinese(root: Path) -> None:
    """
    --- en.md ---
    Mostly English, with 茶 in it once.
    """
    assert not speed.is_dense(root)
