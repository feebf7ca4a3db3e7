"""`memwiki agent`: install, uninstall, status and plugin, and what programs of your own call."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from memwiki.answers.agents import AgentReport
from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.commands import memory_tool, tools
from memwiki.cli.door import Door
from memwiki.cli.input import has_person, is_yes
from memwiki.cli.shared import OnlyShow
from memwiki.errors import UnconfirmedError, UsageError

app = new_app()
agent = typer.Typer(
    help="Install memwiki for a coding agent's program, or remove it.",
    epilog=examples(
        "agent install claude-code",
        "agent install codex --user --capture",
        "agent status",
        "agent uninstall claude-code",
        "agent tools --format openai",
    ),
    no_args_is_help=True,
)
app.add_typer(agent, name="agent")

Agent = Annotated[
    str, typer.Argument(metavar="AGENT", help="claude-code, codex, cursor or gemini.")
]
Project = Annotated[
    str,
    typer.Option(
        "--project",
        metavar="DIR",
        help="The folder of the project; by default the workspace.",
        show_default=False,
    ),
]
User = Annotated[bool, typer.Option("--user", help="Your own files, for all projects.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@agent.command(
    "install",
    epilog=examples(
        "agent install claude-code --dry-run",
        "agent install gemini --project ~/code/app --instructions",
        "agent install codex --user --yes",
    ),
)
def install(
    context: typer.Context,
    name: Agent,
    *,
    project: Project = "",
    user: User = False,
    capture: Annotated[
        bool, typer.Option("--capture", help="Also record conversations in sessions/.")
    ] = False,
    instructions: Annotated[
        bool, typer.Option("--instructions", help="Also add lines to the project's AGENTS.md.")
    ] = False,
    dry_run: OnlyShow = False,
    yes: Yes = False,
) -> None:
    """Put memwiki's server, hooks and skill into the files of a program.

    The change is shown first, and you are asked. Only spans of our own are added; uninstall gives
    the old bytes back.
    """
    _require_one(project, is_users=user)
    door = door_of(context)
    workspace = door.open()
    agents = workspace.agents
    _do(
        door,
        workspace.root,
        lambda is_dry: agents.install(
            name,
            project or None,
            user=user,
            capture=capture,
            instructions=instructions,
            dry_run=is_dry,
        ),
        dry_run=dry_run,
        yes=yes,
    )


@agent.command("uninstall", epilog=examples("agent uninstall claude-code --dry-run"))
def uninstall(
    context: typer.Context,
    name: Agent,
    *,
    project: Project = "",
    user: User = False,
    dry_run: OnlyShow = False,
    yes: Yes = False,
) -> None:
    """Take out all that memwiki put into the files of a program, and nothing else."""
    _require_one(project, is_users=user)
    door = door_of(context)
    workspace = door.open()
    agents = workspace.agents
    _do(
        door,
        workspace.root,
        lambda is_dry: agents.uninstall(name, project or None, user=user, dry_run=is_dry),
        dry_run=dry_run,
        yes=yes,
    )


@agent.command("status", epilog=examples("agent status", "agent status --project ~/code/app"))
def status(context: typer.Context, *, project: Project = "") -> None:
    """Show what is installed, what awaits your review, and what is active."""
    door = door_of(context)
    door.show(door.open().agents.status(project or None))


@agent.command("plugin", epilog=examples("agent plugin ~/memwiki-plugin"))
def plugin(
    context: typer.Context,
    directory: Annotated[str, typer.Argument(metavar="DIR", help="A new or empty folder.")],
) -> None:
    """Write memwiki as a plugin for agent programs into a folder."""
    door = door_of(context)
    door.show(door.open().agents.plugin(directory))


agent.add_typer(tools.app)
agent.add_typer(memory_tool.app)


def _require_one(project: str, *, is_users: bool) -> None:
    if project and is_users:
        raise UsageError("--project and --user: only one of them", hint="leave one out")


def _do(
    door: Door, root: Path, make: Callable[[bool], AgentReport], *, dry_run: bool, yes: bool
) -> None:
    planned = make(True)
    has_edits = any(file.change != "refused" for file in planned.files)
    if dry_run:
        door.show(planned)
        return
    if has_edits and not yes:  # else only what a killed process left is cleared away
        _confirm(door, planned, os.path.realpath(root))
    door.show(make(False))


def _confirm(door: Door, planned: AgentReport, root: str) -> None:
    real = (os.path.realpath(file.path) for file in planned.files)
    is_inside = all(path.startswith(f"{root.rstrip(os.sep)}{os.sep}") for path in real)
    error = UnconfirmedError(
        f"agent {planned.op}: changes files {'inside' if is_inside else 'outside'} the workspace",
        hint="look with --dry-run, then --yes",
    )
    if door.options.is_json or not has_person():
        raise error
    door.show(planned)
    if not is_yes("Write these files? [y/N] "):
        raise error
