"""Writing an export: which files are in it, where it goes, and its three forms; and taking in those
that hold all: a zip archive or lines of JSON, checked against what they say."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from memwiki.answers.pages import PageList
from memwiki.answers.workspaces import ExportReport
from memwiki.carry.contents import (
    DOCUMENT_MARK,
    MANIFEST_NAME,
    MARK,
    USAGE_NAME,
    Contents,
    ExportFile,
    ExportScope,
    fields_of,
    is_whole,
    line,
    manifest,
    read_manifest,
)
from memwiki.carry.source import MAX_TIMES, refusal_of, why_colliding
from memwiki.digest import digest_of
from memwiki.errors import UnreadableError, UsageError
from memwiki.files.read import current_bytes
from memwiki.files.temporary import write_new
from memwiki.importing import ImportSource, ImportTarget, Incoming, IncomingFile
from memwiki.index.projection import Progress
from memwiki.markdown.source import decode
from memwiki.memory.entity_graph import to_lines
from memwiki.memory.entity_pages import EntityNames, EntityPages
from memwiki.names import is_in_folder, is_page_name, require_file_name
from memwiki.numbers import counted
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading
from memwiki.text import pattern

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
    progress: Progress | None,
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
    live.context.require_files()  # else it would say that it is done, and hold nothing
    found, scope = find() if find else None, live.context.scope()
    pages = _in_namespace(live.context) if found is None else [row.path for row in found.pages]
    filters = {**asked.filters, "namespace": scope.name} if scope.base else asked.filters
    contents = Contents(live.context, ExportScope(filters, asked.has_private), pages)
    usage, name = _write(live.context, asked, contents)
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


def _write(context: Context, asked: ExportRequest, contents: Contents) -> tuple[int, str]:
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
    return Path.cwd() / f"{context.root.resolve().name}-{context.today}.zip"


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
        raise refusal_of(source.name, f"{strange[0]!r} is not in its {where}")
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
        raise refusal_of(source.name, f"{path!r} is not as its manifest says: it was changed")
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
            raise refusal_of(source.name, f"line {number} stands behind its end")
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
                raise refusal_of(source.name, f"line {number} is nothing that an export says")
    if end.get("files") != len(files) or end.get("usage") != len(usage):
        raise refusal_of(source.name, "is cut short")
    if reason := why_colliding([file.path for file in files]):
        raise refusal_of(source.name, reason)
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
