"""The tool that shows what there is: the way in, pages, memories, tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from memwiki.clock import day_of, now_ns
from memwiki.dates import named_day
from memwiki.doors.tools.packing import Freshness, Listing, Part
from memwiki.doors.tools.reading import hidden_from
from memwiki.doors.tools.units import entry_part, row, words
from memwiki.errors import UsageError
from memwiki.model import LinkStatus
from memwiki.names import stem_of

if TYPE_CHECKING:
    from memwiki.answers.pages import PageRow, PrivateParts
    from memwiki.doors.tools.table import Answer, Call

_FEW = 8
_MOST = 15
_SPARE = 200  # rows that are asked for beyond those that are shown, for private ones among them


def browse(call: Call) -> Answer:
    """The way in, or a list of pages, memories or tags."""
    given = [name for name in ("path", "type", "tag", "since") if call.text(name)]
    if not given and call.text("what") == "pages" and not call.count("offset"):
        return _router(call)
    return _KINDS[call.text("what")](call)


def _router(call: Call) -> Answer:
    hidden = hidden_from(call)
    found = call.ws.pages.list(sort="links")
    pages = [each for each in found.pages if each.path not in hidden.pages]
    recent = call.ws.pages.list(sort="updated", limit=_FEW + len(hidden.pages)).pages
    recent = tuple(each for each in recent if each.path not in hidden.pages)
    folders = Counter(each.path.rpartition("/")[0] or "." for each in pages)
    parts = [words(f"{len(pages):,} pages; browse path=FOLDER lists one, read NAME gives a page")]
    parts += _group(
        "folders", (row(f"{name}/", f"{n:,}") for name, n in folders.most_common(_MOST))
    )
    parts += _group("start here", (_page_row(each) for each in pages if _is_start(each.path)))
    parts += _group("recent", map(_page_row, recent[:_FEW]))
    parts += _group("hubs", (_page_row(each) for each in pages[:_FEW] if each.links))
    parts += _group("most wanted", map(row, _wanted(call, hidden)))
    tags = Counter(tag for each in pages for tag in each.tags)
    parts += _group("tags", [row(f"#{tag}", f"{n:,}") for tag, n in tags.most_common(_MOST)])
    plain = [part._replace(is_item=False) for part in parts]
    shown = replace(found, pages=recent[:_FEW], total=len(pages))
    return call.answer(Listing(plain, Freshness(found.fresh)), shown)


def _group(name: str, rows: Iterable[Part]) -> list[Part]:
    found = list(rows)[:_MOST]
    return [words(f"{name}:"), *found] if found else []


def _is_start(path: str) -> bool:
    return stem_of(path).lower() in ("readme", "home", "start", "memory", "index", "overview")


def _wanted(call: Call, hidden: PrivateParts) -> list[str]:
    rows = call.ws.graph.unresolved().links
    wanted = Counter(
        each.written
        for each in rows
        if each.status is LinkStatus.WANTED and not hidden.hides(each.source, each.line, each.line)
    )
    return [name for name, _ in wanted.most_common(_FEW)]


def _page_row(page: PageRow) -> Part:
    links = f"({page.links} links)" if page.links else ""
    return row(page.path, page.title, page.description, page.updated[:10], links)


def _pages(call: Call, sort: str = "title") -> Answer:
    hidden, limit, offset = hidden_from(call), call.count("limit"), call.count("offset")
    since = call.text("since")
    is_sorted = "updated" if since else sort
    found = call.ws.pages.list(
        type=call.text("type"),
        tag=call.text("tag"),
        path=call.text("path"),
        sort=is_sorted,
        limit=None if since else limit + offset + len(hidden.pages),
    )
    first = _since(since) if since else ""
    seen = [each for each in found.pages if each.path not in hidden.pages]
    seen = [each for each in seen if each.updated[:10] >= first] if since else seen
    total = len(seen) if since else found.total - (len(found.pages) - len(seen))
    shown = tuple(seen[offset : offset + limit])
    listing = Listing(
        [_page_row(each) for each in shown],
        Freshness(found.fresh),
        total,
        offset,
        has_offset=True,
    )
    return call.answer(listing, replace(found, pages=shown, total=total))


def _recent(call: Call) -> Answer:
    return _pages(call, "updated")


def _since(text: str) -> str:
    """The first day that is meant."""
    day = named_day(text.strip(), day_of(now_ns()), is_end=False)
    if day is None:
        raise UsageError(f"since: {text[:40]} is no day", hint="for example 2026-09-01 or 2w")
    return day.isoformat()


def _memories(call: Call) -> Answer:
    hidden, limit, offset = hidden_from(call), call.count("limit"), call.count("offset")
    spare = _SPARE if hidden else 0
    found = call.ws.entries.list(
        types=tuple(filter(None, [call.text("type")])),
        tags=tuple(filter(None, [call.text("tag")])),
        category=call.text("path"),
        since=call.text("since"),
        limit=limit + offset + spare,
    )
    seen = [e for e in found.entries if not hidden.hides(e.path, e.line_start, e.line_end)]
    total = found.total - (len(found.entries) - len(seen))
    shown = tuple(seen[offset : offset + limit])
    parts = [entry_part(each) for each in shown]
    listing = Listing(parts, Freshness(found.fresh), total, offset, has_offset=True)
    return call.answer(listing, replace(found, entries=shown, total=total))


def _tags(call: Call) -> Answer:
    limit, offset = call.count("limit"), call.count("offset")
    found = call.ws.graph.tags(call.text("tag"))
    shown = found.tags[offset : offset + limit]
    parts = [row(f"#{each.tag}", str(each.count)) for each in shown]
    listing = Listing(parts, Freshness(found.fresh), len(found.tags), offset, has_offset=True)
    return call.answer(listing, replace(found, tags=shown))


_KINDS: dict[str, Callable[[Call], Answer]] = {
    "pages": _pages,
    "memories": _memories,
    "tags": _tags,
    "recent": _recent,
}
