"""The tools of the reference MCP memory server over `workspace.knowledge`, as published."""

from __future__ import annotations

from memwiki.adapters.reference_memory.serving import MAX_TOKENS, call, import_once, resource_text
from memwiki.adapters.reference_memory.table import RESOURCE, SERVER_NAME, TOOLS

__all__ = [
    "MAX_TOKENS",
    "RESOURCE",
    "SERVER_NAME",
    "TOOLS",
    "call",
    "import_once",
    "resource_text",
]
