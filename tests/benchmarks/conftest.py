"""The scripts of `benchmarks/`, importable, and a way to run one of them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

Script = Callable[..., tuple[int, dict | list, str]]


@pytest.fixture
def script() -> Script:
    """Run a script with `--json`: its exit code, what it printed, what it said."""

    def run(name: str, *arguments: object) -> tuple[int, dict | list, str]:
        command = [sys.executable, BENCHMARKS / f"{name}.py", *map(str, arguments), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
        assert done.returncode in (0, 1), done.stderr
        return done.returncode, json.loads(done.stdout), done.stderr

    return run
