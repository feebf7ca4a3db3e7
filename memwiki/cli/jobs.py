"""What commands that ask a model share: the brief, or what was proposed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from memwiki.errors import UsageError
from memwiki.records import NamedTuple

if TYPE_CHECKING:
    from memwiki.answers.curation import Brief, JobPreview, JobReport
    from memwiki.cli.door import Door


def require_one(command: str, given: Mapping[str, object]) -> None:
    """Refuse options that cannot be used together."""
    found = [name for name, value in given.items() if value]
    if len(found) > 1:
        raise UsageError(f"{command}: {' and '.join(found)} together", "choose one")


def require_with(command: str, given: Mapping[str, object], needed: Mapping[str, object]) -> None:
    """Refuse options that do something only beside others."""
    for name, value in given.items():
        if value and not any(needed.values()):
            raise UsageError(f"{command}: {name} without {' or '.join(needed)}")


class AskedJob(NamedTuple):
    """The three ways a job is asked for."""

    ask: Callable[[], JobReport]
    brief: Callable[[], Brief]
    preview: Callable[[], JobPreview]


def show_job(door: Door, job: AskedJob, *, is_brief: bool, dry_run: bool) -> int:
    """Ask the model that is set, print the job for any other one, or show what would be sent; the
    exit code is 1 where a portion was left."""
    if is_brief:
        show_brief(door, job.brief())
    elif dry_run:
        door.show(job.preview())
    else:
        return show_report(door, job.ask())
    return 0


def show_brief(door: Door, brief: Brief) -> None:
    """Print a job, and say where its answer goes."""
    door.show(brief)
    door.talk(reply_line(brief))


def reply_line(brief: Brief) -> str:
    """Where the answer to a brief goes."""
    return f"memwiki review {brief.id} --reply FILE takes the answer."


def show_report(door: Door, report: JobReport) -> int:
    """Print what was proposed; the exit code is 1 where a portion was left."""
    door.show_rows(report, "proposals")
    door.say(filter(None, (left_line(report),)))
    return 1 if report.error else 0


def left_line(report: JobReport) -> str:
    """What is left of a job where a portion failed; "" where nothing is."""
    left = report.portions - len(report.proposals)
    waiting = f"{left} of {report.portions} portions wait, run it again"
    return f"{report.error}; {waiting}" if report.error else ""
