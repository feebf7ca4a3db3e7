"""Home: where to start, what is recent, what many link to."""

from __future__ import annotations

from starlette.responses import Response

from memwiki.web.pages import page
from memwiki.web.site import WebCall


def home(call: WebCall) -> Response:
    """What there is, or in an empty workspace what to do first."""
    found = call.workspace.browse(limit=8)
    return page("home.html", call, title="Home", sections=found.sections)
