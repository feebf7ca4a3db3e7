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


def test_no_script_of_ours_is_long():
    static = HERE.parents[1] / "memwiki/web/static"
    ours = [path for path in static.rglob("*.js") if "vendor" not in path.parts]
    assert {path.name for path in ours if len(path.read_text("utf-8").splitlines()) > 300} == set()
