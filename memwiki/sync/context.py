"""The workspace that is asked: where it lies, its settings and the time."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from memwiki.clock import Clock
from memwiki.config import Config
from memwiki.files.ignore import Ignore, load_ignore
from memwiki.files.scan import Scan, scan
from memwiki.model import Layers


class Context(NamedTuple):
    """One workspace without its index, and what follows from its settings and files alone."""

    root: Path
    config: Config
    clock: Clock

    @property
    def layers(self) -> Layers:
        """What the folders mean."""
        return self.config.layers

    @property
    def max_bytes(self) -> int:
        """How much of a file is read as a page."""
        return self.config.files.max_bytes

    def ignore(self) -> Ignore:
        """What is left out."""
        return load_ignore(self.root, gitignore=self.config.files.gitignore)

    def walk(self) -> Scan:
        """What the workspace holds now."""
        return scan(self.root, ignore=self.ignore())
