"""The editor: a page's text beside how it is drawn; saved by a three-way merge, as everywhere."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from starlette.responses import HTMLResponse, JSONResponse, Response

from memwiki.answers.pages import TextFile
from memwiki.digest import digest_of
from memwiki.errors import InvalidArgumentsError, NotFoundError, OutdatedError
from memwiki.names import is_page_name
from memwiki.web.guard import policy
from memwiki.web.markdown import draw
from memwiki.web.pages import page
from memwiki.web.site import WebCall
from memwiki.web.views.page import fetch_from
from memwiki.workspace.folder import FolderFacet


def edit(call: WebCall) -> Response:
    """The text of a page, or of one that is not there yet, to be changed."""
    path, folder = call.params["path"], _folder(call)
    if not is_page_name(path):
        raise NotFoundError(f"{path}: is not a markdown page", "open it with another program")
    here = folder.path_here(path)
    file = folder.read(here) if folder.kind(here) else None
    nonce = secrets.token_urlsafe(18)  # CodeMirror makes its own styles
    return page(
        "edit.html",
        call,
        title=f"{path}: edit",
        file=file._asdict() if file else None,
        path=path,
        workspace=digest_of(str(call.site.served.root).encode())[:16],
        closed=_why_closed(call, folder, here),
        nonce=nonce,
        headers={"content-security-policy": policy(nonce)},
    )


def write(call: WebCall) -> Response:
    """Save a text. What changed since its base is merged; ConflictError where both changed the same
    lines."""
    text, folder = call.text("text"), _folder(call)
    path = folder.path_here(call.text("path"))
    base, dry_run = _base(call, folder, path), call.flag("dry_run")
    if base:
        edited = folder.write(path, text, base=base, dry_run=dry_run)
    else:
        edited = folder.create(path, text, dry_run=dry_run)
    file = folder.read(path)._asdict() if folder.kind(path) else None
    return JSONResponse({**edited._asdict(), "file": file})


def merge(call: WebCall) -> Response:
    """A draft with what its file became meanwhile; changes no file."""
    text, folder = call.text("text"), _folder(call)
    path = folder.path_here(call.text("path"))
    base = _base(call, folder, path) or TextFile(path, "", digest_of(b""))
    merged = folder.merged(path, text, base)
    return JSONResponse({**merged._asdict(), "file": merged.file._asdict()})


def preview(call: WebCall) -> Response:
    """A draft as it would be drawn."""
    drawing = call.workspace.pages.drawing(call.text("path"), text=call.text("text"))
    return HTMLResponse(str(draw(drawing, fetch_from(call))))


def _base(call: WebCall, folder: FolderFacet, path: str) -> TextFile | None:
    """What a draft was made of: None where there was no file.

    A long one comes without its text, which is that of the file if nobody changed it.
    """
    given = call.body.get("base")
    if given is None:
        return None
    text = given.get("text") if isinstance(given, Mapping) else given
    if isinstance(text, str):
        return TextFile(path, text, digest_of(text.encode("utf-8", "surrogatepass")))
    if not isinstance(given, Mapping):
        raise InvalidArgumentsError("base: is no text", 'send "base": {"text": "..."}')
    file = folder.read(path)
    if file.digest != given.get("digest"):
        raise OutdatedError(path, is_there=True)
    return file


def _folder(call: WebCall) -> FolderFacet:
    return call.workspace.folder(".")


def _why_closed(call: WebCall, folder: FolderFacet, path: str) -> str:
    if call.site.is_read_only:
        return "the workspace was opened read-only"
    return folder.why_read_only(path)
