"""The memory tool as the tool runners of the SDK call it, and without the SDK."""

from __future__ import annotations

import asyncio

import pytest

from memwiki.adapters.frameworks.anthropic_memory import async_memory_tool, memory_tool

CREATE = {"command": "create", "path": "/memories/a.md", "file_text": "# Tea\n"}
VIEW = {"command": "view", "path": "/memories/a.md"}
SHOWN = "Here's the content of /memories/a.md with line numbers:\n     1\t# Tea\n     2\t"


def test_the_runner_of_the_sdk_is_answered_and_told_errors(ws):
    tools = pytest.importorskip("anthropic.lib.tools", reason="pip install 'memwiki[anthropic]'")
    tool = memory_tool(ws, cache_control={"type": "ephemeral"})
    assert tool.to_dict() == {
        "type": "memory_20250818",
        "name": "memory",
        "cache_control": {"type": "ephemeral"},
    }
    assert tool.call(CREATE) == "File created successfully at: /memories/a.md"
    assert tool.call(VIEW) == SHOWN
    with pytest.raises(tools.ToolError, match=r"^File /memories/a.md already exists$"):
        tool.call(CREATE)
    with pytest.raises(tools.ToolError, match=r"^Missing parameter: `old_str`.$"):
        tool.call({"command": "str_replace", "path": "/memories/a.md"})
    with pytest.raises(NotImplementedError):
        tool.call({"command": "zap"})
    assert [hit.path for hit in ws.search("tea")] == ["memories/a.md"]


def test_the_asynchronous_one_works_in_threads(ws):
    tools = pytest.importorskip("anthropic.lib.tools", reason="pip install 'memwiki[anthropic]'")
    tool = async_memory_tool(ws)

    async def talk():
        made = await asyncio.gather(
            *(tool.call(CREATE | {"path": f"/memories/{n}.md"}) for n in "abc")
        )
        with pytest.raises(tools.ToolError):
            await tool.call(CREATE)
        return made, await tool.call(VIEW)

    made, shown = asyncio.run(talk())
    assert made == [f"File created successfully at: /memories/{name}.md" for name in "abc"]
    assert shown == SHOWN
