"""`memwiki agent`: install, uninstall, status and plugin, and what programs of your own call; and
`memwiki hook`, which agents' programs call."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from memwiki.answers.workspaces import AgentReport, HookReply, ToolDefinitions
from memwiki.cli import streams
from memwiki.cli.app import App, OnlyShow, Profile, closed_to_others
from memwiki.cli.door import Door
from memwiki.cli.streams import has_person, is_yes, piped_lines
from memwiki.errors import UnconfirmedError, UsageError
from memwiki.importing import adapter

if TYPE_CHECKING:
    from memwiki.workspace import Workspace


app = App()
agent = app.group(
    "agent",
    "agent install claude-code",
    "agent install codex --user --capture",
    "agent status",
    "agent uninstall claude-code",
    "agent tools --format openai",
    no_args_is_help=True,
)


class ToolFormat(StrEnum):
    MCP = "mcp"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"


Agent = Annotated[str, "claude-code, codex, cursor or gemini.", "AGENT"]
Project = Annotated[str, "The folder of the project; by default the workspace.", "DIR"]
User = Annotated[bool, "Your own files, for all projects."]
Yes = Annotated[bool, "Do not ask."]


@agent.verb(
    "agent install claude-code --dry-run",
    "agent install gemini --project ~/code/app --instructions",
    "agent install codex --user --yes",
)
def install(
    door: Door,
    name: Agent,
    *,
    project: Project = "",
    user: User = False,
    capture: Annotated[bool, "Also record conversations in sessions/."] = False,
    instructions: Annotated[bool, "Also add lines to the project's AGENTS.md."] = False,
    dry_run: OnlyShow = False,
    yes: Yes = False,
) -> None:
    """Put memwiki's server, hooks and skill into the files of a program.

    The change is shown first, and you are asked. Only spans of our own are added; uninstall gives
    the old bytes back.
    """
    _require_one(project, is_users=user)
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


@agent.verb("agent uninstall claude-code --dry-run")
def uninstall(
    door: Door,
    name: Agent,
    *,
    project: Project = "",
    user: User = False,
    dry_run: OnlyShow = False,
    yes: Yes = False,
) -> None:
    """Take out all that memwiki put into the files of a program, and nothing else."""
    _require_one(project, is_users=user)
    workspace = door.open()
    agents = workspace.agents
    _do(
        door,
        workspace.root,
        lambda is_dry: agents.uninstall(name, project or None, user=user, dry_run=is_dry),
        dry_run=dry_run,
        yes=yes,
    )


@agent.verb("agent status", "agent status --project ~/code/app")
def status(door: Door, *, project: Project = "") -> None:
    """Show what is installed, what awaits your review, and what is active."""
    door.show(door.open().agents.status(project or None))


@agent.verb("agent plugin ~/memwiki-plugin")
def plugin(
    door: Door,
    directory: Annotated[str, "A new or empty folder.", "DIR"],
) -> None:
    """Write memwiki as a plugin for agent programs into a folder."""
    door.show(door.open().agents.plugin(directory))


@agent.verb("agent tools", "agent tools --profile small --format openai")
def tools(
    door: Door,
    *,
    profile: Annotated[
        Profile, "small, default, full or graph-memory.", "PROFILE"
    ] = Profile.DEFAULT,
    format_: Annotated[ToolFormat, "mcp, anthropic or openai.", "FORMAT"] = ToolFormat.MCP,
) -> None:
    """Print the tools of agents as an API takes them."""
    from memwiki.tools import definitions

    found = definitions(profile, format_)
    door.show(ToolDefinitions(profile, format_, tuple(found)))


@agent.verb(
    """echo '{"command": "view", "path": "/memories"}' | memwiki agent memory-tool""",
    "agent memory-tool --folder .   # the whole workspace",
)
def memory_tool(
    door: Door,
    *,
    folder: Annotated[str, "What /memories is; . is the whole workspace.", "FOLDER"] = "memories",
    private: Annotated[bool, "With what is private."] = False,
) -> None:
    """Serve the memory tool of Anthropic's API over JSON lines.

    Each line of standard input is a command; its reply is a line with `ok` and `text` or `error`.
    Ends with its input.
    """
    served = adapter("memory-tool")
    with closed_to_others():
        tool = served.MemoryTool(door.open(), folder, private=private)
        for reply in served.replies(tool, piped_lines(served.MAX_LINE_BYTES)):
            door.has_changed = door.has_changed or reply.ok
            streams.show(served.reply_line(reply))
            streams.flush()


def _require_one(project: str, *, is_users: bool) -> None:
    if project and is_users:
        raise UsageError("--project and --user: only one of them", "leave one out")


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
        "look with --dry-run, then --yes",
    )
    if door.options.is_json or not has_person():
        raise error
    door.show(planned)
    if not is_yes("Write these files? [y/N] "):
        raise error


_MAX_BYTES = 32_000_000


@app.verb("hook start --host codex < event.json", "hook prompt --host claude-code < event.json")
def hook(
    door: Door,
    moment: Annotated[str, "start, prompt, turn, compact or end.", "MOMENT"],
    *,
    host: Annotated[str, "The program, as agent install names it.", "AGENT"],
    capture: Annotated[bool, "Keep a prompt until its reply is recorded."] = False,
) -> None:
    """Answer an event of an agent's program, given as JSON on standard input.

    Prints what the program shows its model, or nothing. Whatever goes wrong, the exit code is 0 and
    the conversation goes on. `memwiki agent install` sets these calls up.
    """
    hooks = adapter("hooks")
    data = b"" if sys.stdin.isatty() else sys.stdin.buffer.read(_MAX_BYTES)
    opened: list[Workspace] = []

    def opening() -> Workspace:
        opened.append(door.open())
        return opened[0]

    seconds = hooks.SECONDS.get(moment, _Patience.MIN_SECONDS)
    why = f"no answer within {seconds:g} s"

    def note() -> None:
        opened[0].agents.note_silence(host, moment, why)

    patience = _Patience(seconds, hooks.nothing(host, data), opened, note)
    with closed_to_others():
        reply = hooks.answer(opening, moment, host, data, is_recording=capture)
    if patience.ends():
        door.show(HookReply(reply), text=reply)


class _Patience:
    """Who waits longer than this gets an empty answer, and this process ends; before, the silence
    is noted, and a page that is being written to the index is written, for a while."""

    MIN_SECONDS = 1.5
    LAST_SECONDS = 1.0

    def __init__(
        self, seconds: float, reply: str, opened: Sequence[Workspace], note: Callable[[], None]
    ) -> None:
        self._spoken, self._reply = threading.Lock(), reply
        self._opened, self._note = opened, note
        self._timer = threading.Timer(seconds, self._give_up)
        self._timer.daemon = True
        self._timer.start()

    def ends(self) -> bool:
        """Whether the answer came in time."""
        self._timer.cancel()
        return self._spoken.acquire(blocking=False)

    def _give_up(self) -> None:
        if self._spoken.acquire(blocking=False):
            streams.show(self._reply)
            streams.flush()
            until = time.monotonic() + self.LAST_SECONDS
            self._wait(until, lambda: not self._opened)
            if self._opened:
                self._note()
            self._wait(until, lambda: any(each.index.is_writing() for each in self._opened))
            os._exit(0)

    def _wait(self, until: float, is_busy: Callable[[], bool]) -> None:
        while is_busy() and time.monotonic() < until:
            time.sleep(0.01)
