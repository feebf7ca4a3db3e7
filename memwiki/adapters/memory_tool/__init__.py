"""The memory tool of Anthropic's API (`memory_20250818`), over a folder of a workspace."""

from __future__ import annotations

from memwiki.adapter_api import MemoryToolError
from memwiki.adapters.memory_tool.tool import (
    MAX_LINE_BYTES,
    MemoryTool,
    UnknownCommandError,
    replies,
    reply_line,
)

__all__ = [
    "MAX_LINE_BYTES",
    "MemoryTool",
    "MemoryToolError",
    "UnknownCommandError",
    "replies",
    "reply_line",
]
