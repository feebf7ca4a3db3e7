"""Every address of the page, a row each; loads no view before it is asked for."""

from __future__ import annotations

from typing import NamedTuple


class RouteRow(NamedTuple):
    """One address: `view` is `module:function` in `views/`; a path with `:path` takes slashes."""

    method: str
    path: str
    view: str
    writes: bool = False  # whether it may change a file: refused in read-only mode


ROUTES = (
    RouteRow("POST", "/session", "entrance:open_session"),
    RouteRow("GET", "/static/{version}/{path:path}", "entrance:asset"),
    RouteRow("GET", "/", "home:home"),
    RouteRow("GET", "/api/events", "events:events"),
    RouteRow("GET", "/edit/{path:path}", "edit:edit"),
    RouteRow("POST", "/api/write", "edit:write", writes=True),
    RouteRow("POST", "/api/merge", "edit:merge", writes=True),
    RouteRow("POST", "/api/preview", "edit:preview", writes=True),
)
OPEN = ("/session", "/static/")  # what answers without the key
