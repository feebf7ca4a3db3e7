"""The front door: open a workspace, keep its index up to date, ask it things."""

from memwiki.workspace.workspace import Workspace

__all__ = ["Workspace"]
