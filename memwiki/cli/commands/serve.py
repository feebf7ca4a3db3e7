"""`memwiki web`: the workspace in a browser; and `memwiki mcp`: the tools of agents over the Model
Context Protocol."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple
from urllib.parse import quote

from memwiki.answers.workspaces import WebAddress
from memwiki.cli import streams
from memwiki.cli.app import App, Profile, closed_to_others, require_libraries
from memwiki.cli.door import Door
from memwiki.errors import MemwikiError, UsageError, WriteError

if TYPE_CHECKING:
    import socket

    from memwiki.config import Config
    from memwiki.doors.service import Service
    from memwiki.serving.listening import Listening
    from memwiki.setup.machine import RunningServer
    from memwiki.tools import DoorFlags
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
    from memwiki.setup.machine import RunningServer, announce_server, running
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
            stack.enter_context(announce_server(folder, server))
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
    streams.flush()
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
    return AccessKey(token_of(listening, environment(), streams.talk), port, listening.names)


def _shown_host(listening: Listening) -> str:
    host = listening.names[0] if listening.names else listening.host
    return f"[{host}]" if ":" in host else host


_MIN_TOKENS = 200  # below this no answer says anything


class Served(StrEnum):
    MEMORY_SERVER = "memory-server"


@app.verb("mcp", "mcp --profile small --read-only", "mcp --as memory-server", "mcp --http 8717")
def mcp(
    door: Door,
    *,
    http: Annotated[str, "Serve HTTP instead of stdio.", "[HOST:]PORT"] = "",
    read_only: Annotated[bool, "Offer only tools that change nothing."] = False,
    profile: Annotated[Profile | None, "small, default, full or graph-memory.", "PROFILE"] = None,
    as_: Annotated[Served | None, "memory-server: the reference server's tools.", "SERVER"] = None,
    write: Annotated[list[str] | None, "Only what fits may be written; repeatable.", "GLOB"] = None,
    staged: Annotated[bool, "Put every memory that is added into the inbox."] = False,
    accept: Annotated[bool, "Let agents accept proposals of which nothing is flagged."] = False,
    private: Annotated[bool, "Show what is private, too."] = False,
    structured: Annotated[bool, "Answer with JSON beside the text, for programs."] = False,
    max_tokens: Annotated[int | None, "The most of one answer.", "N", 0] = None,
    allow_host: Annotated[list[str] | None, "A name of this server; repeatable.", "NAME"] = None,
    token_file: Annotated[str, "Where the token of HTTP is.", "FILE"] = "",
    no_token: Annotated[bool, "Ask for no token; only on this machine."] = False,
) -> None:
    """Serve the memory to agents over the Model Context Protocol.

    Over standard input and output, or with --http over HTTP. Answers are always about the files as
    they are. Needs the extra: pip install 'memwiki[mcp]'.
    """
    parent = os.getppid()  # before anything that takes time, in which it may be gone
    require_libraries("mcp", "mcp")
    from memwiki.cli.warm.server import answering
    from memwiki.doors.http import serve_http
    from memwiki.doors.service import Opening
    from memwiki.doors.stdio import serve_stdio
    from memwiki.serving.listening import Listening
    from memwiki.tools import DoorFlags

    flags = DoorFlags(
        is_read_only=read_only,
        profile=profile.value if profile else None,
        max_tokens=max_tokens,
        is_staged=staged,
        write=tuple(write or ()),
        has_private=private,
        may_accept=accept,
    )
    opening = Opening(partial(door.open, is_lasting=True))
    service = _service(door, as_, flags, is_structured=structured)
    with closed_to_others(), answering():
        if not http:
            serve_stdio(service, opening, streams.talk, parent)
            return
        listening = Listening.at(http, tuple(allow_host or ()), token_file, has_token=not no_token)
        serve_http(service, opening, listening, streams.talk)


def _service(
    door: Door, served_as: Served | None, flags: DoorFlags, *, is_structured: bool
) -> Service:
    if served_as:
        from memwiki.doors.reference import ReferenceService

        narrowing = {"--read-only": flags.is_read_only, "--write": flags.write}
        narrowing["--staged"] = flags.is_staged
        for option in (name for name, given in narrowing.items() if given):
            raise UsageError(f"{option}: not with --as memory-server", "leave one out")
        return ReferenceService(flags.max_tokens, _open_config(door)[1])
    if flags.max_tokens is not None and flags.max_tokens < _MIN_TOKENS:
        raise UsageError(f"--max-tokens: {flags.max_tokens} are too few", f"at least {_MIN_TOKENS}")
    from memwiki.doors.own import OwnService

    config, missing = _open_config(door)
    return OwnService(
        flags, config, is_structured=is_structured, tell=streams.talk, missing=missing
    )


def _open_config(door: Door) -> tuple[Config | None, MemwikiError | None]:
    """The settings of the workspace, or why it cannot be opened, which each call says again."""
    try:
        return door.open().config, None
    except MemwikiError as error:
        streams.talk(f"memwiki: {error.message}")
        return None, error
