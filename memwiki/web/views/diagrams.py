"""Where diagrams are drawn: a frame of its own that can reach nothing.

The script is the user's, and what it draws may come from anybody: without an origin it has no
cookie, and its policy lets it load and send nothing. The page shows what it drew as a picture.
"""

from __future__ import annotations

import re
import secrets

from starlette.responses import HTMLResponse, Response

from memwiki.errors import NotFoundError
from memwiki.patterns import pattern
from memwiki.web.assets import assets
from memwiki.web.pages import rendered
from memwiki.web.site import Site, WebCall

_ENDING = pattern(r"<(?=/script|!--)", re.IGNORECASE)


def frame(call: WebCall) -> Response:
    """The frame with the script. Raises NotFoundError where none is named, or it is gone."""
    nonce = secrets.token_urlsafe(18)
    scripts = [_inline(each) for each in (_script(call.site), assets()["diagram-frame.js"])]
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; "
        "font-src data:; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'self'; sandbox allow-scripts"
    )
    headers = {"content-security-policy": policy, "x-frame-options": "SAMEORIGIN"}
    return HTMLResponse(rendered("diagrams.html", nonce=nonce, scripts=scripts), headers=headers)


def _script(site: Site) -> bytes:
    if site.mermaid is None:
        raise NotFoundError("diagrams: no script is named", "set web.assets.mermaid (docs/web.md)")
    try:
        return site.mermaid.read_bytes()
    except OSError as error:
        hint = "put it back, or name another one, and start memwiki web again"
        raise NotFoundError(f"{site.mermaid}: cannot be read", hint) from error


def _inline(script: bytes) -> str:
    """A script as it can stand within a page: in strings and patterns `\\x3c` is what `<` is."""
    return _ENDING.sub(r"\\x3c", script.decode("utf-8", "replace"))
