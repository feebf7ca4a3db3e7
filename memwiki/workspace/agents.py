"""`Workspace.agents`: what programs of coding agents have of this workspace in their own files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from memwiki import __version__
from memwiki.answers.workspaces import AgentPart, AgentReport, AgentStatus
from memwiki.change.outside import bytes_at
from memwiki.change.record import is_sealed, sealed
from memwiki.clock import iso_of
from memwiki.config import cache_root
from memwiki.files import hook_marks
from memwiki.files.records import install_records, key_in, made_key_in
from memwiki.importing import HostPlan, HostTarget, adapter
from memwiki.nouns import Environ
from memwiki.setup.agents import (
    HookState,
    carry_out_hosts,
    counted_silences,
    report_of,
    target_of,
    write_plugin,
)
from memwiki.setup.init import guide
from memwiki.sync.context import Context

_TURN = "turn"


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
        root = self.context.root
        target = self._target(project, is_users=user)._replace(guide=guide())
        plan: HostPlan = adapter("hosts").install_plan(
            agent,
            target,
            install_records(root),
            bytes_at,
            capture=capture,
            instructions=instructions,
        )
        report = report_of("install", agent, target, plan, dry_run=dry_run)
        if not dry_run:
            if plan.has_new_hooks:
                hook_marks.forget_seen(root, agent)  # a program asks again for what is another
            carry_out_hosts(root, plan)
        return report

    def uninstall(
        self,
        agent: str,
        project: str | Path | None = None,
        *,
        user: bool = False,
        dry_run: bool = False,
    ) -> AgentReport:
        """Take out all of ours again, and nothing else."""
        root, target = self.context.root, self._target(project, is_users=user)
        known = install_records(root)
        plan: HostPlan = adapter("hosts").uninstall_plan(agent, target, known, bytes_at)
        report = report_of("uninstall", agent, target, plan, dry_run=dry_run)
        if not dry_run:
            hook_marks.forget_seen(root, agent)
            carry_out_hosts(root, plan)
        return report

    def status(self, project: str | Path | None = None) -> AgentStatus:
        """What is installed for a project and for the person."""
        targets = (self._target(project, is_users=False), self._target(None, is_users=True))
        parts = map(self._seen, adapter("hosts").parts(targets, bytes_at))
        silences = counted_silences(hook_marks.silences(self.context.root))
        return AgentStatus(tuple(parts), tuple(silences))

    def conversation(self, agent: str, name: str) -> HookState:
        """What hooks keep of a conversation of a program."""
        context, has_transcript = self.context, adapter("hosts").has_transcript(agent)
        return HookState(context.root, agent, name, context.clock, has_transcript=has_transcript)

    def note_silence(self, agent: str, moment: str, why: str) -> None:
        """Keep for `status` that a hook had nothing to say though it may have had something."""
        at = iso_of(self.context.clock())
        noted = {"agent": agent, "moment": moment, "why": why, "at": at}
        hook_marks.note_silence(self.context.root, noted)

    def leave_turn(self, turn: Mapping[str, object], name: str = "") -> None:
        """Keep what a hook could not record, under a new name or in place of what was left.

        It is sealed: it may name a transcript anywhere on this machine, which is read later.
        """
        key = made_key_in(cache_root(self.environ))
        hook_marks.leave_turn(self.context.root, sealed({**turn, "kind": _TURN}, key), name)

    def left_turns(self) -> Sequence[tuple[str, Mapping[str, object]]]:
        """What hooks of this user could not record, by name, the oldest first; what anybody else
        left is removed, unread."""
        key, ours = key_in(cache_root(self.environ)), []
        for name, turn in hook_marks.left_turns(self.context.root):
            if turn.get("kind") == _TURN and is_sealed(turn, key):
                ours.append((name, turn))
            else:
                self.forget_turn(name)
        return ours

    def forget_turn(self, name: str) -> None:
        """It is recorded now."""
        hook_marks.forget_turn(self.context.root, name)

    def plugin(self, directory: str | Path) -> AgentReport:
        """Write memwiki as a plugin for agent programs into a new or empty folder."""
        return write_plugin(str(directory), __version__)

    def _seen(self, part: AgentPart) -> AgentPart:
        """A part, of hooks with whether they were ever called."""
        if part.part != "hooks":
            return part
        is_active = hook_marks.was_seen(self.context.root, part.agent)
        return part._replace(state="active" if is_active else "awaiting review")

    def _target(self, project: str | Path | None, *, is_users: bool) -> HostTarget:
        return target_of(self.context.root, self.environ, project, is_users=is_users)
