"""What an export says of itself, written and read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memwiki.errors import UnreadableError, UsageError

MANIFEST_NAME = "memwiki-export.json"
USAGE_NAME = "memwiki-usage.jsonl"
MARK = "memwiki-export"  # the key, in JSON, that an export is known by
DOCUMENT_MARK = "<!-- memwiki:export -->"  # the first line of what is only to be read
VERSION = 1


class Member(NamedTuple):
    """One file of an export."""

    path: str
    digest: str
    size: int


class ExportScope(NamedTuple):
    """What an export is meant to hold."""

    filters: Mapping[str, str]  # those that were given, as `list` takes them
    has_private: bool

    def fields(self) -> dict[str, object]:
        """As JSON."""
        return {MARK: VERSION, "filters": dict(self.filters), "private": self.has_private}


def left_out(pages: int, entries: int) -> dict[str, object]:
    """How many private ones are not in it, as JSON."""
    fields = {"private_pages": pages, "private_entries": entries}
    return {"reduced": bool(pages or entries), "left_out": fields}


def line(fields: Mapping[str, object]) -> bytes:
    """Fields as one line of JSON, always with the same bytes."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def manifest(scope: ExportScope, members: Sequence[Member], rest: Mapping[str, object]) -> bytes:
    """The manifest of an archive."""
    files = [{"path": e.path, "digest": e.digest, "bytes": e.size} for e in members]
    fields = {**scope.fields(), **rest, "files": files}
    return json.dumps(fields, ensure_ascii=False, indent=1).encode() + b"\n"


def read_manifest(name: str, data: bytes) -> Mapping[str, object]:
    """The fields of a manifest, or of the first line of an export in lines."""
    fields = fields_of(name, data)
    version = fields.get(MARK)
    if not isinstance(version, int) or version > VERSION:
        raise UsageError(
            f"{name}: is an export of version {version}, which is not known here",
            hint="import it with a newer memwiki",
        )
    return fields


def is_whole(fields: Mapping[str, object]) -> bool:
    """Whether what a manifest speaks of is all of a workspace."""
    return fields.get("filters") == {}


def fields_of(name: str, data: bytes) -> Mapping[str, object]:
    """A JSON object; UnreadableError when it is none."""
    try:
        fields = json.loads(data.decode())
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise UnreadableError(
            f"{name}: is not what an export says there; nothing was imported",
            hint="get the export anew",
        )
    return fields
