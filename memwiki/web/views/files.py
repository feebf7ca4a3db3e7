"""What is served beside pages: the cookie in exchange for the key, scripts and styles, the stream
of events of a tab, and files that are no pages. These are shown where their first bytes prove what
they are, else to download.
"""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import JSONResponse, Response, StreamingResponse

from memwiki.clock import now_ns
from memwiki.errors import NotFoundError
from memwiki.web.pages import assets, kind_of, version
from memwiki.web.site import WebCall

_SEALED = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
# What browsers show a PDF with is kept from it by either of these, and is apart from the site.
_PDF, _BARE = "application/pdf", "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
# What the first bytes of a file say that it is; a name proves nothing.
_MAGIC = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF8", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (0, b"BM", "image/bmp"),
    (4, b"ftypavif", "image/avif"),
    (0, b"%PDF-", _PDF),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (8, b"WAVE", "audio/wav"),
    (4, b"ftypM4A", "audio/mp4"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1a\x45\xdf\xa3", "video/webm"),
)


def attachment(call: WebCall) -> Response:
    """A file; markdown is shown as a page, not here."""
    path = call.params["path"]
    found = call.workspace.pages.bytes(path)
    kind = next((kind for at, magic, kind in _MAGIC if found[at:].startswith(magic)), "")
    headers = {
        "content-security-policy": _BARE if kind == _PDF else _SEALED,
        "cache-control": "private, no-cache",
    }
    if kind:
        return Response(found, media_type=kind, headers=headers)
    # A picture in an <img> runs nothing, whatever it holds; opened by itself it is a download.
    is_drawing = path.lower().endswith(".svg")
    name = quote(path.rpartition("/")[2])
    headers["content-disposition"] = f"attachment; filename*=UTF-8''{name}"
    kind = "image/svg+xml" if is_drawing else "application/octet-stream"
    return Response(found, media_type=kind, headers=headers)


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
