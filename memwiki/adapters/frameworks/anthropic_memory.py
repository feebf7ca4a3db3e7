"""The memory tool for the tool runners of the `anthropic` SDK, over a folder of a workspace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from memwiki.adapter_api import MemoryToolError, MissingExtraError
from memwiki.importing import adapter

if TYPE_CHECKING:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool

    from memwiki import Workspace
    from memwiki.adapters.memory_tool import MemoryTool

_Command = Iterable[tuple[str, object]]  # a command of the SDK, as its fields


def memory_tool(
    workspace: Workspace,
    folder: str = "memories",
    *,
    private: bool = False,
    cache_control: object = None,
) -> BetaAbstractMemoryTool:
    """The memory tool for `client.beta.messages.tool_runner(tools=[...])`.

    Raises MissingExtraError where the SDK is not installed.
    """
    tool = adapter("memory-tool").MemoryTool(workspace, folder, private=private)
    return _made("BetaAbstractMemoryTool", _Commands, tool, cache_control)


def async_memory_tool(
    workspace: Workspace,
    folder: str = "memories",
    *,
    private: bool = False,
    cache_control: object = None,
) -> BetaAsyncAbstractMemoryTool:
    """The same for an asynchronous client; each command is done in a thread."""
    tool = adapter("memory-tool").MemoryTool(workspace, folder, private=private)
    return _made("BetaAsyncAbstractMemoryTool", _AsyncCommands, tool, cache_control)


class _Commands:
    """Every command of the abstract tool goes to the memory tool of a workspace."""

    memory: MemoryTool

    def view(self, command: _Command) -> str:
        """Do a command; what cannot be done is a ToolError of the SDK with the same text."""
        return _done(self.memory, command)

    create = str_replace = insert = delete = rename = view


class _AsyncCommands:
    """The same, in threads."""

    memory: MemoryTool

    async def view(self, command: _Command) -> str:
        """Do a command."""
        import asyncio

        return await asyncio.to_thread(_done, self.memory, command)

    create = str_replace = insert = delete = rename = view


def _done(memory: MemoryTool, command: _Command) -> str:
    from anthropic.lib.tools import ToolError

    try:
        return memory.handle(dict(command))
    except MemoryToolError as error:
        raise ToolError(str(error)) from error


def _made(base: str, commands: type, memory: MemoryTool, cache_control: object) -> Any:  # noqa: ANN401 - of a class that need not be installed
    """A tool whose class is made when it is asked for: importing the SDK takes a second."""
    try:
        from anthropic.lib import tools
    except ImportError as error:
        raise MissingExtraError("anthropic", "anthropic") from error
    kind = type("WorkspaceMemoryTool", (commands, getattr(tools, base)), {"memory": memory})
    return kind(cache_control=cache_control)
