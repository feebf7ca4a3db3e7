"""The folder of a workspace as those see it who may not see what is private."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

Mask: TypeAlias = Callable[[str, bytes], bytes | None]  # of a page's path and bytes
Places: TypeAlias = Callable[[str, bytes], Sequence[tuple[str, ...]]]  # likewise

if TYPE_CHECKING:
    _Path = Path
else:
    _Path = type(Path())  # what can be subclassed in Python 3.11


class PublicRoot(_Path):
    """The root of a workspace from which pages are read without what is private.

    It is a path like any other; only `files/read.py` asks for the `mask`, which gives the bytes
    that are shown of a page, None where none are. So whoever reads by it cannot forget to leave
    something out, and whoever has to change the file as it is says `Path(root)`. `places` say under
    which headings private lines are, which no change may alter unseen.
    """

    mask: Mask
    places: Places

    @classmethod
    def of(cls, root: Path, mask: Mask, places: Places) -> PublicRoot:
        """The same folder, read through a mask."""
        made = cls(root)
        made.mask, made.places = mask, places
        return made

    def __truediv__(self, below: str | os.PathLike[str]) -> Path:  # type: ignore[override]
        """What is below it is an ordinary path."""
        return Path(self) / below

    def with_segments(self, *segments: str) -> Path:
        """So it is of all that is made of it (Python 3.12 and later)."""
        return Path(*segments)
