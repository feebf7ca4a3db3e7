"""Text added to a page, put in the place of a section, or of what is there exactly once."""

from __future__ import annotations

from itertools import islice
from unicodedata import normalize

from memwiki.change.plan import Plan
from memwiki.errors import (
    AmbiguousError,
    ArgumentError,
    CatalogTextError,
    NotEditableError,
    NotFoundError,
    PageTooLongError,
    UsageError,
)
from memwiki.markdown.edit.sections import (
    appended,
    body_end,
    body_replaced,
    first_heading,
    has_heading,
    replaced,
)
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.source import Patch
from memwiki.markdown.structure import find_section
from memwiki.names import shared_ends
from memwiki.nouns import Section
from memwiki.numbers import counted
from memwiki.pages.page import page_plan
from memwiki.pages.written import changed, checked, require_text, shaped
from memwiki.records import NamedTuple

_SHOWN_LINES = 8


def edit_text(page: Outline, old: str, new: str, *, max_bytes: int) -> Plan:
    """A plan that changes what differs between two texts where the first one stands; a line feed in
    them is the line end that the page has there."""
    old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n").replace("\r", "\n")
    if not old:
        raise ArgumentError("old", None, "is empty", "give the text to replace")
    text = page.text.replace("\r\n", "\n")
    if old not in text and (apart := normalize("NFD", old)) in text:  # as macOS may have written it
        old, new = apart, normalize("NFD", new)
    start = _only_place(page.path, text, old)
    patch = _difference(page, text, start, old, new)
    require_text(patch.text)
    after = page.edited([patch])
    _require_whole(page, after, patch, max_bytes)
    return page_plan(page, after, "replaced text")


# --- where it stands -----------------------------------------------------------------------------


class _Places(NamedTuple):
    """Where a text stands, each place an offset: the first few of them, and how many there are."""

    first: tuple[int, ...]
    total: int


def _places(text: str, old: str) -> _Places:
    """The places that do not overlap, and of those that do the second one: all others would not be
    found in linear time."""
    first = text.find(old)
    if first < 0:
        return _Places((), 0)
    second = text.find(old, first + 1)
    if 0 <= second < first + len(old):
        return _Places((first, second), 2)
    count, found, at = text.count(old), [first], second
    for _ in islice(range(count), _SHOWN_LINES - 1):
        if at < 0:
            break
        found.append(at)
        at = text.find(old, at + len(old))
    return _Places(tuple(found), count)


def _only_place(path: str, text: str, old: str) -> int:
    places = _places(text, old)
    if not places.total:
        raise NotFoundError.at(
            path,
            "the old text is not in it (0 times)",
            "memwiki get {} shows the text as it is now",
            path,
        )
    if places.total > 1:
        lines = [text.count("\n", 0, at) + 1 for at in places.first]
        more = ", ..." if places.total > len(lines) else ""
        shown = ", ".join(map(str, lines))
        raise AmbiguousError.at(
            path,
            f"the old text is in it {counted(places.total, 'time')}, at lines {shown}{more}",
            "give more of the text around it, so that it is there once",
            candidates=tuple(f"{path}:{line}" for line in dict.fromkeys(lines)),
        )
    return places.first[0]


def _difference(page: Outline, text: str, start: int, old: str, new: str) -> Patch:
    """The patch that changes no more than what differs, in the offsets of the page."""
    same, tail = shared_ends(old, new)
    first, end = start + same, start + len(old) - tail
    return Patch(_offset(page, text, first), _offset(page, text, end), new[same : len(new) - tail])


def _offset(page: Outline, text: str, at: int) -> int:
    """The offset in the page of one in its text with line feeds alone."""
    line_start = text.rfind("\n", 0, at) + 1
    return page.offset(text.count("\n", 0, line_start), at - line_start)


# --- what holds afterwards -----------------------------------------------------------------------


def _require_whole(page: Outline, after: Outline, patch: Patch, max_bytes: int) -> None:
    """Refuse what makes another kind of file of the page, or its front matter unreadable."""
    if (size := len(after.data)) > max_bytes and size > len(page.data):
        raise PageTooLongError(page.path, size, max_bytes, "put a part of it on a page of its own")
    if after.is_catalog and not page.is_catalog:
        raise CatalogTextError(page.path)
    known = {problem.code for problem in page.loaded.problems}
    for problem in after.loaded.problems:
        if problem.code not in known:
            _refuse(page.path, problem.line, problem.message)
    is_inside = page.start and patch.end < page.offset(page.start - 1, 0)
    if is_inside and not after.start:
        _refuse(page.path, 1, "it would be read as text")


def _refuse(path: str, line: int, why: str) -> None:
    raise NotEditableError.at(
        path,
        f"with this text the front matter could not be read: {why}",
        "memwiki set changes fields; or give text that keeps the front matter whole",
        line=line,
    )


def append_text(page: Outline, text: str, *, section: str, max_bytes: int) -> Plan:
    """A plan that adds text at the end of a page's body, or of a section with its subsections."""
    target = find_section(page.path, page.sections, section) if section else None
    after = with_text(page, text, max_bytes, target)
    return page_plan(page, after, f'added to section "{target.title}"' if target else "added text")


def with_text(page: Outline, text: str, max_bytes: int, section: Section | None = None) -> Outline:
    """The page with text added."""
    added = appended(page, shaped(checked(text), page, section), section, body_end(page))
    return changed(page, added, max_bytes)


def replace_text(page: Outline, text: str, *, section: str, max_bytes: int) -> Plan:
    """A plan that replaces the text of a section, or without one that of the page."""
    if section:
        return replace_section(page, text, section=section, max_bytes=max_bytes)
    _require_body(page)
    text = checked(text)
    _require_no_front_matter(page, text)
    after = changed(
        page, body_replaced(page, shaped(text, page) if page.is_logseq else text), max_bytes
    )
    return page_plan(page, after, "replaced the text")


def replace_section(page: Outline, text: str, *, section: str, max_bytes: int) -> Plan:
    """A plan that replaces all below a heading, subsections too; the text may begin with the
    heading."""
    target = find_section(page.path, page.sections, section)
    text = checked(text)
    _require_level(page.path, text, target)
    shaped_text = shaped(text, page, None if has_heading(text, target) else target)
    after = changed(page, replaced(page, shaped_text, target), max_bytes)
    return page_plan(page, after, f'replaced section "{target.title}"')


def _require_level(path: str, text: str, section: Section) -> None:
    """Refuse a heading that would move the section to another place in the outline."""
    heading = first_heading(text)
    if heading and has_heading(text, section) and heading.level != section.level:
        mark = "#" * section.level
        raise UsageError.at(
            path,
            f"the text begins with the heading {section.title!r} at another level",
            f"begin it with {mark} {section.title}, or leave the heading out",
        )


def _require_body(page: Outline) -> None:
    """Refuse a page whose text begins nobody knows where, or is what others said."""
    if page.kind is PageKind.SESSION:
        raise NotEditableError.at(
            page.path,
            "holds the messages of a session, which are not replaced as a whole",
            "memwiki append {} TEXT adds to it",
            page.path,
        )
    if not page.start and page.loaded.problems:
        raise NotEditableError(
            f"{page.path}:1: the front matter is not closed",
            "close it by a line like its first one, so that it can be kept",
            path=page.path,
            line=1,
        )


def _require_no_front_matter(page: Outline, text: str) -> None:
    """Refuse a whole page: which of the two front matters should stay is not said."""
    own = Outline(page.layers, page.path, text)
    if own.start or own.properties or own.loaded.problems:
        raise UsageError.at(
            page.path,
            "the text begins with front matter, and that of the page is kept",
            "give the text below it; memwiki set changes fields",
        )
