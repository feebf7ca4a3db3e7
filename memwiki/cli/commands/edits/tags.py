"""`memwiki tag`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.shared import DryRun, Expect, PageName

app = new_app()
tag = typer.Typer(
    help="Add tags to a page or remove them; rename, merge or suggest them.",
    epilog=examples("tag add Tea drink", "tag rename drink beverage", "tags   # lists them"),
)
app.add_typer(tag, name="tag")

_Tags = Annotated[list[str], typer.Argument(metavar="TAG...", help="With or without #.")]
_Old = Annotated[
    str, typer.Argument(metavar="OLD", help="The tag to replace, with the tags nested in it.")
]


@tag.command(epilog=examples("tag add Tea drink green-tea"))
def add(
    context: typer.Context,
    name: PageName,
    tags: _Tags,
    *,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Add tags to the front matter of a page."""
    door = door_of(context)
    workspace = door.open()
    name = door.here(workspace).page(name)
    door.edited(workspace.pages.tag_add(name, tags, expect=expect, dry_run=dry_run))


@tag.command(epilog=examples("tag remove Tea drink --dry-run"))
def remove(
    context: typer.Context,
    name: PageName,
    tags: _Tags,
    *,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Take tags off a page: out of its front matter and its text.

    A tag inside a sentence loses its # and remains as a word.
    """
    door = door_of(context)
    workspace = door.open()
    name = door.here(workspace).page(name)
    door.edited(workspace.pages.tag_remove(name, tags, expect=expect, dry_run=dry_run))


@tag.command(epilog=examples("tag rename drink beverage", "tag rename drink food/drink --dry-run"))
def rename(
    context: typer.Context,
    old: _Old,
    new: Annotated[str, typer.Argument(metavar="NEW", help="A tag that is not in use.")],
    *,
    dry_run: DryRun = False,
) -> None:
    """Give a tag another name on all pages."""
    door = door_of(context)
    door.edited(door.open().pages.tag_rename(old, new, dry_run=dry_run))


@tag.command(epilog=examples("tag merge drinks drink"))
def merge(
    context: typer.Context,
    old: _Old,
    into: Annotated[str, typer.Argument(metavar="INTO", help="The tag to keep.")],
    *,
    dry_run: DryRun = False,
) -> None:
    """Merge one tag into another on all pages."""
    door = door_of(context)
    door.edited(door.open().pages.tag_merge(old, into, dry_run=dry_run))


@tag.command(epilog=examples("tag suggest 'Green tea is brewed at 80 degrees.'"))
def suggest(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What the tags are to be for.")],
) -> None:
    """Suggest tags for a text: those in use that it speaks of, then new ones."""
    door = door_of(context)
    answer = door.open().entries.suggest_tags(text)
    door.show_rows(answer, answer.tags, len(answer.tags), "tags")
