"""What the door lists is what the published package lists."""

import json
from pathlib import Path

from memwiki.adapters.reference_memory import TOOLS

GOLDEN = Path(__file__).parents[2] / "data" / "reference_memory_tools.json"


def test_the_tools_are_those_of_the_published_package():
    published = json.loads(GOLDEN.read_text("utf-8"))["tools"]
    assert list(TOOLS) == published
