"""`memwiki tag`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App
from memwiki.cli.door import Door
from memwiki.cli.shared import DryRun, Expect, PageName

app = App()
tag = app.group("tag", "tag add Tea drink", "tag rename drink beverage", "tags   # lists them")

_Tags = Annotated[list[str], "With or without #.", "TAG..."]
_Old = Annotated[str, "The tag to replace, with the tags nested in it.", "OLD"]


@tag.verb("tag add Tea drink green-tea")
def add(
    door: Door,
    name: PageName,
    tags: _Tags,
    *,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Add tags to the front matter of a page."""
    workspace = door.open()
    name = door.here(workspace).page(name)
    door.edited(workspace.pages.tag_add(name, tags, expect=expect, dry_run=dry_run))


@tag.verb("tag remove Tea drink --dry-run")
def remove(
    door: Door,
    name: PageName,
    tags: _Tags,
    *,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Take tags off a page: out of its front matter and its text.

    A tag inside a sentence loses its # and remains as a word.
    """
    workspace = door.open()
    name = door.here(workspace).page(name)
    door.edited(workspace.pages.tag_remove(name, tags, expect=expect, dry_run=dry_run))


@tag.verb("tag rename drink beverage", "tag rename drink food/drink --dry-run")
def rename(
    door: Door,
    old: _Old,
    new: Annotated[str, "A tag that is not in use.", "NEW"],
    *,
    dry_run: DryRun = False,
) -> None:
    """Give a tag another name on all pages."""
    door.edited(door.open().pages.tag_rename(old, new, dry_run=dry_run))


@tag.verb("tag merge drinks drink")
def merge(
    door: Door,
    old: _Old,
    into: Annotated[str, "The tag to keep.", "INTO"],
    *,
    dry_run: DryRun = False,
) -> None:
    """Merge one tag into another on all pages."""
    door.edited(door.open().pages.tag_merge(old, into, dry_run=dry_run))


@tag.verb("tag suggest 'Green tea is brewed at 80 degrees.'")
def suggest(
    door: Door,
    text: Annotated[str, "What the tags are to be for.", "TEXT"],
) -> None:
    """Suggest tags for a text: those in use that it speaks of, then new ones."""
    answer = door.open().entries.suggest_tags(text)
    door.show_rows(answer, answer.tags, len(answer.tags), "tags")
