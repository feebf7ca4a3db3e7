"""Staging many files of a plan, so that one flush brings all of them to the disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from memwiki.change.plan import Edit
from memwiki.errors import ConflictError, MemwikiError
from memwiki.files.flush import FileSystem, file_system_of
from memwiki.files.write import StagedFile, discard, stage

_FEW = 16  # files that are rather flushed one by one: other programs may have much to write
_MAX_FILES, _MAX_BYTES = 2_000, 64_000_000  # that are twice on the disk at a time


def portions(steps: Sequence[Edit]) -> Iterator[list[Edit]]:
    """The steps in their order, as many at a time as may be staged."""
    portion, size = list[Edit](), 0
    for step in steps:
        if portion and (len(portion) == _MAX_FILES or size > _MAX_BYTES):
            yield portion
            portion, size = [], 0
        portion.append(step)
        size += len(step.data or b"")
    if portion:
        yield portion


class Staging:
    """The files of one portion that are on the disk and have no name yet."""

    def __init__(self, root: Path, unflushed: set[Path]) -> None:
        self._root, self._unflushed = root, unflushed
        self._files: dict[str, StagedFile] = {}

    def fill(self, steps: Sequence[Edit]) -> None:
        """Stage these files, if they are many and one flush can do; what fails is left to be
        written, and to fail, on its own."""
        if len(steps) <= _FEW:
            return
        try:
            with file_system_of(self._root) as system:
                if system:
                    self._stage(steps, system)
                    system.flush()
        except (MemwikiError, OSError):
            self.clear()
        except BaseException:
            self.clear()
            raise

    def _stage(self, steps: Sequence[Edit], system: FileSystem) -> None:
        for step in steps:
            with suppress(ConflictError):
                staged = stage(
                    self._root,
                    step.path,
                    step.data or b"",
                    expect=step.expect,
                    flush=system.defer,
                    like=step.was,
                    attributes=step.attributes,
                )
                self._files[step.path] = staged
                self._unflushed.update(folder.parent for folder in staged.made)

    def take(self, path: str) -> StagedFile | None:
        """The staged file of a path, if there is one; who takes it places it."""
        return self._files.pop(path, None)

    def clear(self) -> None:
        """Leave nothing of what was not placed; folders were made for the first in them."""
        for staged in reversed(self._files.values()):
            discard(staged)
        self._files.clear()
