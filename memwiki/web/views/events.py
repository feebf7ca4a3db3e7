"""The stream of events of a tab."""

from __future__ import annotations

from starlette.responses import Response, StreamingResponse

from memwiki.web.site import WebCall


async def events(call: WebCall) -> Response:
    """What changed since the page of the tab was drawn, and what changes from now on; ends with
    the tab."""
    return StreamingResponse(
        call.site.events.stream(call.query.get("since", "")), media_type="text/event-stream"
    )
