"""What is drawn: a map of all pages, what is around one, charts of how the memory grew, and a frame
for diagrams, which can reach nothing.

The script of a frame is the user's, and what it draws may come from anybody: without an origin it
has no cookie, and its policy lets it load and send nothing. The page shows what it drew as a
picture.
"""

from __future__ import annotations

import re
import secrets

from starlette.responses import HTMLResponse, Response

from memwiki.errors import NotFoundError
from memwiki.present import as_rows
from memwiki.present.rows import BarChart, Words
from memwiki.text import pattern
from memwiki.web.pages import assets, data, page, render_template
from memwiki.web.site import Site, WebCall

MAX_AROUND = 80  # nodes
MAX_DEPTH = 3


def graph(call: WebCall) -> Response:
    """The map, which a script draws from `/api/graph`; with `around` what is around a page."""
    if path := call.query.get("around", ""):
        return _around_page(call, path)
    return page("graph.html", call, title="Graph")


def map_data(call: WebCall) -> Response:
    """All pages and links as arrays."""
    return data(call.workspace.graph.map())


def around_data(call: WebCall) -> Response:
    """A page or entry and what is at most so many links away."""
    asked = call.query.get("path", "")
    return data(call.workspace.graph.around(asked, _depth(call), limit=MAX_AROUND))


def _around_page(call: WebCall, path: str) -> Response:
    depth = _depth(call)
    found = call.workspace.graph.around(path, depth, limit=MAX_AROUND)
    title = found.nodes[0].name
    return page(
        "around.html",
        call,
        title=f"Around {title}",
        name=title,
        nodes=found.nodes,
        depth=depth,
        most=MAX_AROUND,
        around=path,
    )


def _depth(call: WebCall) -> int:
    return max(call.number("depth", 1, MAX_DEPTH), 1)


_UNITS = ("week", "month", "year")
_LEADING = {  # to what a bar is about; a type may be several words
    "Pages by type": '/search?q=type:"{}"',
    "Memories by type": "/memories?type={}",
    "Pages by tag": "/search?q=tag:{}",
}


def trend(call: WebCall) -> Response:
    """What was made and recalled in each week, month or year; types and tags."""
    wanted = call.query.get("by", "")
    found = call.workspace.index.trend(wanted if wanted in _UNITS else "")
    rows = list(as_rows(found))
    return page(
        "trend.html",
        call,
        title="Trend",
        units=_UNITS,
        found=found,
        charts=[row for row in rows if isinstance(row, BarChart)],
        notes=[row.text for row in rows if isinstance(row, Words)],
        leading=_LEADING,
    )


_ENDING = pattern(r"<(?=/script|!--)", re.IGNORECASE)


def frame(call: WebCall) -> Response:
    """The frame with the script. Raises NotFoundError where none is named, or it is gone."""
    nonce = secrets.token_urlsafe(18)
    scripts = [  # in strings and patterns `\x3c` is what `<` is
        _ENDING.sub(r"\\x3c", each.decode("utf-8", "replace"))
        for each in (_script(call.site), assets()["diagram-frame.js"])
    ]
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; "
        "font-src data:; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'self'; sandbox allow-scripts"
    )
    headers = {"content-security-policy": policy, "x-frame-options": "SAMEORIGIN"}
    return HTMLResponse(
        render_template("diagrams.html", nonce=nonce, scripts=scripts), headers=headers
    )


def _script(site: Site) -> bytes:
    if site.mermaid is None:
        raise NotFoundError("diagrams: no script is named", "set web.assets.mermaid (docs/web.md)")
    try:
        return site.mermaid.read_bytes()
    except OSError as error:
        hint = "put it back, or name another one, and start memwiki web again"
        raise NotFoundError(f"{site.mermaid}: cannot be read", hint) from error
