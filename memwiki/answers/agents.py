"""What coding agents are offered, and what was installed for them, as answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memwiki.nouns import Json
from memwiki.records import FrozenRecord


class AgentFile(NamedTuple):
    """A file of an agent program that was changed, or has to be by hand."""

    path: str
    change: str  # created, changed, deleted or refused
    why: str = ""  # refused: the reason
    snippet: str = ""  # refused: what to paste


class AgentReport(NamedTuple):
    """What an installation or its removal did, or with `dry_run` would do."""

    agent: str
    scope: str  # project or user
    op: str  # install, uninstall or plugin
    files: tuple[AgentFile, ...] = ()
    commands: tuple[str, ...] = ()  # what the person has to run
    notes: tuple[str, ...] = ()
    diff: str = ""
    dry_run: bool = False


class AgentPart(NamedTuple):
    """One part of an installation."""

    agent: str
    scope: str  # project or user
    part: str  # server, hooks, skill, rule or instructions
    path: str
    state: str  # installed, awaiting review or active


class HookSilence(NamedTuple):
    """Calls of a hook that brought or kept nothing for one reason."""

    agent: str
    moment: str
    why: str
    times: int
    last: str  # when


class AgentStatus(NamedTuple):
    """What is installed for which program, and where its hooks had no answer."""

    parts: tuple[AgentPart, ...] = ()
    silences: tuple[HookSilence, ...] = ()
    notes: tuple[str, ...] = ()


class HookReply(NamedTuple):
    """What an agent's program reads: JSON of its own form, "" for nothing to say."""

    text: str


class ToolDefinitions(FrozenRecord):
    """The tools of a profile, each in the shape that an API takes."""

    profile: str
    format: str
    tools: tuple[Mapping[str, Json], ...]

    def __iter__(self) -> Iterator[Mapping[str, Json]]:
        return iter(self.tools)


class ToolReply(NamedTuple):
    """The text of a command that was done, or what is wrong with it."""

    ok: bool
    text: str = ""  # not printed where there is an error
    error: str = ""  # not printed where there is none
