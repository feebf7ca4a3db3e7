"""Home, folders, and how a page begins: where to start, what is recent, what many link to."""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from memwiki.errors import ConfigError, NotFoundError
from memwiki.web.markdown import draw_listing
from memwiki.web.pages import page
from memwiki.web.site import WebCall
from memwiki.web.views.page import crumbs

_FEW_PAGES = 20  # of the template, or of somebody who has just begun
_SHOWN = 8
_SHOWN_TAGS = 16
_MAX_LISTED = 200


def home(call: WebCall) -> Response:
    """What there is; where hardly anything is, what to do first."""
    found = call.workspace.browse(limit=_SHOWN)
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
