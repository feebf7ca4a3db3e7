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
    RouteRow("GET", "/p/{path:path}", "page:page_view"),
    RouteRow("GET", "/f/{path:path}", "home:folder"),
    RouteRow("GET", "/search", "find:search"),
    RouteRow("GET", "/recall", "find:recall"),
    RouteRow("GET", "/memories", "memories:memories"),
    RouteRow("GET", "/m/{id:path}", "memories:memory"),
    RouteRow("GET", "/tags", "find:tags"),
    RouteRow("GET", "/trend", "graph:trend"),
    RouteRow("GET", "/check", "upkeep:check"),
    RouteRow("GET", "/log", "upkeep:log"),
    RouteRow("GET", "/review", "upkeep:waiting"),
    RouteRow("GET", "/review/{id}", "upkeep:proposal"),
    RouteRow("GET", "/today", "home:today"),
    RouteRow("GET", "/new", "home:new"),
    RouteRow("GET", "/diagrams", "graph:frame"),
    RouteRow("GET", "/file/{path:path}", "files:attachment"),
    RouteRow("GET", "/api/suggest", "find:suggest"),
    RouteRow("GET", "/api/peek", "page:peek"),
    RouteRow("GET", "/api/mentions", "page:mentions"),
    RouteRow("POST", "/api/task", "writing:task", writes=True),
    RouteRow("POST", "/api/new", "writing:new", writes=True),
    RouteRow("POST", "/api/append", "writing:append", writes=True),
    RouteRow("POST", "/api/move", "writing:move", writes=True),
    RouteRow("POST", "/api/today", "writing:today", writes=True),
    RouteRow("POST", "/api/undo", "writing:undo", writes=True),
    RouteRow("POST", "/api/review", "writing:review", writes=True),
    RouteRow("POST", "/api/check-fix", "writing:check_fix", writes=True),
    RouteRow("POST", "/api/entry", "writing:entry", writes=True),
    RouteRow("GET", "/api/events", "entrance:events"),
    RouteRow("GET", "/edit/{path:path}", "edit:edit"),
    RouteRow("POST", "/api/write", "edit:write", writes=True),
    RouteRow("POST", "/api/merge", "edit:merge", writes=True),
    RouteRow("POST", "/api/preview", "edit:preview", writes=True),
)
OPEN = ("/session", "/static/")  # what answers without the key
