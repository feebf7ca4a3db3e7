"""What rules ask of the disk, recorded: no walk and no index proves that part of the findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from memwiki.digest import digest_of


class Answers(NamedTuple):
    """What the disk said."""

    exists: Mapping[str, bool]  # a file or folder, also of a kind that the index passes over
    digests: Mapping[str, str]  # of files that were read


class RecordingDisk:
    """Answers what rules ask of the disk, and remembers it."""

    def __init__(self, read: Callable[[str], bytes], exists: Callable[[str], bool]) -> None:
        self._read, self._exists = read, exists
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

    @property
    def answers(self) -> Answers:
        """Everything that it was asked until now."""
        return Answers(self._seen, self._digests)

    def says(self, answers: Answers) -> bool:
        """Whether the disk would give the same answers today."""
        return all(self._exists(path) == there for path, there in answers.exists.items()) and all(
            digest_of(self._read(path)) == digest for path, digest in answers.digests.items()
        )
