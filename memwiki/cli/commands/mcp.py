"""`memwiki mcp`: the tools of agents over the Model Context Protocol."""

from __future__ import annotations

import os
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

from memwiki.cli import output
from memwiki.cli.app import App, Profile, closed_to_others, require_libraries
from memwiki.cli.door import Door
from memwiki.errors import MemwikiError, UsageError

if TYPE_CHECKING:
    from memwiki.config import Config
    from memwiki.doors.service import Service
    from memwiki.tools import DoorFlags

app = App()
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
            serve_stdio(service, opening, output.talk, parent)
            return
        listening = Listening.at(http, tuple(allow_host or ()), token_file, has_token=not no_token)
        serve_http(service, opening, listening, output.talk)


def _service(
    door: Door, served_as: Served | None, flags: DoorFlags, *, is_structured: bool
) -> Service:
    if served_as:
        from memwiki.doors.reference import ReferenceService

        narrowing = {"--read-only": flags.is_read_only, "--write": flags.write}
        narrowing["--staged"] = flags.is_staged
        for option in (name for name, given in narrowing.items() if given):
            raise UsageError(f"{option}: not with --as memory-server", "leave one out")
        return ReferenceService(flags.max_tokens, _opened(door)[1])
    if flags.max_tokens is not None and flags.max_tokens < _MIN_TOKENS:
        raise UsageError(f"--max-tokens: {flags.max_tokens} are too few", f"at least {_MIN_TOKENS}")
    from memwiki.doors.own import OwnService

    config, missing = _opened(door)
    return OwnService(flags, config, is_structured=is_structured, tell=output.talk, missing=missing)


def _opened(door: Door) -> tuple[Config | None, MemwikiError | None]:
    """The settings of the workspace, or why it cannot be opened, which each call says again."""
    try:
        return door.open().config, None
    except MemwikiError as error:
        output.talk(f"memwiki: {error.message}")
        return None, error
