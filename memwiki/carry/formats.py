"""The three forms of an export: a zip archive, lines of JSON, a document to be read."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING

from memwiki.carry.contents import (
    DOCUMENT_MARK,
    MANIFEST_NAME,
    USAGE_NAME,
    Contents,
    ExportFile,
    line,
    manifest,
)
from memwiki.carry.source import MAX_TIMES
from memwiki.digest import digest_of
from memwiki.index.projection import Progress
from memwiki.markdown.source import decode
from memwiki.patterns import pattern

if TYPE_CHECKING:
    from zipfile import ZipInfo

# The same workspace gives the same bytes: no clock, and the earliest time that zip can say.
_TIME = (1980, 1, 1, 0, 0, 0)
_REGULAR = 0o100644 << 16
_SMALL_BYTES = 16_000
_FENCE = pattern("`{3,}")


def write_zip(file: IO[bytes], contents: Contents, progress: Progress | None = None) -> int:
    """Write an archive; give the number of lines of usage."""
    from zipfile import ZipFile

    with ZipFile(file, "w") as archive:

        def add(path: str, data: bytes) -> None:
            archive.writestr(_member(path, data), data)

        for path, data in contents.files(progress):
            add(path, data)
        usage = list(contents.usage())
        add(USAGE_NAME, b"".join(usage))
        add(MANIFEST_NAME, manifest(contents.scope, contents.members, contents.left_out))
    return len(usage)


def _member(path: str, data: bytes) -> ZipInfo:
    from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipInfo

    member = ZipInfo(path, _TIME)
    member.create_system = 3  # the same on all systems
    member.external_attr = _REGULAR
    # What packs like a bomb would be refused by an import.
    is_odd = len(data) > _SMALL_BYTES and len(zlib.compress(data, 1)) * MAX_TIMES // 4 < len(data)
    member.compress_type = ZIP_STORED if is_odd else ZIP_DEFLATED
    return member


def write_lines(
    write: Callable[[bytes], object], contents: Contents, progress: Progress | None = None
) -> int:
    """Write lines of JSON; give the number of lines of usage."""
    write(line(contents.scope.fields()))
    for each in contents.files(progress):
        write(line(_file_fields(each)))
    count = 0
    for each_line in contents.usage():
        write(b'{"kind":"usage",' + each_line.lstrip().removeprefix(b"{"))
        count += 1
    end = {"kind": "end", "files": len(contents.members), "usage": count}
    write(line(end | contents.left_out))
    return count


def _file_fields(each: ExportFile) -> dict[str, object]:
    kind = "page" if each.is_page else "file"
    fields = {"kind": kind, "path": each.path, "digest": digest_of(each.data)}
    try:
        return {**fields, "text": each.data.decode()}
    except UnicodeDecodeError:
        return {**fields, "base64": base64.b64encode(each.data).decode()}


def write_document(
    write: Callable[[bytes], object],
    name: str,
    contents: Contents,
    progress: Progress | None = None,
) -> int:
    """Write all pages as one page, for people and prompts; usage is not in it."""
    write(f"{DOCUMENT_MARK}\n# {_plain(name)}\n".encode())
    for each in contents.files(progress):
        if each.is_page:
            write("".join(_document_part(each)).encode("utf-8", "replace"))
    return 0


def _document_part(each: ExportFile) -> Iterator[str]:
    text = decode(each.path, each.data).text
    longest = max((len(found[0]) for found in _FENCE.finditer(text)), default=0)
    fence = "`" * max(longest + 1, 4)
    yield f"\n## {_plain(each.path)}\n\n{fence}markdown\n{text}"
    yield f"{'' if text.endswith(chr(10)) or not text else chr(10)}{fence}\n"


def _plain(name: str) -> str:
    """A name on one line."""
    return re.sub(r"[\x00-\x1f\x7f\u2028\u2029]", " ", name)
