"""A page that may take long to make: how far that has come is shown until it is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import TypeAlias

from starlette.responses import HTMLResponse, Response, StreamingResponse

from memwiki.aio.workers import Steps
from memwiki.errors import MemwikiError
from memwiki.web.pages import rendered
from memwiki.web.site import WebCall

Values: TypeAlias = "Mapping[str, object]"
SOON_S = 0.3  # within which nobody has to be told
_STEP_S = 0.5  # between two that are told
_HERE = "<!-- what is awaited -->"  # as in the template; in values it would be escaped


async def page_when_made(
    template: str, call: WebCall, *, title: str, make: Callable[[WebCall, Steps], Values]
) -> Response:
    """A page whose main part is a template of its own, filled with what is made in a thread.

    It stops at its next step when nobody waits for it any longer.
    """
    steps = Steps()
    work = call.site.workers.run(
        partial(_made, call, make, steps), is_reading=True, is_long=True, steps=steps
    )
    making = asyncio.ensure_future(work)
    try:
        await asyncio.wait([making], timeout=SOON_S)
    except asyncio.CancelledError:
        making.cancel()
        raise
    if making.done():
        values = {**making.result(), "call": call, "title": title}
        return HTMLResponse(rendered("awaited.html", part=template, **values))
    whole = rendered("awaited.html", call=call, title=title, part="")
    shown = _shown(whole, template, call, making, steps)
    return StreamingResponse(shown, media_type="text/html")


def _made(call: WebCall, make: Callable[[WebCall, Steps], Values], steps: Steps) -> Values:
    with call.one_look():
        return make(call, steps)


async def _shown(
    whole: str, template: str, call: WebCall, making: asyncio.Future[Values], steps: Steps
) -> AsyncIterator[str]:
    """Every step hides the one before it, and what comes behind them hides them all."""
    before, _, after = whole.partition(_HERE)
    try:
        yield f'{before}<div class="steps" role="status">'
        while not making.done():
            yield f"<p>{_words(steps)}</p>\n"
            await asyncio.wait([making], timeout=_STEP_S)
        yield "</div>"
        yield _outcome(template, call, making) + after
    finally:
        making.cancel()


def _words(steps: Steps) -> str:
    return f"{steps.done:,} of {steps.total:,} pages looked at …" if steps.total else "Looking …"


def _outcome(template: str, call: WebCall, making: asyncio.Future[Values]) -> str:
    try:
        return rendered(template, call=call, **making.result())
    except MemwikiError as error:  # too late for a page that says so
        return rendered("failure.html", error=error)
