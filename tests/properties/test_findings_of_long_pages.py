"""A check of long pages after any edits finds what a check of the same files from nothing finds."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwiki.clock import now_ns
from memwiki.judgement import near_pairs
from memwiki.markdown import entries, stretches
from memwiki.workspace import Workspace
from tests.effort import IS_WIDE

PAGES = ("memory.md", "learnings.md")
LINES = (
    "- The office is in Bonn. [created:: 2026-01-01] ^m-off001",
    "- The office is in Kiel. [created:: 2026-02-01] ^m-off002",
    "- ~~The office is in Kiel.~~ [superseded_by:: m-off001] ^m-off003",
    "- Ada likes the green tea of the house.",
    "- Ada likes green tea of the house.",
    "- Ada never likes the green tea of the house. [created:: 2025-01-01]",
    "- Ada likes the green tea of the house. [valid_to:: 2026-03-01]",
    "- The key of the shed. [key:: shed] [updated:: 2026-05-01]",
    "- The key of the barn. [key:: shed] ^m-off001",
    "- They make lamps. [topic:: Northwind Traders]\n  And chairs. #a #b",
    "- Someone sells bread. [topic:: NorthWind-Traders]",
    "- Lamps #a #b #c #d #e #f #g #h #i #j\n  #k",
    "- A box.\n  #a #b #c #d #e\n  #f #g #h #i #j",
    "- The token is ghp_16C7e42F292c6912E7710c838347Ae178B4a.",
    "- [ ] Buy tea.",
    "Some prose between.",
    "## Facts",
    "### Ada moved to Kiel\nShe likes the sea.",
    "### Ada moved to Bonn",
    "[tea]: https://tea.example",
    "",
)
line = st.sampled_from(LINES)
where = st.integers(0, 30)
EDITS = st.one_of(
    st.tuples(st.just("add"), st.sampled_from(PAGES), where, line),
    st.tuples(st.just("add"), st.sampled_from(PAGES), st.just(999), line),
    st.tuples(st.just("change"), st.sampled_from(PAGES), where, line),
    st.tuples(st.just("delete"), st.sampled_from(PAGES), where, line),
    st.tuples(st.just("move"), st.sampled_from(PAGES), where, line),
    st.tuples(st.just("retire"), st.sampled_from(PAGES), where, line),
)
Edit = tuple[str, str, int, str]


def edit(pages: dict[str, list[str]], said: Edit) -> None:
    """Carry an edit out on the lines of the pages."""
    kind, path, at, text = said
    lines = pages[path]
    at = min(at, len(lines))
    if kind == "add" or at == len(lines):
        lines.insert(at, text)
        return
    old = lines.pop(at)
    if kind == "change":
        lines.insert(at, text)
    elif kind == "move":
        (other,) = {*PAGES} - {path}
        pages[other].insert(len(pages[other]) // 2, old)
    elif kind == "retire" and old.startswith("- "):
        lines.insert(at, f"- ~~{old[2:]}~~ [superseded_by:: m-new001]")


@pytest.fixture
def small(monkeypatch):
    """Every bound is met by a few entries."""
    monkeypatch.setattr(entries, "MANY_ITEMS", 4)
    monkeypatch.setattr(stretches, "_CUT", 1)
    monkeypatch.setattr(near_pairs, "_CROWD", 4)
    monkeypatch.setattr(near_pairs, "_RARE", 3)
    monkeypatch.setattr(near_pairs, "_MAX_LIST", 5)
    monkeypatch.setattr(near_pairs, "_MAX_LOOKED_UP", 2)


@settings(
    max_examples=max(settings().max_examples // 4, 5),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(line, min_size=8, max_size=24),
    st.lists(line, max_size=16),
    st.lists(st.lists(EDITS, min_size=1, max_size=3), min_size=1, max_size=6),
)
def test_findings_equal_those_from_nothing(small, first, second, rounds):
    base = Path(tempfile.mkdtemp(prefix="memwiki-long-"))
    try:
        examine(base, dict(zip(PAGES, ([*first], [*second]), strict=True)), rounds)
    finally:
        shutil.rmtree(base)


@pytest.mark.parametrize("kind", ["add", "delete"])
def test_each_line_may_come_once_more_or_go(small, tmp_path, kind):
    many = [f"- The boiler {number} has a valve." for number in range(12)]
    lines = [*many, *LINES[:15], *many[:3], *LINES[15:]]
    at = 999 if kind == "add" else 14
    together = 1 if IS_WIDE else 4
    rounds = [
        [(kind, "memory.md", at, each) for each in LINES[start : start + together]]
        for start in range(0, len(LINES), together)
    ]
    examine(tmp_path, {"memory.md": lines, "learnings.md": [*many]}, rounds)


def examine(base: Path, pages: dict[str, list[str]], rounds: Sequence[Sequence[Edit]]) -> None:
    """Check after each round of edits, and compare with a check from nothing."""
    root = base / "ws"
    (root / ".memwiki").mkdir(parents=True)

    def opened(cache: str) -> Workspace:
        # Five seconds ahead, so that signatures are proof and findings are kept.
        environ = {"MEMWIKI_CACHE_DIR": str(base / cache)}
        return Workspace(root, environ=environ, clock=lambda: now_ns() + 5 * 10**9)

    with closing(opened("live")) as live:
        for number, edits in enumerate([[], *rounds]):
            for each in edits:
                edit(pages, each)
            for path, lines in pages.items():
                text = "\n".join(["# Memory", "", *lines, ""])
                (root / path).write_text(text)
            with closing(opened(f"anew{number}")) as anew:
                assert live.check.run().problems == anew.check.run().problems
