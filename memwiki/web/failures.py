"""What went wrong, as a page or as JSON."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response

from memwiki.errors import MemwikiError
from memwiki.web.pages import page
from memwiki.web.routes import OPEN
from memwiki.web.site import WebCall

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


def failed(call: WebCall, error: MemwikiError, status: int = 0) -> Response:
    """The error in words, with the next step."""
    status = status or status_of(error)
    # Who has no key is not told the name of the workspace, which every page says.
    if call.path.startswith(("/api/", *OPEN)):
        found = {"code": error.code, "message": error.message, "hint": error.hint}
        return JSONResponse({"error": {**found, "candidates": list(error.candidates)}}, status)
    return page("error.html", call, status=status, title="That did not work", error=error)
