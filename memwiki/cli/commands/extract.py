"""`memwiki extract`: lasting facts of a conversation, a page or a text, as proposals."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from memwiki.cli.app import App, DryRun
from memwiki.cli.door import Door
from memwiki.cli.input import read_text
from memwiki.cli.jobs import AskedJob, require_one, require_with, show_job, show_report
from memwiki.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from memwiki.answers.curation import JobReport
    from memwiki.workspace import Workspace

app = App()


@app.verb(
    "extract 2026-11-25-design --brief > job.txt",
    "extract 2026-11-25-design --dry-run",
    "extract 2026-11-25-design",
    "extract - --goal 'Fix the build' --result 'It passes' < log.txt",
    "extract 2026-11-25-design --skill",
    "extract --goal 'Fix the build' --result 'The cache of pip was damaged; deleting it helped.'",
)
def extract(
    door: Door,
    source: Annotated[str, "A session, page or file; - reads a text.", "[SESSION|FILE|-]"] = "",
    *,
    brief: Annotated[bool, "Print the job for any model; review --reply takes its answer."] = False,
    goal: Annotated[str, "What the task was to do.", "TEXT"] = "",
    result: Annotated[str, "What came of it.", "TEXT"] = "",
    skill: Annotated[bool, "How a task was done, as a skill with its steps."] = False,
    accept: Annotated[bool, "Accept what is supported and not flagged."] = False,
    waiting: Annotated[bool, "Those sessions that ended and wait (extract.on)."] = False,
    due: Annotated[bool, "With --waiting: but those that failed a moment ago."] = False,
    dry_run: DryRun = False,
) -> int:
    """Propose memories from a conversation, a page or a text, by a model or by hand.

    A model that you set (memwiki models) reads it portion by portion and cites the lines that say
    it; memwiki checks them. What they do not support is set aside, and nothing is true before
    memwiki review. --dry-run shows to the byte what would be sent, and sends nothing. With --brief
    any model can answer, and none has to be set. What was answered before is not asked again.
    With --goal and --result of a task it is asked first whether anything of it is worth storing.
    With --skill what is proposed is how the task was done: a name and its steps, for learnings.
    """
    require_with("extract", {"--due": due}, {"--waiting": waiting})
    ways = {"--brief": brief, "--dry-run": dry_run}
    if waiting:
        told = {"a source": source, "--goal": goal, "--result": result, "--skill": skill}
        return _waiting(door, {**told, **ways}, due=due)
    if not (source or goal or result):
        raise UsageError(
            "extract: nothing to read", "memwiki extract SESSION, or --goal and --result"
        )
    require_one("extract", {**ways, "--accept": accept})
    workspace = door.open()
    named: dict[str, Any] = {**_source(workspace, source), "goal": goal, "result": result}
    curation = workspace.curation

    def ask() -> JobReport:
        with door.progress("Asking") as progress:
            report = curation.extract(**named, skill=skill, accept=accept, progress=progress)
        door.has_changed = accept
        return report

    job = AskedJob(
        ask,
        partial(curation.extract_brief, **named, skill=skill),
        partial(curation.extract_preview, **named, skill=skill),
    )
    return show_job(door, job, is_brief=brief, dry_run=dry_run)


def _waiting(door: Door, given: Mapping[str, object], *, due: bool) -> int:
    """Sessions that ended and wait, of which nothing more can be said."""
    require_one("extract", {"--waiting": True, **given})
    return show_report(door, door.open().curation.extract_waiting(due=due))


def _source(workspace: Workspace, name: str) -> dict[str, str]:
    """A session or page by its name, else the text of a file."""
    if not name:
        return {"text": ""}
    if name != "-":
        with suppress(NotFoundError):
            workspace.proposals.lines(name)
            return {"source": name}
        if not Path(name).is_file():
            raise NotFoundError(
                f"{name}: no session, page or file is called so",
                "memwiki session list, or memwiki list",
            )
    return {"text": read_text(name, workspace.config.files.max_bytes)}
