"""The pictures of the docs can be taken anew."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pytest.importorskip("PIL")


def test_the_script_that_takes_the_pictures_finds_what_it_needs():
    found = runpy.run_path(str(Path(__file__).parents[2] / "docs/generate_pictures.py"))
    assert {"page.png", "graph.png"} <= {*found["SHOTS"]}
