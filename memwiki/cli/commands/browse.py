"""`memwiki browse`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.shared import LIMIT

app = new_app()


class What(StrEnum):
    """What is browsed."""

    PAGES = "pages"
    MEMORIES = "memories"
    TAGS = "tags"
    RECENT = "recent"


@app.command(
    epilog=examples(
        "browse", "browse wiki", "browse --type concept --tag design", "browse --what recent"
    )
)
def browse(
    context: typer.Context,
    path: Annotated[
        str, typer.Argument(metavar="[FOLDER]", help="What is in this folder.", show_default=False)
    ] = "",
    *,
    type_: Annotated[
        str, typer.Option("--type", metavar="TYPE", help="Only pages or memories of this type.")
    ] = "",
    tag: Annotated[
        str, typer.Option(metavar="TAG", help="Only what has this tag or one nested in it.")
    ] = "",
    what: Annotated[What, typer.Option(help="What to show.")] = What.PAGES,
    since: Annotated[str, typer.Option(metavar="D", help="Only what is dated since then.")] = "",
    limit: Annotated[int, LIMIT] = 30,
    offset: Annotated[int, typer.Option(min=0, metavar="N", help="Leave out the first N.")] = 0,
) -> None:
    """Show what there is: folders, pages, memories and tags.

    Without arguments folders with counts, where to start, what is recent, most linked and most
    wanted, and tags, as an index.md would list them; no file is needed or written.
    """
    door = door_of(context)
    answer = door.open().browse(
        path, type=type_, tag=tag, what=what.value, since=since, limit=limit, offset=offset
    )
    door.show(answer)
    if not answer.sections:
        door.talk("Nothing found.")
    elif answer.next_offset:
        door.talk(f"There are {answer.total} in all; --offset {answer.next_offset} shows more.")
