"""The memory tool for the tool runners of the `anthropic` SDK, over a folder of a workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from memwiki.adapter_api import MemoryToolError, MissingExtraError
from memwiki.adapters.frameworks.bridge import read_beside, write_beside
from memwiki.importing import adapter

if TYPE_CHECKING:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool

    from memwiki import Workspace
    from memwiki.adapters.memory_tool import MemoryTool

Tool = TypeVar("Tool")
_COMMANDS = ("view", "create", "str_replace", "insert", "delete", "rename")


def memory_tool(
    workspace: Workspace,
    folder: str = "memories",
    *,
    private: bool = False,
    cache_control: object = None,
) -> BetaAbstractMemoryTool:
    """The memory tool for `client.beta.messages.tool_runner(tools=[...])`.

    What cannot be done is a ToolError of the SDK with the text for the agent. Raises
    MissingExtraError where the SDK is not installed.
    """
    memory = adapter("memory-tool").MemoryTool(workspace, folder, private=private)
    tools = _sdk()

    def handle(_tool: object, command: Iterable[tuple[str, object]]) -> str:
        return _handle(memory, dict(command))

    return _make_tool(tools.BetaAbstractMemoryTool, handle, cache_control)


def async_memory_tool(
    workspace: Workspace,
    folder: str = "memories",
    *,
    private: bool = False,
    cache_control: object = None,
) -> BetaAsyncAbstractMemoryTool:
    """The same for an asynchronous client; the loop goes on while a command is done."""
    memory = adapter("memory-tool").MemoryTool(workspace, folder, private=private)
    tools = _sdk()

    async def handle(_tool: object, command: Iterable[tuple[str, object]]) -> str:
        asked = dict(command)
        beside = read_beside if asked.get("command") == "view" else write_beside
        return await beside(workspace, partial(_handle, memory, asked))

    return _make_tool(tools.BetaAsyncAbstractMemoryTool, handle, cache_control)


def _sdk() -> Any:  # noqa: ANN401 - a library that need not be installed
    try:
        from anthropic.lib import tools
    except ImportError as error:
        raise MissingExtraError("anthropic", "anthropic") from error
    return tools


def _handle(memory: MemoryTool, command: Mapping[str, object]) -> str:
    try:
        return memory.handle(command)
    except MemoryToolError as error:
        raise _sdk().ToolError(str(error)) from error


def _make_tool(base: type[Tool], handle: Callable[..., object], cache_control: object) -> Tool:
    """A tool whose class is made when it is asked for: importing the SDK takes a second."""
    kind = type("WorkspaceMemoryTool", (base,), dict.fromkeys(_COMMANDS, handle))
    tool: Tool = kind(cache_control=cache_control)
    return tool
