"""`memwiki ingest`: sources into raw/ as they came, and what they say as proposals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

from memwiki.answers.curation import IngestReport, KeptSource
from memwiki.cli.app import App, DryRun
from memwiki.cli.door import Door
from memwiki.cli.input import read_bytes
from memwiki.cli.jobs import left_line, require_one, show_brief
from memwiki.errors import (
    MemwikiError,
    MissingExtraError,
    NeedsModelError,
    NotFoundError,
    UsageError,
    shell_word,
)

if TYPE_CHECKING:
    from memwiki.workspace import Workspace

app = App()


@app.verb(
    "ingest heat-pumps.pdf",
    "ingest page.html --source https://example.org/heat-pumps",
    "ingest notes.txt --title 'Notes of the meeting' --brief > job.txt",
    "ingest raw/heat-pumps.md --dry-run",
)
def ingest(
    door: Door,
    files: Annotated[list[str], "The sources; - reads one.", "FILE...|-"],
    *,
    source: Annotated[str, "Where it is from; noted, not fetched.", "URL"] = "",
    title: Annotated[str, "The title of the page about it.", "TEXT"] = "",
    brief: Annotated[bool, "Print the job for any model; review --reply takes its answer."] = False,
    accept: Annotated[bool, "Accept what is supported and not flagged."] = False,
    dry_run: DryRun = False,
) -> int:
    """Keep sources in raw/ as they came, and propose what they say, each claim with its lines.

    Text, markdown, HTML, PDF, docx and epub; the text of what is no text goes beside it, and a page
    about it into the wiki. Then the model that you set (memwiki models) is asked portion by portion
    which claims go to which page; without one, --brief prints the job for any other. Nothing of it
    is true before memwiki review. What was answered before is not asked again, and of a source that
    changed only what is new. --dry-run shows what would be kept, of a kept one what would be sent.
    """
    require_one("ingest", {"--brief": brief, "--dry-run": dry_run, "--accept": accept})
    alone = {"--source": source, "--title": title, "--brief": brief, "--dry-run": dry_run}
    if len(files) > 1 and (given := [name for name, value in alone.items() if value]):
        raise UsageError(f"ingest: {given[0]} with several files", "give one file at a time")
    workspace = door.open()
    keep = partial(_kept, door, workspace, resource=source, title=title)
    if dry_run:
        return _preview(door, workspace, keep(files[0], dry_run=True))
    if brief:
        show_brief(door, workspace.curation.ingest_brief(keep(files[0]).text))
        return 0
    report = _report(door, workspace, files, keep, accept=accept)
    door.show_rows(report, report.sources, len(report.sources), "sources")
    door.say((*(note for each in report.sources for note in each.notes), *report.failed))
    return 0 if not report.failed and all(each.is_whole for each in report.sources) else 1


def _kept(
    door: Door,
    workspace: Workspace,
    name: str,
    *,
    resource: str,
    title: str,
    dry_run: bool = False,
) -> KeptSource:
    data = read_bytes(name, workspace.config.ingest.max_bytes)
    kept = workspace.curation.keep(data, name, resource=resource, title=title, dry_run=dry_run)
    door.has_changed = door.has_changed or bool(kept.edited.paths and not dry_run)
    door.say(kept.edited.notes)
    return kept


def _preview(door: Door, workspace: Workspace, kept: KeptSource) -> int:
    """Show what would be kept; of what is kept already, what would be sent."""
    if kept.edited.paths:
        door.show(kept)
    else:
        door.show(workspace.curation.ingest_preview(kept.text))
    return 0


def _report(
    door: Door,
    workspace: Workspace,
    files: list[str],
    keep: Callable[[str], KeptSource],
    *,
    accept: bool,
) -> IngestReport:
    """What became of each file; one that fails leaves the others alone, if there are any."""
    done, failed = list[KeptSource](), list[str]()
    for name in files:
        try:
            kept = keep(name)
            done.append(_asked(door, workspace, kept, accept=accept))
        except MemwikiError as error:
            if len(files) == 1:
                raise
            failed.append(f"{error.message}; {error.hint}")
    return IngestReport(tuple(done), tuple(failed))


def _asked(door: Door, workspace: Workspace, kept: KeptSource, *, accept: bool) -> KeptSource:
    """What the model proposes of a source; without one, how any other is asked."""
    try:
        with door.progress("Asking") as progress:
            report = workspace.curation.ingest(kept.text, accept=accept, progress=progress)
    except (NeedsModelError, MissingExtraError):
        note = f"no model is set; memwiki ingest {shell_word(kept.text)} --brief prints the job"
        return kept._replace(notes=(note,))
    except NotFoundError as error:  # it was found a moment ago: nothing of it waits
        return kept._replace(notes=(error.message,))
    notes = (*report.notes, *filter(None, (left_line(report),)))
    return kept._replace(proposals=report.proposals, notes=notes, is_whole=not report.error)
