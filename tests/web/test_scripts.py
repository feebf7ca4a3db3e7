"""The pure parts of the page's scripts, which run without a browser."""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_a_script_keeps_its_promises(name):
    if not shutil.which("node"):
        pytest.skip("there is no Node here")
    command = ["node", "--no-warnings", "--test", str(HERE / name)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
