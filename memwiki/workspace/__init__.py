"""The front door: open a workspace, keep its index in step, ask it things."""

from memwiki.workspace.workspace import Workspace

__all__ = ["Workspace"]
