"""`Workspace.agents`: what programs of coding agents have of a workspace: where, how it is put
there, what is reported, and what their hooks keep between their calls."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from memwiki import __version__
from memwiki.answers.workspaces import AgentFile, AgentPart, AgentReport, AgentStatus, HookSilence
from memwiki.change.outside import OutsideEdit, apply_outside, bytes_at
from memwiki.change.plan import Edit, Plan, diff
from memwiki.change.record import is_sealed, seal_fields
from memwiki.clock import Clock, iso_of
from memwiki.config import cache_root
from memwiki.config.locations import home_of
from memwiki.digest import digest_if_any
from memwiki.errors import AlreadyExistsError, ConfigError, UsageError, reason_of
from memwiki.files import hook_marks
from memwiki.files.hook_marks import (
    end_state,
    forget_seen,
    note_seen,
    read_state,
    silences,
    sweep_states,
    was_seen,
    write_state,
)
from memwiki.files.lock import LOCK_NAME, Lock, state_folder
from memwiki.files.records import (
    InstallRecord,
    install_records,
    keep_record,
    key_in,
    made_key_in,
)
from memwiki.importing import HostPlan, HostTarget, adapter
from memwiki.names import require_text
from memwiki.nouns import Environ
from memwiki.sessions.page import fitting_id
from memwiki.setup.init import guide
from memwiki.sync.context import Context

_LOCK_MS = 10_000
_TURN = "turn"


class HookState:
    """What hooks keep of one conversation between their calls."""

    def __init__(
        self, root: Path, host: str, name: str, clock: Clock, *, has_transcript: bool
    ) -> None:
        self._root, self._host, self._name = root, host, f"{host}-{name}"
        self._clock = clock
        self.session_id = fitting_id(host, name)  # of the session that records it
        self.has_transcript = has_transcript

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
        target = self._target(project, is_users=user)._replace(guide=guide())
        known = install_records(self.context.root)
        plan: HostPlan = adapter("hosts").install_plan(
            agent, target, known, bytes_at, capture=capture, instructions=instructions
        )
        # A program asks again for hooks that are others.
        is_anew = plan.has_new_hooks
        return self._carried_out("install", agent, target, plan, is_anew=is_anew, dry_run=dry_run)

    def uninstall(
        self,
        agent: str,
        project: str | Path | None = None,
        *,
        user: bool = False,
        dry_run: bool = False,
    ) -> AgentReport:
        """Take out all of ours again, and nothing else."""
        target, known = self._target(project, is_users=user), install_records(self.context.root)
        plan: HostPlan = adapter("hosts").uninstall_plan(agent, target, known, bytes_at)
        return self._carried_out("uninstall", agent, target, plan, is_anew=True, dry_run=dry_run)

    def status(self, project: str | Path | None = None) -> AgentStatus:
        """What is installed for a project and for the person."""
        targets = (self._target(project, is_users=False), self._target(None, is_users=True))
        root = self.context.root
        parts = (_with_state(root, part) for part in adapter("hosts").parts(targets, bytes_at))
        return AgentStatus(tuple(parts), tuple(_count_silences(silences(root))))

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
        key = made_key_in(cache_root(self.environ, self.context.root))
        hook_marks.leave_turn(self.context.root, seal_fields({**turn, "kind": _TURN}, key), name)

    def left_turns(self) -> Sequence[tuple[str, Mapping[str, object]]]:
        """What hooks of this user could not record, by name, the oldest first; what anybody else
        left is removed, unread."""
        key, ours = key_in(cache_root(self.environ, self.context.root)), []
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
        """Write memwiki as a plugin for agent programs into a new or empty folder;
        AlreadyExistsError for any other."""
        _require_path(str(directory))
        folder = Path(directory).absolute()
        if folder.is_dir() and any(folder.iterdir()):
            raise AlreadyExistsError(f"{folder}: is not empty", "give a new folder")
        files = adapter("plugin").plugin_files(guide(), __version__)
        edits = [OutsideEdit(folder / path, None, text.encode()) for path, text in files.items()]
        apply_outside(edits, {edit.file for edit in edits})
        made = tuple(AgentFile(str(edit.file), "created") for edit in edits)
        return AgentReport("plugin", "project", "plugin", made)

    def _target(self, project: str | Path | None, *, is_users: bool) -> HostTarget:
        """The files that are meant: of a project, as a team can share them, or the person's own,
        with whole paths. Raises UsageError for what can be no folder."""
        root, environ = self.context.root.absolute(), self.environ
        home = Path(home_of(environ))
        if str(home) == "~":
            raise ConfigError.at("HOME", "is not set, and this user has no home folder", "set HOME")
        named = str(project or self.context.root)
        _require_path(named)
        if is_users:
            return HostTarget(None, home, environ, str(root), _program(environ))
        folder = Path(named).absolute()
        try:
            below = Path(os.path.relpath(root, folder)).as_posix()
        except ValueError:  # another drive
            below = str(root)
        return HostTarget(folder, home, environ, below, ("memwiki",))

    def _carried_out(
        self,
        op: str,
        host: str,
        target: HostTarget,
        plan: HostPlan,
        *,
        is_anew: bool,
        dry_run: bool,
    ) -> AgentReport:
        """What a plan for a program does to its files."""
        self.context.require_files()  # what it would name is a folder of the cache
        if not dry_run:
            if is_anew:
                forget_seen(self.context.root, host)
            _carry_out(self.context.root, plan)
        edits = tuple(
            Edit(str(e.file).lstrip("/"), digest_if_any(e.before), e.after) for e in plan.edits
        )
        before = {edit.path: e.before or b"" for edit, e in zip(edits, plan.edits, strict=True)}
        return AgentReport(
            host,
            "project" if target.project else "user",
            op,
            (*(AgentFile(str(e.file), _change(e)) for e in plan.edits), *plan.refused),
            commands=plan.commands,
            notes=plan.notes,
            diff=diff(Plan(edits), before.__getitem__),
            dry_run=dry_run,
        )


def _require_path(text: str) -> None:
    require_text("agent", text)
    try:
        Path(text).lstat()
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise UsageError(
            f"agent: {text[:60]!r} is no folder ({reason_of(error)})", "give the path of a folder"
        ) from error


def _program(environ: Environ) -> tuple[str, ...]:
    """The words that start this memwiki from anywhere."""
    beside = shutil.which("memwiki", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("memwiki", path=environ.get("PATH"))
    return (found,) if found else (sys.executable, "-P", "-m", "memwiki")


def _with_state(root: Path, part: AgentPart) -> AgentPart:
    """A part, of hooks with whether they were ever called."""
    if part.part != "hooks":
        return part
    is_active = was_seen(root, part.agent)
    return part._replace(state="active" if is_active else "awaiting review")


def _carry_out(root: Path, plan: HostPlan) -> None:
    """Write the files of programs, after it is noted what uninstalling has to take out again."""
    known = install_records(root)
    with Lock(state_folder(root) / LOCK_NAME, timeout_ms=_LOCK_MS):
        for file, made in plan.made.items():  # whatever comes between, uninstalling knows
            before = known.get(str(file), InstallRecord())
            if (both := before.coming(made)) != before:
                keep_record(root, file, both)
                known[str(file)] = both
        apply_outside(plan.edits, plan.files)
        for file, made in plan.made.items():
            if known.get(str(file), InstallRecord()) != made:
                keep_record(root, file, made)


def _change(edit: OutsideEdit) -> str:
    if edit.before is None and edit.after is not None:
        return "created"
    return "deleted" if edit.after is None else "changed"


def _count_silences(noted: Iterable[Mapping[str, str]]) -> Iterator[HookSilence]:
    """Silences by program, moment and reason, the last one last."""
    found: dict[tuple[str, str, str], HookSilence] = {}
    for each in noted:
        key = (each.get("agent", ""), each.get("moment", ""), each.get("why", ""))
        before = found.pop(key, None)
        times = before.times + 1 if before else 1
        found[key] = HookSilence(*key, times, each.get("at", ""))
    return iter(found.values())
