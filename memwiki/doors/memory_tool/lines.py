"""The memory tool as lines of JSON: a command in, a reply out; no line ends it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from memwiki.answers.memory_tool import ToolReply
from memwiki.doors.memory_tool.tool import MemoryTool
from memwiki.errors import MemoryToolError

MOST_BYTES = 4_000_000  # of a line: a text of 256 KB, however it is escaped


def replies(tool: MemoryTool, lines: Iterable[bytes]) -> Iterator[ToolReply]:
    """A reply to each line that is not blank."""
    for line in lines:
        if line.strip():
            yield _reply(tool, line)


def reply_line(reply: ToolReply) -> str:
    """A reply as one line of JSON in ASCII, which nothing cuts."""
    said = {"text": reply.text} if reply.ok else {"error": reply.error}
    return json.dumps({"ok": reply.ok, **said})


def _reply(tool: MemoryTool, line: bytes) -> ToolReply:
    try:
        return ToolReply(ok=True, text=tool.handle(_command(line)))
    except MemoryToolError as error:
        return ToolReply(ok=False, error=error.message)


def _command(line: bytes) -> Mapping[str, object]:
    if len(line) > MOST_BYTES:
        raise MemoryToolError(f"The line has more than {MOST_BYTES} bytes.")
    try:
        command = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise MemoryToolError("The line is not JSON in UTF-8.") from error
    if not isinstance(command, dict):
        raise MemoryToolError("The line is not a JSON object.")
    return command
