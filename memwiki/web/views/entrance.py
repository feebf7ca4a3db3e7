"""The way in: the key is exchanged for a cookie; scripts and styles are open to everybody, and a
tab is told of changes."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response, StreamingResponse

from memwiki.clock import now_ns
from memwiki.errors import NotFoundError
from memwiki.web.pages import assets, kind_of, version
from memwiki.web.site import WebCall


async def open_session(call: WebCall) -> Response:
    """Give the cookie to whoever has the key; on the loop, so that a ticket is used once."""
    key = call.site.key
    if not call.site.opens(call.text("key"), now_ns()):
        error = {"code": "locked", "message": "the key is another one, or was used"}
        return JSONResponse({"error": error}, 401)
    answer = JSONResponse({"opened": True})
    answer.set_cookie(key.cookie, key.session, httponly=True, samesite="strict", path="/")
    return answer


async def asset(call: WebCall) -> Response:
    """A file of ours, for which nobody looks at the workspace. Raises NotFoundError."""
    path = call.params["path"]
    found = assets().get(path)
    if found is None:
        raise NotFoundError(f"{call.path}: no such file here")
    is_current = call.params["version"] == version()
    kept = "public, max-age=31536000, immutable" if is_current else "no-store"
    return Response(found, media_type=kind_of(path), headers={"cache-control": kept})


async def events(call: WebCall) -> Response:
    """What changed since the page of the tab was drawn, and what changes from now on; ends with
    the tab."""
    return StreamingResponse(
        call.site.events.stream(call.query.get("since", "")), media_type="text/event-stream"
    )
