"""What the door lists is what the published package lists."""

import json
from pathlib import Path

from memwiki.adapters.reference_memory.table import TOOLS

GOLDEN = Path(__file__).parents[2] / "data" / "reference_memory_tools.json"


def listed(tool):
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "annotations": tool.hints,
        "execution": tool.execution,
        "outputSchema": tool.output_schema,
    }


def test_the_tools_are_those_of_the_published_package():
    published = json.loads(GOLDEN.read_text("utf-8"))["tools"]
    assert [listed(tool) for tool in TOOLS] == published
