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
    RouteRow("GET", "/graph", "graph:graph"),
    RouteRow("GET", "/api/graph", "graph:map_data"),
    RouteRow("GET", "/api/around", "graph:around_data"),
)
OPEN = ("/session", "/static/")  # what answers without the key
