"""A workspace for programs with an event loop: every call beside the loop."""

from memwiki.aio.workspace import AsyncWorkspace

__all__ = ["AsyncWorkspace"]
