"""`memwiki curate`: what is to be tidied in a memory, as proposals."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from memwiki.cli.app import App, DryRun
from memwiki.cli.door import Door
from memwiki.cli.jobs import AskedJob, require_one, show_job

if TYPE_CHECKING:
    from memwiki.answers.curation import JobReport

app = App()


@app.verb(
    "curate --dry-run",
    "curate doubles",
    "curate doubles --short --brief > job.txt",
    "curate && memwiki review",
)
def curate(
    door: Door,
    what: Annotated[
        str,
        "doubles, conflicts, entities, weak, relations, compress or summaries; else all.",
        "[WHAT]",
    ] = "",
    *,
    brief: Annotated[bool, "Print the job for any model; review --reply takes its answer."] = False,
    short: Annotated[bool, "At most 50 characters where one text is for several."] = False,
    due: Annotated[bool, "Only where curation.at says that it is time."] = False,
    accept: Annotated[bool, "Accept what is supported and not flagged."] = False,
    dry_run: DryRun = False,
) -> int:
    """Propose what to join, end, merge, retire, relate and describe, by a model or by hand.

    memwiki finds what may belong together, without a model: entries that say nearly the same, that
    contradict each other, that nobody needed for long, that name the same; names that may be of
    one; and pages without a description. A model that you set (memwiki models) decides, and nothing
    is true before memwiki review. --dry-run shows to the byte what would be sent. With --brief any
    model can answer, and none has to be set. What was answered before is not asked again.
    """
    ways = {"--brief": brief, "--dry-run": dry_run, "--accept": accept, "--due": due}
    require_one("curate", ways)
    if due:
        require_one("curate", {"--due": due, what: what, "--short": short})
    curation = door.open().curation

    def ask() -> JobReport:
        with door.progress("Asking") as progress:
            if due:
                return curation.curate_due(progress=progress)
            report = curation.curate(what, short=short, accept=accept, progress=progress)
        door.has_changed = accept
        return report

    job = AskedJob(
        ask,
        partial(curation.curate_brief, what, short=short),
        partial(curation.curate_preview, what, short=short),
    )
    return show_job(door, job, is_brief=brief, dry_run=dry_run)
