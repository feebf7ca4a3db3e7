"""The tools of agents, as JSON for people, too: it is what they copy."""

from __future__ import annotations

from memwiki.answers.tools import ToolDefinitions
from memwiki.present.plain import as_json
from memwiki.present.screen import Look
from memwiki.present.text import text_of


@text_of.register(ToolDefinitions)
def _(answer: ToolDefinitions, _look: Look) -> str:
    return "[\n" + ",\n".join(as_json(each) for each in answer.tools) + "\n]"
