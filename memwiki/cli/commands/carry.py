"""`memwiki export` and `memwiki import`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from memwiki.cli import output
from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.arguments import machine_path
from memwiki.cli.shared import AtPath, DryRun, OfType, Orphans, WithTag
from memwiki.present import clean

app = new_app()


class ExportFormat(StrEnum):
    ZIP = "zip"
    JSONL = "jsonl"
    MD = "md"
    MEMORY_SERVER = "memory-server"


@app.command(
    epilog=examples(
        "export --output ../notes.zip",
        "export --private --output ../all-of-it.zip",
        "export --format jsonl > ../notes.jsonl",
        "export --format memory-server > ../memory.jsonl",
        "export --format md --tag design > ../design.md   # to read, or for a prompt",
    )
)
def export(
    context: typer.Context,
    *,
    format_: Annotated[
        ExportFormat,
        typer.Option("--format", help="An archive, lines of JSON, one document, or a graph."),
    ] = ExportFormat.ZIP,
    to: Annotated[
        str,
        typer.Option("--output", metavar="FILE", help="A new file, outside of the workspace."),
    ] = "",
    private: Annotated[
        bool, typer.Option("--private", help="Also pages and entries that are private.")
    ] = False,
    type_: OfType = "",
    tag: WithTag = "",
    path: AtPath = "",
    orphans: Orphans = False,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the first N.", show_default=False)
    ] = None,
) -> None:
    """Write the workspace, or some of its pages, to one file.

    Pages are chosen as in `list`. Without --output, zip goes to NAME-DATE.zip in the current
    folder, the others to standard output. Usage is exported too; no file is overwritten.
    memory-server is the file that the reference MCP memory server keeps: entities and relations.
    """
    door = door_of(context)
    carry = door.open().carry
    folder = door.options.directory
    is_stream = not to and format_ is not ExportFormat.ZIP
    with door.progress("Exporting") as progress:
        report = carry.export(
            _print if is_stream else _place(folder, to),
            format=format_.value,
            private=private,
            type=type_,
            tag=tag,
            path=path,
            orphans=orphans,
            limit=limit,
            progress=progress,
        )
    if not is_stream:
        door.report(report)
    door.say(report.notes)


def _print(data: bytes) -> None:
    """To a pipe as it is, to a terminal without what would steer it."""
    if output.width() is None:
        output.show_bytes(data)
    else:
        output.show_as_is(clean(data.decode("utf-8", "replace")))


def _place(directory: str | None, to: str) -> Path | None:
    return Path(machine_path(directory, to)) if to else None


@app.command(
    "import",
    epilog=examples(
        "import ../notes.zip",
        "import ../notes.zip --dry-run   # shows what would change",
        "import ~/vault --kind markdown",
    ),
)
def import_(
    context: typer.Context,
    source: Annotated[
        str, typer.Argument(metavar="FILE|FOLDER", help="An export, or what another tool keeps.")
    ],
    *,
    kind: Annotated[
        str,
        typer.Option(metavar="KIND", help="What it is, where that is not recognised."),
    ] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace files that are here with other text.")
    ] = False,
    dry_run: DryRun = False,
) -> None:
    """Take in an export, a folder of markdown, or what another tool keeps.

    All of it comes in, or none. When files are here with other text, they are listed and nothing is
    done without --replace. Files of the template that nobody changed do not count, catalogs are
    made anew, and journals are united.
    """
    door = door_of(context)
    carry = door.open().carry
    with door.progress("Importing") as progress:
        report = carry.import_(
            machine_path(door.options.directory, source),
            kind=kind,
            replace=replace,
            dry_run=dry_run,
            progress=progress,
        )
    if dry_run:
        door.show(report)
    else:
        door.report(report)
    door.say(report.notes)
