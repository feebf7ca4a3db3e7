"""What an installation made beside our own part, so that it can go with it: one line a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from memwiki.agents.json_edit import KeyPath
from memwiki.files.records import Records

_MOST_BYTES = 1_000_000


class Made(NamedTuple):
    """Of one file: whether it was new, the containers and folders made for it, and the digest of a
    file that is ours."""

    is_new: bool = False
    containers: tuple[KeyPath, ...] = ()
    folders: tuple[str, ...] = ()
    digest: str = ""

    def plus(self, later: Made) -> Made:
        """What two installations made."""
        containers = dict.fromkeys((*self.containers, *later.containers))
        folders = dict.fromkeys((*self.folders, *later.folders))
        is_new = self.is_new or later.is_new
        return Made(is_new, tuple(containers), tuple(folders), later.digest or self.digest)


def made_in(root: Path) -> dict[str, Made]:
    """What was made, by file."""
    found: dict[str, Made] = {}
    for record in _records(root).newest():
        fields = record.fields
        if isinstance(file := fields.get("file"), str) and file not in found:
            found[file] = _made(fields)
    return found


def keep(root: Path, file: Path, made: Made) -> None:
    """Note what was made for a file from now on; call it under the lock."""
    _records(root).add({"file": str(file), **made._asdict()})


def _records(root: Path) -> Records:
    return Records(root, "agents", max_bytes=_MOST_BYTES)


def _made(fields: Mapping[str, object]) -> Made:
    containers, folders = fields.get("containers"), fields.get("folders")
    return Made(
        fields.get("is_new") is True,
        tuple(
            tuple(map(str, each))
            for each in (containers if isinstance(containers, list) else ())
            if isinstance(each, list)
        ),
        tuple(map(str, folders)) if isinstance(folders, list) else (),
        str(fields.get("digest") or ""),
    )
