"""The layout of the map, which is pure and runs without a browser."""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def test_the_layout_keeps_its_promises():
    if not shutil.which("node"):
        pytest.skip("there is no Node here")
    command = ["node", "--no-warnings", "--test", str(HERE / "layout.test.mjs")]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
