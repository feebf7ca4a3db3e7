"""`memwiki share`: keeping a shared index fed, and looking after it."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App
from memwiki.cli.door import Door

app = App()
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
        share.keep_fed(
            workspace,
            door.show,
            name,
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
