"""The commands that change pages, and the pieces of their lines that they share."""

import typer

DRY_RUN = typer.Option("--dry-run", help="Show what would change, and change nothing.")
EXPECT = typer.Option(
    metavar="DIGEST",
    help="Only if the page still has this digest or etag (see get --json).",
)
PAGE = typer.Argument(metavar="NAME", help="Path, file name, title, alias or id.")
