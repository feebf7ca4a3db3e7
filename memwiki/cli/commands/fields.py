"""`memwiki set`, `memwiki link`, `memwiki unlink` and `memwiki tag`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App, DryRun, Expect, PageName
from memwiki.cli.door import Door
from memwiki.errors import UsageError

app = App()
tag = app.group("tag", "tag add Tea drink", "tag rename drink beverage", "tags   # lists them")

_Tags = Annotated[list[str], "With or without #.", "TAG..."]
_Old = Annotated[str, "The tag to replace, with the tags nested in it.", "OLD"]


@app.verb(
    "set Tea status=stable",
    "set Tea 'description=How it is made.' tags=drink,green",
    "set Tea --unset status --dry-run",
)
def set_(
    door: Door,
    name: PageName,
    fields: Annotated[list[str] | None, "Fields and their values.", "[KEY=VALUE]..."] = None,
    *,
    unset: Annotated[list[str] | None, "Remove this field; may be repeated.", "KEY"] = None,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Set fields in the front matter of a page, or remove them.

    Each field changes on its own line and keeps its style. A list takes values separated by
    commas. KEY= empties a field.
    """
    workspace = door.open()
    changes = dict(map(_field, fields or []))
    name = door.here(workspace).page(name)
    door.edited(
        workspace.pages.set(name, changes, unset=unset or [], expect=expect, dry_run=dry_run)
    )


def _field(argument: str) -> tuple[str, str]:
    key, sign, value = argument.partition("=")
    if not (sign and key.strip()):
        raise UsageError(f"set: {argument}: not KEY=VALUE", "for example status=stable")
    return key.strip(), value.strip()


_Target = Annotated[str, "The page it links to, by any of its names.", "TARGET"]


@app.verb("link Tea Water", "link Tea Water --relation needs --weight 0.9")
def link(
    door: Door,
    name: PageName,
    target: _Target,
    *,
    relation: Annotated[str, "Relation type, such as needs.", "TYPE"] = "",
    weight: Annotated[float | None, "Weight, from 0 to 1.", "W"] = None,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Link a page to another one in its front matter.

    Plain links go to `related`, typed ones to `relations`.
    """
    workspace = door.open()
    ends = map(door.here(workspace).page, (name, target))
    answer = workspace.pages.link(
        *ends, relation=relation, weight=weight, expect=expect, dry_run=dry_run
    )
    door.edited(answer)


@app.verb("unlink Tea Water", "unlink Tea Water --relation needs --dry-run")
def unlink(
    door: Door,
    name: PageName,
    target: _Target,
    *,
    relation: Annotated[str, "Relation type to remove.", "TYPE"] = "",
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Remove the link from a page to another one.

    In the text, only a typed relation on a line of its own is removed; other links are listed.
    """
    workspace = door.open()
    ends = map(door.here(workspace).page, (name, target))
    door.edited(workspace.pages.unlink(*ends, relation=relation, expect=expect, dry_run=dry_run))


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
    door.show_rows(answer, "tags")
