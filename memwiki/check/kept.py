"""What the rules about a whole workspace found, kept for as long as nothing changes that they look at."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from memwiki.check.rule import Finding, Swap
from memwiki.digest import digest_of


class Kept(NamedTuple):
    """The findings, and what was asked of the disk for them: that part no walk and no index proves."""

    findings: Sequence[Finding]
    exists: Mapping[str, bool]  # a file or folder, also of a kind that the index passes over
    digests: Mapping[str, str]  # of files that were read


class Witness:
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

    def kept(self, findings: Sequence[Finding]) -> Kept:
        """These findings with everything that was asked for them."""
        return Kept(findings, self._seen, self._digests)

    def agrees(self, kept: Kept) -> bool:
        """Whether the disk would give the same answers today."""
        return all(self._exists(path) == there for path, there in kept.exists.items()) and all(
            digest_of(self._read(path)) == digest for path, digest in kept.digests.items()
        )


def as_text(kept: Kept) -> str:
    """As it is stored."""
    return json.dumps(kept)


def from_text(text: str) -> Kept:
    """As it was stored; raises ValueError, TypeError or KeyError for anything else."""
    findings, exists, digests = json.loads(text)
    rows = ((*row, swap and Swap(*swap)) for *row, swap in findings)
    return Kept([Finding(*row) for row in rows], dict(exists), dict(digests))
