"""What programs of coding agents have of a workspace: where, how it is put there, what is reported,
and what their hooks keep between their calls."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from memwiki.answers.workspaces import AgentFile, AgentReport, HookSilence
from memwiki.change.outside import OutsideEdit, apply_outside
from memwiki.change.plan import Edit, Plan, diff
from memwiki.clock import Clock
from memwiki.digest import digest_if_any
from memwiki.errors import AlreadyExistsError, UsageError, reason_of
from memwiki.files.hook_marks import end_state, note_seen, read_state, sweep_states, write_state
from memwiki.files.lock import LOCK_NAME, Lock, state_folder
from memwiki.files.records import InstallRecord, install_records, keep_record
from memwiki.importing import HostPlan, HostTarget, adapter
from memwiki.names import require_text
from memwiki.nouns import Environ
from memwiki.sessions.page import fitting_id
from memwiki.setup.init import guide

_LOCK_MS = 10_000


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


def target_of(
    root: Path, environ: Environ, project: str | Path | None, *, is_users: bool
) -> HostTarget:
    """The files that are meant: of a project, as a team can share them, or the person's own, with
    whole paths. Raises UsageError for what can be no folder."""
    home = Path(environ.get("HOME") or Path.home())
    named = str(project or root)
    root = root.absolute()
    _require_path(named)
    if is_users:
        return HostTarget(None, home, environ, str(root), _program(environ))
    folder = Path(named).absolute()
    try:
        below = Path(os.path.relpath(root, folder)).as_posix()
    except ValueError:  # another drive
        below = str(root)
    return HostTarget(folder, home, environ, below, ("memwiki",))


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


def carry_out_hosts(root: Path, plan: HostPlan) -> None:
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


def report_of(
    op: str, host: str, target: HostTarget, plan: HostPlan, *, dry_run: bool
) -> AgentReport:
    """What a plan for a program does to its files."""
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


def _change(edit: OutsideEdit) -> str:
    if edit.before is None and edit.after is not None:
        return "created"
    return "deleted" if edit.after is None else "changed"


def write_plugin(directory: str, version: str) -> AgentReport:
    """Write memwiki as a plugin; AlreadyExistsError for a folder that is not empty."""
    _require_path(directory)
    folder = Path(directory).absolute()
    if folder.is_dir() and any(folder.iterdir()):
        raise AlreadyExistsError(f"{folder}: is not empty", "give a new folder")
    files = adapter("plugin").plugin_files(guide(), version)
    edits = [OutsideEdit(folder / path, None, text.encode()) for path, text in files.items()]
    apply_outside(edits, {edit.file for edit in edits})
    made = tuple(AgentFile(str(edit.file), "created") for edit in edits)
    return AgentReport("plugin", "project", "plugin", made)


def counted_silences(noted: Iterable[Mapping[str, str]]) -> Iterator[HookSilence]:
    """Silences by program, moment and reason, the last one last."""
    found: dict[tuple[str, str, str], HookSilence] = {}
    for each in noted:
        key = (each.get("agent", ""), each.get("moment", ""), each.get("why", ""))
        before = found.pop(key, None)
        times = before.times + 1 if before else 1
        found[key] = HookSilence(*key, times, each.get("at", ""))
    return iter(found.values())
