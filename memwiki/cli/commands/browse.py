"""`memwiki browse` and `memwiki catalog`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from memwiki.cli.app import App, MaxShown
from memwiki.cli.door import Door
from memwiki.errors import UsageError

app = App()
_STALE = 3


class What(StrEnum):
    """What is browsed."""

    PAGES = "pages"
    MEMORIES = "memories"
    TAGS = "tags"
    RECENT = "recent"


@app.verb("browse", "browse wiki", "browse --type concept --tag design", "browse --what recent")
def browse(
    door: Door,
    path: Annotated[str, "What is in this folder.", "[FOLDER]"] = "",
    *,
    type_: Annotated[str, "Only pages or memories of this type.", "TYPE"] = "",
    tag: Annotated[str, "Only what has this tag or one nested in it.", "TAG"] = "",
    what: Annotated[What, "What to show."] = What.PAGES,
    since: Annotated[str, "Only what is dated since then.", "D"] = "",
    limit: MaxShown = 30,
    offset: Annotated[int, "Leave out the first N.", "N", 0] = 0,
) -> None:
    """Show what there is: folders, pages, memories and tags.

    Without arguments folders with counts, where to start, what is recent, most linked and most
    wanted, and tags, as an index.md would list them; no file is needed or written.
    """
    answer = door.open().browse(
        path, type=type_, tag=tag, what=what.value, since=since, limit=limit, offset=offset
    )
    door.show(answer)
    if not answer.sections:
        door.talk("Nothing found.")
    elif answer.next_offset:
        door.talk(f"There are {answer.total} in all; --offset {answer.next_offset} shows more.")


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
        raise UsageError("--check and --adopt: cannot be used together", "give one of them")
    catalogs = door.open().catalog
    report = catalogs.check() if check else catalogs.update(adopt=adopt)
    door.report(report)
    return _STALE if report.stale else 0
