"""`AsyncWorkspace.agents`: what programs of coding agents have of this workspace in their own
files."""

# Generated from memwiki/workspace/agents.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.agents import AgentsFacet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from memwiki.answers.agents import AgentReport, AgentStatus
    from memwiki.setup.agents import HookState


class AsyncAgentsFacet(Face[AgentsFacet]):
    """Installs memwiki for programs that run coding agents, and removes it again."""

    async def install(
        self,
        agent: str,
        project: str | Path | None = None,
        *,
        user: bool = False,
        capture: bool = False,
        instructions: bool = False,
        dry_run: bool = False,
    ) -> AgentReport:
        """Put the server, the hooks and the skill into a project's files, or with `user` the
        person's own; `capture` also records conversations. What is there already stays.

        Raises UsageError for an unknown agent, ConflictError for a file that changed meanwhile.
        """
        return await self._write(
            lambda it: it.install(
                agent,
                project,
                user=user,
                capture=capture,
                instructions=instructions,
                dry_run=dry_run,
            )
        )

    async def uninstall(
        self,
        agent: str,
        project: str | Path | None = None,
        *,
        user: bool = False,
        dry_run: bool = False,
    ) -> AgentReport:
        """Take out all of ours again, and nothing else."""
        return await self._write(
            lambda it: it.uninstall(agent, project, user=user, dry_run=dry_run)
        )

    async def status(self, project: str | Path | None = None) -> AgentStatus:
        """What is installed for a project and for the person."""
        return await self._read(lambda it: it.status(project))

    async def conversation(self, agent: str, name: str) -> HookState:
        """What hooks keep of a conversation of a program."""
        return await self._read(lambda it: it.conversation(agent, name))

    async def note_silence(self, agent: str, moment: str, why: str) -> None:
        """Keep for `status` that a hook had nothing to say though it may have had something."""
        return await self._write(lambda it: it.note_silence(agent, moment, why))

    async def leave_turn(self, turn: Mapping[str, object], name: str = "") -> None:
        """Keep what a hook could not record, under a new name or in place of what was left.

        It is sealed: it may name a transcript anywhere on this machine, which is read later.
        """
        return await self._write(lambda it: it.leave_turn(turn, name))

    async def left_turns(self) -> Sequence[tuple[str, Mapping[str, object]]]:
        """What hooks of this user could not record, by name, the oldest first; what anybody else
        left is removed, unread."""
        return await self._write(lambda it: it.left_turns())

    async def forget_turn(self, name: str) -> None:
        """It is recorded now."""
        return await self._write(lambda it: it.forget_turn(name))

    async def plugin(self, directory: str | Path) -> AgentReport:
        """Write memwiki as a plugin for agent programs into a new or empty folder."""
        return await self._write(lambda it: it.plugin(directory))
