"""`memwiki web`: the workspace in a browser."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple
from urllib.parse import quote

from memwiki.answers.workspaces import WebAddress
from memwiki.cli import output
from memwiki.cli.app import App
from memwiki.cli.door import Door
from memwiki.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    import socket

    from memwiki.serving.listening import Listening
    from memwiki.web.key import AccessKey

app = App()


@app.verb("web", "web --open", "web --read-only", "web --http 0.0.0.0:8080 --allow-host notes.lan")
def web(
    door: Door,
    *,
    port: Annotated[int, "The port on this machine; 0 takes a free one.", "PORT", 0] = 0,
    open_: Annotated[bool, "Open it in the browser."] = False,
    page: Annotated[str, "The page to begin with.", "PAGE"] = "",
    read_only: Annotated[bool, "Change nothing, whoever asks."] = False,
    private: Annotated[bool, "Show what is private, too."] = False,
    http: Annotated[str, "Serve others, too; needs --allow-host.", "HOST:PORT"] = "",
    allow_host: Annotated[list[str] | None, "A name of this server; repeatable.", "NAME"] = None,
    token_file: Annotated[str, "Where the key for others is.", "FILE"] = "",
) -> None:
    """Show the workspace in a browser: read, search, review and edit it.

    Prints the address, with a key that opens it; runs until interrupted. Others on this machine
    have no key. Needs the extra: pip install 'memwiki[web]'.
    """
    _require_library()
    from memwiki.serving.listening import Listening

    if http and port:
        raise UsageError("--http and --port together", "choose one")
    listening = Listening.at(http or str(port), tuple(allow_host or ()), token_file, has_token=True)
    if http:
        door.talk("Plain HTTP: whoever sees the traffic sees the pages and the key.")
    shown = WebShown(page, is_opened=open_, is_read_only=read_only, has_private=private)
    _serve(door, listening, shown)


def show_page(door: Door, page: str) -> None:
    """Show a page in the browser, from a server of its own."""
    _require_library()
    from memwiki.serving.listening import Listening

    _serve(door, Listening.at("0", (), "", has_token=True), WebShown(page, is_opened=True))


class WebShown(NamedTuple):
    """What is shown first, and to whom."""

    page: str = ""
    is_opened: bool = False
    is_read_only: bool = False
    has_private: bool = False


def _serve(door: Door, listening: Listening, shown: WebShown) -> None:
    from memwiki.serving.listening import listener
    from memwiki.web.serve import serve_site
    from memwiki.web.site import Site

    workspace = door.open(is_lasting=True)
    with door.progress("Indexing") as progress:
        workspace.sync(progress=progress)
    named = door.here(workspace).page(shown.page) if shown.page else ""
    start = f"/p/{quote(workspace.pages.get(named).path)}" if named else "/"
    taken = listener(listening)
    key = _key(listening, taken)
    address = f"http://{_shown_host(listening)}:{key.port}{start}#key={key.token}"
    site = Site(workspace, key, is_read_only=shown.is_read_only, has_private=shown.has_private)

    def ready() -> None:
        door.show(WebAddress(address, str(workspace.root), shown.is_read_only))
        output.flush()
        if shown.is_opened:
            import webbrowser

            webbrowser.open(address)

    serve_site(site, taken, ready)


def _key(listening: Listening, taken: socket.socket) -> AccessKey:
    """A fresh one, but where others have it already."""
    from memwiki.config import environment
    from memwiki.serving.listening import token_of
    from memwiki.web.key import AccessKey

    port = taken.getsockname()[1]
    if not (listening.names or listening.token_file):
        return AccessKey.fresh(port)
    return AccessKey(token_of(listening, environment(), output.talk), port, listening.names)


def _shown_host(listening: Listening) -> str:
    host = listening.names[0] if listening.names else listening.host
    return f"[{host}]" if ":" in host else host


def _require_library() -> None:
    from importlib.util import find_spec

    for name in ("starlette", "uvicorn", "jinja2", "nh3"):
        if sys.modules.get(name) is None and find_spec(name) is None:
            raise MissingExtraError("web", name)
