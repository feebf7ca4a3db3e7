"""The graph: a map of all pages, and what is around one."""

from __future__ import annotations

from starlette.responses import Response

from memwiki.web.pages import data, page
from memwiki.web.site import WebCall

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
