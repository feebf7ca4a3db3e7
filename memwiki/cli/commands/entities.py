"""`memwiki entity`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.shared import DryRun, Limit

app = new_app()
entity = typer.Typer(
    help="List what entries are about, find doubles and merge them.",
    epilog=examples("entity list", "entity candidates", "entity merge 'Tech Corp' TechCorp"),
)
app.add_typer(entity, name="entity")


@entity.command("list", epilog=examples("entity list", "entity list No --limit 10"))
def list_entities(
    context: typer.Context,
    prefix: Annotated[
        str,
        typer.Argument(metavar="[PREFIX]", help="How the name begins.", show_default=False),
    ] = "",
    *,
    limit: Limit = None,
) -> None:
    """List the pages and names that entries name, with how many name each."""
    door = door_of(context)
    answer = door.open().entries.entities(prefix, limit=limit)
    door.show_rows(answer, answer.entities, answer.total, "entities")


@entity.command(epilog=examples("entity candidates", "entity candidates TechCorp"))
def candidates(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]", help="Only what may be the same as this.", show_default=False
        ),
    ] = "",
    *,
    limit: Limit = None,
) -> None:
    """List pairs of entities that may be one, the likest first.

    The second of a pair is the one to keep. Names that differ in a number are never a pair.
    """
    door = door_of(context)
    answer = door.open().entries.entity_candidates(name, limit=limit)
    door.show_rows(answer, answer.pairs, answer.total, "pairs")


@entity.command(epilog=examples("entity merge 'Tech Corp' TechCorp --dry-run"))
def merge(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="A", help="The entity to merge.")],
    into: Annotated[str, typer.Argument(metavar="B", help="The entity to keep.")],
    *,
    dry_run: DryRun = False,
) -> None:
    """Make entity A another name of entity B: an alias of the one that has a page.

    If neither has a page, one is made for B.
    """
    door = door_of(context)
    door.edited(door.open().entries.merge_entities(name, into, dry_run=dry_run))
