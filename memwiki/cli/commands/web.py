"""`memwiki web`: the workspace in a browser."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Annotated, NamedTuple
from urllib.parse import quote

from memwiki.answers.workspaces import WebAddress
from memwiki.cli import output
from memwiki.cli.app import App, require_libraries
from memwiki.cli.door import Door
from memwiki.errors import UsageError, WriteError

if TYPE_CHECKING:
    import socket
    from pathlib import Path

    from memwiki.serving.listening import Listening
    from memwiki.setup.machine import RunningServer
    from memwiki.web.site import AccessKey
    from memwiki.workspace import Workspace

app = App()
_LIBRARIES = ("starlette", "uvicorn", "jinja2", "nh3")


@app.verb("web", "web --open", "web --read-only", "web --http 0.0.0.0:8080 --allow-host notes.lan")
def web(
    door: Door,
    *,
    port: Annotated[
        int, "The port on this machine; 0 takes one of its own or a free one.", "PORT", 0
    ] = 0,
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
    require_libraries("web", *_LIBRARIES)
    from memwiki.serving.listening import Listening

    if http and port:
        raise UsageError("--http and --port together", "choose one")
    option = "--http" if http else "--port"
    names = tuple(allow_host or ())
    listening = Listening.at(http or str(port), names, token_file, has_token=True, option=option)
    if http:
        door.talk("Plain HTTP: whoever sees the traffic sees the pages and the key.")
    shown = WebShown(page, is_opened=open_, is_read_only=read_only, has_private=private)
    _serve(door, listening, shown)


def show_page(door: Door, page: str) -> None:
    """Show a page in the browser: from the server that runs, else from one of its own."""
    require_libraries("web", *_LIBRARIES)
    from memwiki.serving.listening import Listening

    shown = WebShown(page, is_opened=True, is_joining=True)
    _serve(door, Listening.at("0", (), "", has_token=True), shown)


class WebShown(NamedTuple):
    """What is shown first, and to whom."""

    page: str = ""
    is_opened: bool = False
    is_joining: bool = False  # whether a server that runs may show it
    is_read_only: bool = False
    has_private: bool = False


def _serve(door: Door, listening: Listening, shown: WebShown) -> None:
    from memwiki.config.load import environment
    from memwiki.config.user import mermaid_script
    from memwiki.setup.machine import RunningServer, noted, running
    from memwiki.web.app import serve_site
    from memwiki.web.site import Site

    workspace = door.open(is_lasting=True)
    # There is one from now on, which walks; whoever opens the first page does not wait for that.
    workspace.index.ask_watcher(is_coming=not shown.page)
    with door.progress("Indexing") as progress, workspace.one_sweep(progress):
        # What syncs, and writes no catalog as `sync` does.
        workspace.pages.digests() if shown.has_private else workspace.public()
    named = door.here(workspace).page(shown.page) if shown.page else ""
    start = f"/p/{quote(workspace.pages.get(named).path)}" if named else "/"
    folder = _own_folder(workspace)
    found = running(folder) if folder and shown.is_joining else None
    if found and found[3:] == (workspace.namespace, False, False):
        _show(door, workspace, found, start, shown)
        return
    taken = _listener(door, listening, workspace)
    key = _key(listening, taken)
    base = f"http://{_shown_host(listening)}:{key.port}"
    kind = (workspace.namespace, shown.has_private, shown.is_read_only)
    server = RunningServer(base, key.token, key.port, *kind)
    site = Site(
        workspace,
        key,
        is_read_only=shown.is_read_only,
        has_private=shown.has_private,
        mermaid=mermaid_script(environment()),
    )
    with ExitStack() as stack:
        if folder and not listening.names:  # what others are shown, they ask for by its name
            stack.enter_context(noted(folder, server))
        serve_site(site, taken, lambda: _show(door, workspace, server, start, shown))


def _own_folder(workspace: Workspace) -> Path | None:
    """Where a server is noted; nowhere, where no index can be kept either."""
    with suppress(WriteError):
        return workspace.index.own_folder()
    return None


def _show(
    door: Door, workspace: Workspace, server: RunningServer, start: str, shown: WebShown
) -> None:
    """Print the address, and open it where that is asked for."""
    from memwiki.clock import now_ns
    from memwiki.web.site import AccessKey

    address = f"{server.base}{start}#key="
    door.show(WebAddress(address + server.token, str(workspace.root), server.is_read_only))
    output.flush()
    if shown.is_opened:
        import webbrowser

        webbrowser.open(address + AccessKey(server.token, server.port).ticket(now_ns()))


def _listener(door: Door, listening: Listening, workspace: Workspace) -> socket.socket:
    """The socket: without a port given that of the workspace, if nobody has it."""
    from memwiki.serving.listening import listener
    from memwiki.setup.machine import own_port

    if listening.port or listening.names:
        return listener(listening)
    port = own_port(workspace.root)
    try:
        return listener(listening._replace(port=port))
    except UsageError:
        # A browser sends the cookie of one port to all others, and old tabs ask by themselves.
        door.talk(f"Another program has port {port} of this workspace: close old tabs of it.")
        return listener(listening)


def _key(listening: Listening, taken: socket.socket) -> AccessKey:
    """A fresh one, but where others have it already."""
    from memwiki.config import environment
    from memwiki.serving.listening import token_of
    from memwiki.web.site import AccessKey

    port = taken.getsockname()[1]
    if not (listening.names or listening.token_file):
        return AccessKey.fresh(port)
    return AccessKey(token_of(listening, environment(), output.talk), port, listening.names)


def _shown_host(listening: Listening) -> str:
    host = listening.names[0] if listening.names else listening.host
    return f"[{host}]" if ":" in host else host
