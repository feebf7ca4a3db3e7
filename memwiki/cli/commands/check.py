"""`memwiki check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from memwiki.answers.check import CheckReport
from memwiki.answers.pages import Edited
from memwiki.cli.app import App, Jsonl, Template, row_form
from memwiki.cli.door import PROBLEMS_FOUND, Door
from memwiki.errors import UsageError
from memwiki.nouns import Problem, Severity

if TYPE_CHECKING:
    from memwiki.present.check import ShownProblems
    from memwiki.present.plain import RowForm
    from memwiki.workspace import Workspace


app = App()


_Paths = Annotated[list[str] | None, "", "[PATH]..."]
_Only = Annotated[list[str] | None, "Only this code; `reading` means problems of reading.", "CODE"]
_Info = Annotated[bool, "List infos, too."]
_Severity = Annotated[
    Severity | None, "List this severity and graver ones; the others are counted."
]
_Strict = Annotated[bool, "Count infos too; --fix then repairs them as well."]
_Fix = Annotated[bool, "Repair what is safe to repair."]
_DryRun = Annotated[bool, "With --fix, only show what would change."]
_Baseline = Annotated[str, "Leave out the problems that FILE records.", "FILE"]
_WriteBaseline = Annotated[bool, "Record all problems in FILE of --baseline."]


@app.verb(
    "check",
    "check wiki/ --strict",
    "check --severity error",
    "check --only key-duplicate",
    "check --only reading    # what status counts",
    "check --fix --dry-run   # show what would be fixed",
    "check --baseline known.json --write-baseline",
    "check --format '{path}:{line}:1: {severity}: {message} [{code}]'",
)
def check(
    door: Door,
    paths: _Paths = None,
    *,
    only: _Only = None,
    info: _Info = False,
    severity: _Severity = None,
    strict: _Strict = False,
    fix: _Fix = False,
    dry_run: _DryRun = False,
    baseline: _Baseline = "",
    write_baseline: _WriteBaseline = False,
    format_: Template = "",
    jsonl: Jsonl = False,
) -> int:
    """Report problems; --fix repairs the safe ones.

    Infos are listed with --info, or when nothing else is left; JSON always has everything.
    Exits 3 when there are errors or warnings; docs/checks.md explains each code.
    """
    _require_sense(fix=fix, dry_run=dry_run, baseline=baseline, write_baseline=write_baseline)
    form = row_form(door, Problem, format_, jsonl=jsonl)
    if form and (fix or write_baseline):
        raise UsageError(
            "check: --format and --jsonl print problems, not changes", "memwiki check --fix"
        )
    from memwiki.present.check import ShownProblems

    workspace = door.open()
    seen = door.here(workspace)
    named, known = seen.paths(paths or ()), seen.path(baseline) if baseline else ""

    def report() -> CheckReport:
        leave_out = "" if write_baseline else known
        with door.progress("Checking") as progress:
            return workspace.check.run(named, only or (), baseline=leave_out, progress=progress)

    found = report()
    if write_baseline:
        door.report(workspace.check.accept(found, known))
        return 0
    if fix:
        # Infos are fixed when they count: a byte order mark may well be meant.
        asked = found if strict or only else _without_infos(found)
        edited = _mend(door, workspace, asked, dry_run=dry_run)
        found = (found if dry_run or not edited.paths else report())._replace(fixed=edited)
    shown = ShownProblems(severity, info or strict, bool(only), workspace.config.check.ignore)
    return _show(door, found, form or shown, is_strict=strict)


def _require_sense(*, fix: bool, dry_run: bool, baseline: str, write_baseline: bool) -> None:
    if dry_run and not fix:
        raise UsageError("check: --dry-run needs --fix", "memwiki check --fix --dry-run")
    if write_baseline and (fix or not baseline):
        raise UsageError(
            "check: --write-baseline takes --baseline FILE and no other option",
            "memwiki check --baseline FILE --write-baseline",
        )


def _without_infos(found: CheckReport) -> CheckReport:
    problems = (each for each in found.problems if each.severity is not Severity.INFO)
    return found._replace(problems=tuple(problems))


def _mend(door: Door, workspace: Workspace, found: CheckReport, *, dry_run: bool) -> Edited:
    def announce(planned: Edited) -> None:
        if planned.diff and not door.options.is_json:
            door.report(planned)

    edited = workspace.check.fix(found, dry_run=dry_run, announce=announce)
    if edited.paths and not dry_run:
        door.has_changed = True
        door.talk(edited.title)
    return edited


def _show(door: Door, found: CheckReport, how: RowForm | ShownProblems, *, is_strict: bool) -> int:
    from memwiki.present.check import ShownProblems, problem_lines, summary

    if isinstance(how, ShownProblems):
        door.show_lines(found, lambda look: problem_lines(found, look, how))
        door.talk(summary(found, how))
    else:
        door.show_each(found, how)
        door.talk(summary(found))
    counts = found.counts
    bad = counts.error + counts.warning + (counts.info if is_strict else 0)
    return PROBLEMS_FOUND if bad else 0
