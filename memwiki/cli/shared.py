"""Options that several commands take, each declared once."""

from __future__ import annotations

from typing import Annotated

import typer

LIMIT = typer.Option(min=1, metavar="N", help="Show at most N.")
Limit = Annotated[int | None, LIMIT]
MaxCount = Annotated[int, typer.Option(min=1, metavar="N", help="At most so many.")]
OfType = Annotated[str, typer.Option("--type", metavar="TYPE", help="Only pages of this type.")]
WithTag = Annotated[
    str, typer.Option(metavar="TAG", help="Only pages with this tag or one nested in it.")
]
AtPath = Annotated[str, typer.Option(metavar="GLOB", help="Only pages at these paths.")]
Orphans = Annotated[bool, typer.Option("--orphans", help="Only pages that no other page links to.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")
]
OnlyShow = Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")]
Expect = Annotated[
    str,
    typer.Option(
        metavar="DIGEST", help="Only if the page still has this digest or etag (see get --json)."
    ),
]
PageName = Annotated[
    str, typer.Argument(metavar="NAME", help="Path, file name, title, alias or id.")
]
Template = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="TEMPLATE",
        help="Print each as this text, with its fields in braces: '{path}\\t{title}'.",
        show_default=False,
    ),
]
Jsonl = Annotated[bool, typer.Option("--jsonl", help="Print one JSON object a line, one for each.")]
