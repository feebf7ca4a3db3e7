"""`memwiki entity`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App, DryRun, Limit
from memwiki.cli.door import Door

app = App()
entity = app.group(
    "entity", "entity list", "entity candidates", "entity merge 'Tech Corp' TechCorp"
)


@entity.verb("entity list", "entity list No --limit 10")
def list_(
    door: Door,
    prefix: Annotated[str, "How the name begins.", "[PREFIX]"] = "",
    *,
    limit: Limit = None,
) -> None:
    """List the pages and names that entries name, with how many name each."""
    answer = door.open().entries.entities(prefix, limit=limit)
    door.show_rows(answer, "entities")


@entity.verb("entity candidates", "entity candidates TechCorp")
def candidates(
    door: Door,
    name: Annotated[str, "Only what may be the same as this.", "[NAME]"] = "",
    *,
    limit: Limit = None,
) -> None:
    """List pairs of entities that may be one, the likest first.

    The second of a pair is the one to keep. Names that differ in a number are never a pair.
    """
    answer = door.open().entries.entity_candidates(name, limit=limit)
    door.show_rows(answer, "pairs")


@entity.verb("entity merge 'Tech Corp' TechCorp --dry-run")
def merge(
    door: Door,
    name: Annotated[str, "The entity to merge.", "A"],
    into: Annotated[str, "The entity to keep.", "B"],
    *,
    dry_run: DryRun = False,
) -> None:
    """Make entity A another name of entity B: an alias of the one that has a page.

    If neither has a page, one is made for B.
    """
    door.edited(door.open().entries.merge_entities(name, into, dry_run=dry_run))
