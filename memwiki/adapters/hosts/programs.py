"""The programs that run coding agents, as data, and how each is to start memwiki."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from memwiki.adapter_api import Json, UsageError

_PLAIN = re.compile(r"[\w@+=:,./-]+")  # bash, which some programs run there, takes backslashes
SERVER = "memwiki"  # our name among the servers of a program


class HookMoment(StrEnum):
    """When a program calls a hook, as `memwiki hook` names it."""

    START = "start"
    PROMPT = "prompt"
    TURN = "turn"
    COMPACT = "compact"
    END = "end"


_SECONDS = {
    HookMoment.START: 5,
    HookMoment.PROMPT: 5,
    HookMoment.TURN: 10,
    HookMoment.COMPACT: 10,
    HookMoment.END: 3,
}
RECORDING = frozenset({HookMoment.TURN, HookMoment.COMPACT, HookMoment.END})


class HookEvent(NamedTuple):
    """One event of a program that a hook answers."""

    event: str  # as the program calls it
    moment: HookMoment
    timeout: int  # in the program's own unit
    is_recording: bool  # only wanted with --capture


class Host(NamedTuple):
    """A program, with its files below a project; those in its `home` are below the user's, too."""

    name: str
    title: str
    home: str  # its folder below the user's home
    home_variable: str  # names another one
    mcp: str  # not in `home`: for all projects, the person runs `user_command`
    hooks: str
    events: tuple[HookEvent, ...]
    skills: str = ".agents/skills"  # below a project or the user's home
    instructions: str = "AGENTS.md"  # the file of a project that it reads at the start
    has_transcript: bool = False  # in a form that is read; else events tell prompt and reply
    has_plain_hooks: bool = False  # an event lists commands, not groups of them
    rule: str = ""  # a file of a project that it always shows the model
    user_command: str = ""
    review: str = ""  # what the person has to do before it runs hooks


def _events(unit: int = 1, *, recording: str = "", **events: str) -> tuple[HookEvent, ...]:
    """Events by moment; that of `recording` serves recording alone beside the usual ones."""
    alone = RECORDING | {recording}
    return tuple(
        HookEvent(event, HookMoment(word), _SECONDS[HookMoment(word)] * unit, word in alone)
        for word, event in events.items()
    )


_LIKE_CLAUDE = _events(
    start="SessionStart",
    prompt="UserPromptSubmit",
    turn="Stop",
    compact="PreCompact",
    end="SessionEnd",
)
HOSTS = {
    each.name: each
    for each in (
        Host(
            "claude-code",
            "Claude Code",
            ".claude",
            "CLAUDE_CONFIG_DIR",
            ".mcp.json",
            ".claude/settings.json",
            _LIKE_CLAUDE,
            skills=".claude/skills",
            instructions="CLAUDE.md",
            has_transcript=True,
            user_command="claude mcp add --scope user memwiki --",
            review="start claude in the project and approve the server it asks about",
        ),
        Host(
            "codex",
            "Codex",
            ".codex",
            "CODEX_HOME",
            ".codex/config.toml",
            ".codex/hooks.json",
            _LIKE_CLAUDE,
            review="start codex and approve the hooks with /hooks; it skips them until then",
        ),
        Host(
            "cursor",
            "Cursor",
            ".cursor",
            "",
            ".cursor/mcp.json",
            ".cursor/hooks.json",
            _events(
                prompt="beforeSubmitPrompt",
                turn="afterAgentResponse",
                end="sessionEnd",
                recording="prompt",
            ),
            has_plain_hooks=True,
            rule=".cursor/rules/memwiki.mdc",
            review="open the settings of Cursor and switch the server on",
        ),
        Host(
            "gemini",
            "Gemini CLI",
            ".gemini",
            "",
            ".gemini/settings.json",
            ".gemini/settings.json",
            _events(
                1000,
                start="SessionStart",
                prompt="BeforeAgent",
                turn="AfterAgent",
                compact="PreCompress",
                end="SessionEnd",
            ),
            instructions="GEMINI.md",
            review="start gemini in the project and trust the folder",
        ),
    )
}


def host_of(name: str) -> Host:
    """The program of that name. Raises UsageError."""
    if name not in HOSTS:
        raise UsageError(f"agent: {name!r} is not known", hint=f"one of {', '.join(HOSTS)}")
    return HOSTS[name]


class Launch(NamedTuple):
    """The words that start memwiki, and the folder of the workspace as they name it."""

    program: tuple[str, ...]
    folder: str

    @property
    def server(self) -> dict[str, Json]:
        """The server of a program's list."""
        return {"command": self.program[0], "args": [*self.program[1:], "-C", self.folder, "mcp"]}

    def hook(self, moment: HookMoment, host: str, *, is_recording: bool = False) -> str:
        """The command of a hook, as a shell reads it."""
        words = [*self.program, "-C", self.folder, "hook", moment, "--host", host]
        if is_recording and moment is HookMoment.PROMPT:
            words.append("--capture")
        return shell_line(words)


def shell_line(words: list[str], *, is_windows: bool = os.name == "nt") -> str:
    """Words as one line of the shell of this system; on Windows of each of those it may be."""
    if not is_windows:
        return shlex.join(words)
    return " ".join(word if _PLAIN.fullmatch(word) else f'"{word}"' for word in words)


def is_our_server(value: Json) -> bool:
    """Whether a server of a program's list is ours."""
    if not isinstance(value, Mapping):
        return False
    arguments = value.get("args")
    words = [value.get("command"), *(arguments if isinstance(arguments, list) else ())]
    text = " ".join(map(str, words))
    return "memwiki" in text and text.endswith(" mcp")


def is_our_command(value: Json) -> bool:
    """Whether a hook is ours: its command is one of `memwiki hook`."""
    command = value.get("command") if isinstance(value, Mapping) else None
    marks = ("memwiki", " hook ", " --host ")
    return isinstance(command, str) and all(mark in command for mark in marks)
