"""`memwiki append` and `memwiki replace`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app, page_name
from memwiki.cli.fields import DRY_RUN, PAGE
from memwiki.cli.input import read_text
from memwiki.errors import UsageError

if TYPE_CHECKING:
    from memwiki.workspace import Workspace

app = new_app()

# `- an item` is text, though it looks like an option.
TEXT_MAY_BE_AN_ITEM = {"ignore_unknown_options": True}
TEXT = typer.Argument(metavar="TEXT", help="Any markdown; - reads it from standard input.")


@app.command(
    context_settings=TEXT_MAY_BE_AN_ITEM,
    epilog=examples(
        "append memory --section Facts '- The office is in Hamburg. #work'",
        "append Tea 'It wants water just below the boil.'",
        "cat minutes.md | memwiki append 'Team meeting' - --dry-run",
    ),
)
def append(
    context: typer.Context,
    name: Annotated[str, PAGE],
    text: Annotated[str, TEXT],
    *,
    section: Annotated[
        str, typer.Option(metavar="HEADING", help="At the end of this section.")
    ] = "",
    dry_run: Annotated[bool, DRY_RUN] = False,
) -> None:
    """Add text at the end of a page, or of one of its sections.

    A list item goes on with the list that ends there, a table row with the table; anything else has
    a blank line before it. Every other byte of the page stays.
    """
    door = door_of(context)
    workspace = door.open()
    name, given = page_name(workspace.root, name), given_text(workspace, "append", text)
    door.edited(workspace.pages.append(name, given, section=section, dry_run=dry_run))


@app.command(
    context_settings=TEXT_MAY_BE_AN_ITEM,
    epilog=examples(
        "replace Tea --section Brewing 'Two grams a cup, three minutes.'",
        "memwiki get Tea --section Brewing > part.md",
        "cat part.md | memwiki replace Tea --section Brewing -",
    ),
)
def replace(
    context: typer.Context,
    name: Annotated[str, PAGE],
    text: Annotated[str, TEXT],
    *,
    section: Annotated[str, typer.Option(metavar="HEADING", help="The section.")],
    dry_run: Annotated[bool, DRY_RUN] = False,
) -> None:
    """Put text in the place of all that stands below a heading.

    Its subsections are replaced too. The heading stays, unless the text begins with it. An empty
    text is refused.
    """
    door = door_of(context)
    workspace = door.open()
    name, given = page_name(workspace.root, name), given_text(workspace, "replace", text)
    door.edited(workspace.pages.replace(name, section, given, dry_run=dry_run))


def given_text(workspace: Workspace, command: str, text: str) -> str:
    """The text of an argument, or what is piped in for `-`."""
    if re.fullmatch(r"--[a-z][a-z-]*(?:=.*)?", text):
        raise UsageError(f"{command}: no such option: {text}", hint=f"memwiki {command} --help")
    return read_text(workspace.config.files.max_bytes) if text == "-" else text
