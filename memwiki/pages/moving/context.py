"""What a move or deletion knows of the workspace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from memwiki.files.read import read
from memwiki.index.cards.lookup import Lookup
from memwiki.markdown.outline import Outlines
from memwiki.markdown.parse import parse
from memwiki.model import Layers, Page
from memwiki.scope import Scope
from memwiki.sync.context import Context


class MoveContext(NamedTuple):
    """The workspace, the cards of its pages, and what of their text was looked over for this
    plan."""

    workspace: Context
    root: Path
    layers: Layers
    scope: Scope
    max_bytes: int
    lookup: Lookup
    outlines: Outlines
    why_left: Callable[[str], str]  # why the links of a page stay as they are; "" else

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        return read(self.root, path)[0]

    def head(self, path: str) -> bytes:
        """The bytes of a page, no more than tell that it is too large."""
        return read(self.root, path, self.max_bytes + 1)[0]

    def page(self, path: str, data: bytes) -> Page:
        """The page that some bytes are at a path, with the units alone that have ids."""
        limit, outlines = self.max_bytes, self.outlines
        return parse(path, data, self.layers, max_bytes=limit, outlines=outlines, has_blocks=False)


def every_page(_path: str) -> str:
    """Where the links of every page may be changed."""
    return ""


def context_of(
    workspace: Context, lookup: Lookup, why_left: Callable[[str], str] = every_page
) -> MoveContext:
    """What a new plan begins with."""
    root, layers, limit = workspace.root, workspace.layers, workspace.max_bytes
    scope = workspace.scope()
    return MoveContext(workspace, root, layers, scope, limit, lookup, Outlines(layers), why_left)
