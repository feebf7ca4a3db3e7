"""`memwiki catalog`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App
from memwiki.cli.door import Door
from memwiki.errors import UsageError

_STALE = 3

app = App()


@app.verb(
    "catalog", "catalog --check   # in a hook or in CI", "catalog --adopt   # into your index.md"
)
def catalog(
    door: Door,
    *,
    check: Annotated[bool, "Write nothing; exit 3 when a catalog is out of date."] = False,
    adopt: Annotated[bool, "Also add the block of entries to your own index files."] = False,
) -> int:
    """Bring index.md up to date with the pages, or check that it is.

    A large folder gets an index.md of its own, and more files beside it. `sync`, `watch` and every
    command that changes pages update catalogs too. Text outside the markers in these files is kept.
    """
    if check and adopt:
        raise UsageError("--check and --adopt: cannot be used together", hint="give one of them")
    catalogs = door.open().catalog
    report = catalogs.check() if check else catalogs.update(adopt=adopt)
    door.report(report)
    return _STALE if report.stale else 0
