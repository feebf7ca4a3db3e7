"""What rules ask of the disk, recorded: no walk and no index proves that part of the findings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from memwiki.digest import digest_of
from memwiki.files.read import exists, read


class DiskAnswers(NamedTuple):
    """What the disk said."""

    exists: Mapping[str, bool]  # a file or folder, also of a kind that the index passes over
    digests: Mapping[str, str]  # of files that were read


class RecordingDisk:
    """Answers what rules ask of the disk, and remembers it."""

    def __init__(self, root: Path, max_bytes: int) -> None:
        self._root, self._max_bytes = root, max_bytes
        self._seen: dict[str, bool] = {}
        self._digests: dict[str, str] = {}

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        data = self._read(path)
        self._digests[path] = digest_of(data)
        return data

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder."""
        known = self._seen.get(path)
        if known is None:
            known = self._seen[path] = self._exists(path)
        return known

    def _read(self, path: str) -> bytes:
        return read(self._root, path, self._max_bytes)[0]

    def _exists(self, path: str) -> bool:
        return exists(self._root, path)

    @property
    def answers(self) -> DiskAnswers:
        """Everything that it was asked until now."""
        return DiskAnswers(dict(self._seen), dict(self._digests))

    def remember(self, answers: DiskAnswers) -> None:
        """Take answers that were just found to be those of today for its own."""
        self._seen.update(answers.exists)
        self._digests.update(answers.digests)

    def says(self, answers: DiskAnswers) -> bool:
        """Whether the disk would give the same answers today."""
        return all(self._exists(path) == there for path, there in answers.exists.items()) and all(
            digest_of(self._read(path)) == digest for path, digest in answers.digests.items()
        )
