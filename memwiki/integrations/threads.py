"""What asynchronous programs ask of a workspace, done in a thread that leaves nothing open."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from memwiki.workspace import Workspace

T = TypeVar("T")


async def in_thread(workspace: Workspace, do: Callable[[], T]) -> T:
    """Do something in a thread, and close the index files that it opened there."""
    import asyncio

    def done() -> T:
        try:
            return do()
        finally:
            workspace.close()

    return await asyncio.to_thread(done)
