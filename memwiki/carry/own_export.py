"""Exports of memwiki itself: a zip archive or lines of JSON, checked against what they say."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Any

from memwiki.carry.contents import (
    MANIFEST_NAME,
    MARK,
    USAGE_NAME,
    fields_of,
    is_whole,
    line,
    read_manifest,
)
from memwiki.carry.source import refused, why_colliding
from memwiki.digest import digest_of
from memwiki.errors import UnreadableError
from memwiki.importing import ImportSource, ImportTarget, Incoming, IncomingFile
from memwiki.numbers import counted

KIND = "memwiki"


def is_kind(source: ImportSource) -> bool:
    """Whether a source has the manifest of an export."""
    names = source.names()
    if MANIFEST_NAME in names:
        return True
    return len(names) == 1 and source.head(names[0]).startswith(b'{"%s":' % MARK.encode())


def incoming(source: ImportSource, target: ImportTarget) -> Incoming:
    """The files and the usage of an export, each with the digest that its manifest names."""
    del target
    return _of_archive(source) if MANIFEST_NAME in source.names() else _of_lines(source)


def _of_archive(source: ImportSource) -> Incoming:
    fields = read_manifest(source.name, source.read(MANIFEST_NAME))
    digests = dict(_digests(source, fields.get("files")))
    names = {*source.names()} - {MANIFEST_NAME, USAGE_NAME}
    if strange := sorted(names ^ digests.keys()):
        where = "archive" if strange[0] in digests else "manifest"
        raise refused(source.name, f"{strange[0]!r} is not in its {where}")
    files = tuple(_file(source, name, source.read(name), digests[name]) for name in sorted(names))
    usage = source.read(USAGE_NAME) if USAGE_NAME in source.names() else b""
    return Incoming(KIND, files, usage=(usage,), notes=_notes(fields), is_whole=is_whole(fields))


def _digests(source: ImportSource, listed: object) -> Iterator[tuple[str, str]]:
    for each in listed if isinstance(listed, list) else [None]:
        match each:
            case {"path": str(path), "digest": str(digest)}:
                yield path, digest
            case _:
                raise UnreadableError(
                    f"{source.name}: its manifest does not list its files; nothing was imported",
                    "get the export anew",
                )


def _file(source: ImportSource, path: str, data: bytes, digest: str, at: str = "") -> IncomingFile:
    if digest_of(data) != digest:
        raise refused(source.name, f"{path!r} is not as its manifest says: it was changed")
    return IncomingFile(path, data, at or path)


def _of_lines(source: ImportSource) -> Incoming:
    name = source.names()[0]
    lines = source.read(name).split(b"\n")
    first = read_manifest(source.name, lines[0])
    files: list[IncomingFile] = []
    usage: list[bytes] = []
    end: Mapping[str, object] = {}
    for number, text in enumerate(lines[1:], 2):
        if not text.strip():
            continue
        if end:
            raise refused(source.name, f"line {number} stands behind its end")
        fields = fields_of(f"{source.name}:{number}", text)
        match fields:
            case {"kind": "page" | "file", "path": str(path), "digest": str(digest)}:
                at = f"{name}:{number}"
                files.append(_file(source, path, _data_of(at, fields), digest, at))
            case {"kind": "usage"}:
                usage.append(line({key: each for key, each in fields.items() if key != "kind"}))
            case {"kind": "end"}:
                end = fields
            case _:
                raise refused(source.name, f"line {number} is nothing that an export says")
    if end.get("files") != len(files) or end.get("usage") != len(usage):
        raise refused(source.name, "is cut short")
    if reason := why_colliding([file.path for file in files]):
        raise refused(source.name, reason)
    whole = is_whole(first)
    return Incoming(KIND, tuple(files), usage=tuple(usage), notes=_notes(end), is_whole=whole)


def _data_of(at: str, fields: Mapping[str, Any]) -> bytes:
    try:
        if isinstance(text := fields.get("text"), str):
            return text.encode("utf-8")
        return base64.b64decode(fields["base64"], validate=True)
    except (KeyError, ValueError, TypeError) as error:
        raise UnreadableError(
            f"{at}: holds no file; nothing was imported", "get the export anew"
        ) from error


def _notes(fields: Mapping[str, object]) -> tuple[str, ...]:
    match fields.get("left_out"):
        case {"private_pages": int(pages), "private_entries": int(entries)} if pages or entries:
            hidden = counted(entries, "private entry", "private entries")
            return (f"made without {counted(pages, 'private page')} and {hidden}",)
    return ()
