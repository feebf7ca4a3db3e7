"""What there is in a workspace, in the lines of its catalogs."""

from __future__ import annotations

from collections.abc import Sequence

from memwiki.answers.pages import Browse, BrowseSection
from memwiki.browse.graph import tags
from memwiki.catalog import router as made
from memwiki.clock import local_day
from memwiki.commit.catalogs import list_pages
from memwiki.errors import ArgumentError
from memwiki.files.paths import as_there
from memwiki.memory.listing import EntryFilter, list_entries
from memwiki.names import is_in_folder, require_text
from memwiki.numbers import count_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading, refresh

_KINDS = ("pages", "memories", "tags", "recent")


def browse(
    live: LiveIndex,
    path: str,
    type_: str,
    tag: str,
    what: str,
    since: str,
    *,
    limit: int,
    offset: int,
) -> Browse:
    """The answer to what is asked for; all of it rests on one sweep."""
    if what not in _KINDS:
        raise ArgumentError("what", what, "nothing to browse", f"use {', '.join(_KINDS)}")
    require_text("browse", path, type_, tag, since)
    limit, offset = count_of("limit", limit), count_of("offset", offset, least=0)
    context = live.context
    asked = context.scope().asked_path(path.strip("/")) if path.strip("/.") else ""
    folder = as_there(context.root, asked) if asked else ""
    if what == "tags":
        return _tags(live, tag, limit, offset)
    if what == "memories":
        entries = EntryFilter(_one(type_), tags=_one(tag), since=since)
        return _memories(live, folder, entries, limit, offset)
    if what == "pages" and not (type_ or tag or since):
        return _router(live, folder, limit, offset)
    from memwiki.times.asked import day_bound  # the way in needs none

    day = day_bound("since", since, local_day(context.clock()))
    wanted = made.PageFilter(folder, type_, tag, day)
    with reading(live) as view:
        lines, total = made.page_lines(
            view, wanted, is_by_date=what == "recent", offset=offset, limit=limit
        )
        return _paged(what, folder, lines, total, offset, fresh=view.freshness.fresh)


def _one(text: str) -> Sequence[str]:
    return (text,) if text else ()


def _router(live: LiveIndex, folder: str, limit: int, offset: int) -> Browse:
    """All there is, or what is in one folder."""
    freshness = refresh(live)
    list_pages(live)
    if not folder:
        counts = tags(live, "").tags
        with reading(live) as view:
            sections, total = made.router(view, counts, limit)
        return Browse("pages", "", tuple(sections), total, fresh=freshness.fresh)
    with reading(live) as view:
        folders, pages = made.folder_sections(view, folder)
    found = _paged(
        "pages", folder, pages[offset : offset + limit], len(pages), offset, fresh=freshness.fresh
    )
    above = (BrowseSection("Folders", tuple(folders)),) if folders and not offset else ()
    return Browse(
        "pages", folder, above + found.sections, found.total, found.next_offset, found.fresh
    )


def _tags(live: LiveIndex, prefix: str, limit: int, offset: int) -> Browse:
    found = tags(live, prefix)
    lines = list(made.tag_lines(found.tags[offset : offset + limit]))
    return _paged("tags", "", lines, len(found.tags), offset, fresh=found.fresh)


def _memories(live: LiveIndex, folder: str, wanted: EntryFilter, limit: int, offset: int) -> Browse:
    found = list_entries(live, wanted, None if folder else offset + limit)
    entries = [each for each in found if not folder or is_in_folder(each.path, folder)]
    total = len(entries) if folder else found.total
    lines = list(made.entry_lines(entries[offset : offset + limit]))
    return _paged("memories", folder, lines, total, offset, fresh=found.fresh)


def _paged(
    what: str, path: str, lines: Sequence[str], total: int, offset: int, *, fresh: bool
) -> Browse:
    after = offset + len(lines)
    sections = (BrowseSection(what.capitalize(), tuple(lines)),) if lines else ()
    return Browse(what, path, sections, total, after if lines and after < total else 0, fresh)
