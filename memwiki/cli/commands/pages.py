"""`memwiki get`, `outline`, `list`, `history` and `show`."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from memwiki.answers.pages import PageAt, PageRow, PageView, SectionSize
from memwiki.cli import streams
from memwiki.cli.app import (
    App,
    AtPath,
    Jsonl,
    Limit,
    MaxShown,
    OfType,
    Orphans,
    PageName,
    Template,
    WithTag,
    row_form,
)
from memwiki.cli.arguments import first_found, lines_of
from memwiki.cli.door import Door
from memwiki.errors import ConfigError, MemwikiError, reason_of
from memwiki.present import Look, clean
from memwiki.text import pattern

if TYPE_CHECKING:
    from memwiki.workspace import Workspace

app = App()


class Sort(StrEnum):
    TITLE = "title"
    UPDATED = "updated"
    LINKS = "links"


@app.verb(
    "get Home",
    "get wiki/home.md --section Links",
    "get memory --lines 10-20",
    "get wiki/home.md:12      # what is below the heading above line 12",
    "get wiki/home.md:12-20",
    "get Home --raw > copy.md",
)
def get(
    door: Door,
    name: Annotated[str, "Path or PATH:LINE, file name, title, alias or id.", "NAME"],
    *,
    section: Annotated[str, "Only this section.", "HEADING"] = "",
    lines: Annotated[str, "Only these lines.", "A-B"] = "",
    raw: Annotated[bool, "The text as it is in the file, also on a terminal."] = False,
) -> None:
    """Print a page, a section of it or some lines."""
    workspace = door.open()
    name, around, named = door.here(workspace).location(name)
    if section or lines:
        around, named = 0, lines_of(lines) if lines else None
    view = workspace.pages.get(name, section=section, lines=named, around=around)
    is_part = bool(section or named or around or "#" in name)
    if door.options.is_json or (raw and streams.width() is not None):
        door.show(view)
    elif raw and not is_part:
        streams.show_bytes(workspace.pages.bytes(view.path))
    elif streams.width() is None:
        streams.show_as_is(view.text.removesuffix("\n") + "\n" if is_part else view.text)
    else:
        show_markdown(view, door.look())


@app.verb("outline Home", "outline Home --format '{line_start}: {title} ({tokens})'")
def outline(
    door: Door,
    name: PageName,
    *,
    format_: Template = "",
    jsonl: Jsonl = False,
) -> None:
    """Show the headings of a page, with their lines and sizes.

    A section goes up to the next heading of its level or above, as `get --section` prints it.
    Tokens are estimated. The first line is the page as a whole.
    """
    form = row_form(door, SectionSize, format_, jsonl=jsonl)
    workspace = door.open()
    answer = workspace.pages.outline(door.here(workspace).page(name))
    door.show_each(answer, form)


@app.verb(
    "list",
    "list --type concept --sort updated --limit 10",
    "list --tag design --path 'wiki/*'",
    "list --format '{path}\\t{title}'   # for fzf and other programs",
    "list --jsonl",
)
def list_(
    door: Door,
    *,
    type_: OfType = "",
    tag: WithTag = "",
    path: AtPath = "",
    orphans: Orphans = False,
    sort: Annotated[Sort, "Order of the pages."] = Sort.TITLE,
    limit: Limit = None,
    format_: Template = "",
    jsonl: Jsonl = False,
) -> None:
    """List pages, filtered by type, tag or path."""
    form = row_form(door, PageRow, format_, jsonl=jsonl)
    answer = door.open().pages.list(
        type=type_, tag=tag, path=path, sort=sort.value, limit=limit, orphans=orphans
    )
    door.show_rows(answer, "pages", form)


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
    door.say(answer.notes)
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
    is_pipe = streams.width() is None
    if is_pipe and not (section or part or door.options.is_json):
        streams.show_bytes(first_found(names, lambda name: workspace.pages.bytes_at(name, at)))
        return
    answer = first_found(
        names, lambda name: workspace.pages.show(name, at=at, section=section, lines=part)
    )
    if door.options.is_json or raw or is_pipe:
        door.show(answer)
    else:
        show_markdown(answer, door.look(), note=f" at {answer.rev[:10]}, {answer.date[:16]}")


# --- a page shown to a person: drawn on the terminal, or in an editor ---

_FRONT_MATTER = pattern(r"\A\s*---\n.*?\n(?:---|\.\.\.)\n", re.DOTALL)


def show_markdown(view: PageView | PageAt, look: Look, *, note: str = "") -> None:
    """Draw the text of a page, with where it stands above it."""
    from rich.console import Console
    from rich.markdown import Markdown

    # Without colours it is no terminal to rich: it would write bold all the same, and take a dumb
    # terminal for one of 80 columns.
    console = Console(width=look.width, force_terminal=look.has_colour, highlight=False)
    place = f"{view.path}:{view.line_start}-{view.line_end}{note}"
    with console.capture() as drawn:
        console.print(clean(place), style="dim", markup=False, soft_wrap=True)
        console.print(Markdown(_FRONT_MATTER.sub("", clean(view.text)), hyperlinks=False))
    streams.show(re.sub(r"(?<! ) +$", "", drawn.get().rstrip("\n"), flags=re.MULTILINE))


def edit(door: Door, workspace: Workspace, path: str) -> None:
    """Wait until the editor ends, then bring the index up to date and say what changed."""
    import subprocess

    from memwiki.config import environment
    from memwiki.config.user import editor

    command = editor(environment())
    place = str(Path(workspace.root, path).absolute())  # never mistaken for an option
    try:
        done = subprocess.run([*command, place], check=False)
    except OSError as error:
        raise ConfigError(
            f"{command[0]}: cannot be started ({reason_of(error)})",
            "set EDITOR to a program that is installed",
            path="EDITOR",
        ) from error
    door.report(workspace.sync())
    if done.returncode:
        raise MemwikiError(
            f"{command[0]}: ended with exit code {done.returncode}",
            "what it saved is kept and can be searched",
            path=path,
        )
