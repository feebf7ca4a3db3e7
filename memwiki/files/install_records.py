"""What an installation made beside our own part, so that it can go with it: one line a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from memwiki.files.records import Records

_MOST_BYTES = 1_000_000
ANY_SERVER = "*"  # in the place of a digest: any that starts memwiki


class InstallRecord(NamedTuple):
    """Of one file: whether it was new, the containers and folders made for it, and the digests of
    what is ours there: the whole file, or the server in it."""

    is_new: bool = False
    containers: tuple[tuple[str, ...], ...] = ()
    folders: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()

    def owns(self, digest: str) -> bool:
        """Whether something of this digest was written by us."""
        return digest in self.ours

    def coming(self, later: InstallRecord) -> InstallRecord:
        """What may be there while an installation runs, or after one that was killed."""
        ours = dict.fromkeys((*self.ours, *later.ours))
        return self.plus(later)._replace(ours=tuple(ours))

    def plus(self, later: InstallRecord) -> InstallRecord:
        """What two installations made."""
        containers = dict.fromkeys((*self.containers, *later.containers))
        folders = dict.fromkeys((*self.folders, *later.folders))
        is_new = self.is_new or later.is_new
        return InstallRecord(is_new, tuple(containers), tuple(folders), later.ours or self.ours)


def install_records(root: Path) -> dict[str, InstallRecord]:
    """What was made, by file."""
    found: dict[str, InstallRecord] = {}
    for record in _records(root).newest():
        fields = record.fields
        if isinstance(file := fields.get("file"), str) and file not in found:
            found[file] = _made(fields)
    return found


def keep_record(root: Path, file: Path, made: InstallRecord) -> None:
    """Note what was made for a file from now on; call it under the lock."""
    _records(root).add({"file": str(file), **made._asdict()})


def _records(root: Path) -> Records:
    return Records(root, "agents", max_bytes=_MOST_BYTES)


def _made(fields: Mapping[str, object]) -> InstallRecord:
    containers, folders = fields.get("containers"), fields.get("folders")
    # A record of memwiki 0.1 knew servers by their command alone.
    ours = fields.get("ours", [fields.get("digest") or ANY_SERVER])
    return InstallRecord(
        fields.get("is_new") is True,
        tuple(
            tuple(map(str, each))
            for each in (containers if isinstance(containers, list) else ())
            if isinstance(each, list)
        ),
        tuple(map(str, folders)) if isinstance(folders, list) else (),
        tuple(map(str, ours)) if isinstance(ours, list) else (),
    )
