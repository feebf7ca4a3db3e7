"""One page as the catalogs list it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from memwiki.catalog.budget import Size, size_of
from memwiki.catalog.wording import escaped, link, one_line, shortened
from memwiki.dates import date_in
from memwiki.digest import text_hash
from memwiki.names import fold, stem_of

INDEX = "index.md"
_TITLE_COLUMNS = 120
_DESCRIPTION_COLUMNS = 140
_MAX_TAGS = 6
_TAG_COLUMNS = 40
_DAY = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_MARK_BYTES = 5  # a sum over a million listings still fits into SQLite's integers


class Listing(NamedTuple):
    """A page's line but for the way to it, and what sorts and measures it."""

    path: str
    key: str  # casefolded title, then path
    title: str  # escaped
    rest: str  # description, date and tags
    date: str  # "" when neither front matter nor name says one
    day: str  # the date in the file's name, by which large folders are cut
    size: Size
    fingerprint: int  # changes with the line

    def line(self, folder: str) -> str:
        """The entry as a catalog in this folder, or one above the page, shows it."""
        return f"- {link(self.title, inside(self.path, folder))}{self.rest}"


class PageFacts(NamedTuple):
    """What the index knows about a page and a catalog shows."""

    path: str
    title: str
    description: str
    date: str  # from the front matter
    tags: Sequence[str] = ()
    is_event: bool = (
        False  # a session or daily note: belongs to its day even when the name is not one
    )


def listing_of(page: PageFacts) -> Listing:
    """How the catalogs list a page."""
    name_date = date_in(stem_of(page.path))
    written = _DAY.match(page.date)
    date = written[0] if written else name_date
    title = shortened(one_line(page.title), _TITLE_COLUMNS) or one_line(stem_of(page.path))
    rest = _rest(page, date)
    whole = Listing(page.path, "", escaped(title or "?"), rest, date, "", Size(), 0)
    line = whole.line("")
    return whole._replace(
        key=f"{fold(page.title)}\0{page.path}",
        day=name_date or (date if page.is_event and len(date) == 10 else ""),
        size=size_of(line),
        fingerprint=fingerprint_of(line, date, name_date),
    )


def _rest(page: PageFacts, date: str) -> str:
    description = escaped(shortened(one_line(page.description), _DESCRIPTION_COLUMNS))
    tags = dict.fromkeys(shortened(one_line(tag), _TAG_COLUMNS) for tag in page.tags)
    named = ", ".join(escaped(tag.lstrip("#")) for tag in list(tags)[:_MAX_TAGS])
    parts = [part for part in (description, date, named and f"tags: {named}") if part]
    text = " · ".join(parts)
    return text and (f" — {text}" if description else f" · {text}")


def fingerprint_of(*parts: str) -> int:
    """A number that changes with any of the parts."""
    return int.from_bytes(text_hash("\0".join(parts), _MARK_BYTES), "big")


def inside(path: str, folder: str) -> str:
    """The path as seen from a folder that it lies in."""
    return path[len(folder) + 1 :] if folder else path
