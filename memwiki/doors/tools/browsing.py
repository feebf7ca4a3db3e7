"""The tool that shows what there is: the way in, pages, memories, tags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memwiki.doors.tools.packing import PLAIN, Freshness, Listing, Part
from memwiki.doors.tools.units import words
from memwiki.fence import one_line

if TYPE_CHECKING:
    from memwiki.answers.browse import Browse
    from memwiki.doors.tools.table import Answer, Call


def browse(call: Call) -> Answer:
    """The way in, or a list of pages, memories or tags, with the lines of a catalog."""
    offset = call.count("offset")
    found = call.ws.browse(
        call.text("path"),
        call.text("type"),
        call.text("tag"),
        call.text("what"),
        call.text("since"),
        limit=call.count("limit"),
        offset=offset,
    )
    is_chosen = found.path or any(call.text(each) for each in ("type", "tag", "since"))
    is_router = len(found.sections) > 1 or (found.what == "pages" and not is_chosen)
    parts = list(_parts(found, is_router=is_router))
    total = found.total
    listing = Listing(
        parts,
        Freshness(found.fresh),
        None if is_router else total,
        offset,
        has_offset=not is_router,
    )
    return call.answer(listing, found)


def _parts(found: Browse, *, is_router: bool) -> Iterator[Part]:
    if is_router:
        yield words(
            f"{found.total:,} pages; browse path=FOLDER lists one, read name=NAME gives a page"
        )
    for section in found:
        yield words(f"{section.title.lower()}:")
        for line in section.lines:
            yield Part(one_line(line), PLAIN, is_item=not is_router)
