"""Writing an export: which files are in it, where it goes, and its three forms."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from memwiki.answers.workspaces import ExportReport
from memwiki.carry.contents import (
    DOCUMENT_MARK,
    MANIFEST_NAME,
    USAGE_NAME,
    Contents,
    ExportFile,
    ExportScope,
    line,
    manifest,
)
from memwiki.carry.source import MAX_TIMES
from memwiki.clock import local_day
from memwiki.digest import digest_of
from memwiki.errors import UsageError
from memwiki.files.read import current_bytes
from memwiki.files.temporary import write_new
from memwiki.index.projection import Progress
from memwiki.markdown.source import decode
from memwiki.memory.knowledge.graph import to_lines
from memwiki.memory.knowledge.pages import EntityNames, EntityPages
from memwiki.names import is_in_folder, is_page_name, require_file_name
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading
from memwiki.text import pattern

if TYPE_CHECKING:
    from zipfile import ZipInfo

    from memwiki.answers.pages import PageList


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


FORMATS = ("zip", "jsonl", "md", "memory-server")
Write = Callable[[bytes], object]


class ExportRequest(NamedTuple):
    """What is exported: the pages that filters find, all without any."""

    output: str | Path | Write | None
    format: str
    filters: Mapping[str, str]
    has_private: bool
    progress: Progress | None


def export(
    live: LiveIndex, asked: ExportRequest, find: Callable[[], PageList] | None
) -> ExportReport:
    """Write the pages that `find` finds, or everything; UsageError for a format that is none."""
    if asked.format not in FORMATS:
        raise UsageError(f"{asked.format}: no such format", f"one of {', '.join(FORMATS)}")
    if asked.format == "memory-server":
        return _exported_graph(live, asked)
    found, scope = find() if find else None, live.context.scope()
    pages = _in_namespace(live.context) if found is None else [row.path for row in found.pages]
    filters = {**asked.filters, "namespace": scope.name} if scope.base else asked.filters
    contents = Contents(live.context, ExportScope(filters, asked.has_private), pages)
    usage, name = _written(live.context, asked, contents)
    return ExportReport(
        name,
        asked.format,
        len(contents.members),
        sum(is_page_name(member.path) for member in contents.members),
        sum(member.size for member in contents.members),
        usage,
        contents.private_pages,
        contents.private_entries,
        tuple(contents.notes),
        fresh=found is None or found.fresh,
    )


def _exported_graph(live: LiveIndex, asked: ExportRequest) -> ExportReport:
    """The entities and their relations, as the reference memory server keeps them."""
    if asked.filters:
        raise UsageError("export: memory-server holds all entities", "leave out what chooses pages")
    layers = live.context.own_layers()
    with reading(live) as view:
        known, is_fresh = EntityNames(view.lookup, layers).digests, view.freshness.fresh
    read = partial(current_bytes, live.context.root)
    graph = EntityPages(read, layers, known, private=asked.has_private).graph()
    data, name = to_lines(graph), ""
    if callable(asked.output):
        asked.output(data)
    else:
        location = _location(live.context, asked)
        write_new(location, lambda file: file.write(data))
        name = str(location)
    count = len(graph.entities)
    return ExportReport(name, asked.format, count, count, len(data), 0, fresh=is_fresh)


def _in_namespace(context: Context) -> list[str] | None:
    """All files of the namespace; None where none is asked for."""
    base = context.scope().base
    if not base:
        return None
    walked = context.walk()
    return [path for path in (*walked.files, *walked.attachments) if is_in_folder(path, base)]


def _written(context: Context, asked: ExportRequest, contents: Contents) -> tuple[int, str]:
    """Write the contents; how many subjects of usage are among them, and the name of the file."""
    write = partial(_written_to, context, asked, contents)
    if callable(asked.output):
        if asked.format == "zip":
            raise UsageError("export: a zip archive goes to a file", "give the path of one")
        return write(asked.output), ""
    location = _location(context, asked)
    if asked.format == "zip":
        usage = write_new(location, lambda file: write_zip(file, contents, asked.progress))
    else:
        usage = write_new(location, lambda file: write(file.write))
    return usage, str(location)


def _written_to(context: Context, asked: ExportRequest, contents: Contents, write: Write) -> int:
    if asked.format == "md":
        return write_document(write, context.root.resolve().name, contents, asked.progress)
    return write_lines(write, contents, asked.progress)


def _location(context: Context, asked: ExportRequest) -> Path:
    """The file that is written; UsageError for one that would be part of the memory it holds."""
    output = Path(asked.output) if isinstance(asked.output, str | Path) and asked.output else None
    output = output or _default(context, asked.format)
    require_file_name("export", str(output))
    root, real = context.root.resolve(), output.parent.resolve() / output.name
    if real.is_relative_to(root) and not context.ignore().why(real.relative_to(root).as_posix()):
        raise UsageError(
            f"{output}: lies in the workspace, and would be part of it",
            "give a file elsewhere: {output}",
            path=str(output),
            arguments={"output": f"../{output.name}"},
        )
    return output


def _default(context: Context, format_: str) -> Path:
    if format_ != "zip":
        raise UsageError(
            f"export: where to write {format_} is missing",
            "give a file or a function as {output}",
            arguments={"output": None},
        )
    day = local_day(context.clock()).isoformat()
    return Path.cwd() / f"{context.root.resolve().name}-{day}.zip"
