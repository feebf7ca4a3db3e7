"""The application: the rows of the table as routes, each view in a thread beside the loop, served
until interrupted; what went wrong is a page, or JSON.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from importlib import import_module
from types import FrameType
from typing import NamedTuple, TypeAlias, cast

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memwiki.errors import (
    InvalidArgumentsError,
    MemwikiError,
    NotFoundError,
    ReadOnlyError,
    TooLargeError,
)
from memwiki.serving.listening import header_texts
from memwiki.serving.timed import TimedProtocol
from memwiki.web.pages import locked_page, page
from memwiki.web.site import AccessKey, Site, WebCall

OPEN = ("/session", "/static/")  # what answers without the key


class RouteRow(NamedTuple):
    """One address: `view` is `module:function` in `views/`; a path with `:path` takes slashes."""

    method: str
    path: str
    view: str

    @property
    def writes(self) -> bool:
        """Whether it may change a file: refused in read-only mode."""
        return self.method == "POST" and self.path not in OPEN


_ROUTES = (
    ("POST", "/session", "files:open_session"),
    ("GET", "/static/{version}/{path:path}", "files:asset"),
    ("GET", "/", "page:home"),
    ("GET", "/graph", "graph:graph"),
    ("GET", "/api/graph", "graph:map_data"),
    ("GET", "/api/around", "graph:around_data"),
    ("GET", "/p/{path:path}", "page:page_view"),
    ("GET", "/f/{path:path}", "page:folder"),
    ("GET", "/search", "find:search"),
    ("GET", "/recall", "find:recall"),
    ("GET", "/memories", "find:memories"),
    ("GET", "/m/{id:path}", "find:memory"),
    ("GET", "/tags", "find:tags"),
    ("GET", "/trend", "graph:trend"),
    ("GET", "/check", "writing:check"),
    ("GET", "/log", "writing:log"),
    ("GET", "/review", "writing:waiting"),
    ("GET", "/review/{id}", "writing:proposal"),
    ("GET", "/today", "page:today"),
    ("GET", "/new", "page:new"),
    ("GET", "/diagrams", "graph:frame"),
    ("GET", "/file/{path:path}", "files:attachment"),
    ("GET", "/api/suggest", "find:suggest"),
    ("GET", "/api/peek", "page:peek"),
    ("GET", "/api/mentions", "page:mentions"),
    ("POST", "/api/task", "writing:task"),
    ("POST", "/api/new", "writing:new"),
    ("POST", "/api/append", "writing:append"),
    ("POST", "/api/move", "writing:move"),
    ("POST", "/api/today", "writing:today"),
    ("POST", "/api/undo", "writing:undo"),
    ("POST", "/api/review", "writing:review"),
    ("POST", "/api/check-fix", "writing:check_fix"),
    ("POST", "/api/entry", "writing:entry"),
    ("GET", "/api/events", "files:events"),
    ("GET", "/edit/{path:path}", "writing:edit"),
    ("POST", "/api/write", "writing:write"),
    ("POST", "/api/merge", "writing:merge"),
    ("POST", "/api/preview", "writing:preview"),
)
ROUTES = tuple(map(RouteRow._make, _ROUTES))

View: TypeAlias = Callable[[WebCall], Response]
AsyncView: TypeAlias = Callable[[WebCall], Awaitable[Response]]
MAX_BODY_BYTES = 1024 * 1024
MAX_SECONDS = 30
_TOO_LONG = f"this took longer than {MAX_SECONDS} seconds, or the server was ended meanwhile\n"
_MIN_COMPRESSED_BYTES = 800
_COMPRESSION = 4  # a tenth of the time of 9 for a map of 10,000 pages, and little larger


def web_app(site: Site) -> Starlette:
    """The application over one workspace."""
    routes = [
        Route(row.path, partial(_answer, site, row), methods=[row.method], name=row.view)
        for row in ROUTES
    ]
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(Guard, key=site.key, open_paths=OPEN, has_frames=site.mermaid is not None),
            Middleware(
                GZipMiddleware, minimum_size=_MIN_COMPRESSED_BYTES, compresslevel=_COMPRESSION
            ),
        ],
        exception_handlers={404: partial(_unknown, site), 405: partial(_unknown, site)},
        lifespan=partial(_lifespan, site),
    )


def view_of(row: RouteRow) -> View | AsyncView:
    """The function of a row: a plain one runs in a thread, an `async` one on the loop."""
    module, _, name = row.view.partition(":")
    return cast("View | AsyncView", getattr(import_module(f"memwiki.web.views.{module}"), name))


@asynccontextmanager
async def _lifespan(site: Site, _app: Starlette) -> AsyncIterator[None]:
    site.events.start()
    yield
    await site.events.close()
    site.close()


async def _answer(site: Site, row: RouteRow, request: Request) -> Response:
    """What a view says, or what went wrong in words."""
    call = _call(site, request, {})
    try:
        # A write that has begun is completed, and its answer waited for.
        limit = asyncio.timeout if row.writes else site.time_limit
        async with limit(MAX_SECONDS):
            if row.writes and site.is_read_only:
                raise ReadOnlyError(row.path)
            body = await _body(request) if row.method == "POST" else {}
            return await _viewed(site, row, _call(site, request, body))
    except MemwikiError as error:
        return error_response(call, error)
    except TimeoutError:
        return PlainTextResponse(_TOO_LONG, 503)


async def _viewed(site: Site, row: RouteRow, call: WebCall) -> Response:
    view = view_of(row)
    if inspect.iscoroutinefunction(view):
        return cast("Response", await view(call))
    if row.writes:
        site.served.index.end_awaiting()
    work = partial(_looked_once, cast("View", view), call, row)
    return await site.workers.run(work, is_reading=not row.writes)


def _looked_once(view: View, call: WebCall, row: RouteRow) -> Response:
    """What a view says. What is not found before a watcher has looked at the files may be there;
    nothing is written while the settings cannot be used."""
    index = call.site.served.index
    is_early = index.is_awaiting()  # whoever else ends that meanwhile
    with call.one_look():
        if row.writes and (misled := call.workspace.settings_error):
            raise misled
        try:
            found = view(call)
        except NotFoundError:
            if not is_early:
                raise
        else:
            if found.status_code == HTTPStatus.OK or not is_early:
                return found
    index.end_awaiting()
    return _looked_once(view, replace(call), row)


def _call(site: Site, request: Request, body: Mapping[str, object]) -> WebCall:
    params = {name: str(value) for name, value in request.path_params.items()}
    return WebCall(
        site, request.url.path, params, dict(request.query_params), body, site.events.mark
    )


async def _body(request: Request) -> Mapping[str, object]:
    """The JSON object of a request. Raises TooLargeError, or InvalidArgumentsError."""
    given = bytearray()
    async for part in request.stream():
        given += part
        if len(given) > MAX_BODY_BYTES:
            raise TooLargeError("request: is larger than 1 MB", "write the file with an editor")
    try:
        found = json.loads(given or b"{}")
        json.dumps(found, ensure_ascii=False).encode()  # half a character can be written nowhere
    except (ValueError, RecursionError) as error:
        raise InvalidArgumentsError("request: is no JSON", "send a JSON object") from error
    if not isinstance(found, dict):
        raise InvalidArgumentsError("request: is no JSON object", "send a JSON object")
    return found


async def _unknown(site: Site, request: Request, error: Exception) -> Response:
    """What no row is about."""
    status = getattr(error, "status_code", 404)
    missing = NotFoundError(f"{request.url.path}: is no address here", "start at the home page")
    return error_response(_call(site, request, {}), missing, status)


_STATUS = {
    "ambiguous": 409,
    "already_exists": 409,
    "conflict": 409,
    "error": 500,
    "etag_required": 428,
    "index_damaged": 500,
    "indexing": 503,
    "invalid_arguments": 400,
    "locked": 503,
    "not_found": 404,
    "private": 403,
    "protected": 403,
    "rate_limited": 429,
    "read_only": 405,
    "too_large": 413,
    "unconfirmed": 409,
    "unsafe_path": 404,
    "usage": 400,
    "write_failed": 500,
}


def status_of(error: MemwikiError) -> int:
    """The status of HTTP; what a person can mend is a 422."""
    return _STATUS.get(error.code, 422)


def error_response(call: WebCall, error: MemwikiError, status: int = 0) -> Response:
    """The error in words, with the next step."""
    status = status or status_of(error)
    # Who has no key is not told the name of the workspace, which every page says.
    if call.path.startswith(("/api/", *OPEN)):
        found = {"code": error.code, "message": error.message, "hint": error.hint}
        return JSONResponse({"error": {**found, "candidates": list(error.candidates)}}, status)
    return page("error.html", call, status=status, title="That did not work", error=error)


MAX_CONNECTIONS = 32
LEAVING_SECONDS = 5  # for writes to end, and for clients to take what they were sent


class _EndFilter(logging.Filter):
    """Leaves out what was cut off at the end, with its traceback: the end is no error."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to say it."""
        error = record.exc_info and record.exc_info[1]
        is_cut = isinstance(error, asyncio.CancelledError)
        return not is_cut and not record.getMessage().startswith("Cancel ")


def serve_site(site: Site, taken: socket.socket, ready: Callable[[], None]) -> None:
    """Answer on a socket; `ready` is called when it does."""
    config = uvicorn.Config(
        web_app(site),
        http=TimedProtocol,
        ws="none",  # a library that is there would be loaded
        loop="asyncio",
        log_config=None,
        access_log=False,  # addresses are nobody's business
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        timeout_graceful_shutdown=LEAVING_SECONDS,
    )
    ready()  # the socket listens already: who comes early waits a moment
    logging.getLogger("uvicorn.error").addFilter(_EndFilter())
    server = uvicorn.Server(config)
    leave = server.handle_exit

    def let_go(sig: int, frame: FrameType | None) -> None:
        site.end()  # what is open then would be cut off later
        leave(sig, frame)

    server.handle_exit = let_go
    server.run([taken])


MAX_HEADER_BYTES = 64 * 1024
_TOO_LARGE = PlainTextResponse("these headers are larger than 64 kB\n", 431)
_SAME_SITE = ("same-origin", "none")
_READING = ("GET", "HEAD")
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}


def policy(style_nonce: str = "", *, has_frames: bool = False) -> str:
    """The content security policy; an editor that makes styles of its own needs a nonce, and
    diagrams are drawn in a frame of ours."""
    frames = "frame-src 'self'; " if has_frames else ""
    style = f"'self' 'nonce-{style_nonce}'" if style_nonce else "'self'"
    return (
        "default-src 'none'; script-src 'self'; "
        f"style-src {style}; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
        f"media-src 'self'; {frames}"
        "trusted-types memwiki; require-trusted-types-for 'script'; "
        "base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
    )


class Guard:
    """Refuses what comes by another name, from another page, or without the key."""

    def __init__(
        self, app: ASGIApp, key: AccessKey, open_paths: Sequence[str], *, has_frames: bool = False
    ) -> None:
        self._app, self._key, self._open_paths = app, key, open_paths
        self._policy = policy(has_frames=has_frames)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or say why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-security-policy", self._policy)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = header_texts(scope["headers"])
        # What comes in one piece is not too much for h11, however much it is.
        size = sum(len(name) + len(value) for name, value in scope["headers"])
        refused = _TOO_LARGE if size > MAX_HEADER_BYTES else self._refusal(scope, headers)
        await (refused or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Mapping[str, Sequence[str]]) -> Response | None:
        hosts = headers.get("host", ())
        if len(hosts) != 1 or not self._key.is_host(hosts[0]):
            return PlainTextResponse("this server has another name\n", 421)
        if not self._is_from_here(scope["method"], headers, hosts[0]):
            return PlainTextResponse("this comes from another page\n", 403)
        is_open = scope["path"].startswith(tuple(self._open_paths))
        if is_open or self._key.is_known(headers.get("cookie", ())):
            return self._why_no_json(scope["method"], headers)
        return self._locked(scope)

    def _is_from_here(self, method: str, headers: Mapping[str, Sequence[str]], host: str) -> bool:
        """Pages of other ports of this machine are the same site to a browser, which sends them
        our cookie: only what the browser says of where a request comes from tells them apart."""
        site = headers.get("sec-fetch-site", ())
        origins = headers.get("origin", ())
        if any(not self._key.is_origin(each, host) for each in origins) or len(origins) > 1:
            return False
        if method in _READING:
            is_opened = headers.get("sec-fetch-mode", ()) == ["navigate"]
            return is_opened or all(each in _SAME_SITE for each in site)
        return bool(origins) and all(each == "same-origin" for each in site)

    @staticmethod
    def _why_no_json(method: str, headers: Mapping[str, Sequence[str]]) -> Response | None:
        kinds = headers.get("content-type", ())
        is_json = [each.partition(";")[0].strip() for each in kinds] == ["application/json"]
        if method in _READING or is_json:
            return None
        return PlainTextResponse("send application/json\n", 415)

    @staticmethod
    def _locked(scope: Scope) -> Response:
        """A page takes the key out of its address; a program is told."""
        if scope["method"] not in _READING or scope["path"].startswith("/api/"):
            error = {"code": "locked", "message": "the key is missing"}
            return JSONResponse({"error": error}, 401)
        return locked_page()
