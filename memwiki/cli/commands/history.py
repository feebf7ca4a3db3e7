"""`memwiki history` and `memwiki show`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli import output
from memwiki.cli.app import App, MaxShown
from memwiki.cli.arguments import first_found, lines_of
from memwiki.cli.door import Door

app = App()
_Name = Annotated[str, "Path, file name, title, alias or id; or a former path.", "NAME"]


@app.verb("history Home", "history wiki/home.md --limit 5 --json")
def history(
    door: Door,
    name: _Name,
    *,
    limit: MaxShown = 20,
) -> None:
    """List the commits that touched a page.

    The newest is first, and renames are followed. The folder has to be in a git repository.
    """
    workspace = door.open()
    seen = door.here(workspace)
    answer = first_found(seen.once(name), lambda name: workspace.pages.history(name, limit=limit))
    door.show(answer)
    if not answer.complete:
        door.talk(f"There are older commits; --limit {limit * 5} shows more.")


@app.verb(
    "show Home --at HEAD~3",
    "show Home --at 2026-09-01          # as that day ended",
    "show Home --at '2026-09-01 12:30'",
    "show Home --at 2w --section Links",
    "show wiki/gone.md --at 3f2a91c > gone.md",
)
def show(
    door: Door,
    name: _Name,
    *,
    at: Annotated[str, "A revision, a date or time, or an age: 2w.", "REV|DATE"],
    section: Annotated[str, "Only this section.", "HEADING"] = "",
    lines: Annotated[str, "Only these lines.", "A-B"] = "",
    raw: Annotated[bool, "The text as it was in the file, also on a terminal."] = False,
) -> None:
    """Print a page as it was at a commit or date.

    A pipe gets the exact bytes.
    """
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
