"""`Workspace.agents`: what programs of coding agents have of this workspace in their own files."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from memwiki.agents.editing import is_in
from memwiki.agents.hosts import HOSTS, Host, host_of
from memwiki.agents.launch import Launch, shell_line
from memwiki.agents.planning import AgentPlan, install_plan, uninstall_plan
from memwiki.agents.plugin import plugin_files
from memwiki.agents.record import Made, keep, made_in
from memwiki.agents.texts import instructions as instructions_for
from memwiki.agents.texts import rule, skill
from memwiki.agents.wishes import Scope, Texts, every_file, wishes
from memwiki.answers.agents import AgentFile, AgentPart, AgentReport, AgentStatus, HookSilence
from memwiki.change.outside import OutsideEdit, apply_outside, bytes_at
from memwiki.change.plan import Edit, Plan, diff
from memwiki.change.record import is_sealed, sealed
from memwiki.clock import Clock, iso_of
from memwiki.config import cache_root
from memwiki.digest import digest_if_any
from memwiki.errors import AlreadyExistsError, UsageError, reason_of
from memwiki.files.hook_marks import (
    end_state,
    forget_seen,
    forget_turn,
    leave_turn,
    left_turns,
    note_seen,
    note_silence,
    read_state,
    silences,
    sweep_states,
    was_seen,
    write_state,
)
from memwiki.files.lock import Lock
from memwiki.files.state import LOCK_NAME, state_folder
from memwiki.files.undo_key import key_in, made_key_in
from memwiki.names import require_text
from memwiki.sessions.paths import fitting_id
from memwiki.sync.context import Context

_LOCK_MS = 10_000
_TURN = "turn"


class AgentsFacet:
    """Installs memwiki for programs that run coding agents, and removes it again."""

    def __init__(self, context: Context, environ: Mapping[str, str]) -> None:
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
        host, scope = host_of(agent), self._scope(project, is_users=user)
        launch = self._launch(scope)
        lines = instructions_for(launch.folder) if instructions else ""
        texts = Texts(skill(self._guide(), launch.folder), rule(launch.folder), lines)
        wanted = wishes(host, scope, launch, texts, is_recording=capture)
        plan = install_plan(wanted, made_in(self.context.root), bytes_at)
        commands = (f"{host.user_command} {shell_line(_server_words(launch))}",)
        report = _report("install", host, scope, plan, dry_run=dry_run)._replace(
            commands=commands if user and host.user_command else (),
            notes=(f"{host.title}: {host.review}",) if host.review and plan.edits else (),
        )
        if dry_run:
            return report
        hooks = scope.file(host, host.hooks, host.user_hooks)
        if any(edit.file == hooks for edit in plan.edits):
            forget_seen(self.context.root, host.name)  # a program asks again for what is another
        return self._carried_out(plan, report)

    def uninstall(
        self,
        agent: str,
        project: str | Path | None = None,
        *,
        user: bool = False,
        dry_run: bool = False,
    ) -> AgentReport:
        """Take out all of ours again, and nothing else."""
        host, scope = host_of(agent), self._scope(project, is_users=user)
        theirs = self._shared_files(host, scope)
        ours = (wish for wish in every_file(host, scope) if wish.file not in theirs)
        plan = uninstall_plan(ours, made_in(self.context.root), bytes_at)
        report = _report("uninstall", host, scope, plan, dry_run=dry_run)
        if user and host.user_command:
            report = report._replace(commands=(_removal(host),))
        if dry_run:
            return report
        forget_seen(self.context.root, host.name)
        return self._carried_out(plan, report)

    def status(self, project: str | Path | None = None) -> AgentStatus:
        """What is installed for a project and for the person."""
        scopes = (self._scope(project, is_users=False), self._scope(None, is_users=True))
        parts = (
            part for host in HOSTS.values() for scope in scopes for part in self._parts(host, scope)
        )
        return AgentStatus(tuple(parts), tuple(_counted(silences(self.context.root))))

    def conversation(self, agent: str, name: str) -> HookState:
        """What hooks keep of a conversation of a program."""
        root = self.context.root
        return HookState(root, host_of(agent), name, self.context.clock)

    def note_silence(self, agent: str, moment: str, why: str) -> None:
        """Keep for `status` that a hook had nothing to say though it may have had something."""
        at = iso_of(self.context.clock())
        note_silence(self.context.root, {"agent": agent, "moment": moment, "why": why, "at": at})

    def leave_turn(self, turn: Mapping[str, object], name: str = "") -> None:
        """Keep what a hook could not record, under a new name or in place of what was left.

        It is sealed: it may name a transcript anywhere on this machine, which is read later.
        """
        key = made_key_in(cache_root(self.environ))
        leave_turn(self.context.root, sealed({**turn, "kind": _TURN}, key), name)

    def left_turns(self) -> Iterator[tuple[str, Mapping[str, object]]]:
        """What hooks of this user could not record, by name, the oldest first; what anybody else
        left is removed, unread."""
        key = key_in(cache_root(self.environ))
        for name, turn in left_turns(self.context.root):
            if turn.get("kind") == _TURN and is_sealed(turn, key):
                yield name, turn
            else:
                self.forget_turn(name)

    def forget_turn(self, name: str) -> None:
        """It is recorded now."""
        forget_turn(self.context.root, name)

    def plugin(self, directory: str | Path) -> AgentReport:
        """Write memwiki as a plugin for agent programs into a new or empty folder."""
        from memwiki import __version__

        _require_path(str(directory))
        folder = Path(directory).absolute()
        if folder.is_dir() and any(folder.iterdir()):
            raise AlreadyExistsError(f"{folder}: is not empty", hint="give a new folder")
        files = plugin_files(self._guide(), __version__, Launch(("memwiki",), "."))
        edits = [OutsideEdit(folder / path, None, text.encode()) for path, text in files.items()]
        apply_outside(edits, {edit.file for edit in edits})
        made = tuple(AgentFile(str(edit.file), "created") for edit in edits)
        return AgentReport("plugin", "project", "plugin", made)

    def _parts(self, host: Host, scope: Scope) -> Iterator[AgentPart]:
        there = [wish for wish in every_file(host, scope) if is_in(wish, bytes_at(wish.file))]
        if {wish.purpose for wish in there} - {"skill"}:  # else it is there for another program
            for wish in there:
                state = "installed"
                if wish.purpose == "hooks":
                    is_active = was_seen(self.context.root, host.name)
                    state = "active" if is_active else "awaiting review"
                kind = "project" if scope.project else "user"
                yield AgentPart(host.name, kind, wish.purpose, str(wish.file), state)

    def _shared_files(self, host: Host, scope: Scope) -> set[Path]:
        """The skills that other programs need, which have servers of ours."""
        others = (each for each in HOSTS.values() if each is not host)
        return {
            scope.skill(other)
            for other in others
            for wish in every_file(other, scope)
            if wish.purpose == "server" and is_in(wish, bytes_at(wish.file))
        }

    def _scope(self, project: str | Path | None, *, is_users: bool) -> Scope:
        home = Path(self.environ.get("HOME") or Path.home())
        named = str(project or self.context.root)
        _require_path(named)
        folder = None if is_users else Path(named).absolute()
        return Scope(folder, home, self.environ)

    def _launch(self, scope: Scope) -> Launch:
        """What a team can share in a project; for the person's own files, whole paths."""
        root = self.context.root.absolute()
        if not scope.project:
            return Launch(_program(self.environ), str(root))
        try:
            return Launch(("memwiki",), Path(os.path.relpath(root, scope.project)).as_posix())
        except ValueError:  # another drive
            return Launch(("memwiki",), str(root))

    def _guide(self) -> str:
        from memwiki.setup.template import guide

        return guide()

    def _carried_out(self, plan: AgentPlan, report: AgentReport) -> AgentReport:
        root, known = self.context.root, made_in(self.context.root)
        with Lock(state_folder(root) / LOCK_NAME, timeout_ms=_LOCK_MS):
            for file, made in plan.made.items():  # whatever comes between, uninstalling knows
                held = known.get(str(file), Made())
                if (both := held.coming(made)) != held:
                    keep(root, file, both)
                    known[str(file)] = both
            apply_outside(plan.edits, plan.files)
            for file, made in plan.made.items():
                if known.get(str(file), Made()) != made:
                    keep(root, file, made)
        return report


def _require_path(text: str) -> None:
    require_text("agent", text)
    try:
        Path(text).lstat()
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise UsageError(
            f"agent: {text[:60]!r} is no folder ({reason_of(error)})",
            hint="give the path of a folder",
        ) from error


class HookState:
    """What hooks keep of one conversation between their calls."""

    def __init__(self, root: Path, host: Host, name: str, clock: Clock) -> None:
        self._root, self._host, self._name = root, host.name, f"{host.name}-{name}"
        self._clock = clock
        self.session_id = fitting_id(host.name, name)  # of the session that records it
        self.has_transcript = host.has_transcript

    def begin(self) -> None:
        """A program called: it runs our hooks."""
        note_seen(self._root, self._host)
        sweep_states(self._root, self._clock())

    def get(self) -> Mapping[str, object]:
        """What was kept last."""
        return read_state(self._root, self._name)

    def keep(self, **changes: object) -> None:
        """Keep this beside the rest."""
        write_state(self._root, self._name, {**self.get(), **changes})

    def end(self) -> None:
        """Forget it."""
        end_state(self._root, self._name)


def _report(op: str, host: Host, scope: Scope, plan: AgentPlan, *, dry_run: bool) -> AgentReport:
    refused = (AgentFile(str(r.file), "refused", r.why, r.snippet) for r in plan.refused)
    edits = tuple(
        Edit(str(e.file).lstrip("/"), digest_if_any(e.before), e.after) for e in plan.edits
    )
    before = {edit.path: e.before or b"" for edit, e in zip(edits, plan.edits, strict=True)}
    return AgentReport(
        host.name,
        "project" if scope.project else "user",
        op,
        (*(AgentFile(str(e.file), _change(e)) for e in plan.edits), *refused),
        diff=diff(Plan(edits), before.__getitem__),
        dry_run=dry_run,
    )


def _counted(noted: Iterable[Mapping[str, str]]) -> Iterator[HookSilence]:
    """Silences by program, moment and reason, the last one last."""
    found: dict[tuple[str, str, str], HookSilence] = {}
    for each in noted:
        key = (each.get("agent", ""), each.get("moment", ""), each.get("why", ""))
        before = found.pop(key, None)
        times = before.times + 1 if before else 1
        found[key] = HookSilence(*key, times, each.get("at", ""))
    return iter(found.values())


def _change(edit: OutsideEdit) -> str:
    if edit.before is None and edit.after is not None:
        return "created"
    return "deleted" if edit.after is None else "changed"


def _server_words(launch: Launch) -> list[str]:
    return [*launch.program, "-C", launch.folder, "mcp"]


def _removal(host: Host) -> str:
    return host.user_command.replace(" add ", " remove ").removesuffix(" --")


def _program(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The words that start this memwiki from anywhere."""
    beside = shutil.which("memwiki", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("memwiki", path=environ.get("PATH"))
    return (found,) if found else (sys.executable, "-m", "memwiki")
