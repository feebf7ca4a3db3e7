"""The memory tool of Anthropic's API (`memory_20250818`), over a folder of a workspace."""

from __future__ import annotations

from memwiki.doors.memory_tool.tool import MemoryTool, UnknownCommandError
from memwiki.errors import MemoryToolError

__all__ = ["MemoryTool", "MemoryToolError", "UnknownCommandError"]
