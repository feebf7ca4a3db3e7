"""What commands that ask a model share: the brief, or what was proposed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from memwiki.errors import UsageError

if TYPE_CHECKING:
    from memwiki.answers.curation import Brief, JobReport
    from memwiki.cli.door import Door


def require_one(command: str, given: Mapping[str, object]) -> None:
    """Refuse options that cannot be used together."""
    found = [name for name, value in given.items() if value]
    if len(found) > 1:
        raise UsageError(f"{command}: {' and '.join(found)} together", "choose one")


def show_job(
    door: Door,
    ask: Callable[..., JobReport],
    brief: Callable[..., Brief],
    *given: str,
    is_brief: bool,
) -> None:
    """Ask the model that is set, or print the job for any other one."""
    if is_brief:
        show_brief(door, brief(*given))
    else:
        show_report(door, ask(*given))


def show_brief(door: Door, brief: Brief) -> None:
    """Print a job, and say where its answer goes."""
    door.show(brief)
    door.talk(f"memwiki review {brief.id} --reply FILE takes the answer.")


def show_report(door: Door, report: JobReport) -> int:
    """Print what was proposed; the exit code is 1 where a portion was left."""
    door.show_rows(report, report.proposals, len(report.proposals), "proposals")
    door.say(report.notes)
    if report.error:
        left = report.portions - len(report.proposals)
        door.talk(f"{report.error}; {left} of {report.portions} portions wait, run it again")
    return 1 if report.error else 0
