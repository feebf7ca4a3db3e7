"""The commands that change pages, and the pieces of their lines that they share."""

import typer

DRY_RUN = typer.Option("--dry-run", help="Show what would change, and change nothing.")
PAGE = typer.Argument(metavar="NAME", help="Path, file name, title, alias or id.")
