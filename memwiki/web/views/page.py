"""Home and folders, and a page: where it is, what links to it, what is remembered in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from difflib import unified_diff
from functools import partial
from typing import NamedTuple
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from memwiki.answers.graph import BacklinkList
from memwiki.answers.pages import PageDrawing
from memwiki.errors import ConfigError, MemwikiError, NotFoundError
from memwiki.names import letters
from memwiki.nouns import FieldValue
from memwiki.web.markdown import Fetch, draw, draw_listing, draw_parts
from memwiki.web.markdown_rules import slug
from memwiki.web.pages import fragment, page, stream_template
from memwiki.web.site import WebCall

_MAX_BACKLINKS = 30
_MAX_MENTIONS = 30
_PEEK_LINES = 40
_SHOWN_ELSEWHERE = frozenset({"title", "tags", "aliases"})


class Crumb(NamedTuple):
    """A folder above a page."""

    name: str
    address: str


def page_view(call: WebCall) -> Response:
    """A page as it is, with `at` as it was, with `diff` what changed since."""
    given = call.params["path"]
    if since := call.query.get("diff", ""):
        return _changes(call, given, since)
    rev = call.query.get("at", "")
    try:
        drawing = call.workspace.pages.drawing(given, at=rev)
    except NotFoundError:
        if rev or "#" not in given:
            raise
        return _below(call, *given.rsplit("#", 1))
    if drawing.path != given and not drawing.rev:
        return RedirectResponse(f"/p/{quote(drawing.path)}", 302)
    return stream_template(
        "page.html",
        call,
        title=drawing.title,
        page=drawing,
        body=draw_parts(drawing, fetch_from(call)),
        crumbs=crumbs(drawing.path),
        fields=list(_fields(drawing)),
        backlinks=partial(_backlinks, call, drawing.path),
        versions=_versions(call, drawing.path),
    )


def _below(call: WebCall, name: str, heading: str) -> Response:
    """The page of a name that is none with its heading or block, shown from there on."""
    path = call.workspace.pages.drawing(name).path
    anchor = f"b-{heading[1:]}" if heading.startswith("^") else f"h-{slug(heading)}"
    return RedirectResponse(f"/p/{quote(path)}#{quote(anchor)}", 302)


def peek(call: WebCall) -> Response:
    """The first lines of a page or of a section of it."""
    path, section = call.query.get("path", ""), call.query.get("section", "")
    fetch = fetch_from(call)
    found = fetch(path, section) or fetch(path, "")
    if found is None:
        raise NotFoundError(f"{path}: no page has this name")
    first = max(found.line_start, found.body_line)
    lines = (first, min(found.line_end, first + _PEEK_LINES - 1))
    return fragment("peek.html", page=found, body=draw(found, fetch, lines=lines))


def mentions(call: WebCall) -> Response:
    """Where a page is named without a link to it."""
    found = call.workspace.graph.unlinked(call.query.get("path", ""), limit=_MAX_MENTIONS)
    return fragment("mentions.html", found=found)


def fetch_from(call: WebCall) -> Fetch:
    """What gives a page, or a section of it, that another one embeds; None where there is none."""

    def fetch(path: str, section: str) -> PageDrawing | None:
        with suppress(MemwikiError):
            return call.workspace.pages.drawing(path, section=section)
        with suppress(MemwikiError):
            if heading := _heading_of(call, path, section):
                return call.workspace.pages.drawing(path, section=heading)
        return None

    return fetch


def _heading_of(call: WebCall, path: str, anchor: str) -> str:
    """The heading that a link calls as GitHub does, by its letters and digits; "" for none."""
    wanted = letters(anchor)
    headings = (each.title for each in call.workspace.pages.outline(path))
    return next((each for each in headings if wanted and letters(each) == wanted), "")


def crumbs(path: str) -> list[Crumb]:
    """The folders above a page, from the outermost on."""
    parts = path.split("/")[:-1]
    return [Crumb(part, f"/f/{quote('/'.join(parts[: at + 1]))}") for at, part in enumerate(parts)]


def _backlinks(call: WebCall, path: str) -> BacklinkList | None:
    """What links to a page, asked when all above it is sent; None where the index cannot say."""
    with suppress(MemwikiError):
        return call.workspace.graph.backlinks(path, limit=_MAX_BACKLINKS)
    return None


def _fields(drawing: PageDrawing) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The front matter but for what is shown above it."""
    for name, value in drawing.fields.items():
        if name not in _SHOWN_ELSEWHERE and (texts := tuple(_texts(value))):
            yield name, texts


def _texts(value: FieldValue) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
    elif value not in (None, ""):
        yield json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


def _versions(call: WebCall, path: str) -> tuple[object, ...]:
    """The last commits of a page; none where git knows nothing of it."""
    if "history" not in call.query:
        return ()
    with suppress(MemwikiError):
        return tuple(call.workspace.pages.history(path, limit=20))
    return ()


def _changes(call: WebCall, path: str, since: str) -> Response:
    before = call.workspace.pages.drawing(path, at=since)
    now = call.workspace.pages.drawing(path)
    lines = unified_diff(
        before.text.splitlines(), now.text.splitlines(), before.rev[:10], "now", lineterm="", n=3
    )
    return page(
        "changes.html",
        call,
        title=f"Changes of {now.title}",
        page=now,
        crumbs=crumbs(now.path),
        before=before,
        diff="\n".join(lines),
    )


_FEW_PAGES = 20  # of the template, or of somebody who has just begun
_MAX_SHOWN = 8
_SHOWN_TAGS = 16
_MAX_LISTED = 200


def home(call: WebCall) -> Response:
    """What there is; where hardly anything is, what to do first."""
    found = call.workspace.browse(limit=_MAX_SHOWN)
    overview = call.workspace.index.overview()
    memories = call.workspace.entries.list(limit=1).total
    shown = (each for each in found.sections if each.title != "Tags")  # which lead nowhere there
    sections = [(each.title, draw_listing(each.lines)) for each in shown]
    return page(
        "home.html",
        call,
        title="Home",
        sections=sections,
        overview=overview,
        memories=memories,
        waiting=_waiting(call),
        tags=sorted(call.workspace.graph.tags(), key=lambda row: -row.count)[:_SHOWN_TAGS],
        is_new=overview.pages <= _FEW_PAGES and not memories,
    )


def _waiting(call: WebCall) -> str:
    """How many memories in the inbox and proposals nobody decided yet; "" for none."""
    staged = call.workspace.entries.list(status="staged", limit=1).total
    proposals = call.workspace.proposals.list(limit=1)
    count, least = staged + proposals.total, "at least " if proposals.unread else ""
    return f"{least}{count}" if count or least else ""


def folder(call: WebCall) -> Response:
    """What is in a folder."""
    path = call.params["path"].strip("/")
    offset = call.number("offset", 0, 999_999)
    found = call.workspace.browse(path, limit=_MAX_LISTED, offset=offset)
    sections = [(each.title, draw_listing(each.lines)) for each in found.sections]
    return page(
        "folder.html",
        call,
        title=path.rpartition("/")[2] or call.site.name,
        crumbs=crumbs(path),
        sections=sections,
        found=found,
    )


def today(call: WebCall) -> Response:
    """The page of today, or how it begins."""
    try:
        path = call.workspace.pages.today_path()
    except ConfigError as error:
        return page("today.html", call, title="Today", path="", hint=error.hint)
    try:
        call.workspace.pages.get(path)
    except NotFoundError:
        return page("today.html", call, title="Today", path=path, hint="")
    return RedirectResponse(f"/p/{quote(path)}", 302)


def new(call: WebCall) -> Response:
    """A page that is to be made."""
    types = call.workspace.pages.complete("type").completions
    name, tag = call.query.get("name", ""), call.query.get("tag", "")
    return page("new.html", call, title="New page", name=name, tag=tag, types=types)
