"""Options that several commands take, each declared once."""

from __future__ import annotations

import typer

LIMIT = typer.Option(min=1, metavar="N", help="Show at most N.")
AT_MOST = typer.Option(min=1, metavar="N", help="At most so many.")
PAGE_TYPE = typer.Option("--type", metavar="TYPE", help="Only pages of this type.")
PAGE_TAG = typer.Option(metavar="TAG", help="Only pages with this tag or one nested in it.")
PAGE_PATH = typer.Option(metavar="GLOB", help="Only pages at these paths.")
ORPHANS = typer.Option("--orphans", help="Only pages that no other page links to.")
ONLY_SHOW = typer.Option("--dry-run", help="Only show what would change.")
FORMAT = typer.Option(
    "--format",
    metavar="TEMPLATE",
    help="Print each as this text, with its fields in braces: '{path}\\t{title}'.",
    show_default=False,
)
JSONL = typer.Option("--jsonl", help="Print one JSON object a line, one for each.")
DRY_RUN = typer.Option("--dry-run", help="Show what would change, and change nothing.")
EXPECT = typer.Option(
    metavar="DIGEST",
    help="Only if the page still has this digest or etag (see get --json).",
)
PAGE = typer.Argument(metavar="NAME", help="Path, file name, title, alias or id.")
