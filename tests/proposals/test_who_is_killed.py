"""The small twin of `benchmarks/killed.py`: what is left of who was killed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import killed

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process to kill")


def test_who_is_killed_anywhere_can_go_on_or_take_it_back(tmp_path):
    made = killed.killed(tmp_path, 3, 2, killed.CASES)
    assert not made.faults
    assert made.counts["killed"] > 6


def test_who_is_killed_while_pages_are_written_writes_nothing_twice(tmp_path):
    made = killed.killed(tmp_path, 6, 7, ["review --accept"])
    assert not made.faults
    assert made.counts["finished"] and made.counts["taken back"]
