"""`memwiki get`, `memwiki outline` and `memwiki list`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from memwiki.answers.pages import PageRow, SectionSize
from memwiki.cli import output
from memwiki.cli.app import App, AtPath, Jsonl, Limit, OfType, Orphans, Template, WithTag, row_form
from memwiki.cli.arguments import lines_of
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
    door.show_each(answer, answer.sections, form)


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
    door.show_rows(answer, answer.pages, answer.total, "pages", form)
    door.say(answer.notes)
