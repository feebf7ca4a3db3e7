"""The stream of events of a tab."""

from __future__ import annotations

from starlette.responses import Response, StreamingResponse

from memwiki.web.site import WebCall


async def events(call: WebCall) -> Response:
    """What changes from now on; ends with the tab."""
    return StreamingResponse(call.site.events.stream(), media_type="text/event-stream")
