"""`memwiki catalog`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.errors import UsageError

_STALE = 3

app = new_app()


@app.command(
    epilog=examples(
        "catalog",
        "catalog --check   # in a hook or in CI",
        "catalog --adopt   # into your index.md",
    )
)
def catalog(
    context: typer.Context,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 3 when a catalog is stale.")
    ] = False,
    adopt: Annotated[
        bool,
        typer.Option("--adopt", help="Add the block of entries to index files of your own, too."),
    ] = False,
) -> int:
    """Bring index.md in step with the pages, or check that it is.

    Large folders get an index.md of their own, and files beside it. `sync`, `watch` and every command that
    changes pages do the same. What stands outside of the markers in these files is yours and is kept.
    """
    if check and adopt:
        raise UsageError(
            "--check and --adopt: one looks, the other writes", hint="give one of them"
        )
    door = door_of(context)
    catalogs = door.open().catalog
    report = catalogs.check() if check else catalogs.update(adopt=adopt)
    door.report(report)
    return _STALE if report.stale else 0
