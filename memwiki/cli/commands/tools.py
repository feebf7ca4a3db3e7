"""`memwiki agent tools`: what agents are offered."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples

app = typer.Typer()


class Profile(StrEnum):
    SMALL = "small"
    DEFAULT = "default"
    FULL = "full"
    GRAPH_MEMORY = "graph-memory"


class ToolFormat(StrEnum):
    MCP = "mcp"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"


@app.command(epilog=examples("agent tools", "agent tools --profile small --format openai"))
def tools(
    context: typer.Context,
    *,
    profile: Annotated[
        Profile, typer.Option(metavar="PROFILE", help="small, default, full or graph-memory.")
    ] = Profile.DEFAULT,
    form: Annotated[
        ToolFormat, typer.Option("--format", metavar="FORMAT", help="mcp, anthropic or openai.")
    ] = ToolFormat.MCP,
) -> None:
    """Print the tools of agents as an API takes them."""
    from memwiki.answers.agents import ToolDefinitions
    from memwiki.tools import definitions

    found = definitions(profile, form)
    door_of(context).show(ToolDefinitions(profile, form, tuple(found)))
