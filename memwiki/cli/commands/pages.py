"""`memwiki get`, `outline`, `list`, `history` and `show`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from memwiki.answers.pages import PageRow, SectionSize
from memwiki.cli import output
from memwiki.cli.app import (
    App,
    AtPath,
    Jsonl,
    Limit,
    MaxShown,
    OfType,
    Orphans,
    Template,
    WithTag,
    row_form,
)
from memwiki.cli.arguments import first_found, lines_of
from memwiki.cli.door import Door

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
    if door.options.is_json or (raw and output.width() is not None):
        door.show(view)
    elif raw and not is_part:
        output.show_bytes(workspace.pages.bytes(view.path))
    elif output.width() is None:
        output.show_as_is(view.text.removesuffix("\n") + "\n" if is_part else view.text)
    else:
        from memwiki.cli.viewer import show_markdown

        show_markdown(view, door.look())


@app.verb("outline Home", "outline Home --format '{line_start}: {title} ({tokens})'")
def outline(
    door: Door,
    name: Annotated[str, "Path, file name, title, alias or id.", "NAME"],
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
