"""`memwiki export` and `import`; `share`: keeping a shared index fed, and looking after it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from threading import Event
from typing import Annotated

from memwiki.cli import streams
from memwiki.cli.app import App, AtPath, DryRun, OfType, Orphans, WithTag
from memwiki.cli.arguments import machine_path
from memwiki.cli.commands.index import ending
from memwiki.cli.door import Door
from memwiki.present import clean

app = App()


class ExportFormat(StrEnum):
    ZIP = "zip"
    JSONL = "jsonl"
    MD = "md"
    MEMORY_SERVER = "memory-server"


@app.verb(
    "export --output ../notes.zip",
    "export --private --output ../all-of-it.zip",
    "export --format jsonl > ../notes.jsonl",
    "export --format memory-server > ../memory.jsonl",
    "export --format md --tag design > ../design.md   # to read, or for a prompt",
)
def export(
    door: Door,
    *,
    format_: Annotated[
        ExportFormat, "An archive, lines of JSON, one document, or a graph."
    ] = ExportFormat.ZIP,
    output_: Annotated[str, "A new file, outside of the workspace.", "FILE"] = "",
    private: Annotated[bool, "Also pages and entries that are private."] = False,
    type_: OfType = "",
    tag: WithTag = "",
    path: AtPath = "",
    orphans: Orphans = False,
    limit: Annotated[int | None, "Only the first N.", "N", 1] = None,
) -> None:
    """Write the workspace, or some of its pages, to one file.

    Pages are chosen as in `list`. Without --output, zip goes to NAME-DATE.zip in the current
    folder, the others to standard output. Usage is exported too; no file is overwritten.
    memory-server is the file that the reference MCP memory server keeps: entities and relations.
    """
    carry = door.open().carry
    folder = door.options.directory
    is_stream = not output_ and format_ is not ExportFormat.ZIP
    to = Path(machine_path(folder, output_)) if output_ else None
    with door.progress("Exporting") as progress:
        report = carry.export(
            _print if is_stream else to,
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
    if streams.width() is None:
        streams.show_bytes(data)
    else:
        streams.show_as_is(clean(data.decode("utf-8", "replace")))


@app.verb(
    "import ../notes.zip",
    "import ../notes.zip --dry-run   # shows what would change",
    "import ~/vault --kind markdown",
)
def import_(
    door: Door,
    source: Annotated[str, "An export, or what another tool keeps.", "FILE|FOLDER"],
    *,
    kind: Annotated[str, "What it is, where that is not recognised.", "KIND"] = "",
    replace: Annotated[bool, "Replace files that are here with other text."] = False,
    dry_run: DryRun = False,
) -> None:
    """Take in an export, a folder of markdown, or what another tool keeps.

    All of it comes in, or none. When files are here with other text, they are listed and nothing is
    done without --replace. Files of the template that nobody changed do not count, catalogs are
    made anew, and journals are united.
    """
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


group = app.group(
    "share",
    "share feed",
    "share feed --watch --texts",
    "share status",
    "--shared notes@main search tea",
    no_args_is_help=True,
)


@group.verb("share feed", "share feed notes --watch", "share feed --reader team --texts")
def feed(
    door: Door,
    name: Annotated[
        str, "What the workspace is called there; by default its folder and branch.", "[NAME]"
    ] = "",
    *,
    watch: Annotated[bool, "Go on feeding what changes, until Ctrl-C."] = False,
    texts: Annotated[bool, "Share the texts of the pages, too, for those without files."] = False,
    reader: Annotated[str, "The role of the database that may read it.", "ROLE"] = "",
    private_reader: Annotated[
        str, "Share what is private, too, with this role of the database alone.", "ROLE"
    ] = "",
) -> None:
    """Bring the shared index up to date with the pages of this workspace that are not private.

    One process feeds a workspace at a time. The address is read from your own config.toml ([index]
    shared) or MEMWIKI_INDEX_SHARED alone.
    """
    from memwiki.workspace import share

    workspace = door.open(is_lasting=watch)
    if watch:
        stop = Event()
        with ending(stop.set):
            share.keep_fed(
                workspace,
                door.show,
                name,
                stop=stop,
                reader=reader,
                private_reader=private_reader,
                texts=texts,
            )
        return
    with door.progress("Feeding") as progress:
        report = workspace.share.feed(
            name, progress=progress, reader=reader, private_reader=private_reader, texts=texts
        )
    door.show(report)


@group.verb("share status", "share status --json")
def status(door: Door) -> None:
    """Show which workspaces are shared, how fresh each is and who feeds it."""
    from memwiki.workspace import share

    answer = share.status()
    door.show(answer)
    if not answer.workspaces:
        door.talk("Nothing found.")


@group.verb("share drop notes@main")
def drop(
    door: Door, name: Annotated[str, "The workspace as the shared index calls it.", "NAME"]
) -> None:
    """Leave nothing of a workspace in the shared index; the files are not touched."""
    from memwiki.workspace import share

    door.show(share.drop(name))


@group.verb("share sql", "share sql | psql notes")
def sql(door: Door) -> None:
    """Print the SQL that makes the tables, the roles and what each may do."""
    from memwiki.workspace import share

    answer = share.script()
    door.show(answer, text=answer.sql)
