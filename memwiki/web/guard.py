"""What comes before every view: hosts, origins and the key; headers that bind the browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memwiki.serving.listening import header_texts
from memwiki.web.site import AccessKey

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
        from memwiki.web.pages import locked_page

        return locked_page()
