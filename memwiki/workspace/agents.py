"""`Workspace.agents`: what programs of coding agents have of this workspace in their own files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from memwiki import __version__
from memwiki.answers.workspaces import AgentReport, AgentStatus
from memwiki.clock import iso_of
from memwiki.files import hook_marks
from memwiki.importing import HostTarget, adapter
from memwiki.nouns import Environ
from memwiki.setup import agents as setup
from memwiki.sync.context import Context


class AgentsFacet:
    """Installs memwiki for programs that run coding agents, and removes it again."""

    def __init__(self, context: Context, environ: Environ) -> None:
        self.context, self.environ = context, environ

    def install(
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
        return setup.install(
            self.context.root,
            agent,
            self._target(project, is_users=user),
            capture=capture,
            instructions=instructions,
            dry_run=dry_run,
        )

    def uninstall(
        self,
        agent: str,
        project: str | Path | None = None,
        *,
        user: bool = False,
        dry_run: bool = False,
    ) -> AgentReport:
        """Take out all of ours again, and nothing else."""
        target = self._target(project, is_users=user)
        return setup.uninstall(self.context.root, agent, target, dry_run=dry_run)

    def status(self, project: str | Path | None = None) -> AgentStatus:
        """What is installed for a project and for the person."""
        targets = (self._target(project, is_users=False), self._target(None, is_users=True))
        return setup.status(self.context.root, *targets)

    def conversation(self, agent: str, name: str) -> setup.HookState:
        """What hooks keep of a conversation of a program."""
        context, has_transcript = self.context, adapter("hosts").has_transcript(agent)
        return setup.HookState(
            context.root, agent, name, context.clock, has_transcript=has_transcript
        )

    def note_silence(self, agent: str, moment: str, why: str) -> None:
        """Keep for `status` that a hook had nothing to say though it may have had something."""
        at = iso_of(self.context.clock())
        noted = {"agent": agent, "moment": moment, "why": why, "at": at}
        hook_marks.note_silence(self.context.root, noted)

    def leave_turn(self, turn: Mapping[str, object], name: str = "") -> None:
        """Keep what a hook could not record, under a new name or in place of what was left.

        It is sealed: it may name a transcript anywhere on this machine, which is read later.
        """
        setup.leave_turn(self.context.root, self.environ, turn, name)

    def left_turns(self) -> Sequence[tuple[str, Mapping[str, object]]]:
        """What hooks of this user could not record, by name, the oldest first; what anybody else
        left is removed, unread."""
        return setup.left_turns(self.context.root, self.environ)

    def forget_turn(self, name: str) -> None:
        """It is recorded now."""
        hook_marks.forget_turn(self.context.root, name)

    def plugin(self, directory: str | Path) -> AgentReport:
        """Write memwiki as a plugin for agent programs into a new or empty folder."""
        return setup.write_plugin(str(directory), __version__)

    def _target(self, project: str | Path | None, *, is_users: bool) -> HostTarget:
        return setup.target_of(self.context.root, self.environ, project, is_users=is_users)
