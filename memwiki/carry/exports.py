"""Writing an export: which files are in it, and where it goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memwiki.answers.workspaces import ExportReport
from memwiki.carry.contents import Contents, ExportScope
from memwiki.carry.formats import write_document, write_lines, write_zip
from memwiki.clock import local_day
from memwiki.errors import UsageError
from memwiki.files.read import current_bytes
from memwiki.files.temporary import write_new
from memwiki.memory.knowledge.graph import to_lines
from memwiki.memory.knowledge.pages import EntityNames, EntityPages
from memwiki.names import is_in_folder, is_page_name, require_file_name
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading

if TYPE_CHECKING:
    from memwiki.answers.pages import PageList
    from memwiki.index.projection import Progress

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
