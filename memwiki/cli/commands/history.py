"""`memwiki history` and `memwiki show`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli import output
from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.arguments import first_found, lines_of
from memwiki.cli.shared import LIMIT

app = new_app()
_Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="Path, file name, title, alias or id; or a former path."),
]


@app.command(epilog=examples("history Home", "history wiki/home.md --limit 5 --json"))
def history(
    context: typer.Context,
    name: _Name,
    *,
    limit: Annotated[int, LIMIT] = 20,
) -> None:
    """List the commits that touched a page.

    The newest is first, and renames are followed. The folder has to be in a git repository.
    """
    door = door_of(context)
    workspace = door.open()
    seen = door.here(workspace)
    answer = first_found(seen.once(name), lambda name: workspace.pages.history(name, limit=limit))
    door.show(answer)
    if not answer.complete:
        door.talk(f"There are older commits; --limit {limit * 5} shows more.")


@app.command(
    epilog=examples(
        "show Home --at HEAD~3",
        "show Home --at 2026-09-01          # as that day ended",
        "show Home --at '2026-09-01 12:30'",
        "show Home --at 2w --section Links",
        "show wiki/gone.md --at 3f2a91c > gone.md",
    )
)
def show(
    context: typer.Context,
    name: _Name,
    *,
    at: Annotated[
        str, typer.Option(metavar="REV|DATE", help="A revision, a date or time, or an age: 2w.")
    ],
    section: Annotated[str, typer.Option(metavar="HEADING", help="Only this section.")] = "",
    lines: Annotated[str, typer.Option(metavar="A-B", help="Only these lines.")] = "",
    raw: Annotated[
        bool, typer.Option("--raw", help="The text as it was in the file, also on a terminal.")
    ] = False,
) -> None:
    """Print a page as it was at a commit or date.

    A pipe gets the exact bytes.
    """
    door = door_of(context)
    workspace = door.open()
    names = door.here(workspace).once(name)
    part = lines_of(lines) if lines else None
    is_pipe = output.width() is None
    if is_pipe and not (section or part or door.options.is_json):
        output.show_bytes(first_found(names, lambda name: workspace.pages.bytes_at(name, at)))
        return
    answer = first_found(
        names, lambda name: workspace.pages.show(name, at=at, section=section, lines=part)
    )
    if door.options.is_json or raw or is_pipe:
        door.show(answer)
    else:
        from memwiki.cli.viewer import show_markdown

        show_markdown(answer, door.look(), note=f" at {answer.rev[:10]}, {answer.date[:16]}")
