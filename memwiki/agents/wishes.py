"""What memwiki wants to stand in which file of a program."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from memwiki.agents.hosts import HookEvent, Host
from memwiki.agents.json_edit import KeyPath
from memwiki.agents.jsonc import Json
from memwiki.agents.launch import SERVER, Launch


class Form(StrEnum):
    """How a file is edited."""

    JSON = "json"
    TOML = "toml"  # a block at the end
    TEXT = "text"  # a block at the end
    WHOLE = "whole"  # the file is ours


class Member(NamedTuple):
    """A value at a path of a JSON file, or one more element of the list there."""

    path: KeyPath
    value: Json
    is_element: bool = False


class Wish(NamedTuple):
    """What one file is to hold for one purpose; a JSON file without members, nothing of ours."""

    file: Path
    form: Form
    purpose: str  # server, hooks, skill, rule, instructions
    members: tuple[Member, ...] = ()
    text: str = ""  # the lines of a block, or the whole file
    start: Mapping[str, Json] = {}  # a new JSON file begins with it


class Scope(NamedTuple):
    """Whose files: those of a project's folder, or the user's own."""

    project: Path | None  # None: the user's
    home: Path
    environ: Mapping[str, str]

    def file(self, host: Host, of_project: str, of_user: str) -> Path | None:
        """Where a file is, None where a program has none of that kind."""
        if self.project:
            return self.project / of_project if of_project else None
        return self.folder(host) / of_user if of_user else None

    def folder(self, host: Host) -> Path:
        """The program's own folder of the user."""
        named = self.environ.get(host.home_variable, "") if host.home_variable else ""
        return Path(named) if named else self.home / host.home

    def skill(self, host: Host) -> Path:
        """The skill, which programs look for by its folder."""
        folder = self.project / host.skills if self.project else self.home / host.user_skills
        return folder / SERVER / "SKILL.md"


class Texts(NamedTuple):
    """What memwiki says of itself to an agent."""

    skill: str
    rule: str
    instructions: str  # "" when not asked for


def wishes(
    host: Host, scope: Scope, launch: Launch, texts: Texts, *, is_recording: bool
) -> Iterator[Wish]:
    """All that an installation writes."""
    server = scope.file(host, host.mcp, host.user_mcp)
    if server:
        yield _server(server, launch)
    hooks = scope.file(host, host.hooks, host.user_hooks)
    events = [each for each in host.events if is_recording or not each.is_recording]
    if hooks:
        members = tuple(_hook(host, launch, each, is_recording=is_recording) for each in events)
        start: Mapping[str, Json] = {"version": 1} if host.has_plain_hooks else {}
        yield Wish(hooks, Form.JSON, "hooks", members, start=start)
    yield Wish(scope.skill(host), Form.WHOLE, "skill", text=texts.skill)
    if scope.project and host.rule:
        yield Wish(scope.project / host.rule, Form.WHOLE, "rule", text=texts.rule)
    if scope.project and texts.instructions:
        file = scope.project / host.instructions
        yield Wish(file, Form.TEXT, "instructions", text=texts.instructions)


def every_file(host: Host, scope: Scope) -> Iterator[Wish]:
    """The files that an installation may have written, whatever it was asked for."""
    launch, texts = Launch(("memwiki",), "."), Texts("", "", "x")
    return wishes(host, scope, launch, texts, is_recording=True)


def _server(file: Path, launch: Launch) -> Wish:
    if file.suffix == ".toml":
        return Wish(file, Form.TOML, "server", text=_table(launch))
    member = Member(("mcpServers", SERVER), launch.server)
    return Wish(file, Form.JSON, "server", (member,))


def _table(launch: Launch) -> str:
    # A JSON string of printable text is a TOML one.
    lines = (f"{key} = {json.dumps(value)}" for key, value in launch.server.items())
    return "\n".join([f"[mcp_servers.{SERVER}]", *lines])


def _hook(host: Host, launch: Launch, event: HookEvent, *, is_recording: bool) -> Member:
    command = launch.hook(event.moment, host.name, is_recording=is_recording)
    path = ("hooks", event.event)
    if host.has_plain_hooks:
        return Member(path, {"command": command, "timeout": event.timeout}, is_element=True)
    hook: Json = {"type": "command", "command": command, "timeout": event.timeout}
    return Member(path, {"hooks": [hook]}, is_element=True)
