"""`memwiki extract`, `ingest` and `curate`: what a model may find, as proposals; `ask`: a few
sentences that answer a question, each with the lines that say it; and `models`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from memwiki.answers.curation import AskAnswer, IngestReport, JobPreview, JobReport, KeptSource
from memwiki.answers.recall import Recall
from memwiki.cli.app import App, DryRun
from memwiki.cli.door import Door
from memwiki.cli.jobs import (
    AskedJob,
    left_line,
    require_one,
    require_with,
    show_brief,
    show_job,
    show_report,
)
from memwiki.cli.parameters import takes
from memwiki.cli.streams import read_bytes, read_text
from memwiki.errors import (
    MemwikiError,
    MissingExtraError,
    NeedsModelError,
    NotFoundError,
    UsageError,
    shell_word,
)
from memwiki.options import RecallOptions

if TYPE_CHECKING:
    from memwiki.workspace import Workspace


app = App()
_Brief = Annotated[bool, "Print the job for any model; review --reply takes its answer."]
_Accept = Annotated[bool, "Accept what is supported and not flagged."]


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
    brief: _Brief = False,
    goal: Annotated[str, "What the task was to do.", "TEXT"] = "",
    result: Annotated[str, "What came of it.", "TEXT"] = "",
    skill: Annotated[bool, "How a task was done, as a skill with its steps."] = False,
    accept: _Accept = False,
    waiting: Annotated[bool, "Those sessions that ended and wait (extract.on)."] = False,
    due: Annotated[bool, "With --waiting: but those that failed a moment ago."] = False,
    dry_run: DryRun = False,
) -> int:
    """Propose memories from a conversation, a page or a text, by a model or by hand.

    A model that you set (memwiki models) reads it portion by portion and cites the lines that say
    it. What they do not support is set aside, and nothing is true before memwiki review. With
    --brief any model can answer, and none has to be set. What was answered is not asked again.
    With --goal and --result it is asked first whether anything of the task is worth storing.
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
    brief: _Brief = False,
    accept: _Accept = False,
    dry_run: DryRun = False,
) -> int:
    """Keep sources in raw/ as they came, and propose what they say, each claim with its lines.

    Text, markdown, HTML, PDF, docx and epub; the text of what is no text goes beside it, and a page
    about it into the wiki. Then the model that you set (memwiki models) is asked portion by portion
    which claims go to which page; without one, --brief prints the job for any other. Nothing of it
    is true before memwiki review. What was answered before is not asked again, and of a source
    that changed only what is new.
    """
    require_one("ingest", {"--brief": brief, "--dry-run": dry_run, "--accept": accept})
    alone = {"--source": source, "--title": title, "--brief": brief, "--dry-run": dry_run}
    if len(files) > 1 and (given := [name for name, value in alone.items() if value]):
        raise UsageError(f"ingest: {given[0]} with several files", "give one file at a time")
    workspace = door.open()
    keep = partial(_keep, door, workspace, resource=source, title=title)
    if dry_run:
        return _preview(door, workspace, keep(files[0], dry_run=True))
    if brief:
        show_brief(door, workspace.curation.ingest_brief(keep(files[0]).text))
        return 0
    report = _report(door, workspace, files, keep, accept=accept)
    door.show_rows(report, "sources")
    door.say((*(note for each in report.sources for note in each.notes), *report.failed))
    return 0 if not report.failed and all(each.is_whole for each in report.sources) else 1


def _keep(
    door: Door,
    workspace: Workspace,
    name: str,
    *,
    resource: str,
    title: str,
    dry_run: bool = False,
) -> KeptSource:
    if name.lower().startswith(("https://", "http://")):
        raise UsageError(
            f"{name}: addresses are not fetched",
            "save the page first, then memwiki ingest FILE --source URL",
        )
    data = read_bytes(name, workspace.config.ingest.max_bytes)
    kept = workspace.curation.keep(data, name, resource=resource, title=title, dry_run=dry_run)
    door.note_change(kept.edited)
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
            done.append(_propose(door, workspace, kept, accept=accept))
        except MemwikiError as error:
            if len(files) == 1:
                raise
            failed.append(error.with_hint)
    return IngestReport(tuple(done), tuple(failed))


def _propose(door: Door, workspace: Workspace, kept: KeptSource, *, accept: bool) -> KeptSource:
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
    brief: _Brief = False,
    short: Annotated[bool, "At most 50 characters where one text is for several."] = False,
    due: Annotated[bool, "Only where curation.at says that it is time."] = False,
    accept: _Accept = False,
    dry_run: DryRun = False,
) -> int:
    """Propose what to join, end, merge, retire, relate and describe, by a model or by hand.

    memwiki finds what may belong together, without a model. A model that you set (memwiki models)
    decides, and nothing is true before memwiki review. With --brief any model can answer, and none
    has to be set. What was answered before is not asked again.
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


models = app.group("models", "models", "models check", "models allow openrouter.ai", "models spent")


@models.verb("models show --json", is_usual=True)
def show(door: Door) -> None:
    """Show which models are set, where each setting comes from, and what is allowed here."""
    door.show(door.open().models.show())


@models.verb("models check", "models check --measure", "models check --dry-run")
def check(
    door: Door,
    *,
    measure: Annotated[bool, "Measure how much it reads, with one long request."] = False,
    dry_run: Annotated[bool, "Show the request, and send nothing."] = False,
) -> None:
    """Ask the model for one word: how fast it is, and in which form it answers."""
    door.show(door.open().models.check(measure=measure, dry_run=dry_run))


@models.verb("models allow openrouter.ai", "models allow openrouter.ai --remove")
def allow(
    door: Door,
    host: Annotated[str, "The host of a model's server.", "HOST"],
    *,
    remove: Annotated[bool, "Allow it no more."] = False,
) -> None:
    """Let this workspace be sent to a host; this machine needs no consent."""
    door.report(door.open().models.allow(host, remove=remove))


@models.verb("models embed", "models embed --seconds 60", "models embed --limit 1000")
def embed(
    door: Door,
    *,
    seconds: Annotated[int | None, "Stop after N seconds.", "N", 1] = None,
    limit: Annotated[int | None, "Embed at most N texts.", "N", 1] = None,
) -> None:
    """Embed what has no vector yet, so that recall finds it by what it means.

    What was embedded stays, also after Ctrl-C; the next run goes on. What is private is left out.
    """
    workspace = door.open()
    with door.progress("Embedding") as progress:
        done = workspace.models.embed(seconds=seconds, limit=limit or 0, progress=progress)
    door.report(done)


@models.verb("models spent --json")
def spent(door: Door) -> None:
    """Show what models were asked, by month, in all workspaces."""
    door.show(door.open().models.spent())


@models.verb("models forget")
def forget(door: Door) -> None:
    """Delete the replies that are kept, of all workspaces; what was spent stays noted."""
    door.report(door.open().models.forget())


_OPTIONS = "limit budget channel types tags since until session plan".split()


@app.verb(
    "ask 'when did Anna move to Kiel?'",
    "ask 'why did we leave Hamburg?' --plan",
    "ask 'when did Anna move?' --dry-run",
    "ask 'when did Anna move?' --brief > job.txt",
    "ask 'when did Anna move?' --reply answer.json",
    takes_query=True,
)
@takes(RecallOptions, *_OPTIONS)
def ask(
    door: Door,
    question: Annotated[list[str], "", "QUESTION..."],
    *,
    options: RecallOptions,
    brief: Annotated[bool, "Print the job for any model; --reply takes its answer."] = False,
    reply: Annotated[str, "Take the answer of any model to this question.", "FILE|-"] = "",
    model: Annotated[str, "With --reply: which model answered.", "NAME"] = "",
    dry_run: Annotated[bool, "Show what would be sent, and send nothing."] = False,
) -> int:
    """Answer a question in a few sentences, each with the lines that say it.

    The model that you set (memwiki models) is shown what memwiki recall finds, but nothing that is
    private or withheld, and cites lines; what these do not say is left out, and named. Without a
    model it prints the passages and the job for any other one.
    """
    require_one("ask", {"--brief": brief, "--reply": reply, "--dry-run": dry_run})
    require_with("ask", {"--model": model}, {"--reply": reply})
    workspace, text = door.open(), " ".join(question)
    asked = options._replace(record=False)
    if dry_run:
        door.show(_answer_preview(workspace, text, asked))
        return 0
    if brief:
        door.show(workspace.curation.ask_brief(workspace.recall(text, **asked._asdict())))
        door.talk(_reply_line(text))
        return 0
    with door.progress("Asking") as progress:
        asked = asked._replace(progress=progress)
        if reply:
            given = read_text(reply, workspace.config.files.max_bytes)
            found = workspace.recall(text, **asked._asdict())
            answer = workspace.curation.ask_reply(found, given, model=model)
        else:
            answer = workspace.ask(text, asked)
    return _show(door, workspace, text, answer)


def _answer_preview(workspace: Workspace, text: str, options: RecallOptions) -> JobPreview:
    """What is sent about what recall finds by itself; a plan is asked before that."""
    found: Recall = workspace.recall(text, **options._replace(plan=False)._asdict())
    sent = workspace.curation.ask_preview(found)
    if not options.plan:
        return sent
    first = workspace.curation.plan_preview(text)
    return sent._replace(requests=(*first.requests, *sent.requests))


def _show(door: Door, workspace: Workspace, text: str, answer: AskAnswer) -> int:
    from memwiki.present.curation import answer_remarks

    door.show(answer)
    door.say(answer_remarks(answer))
    if answer.brief:
        door.talk(_reply_line(text))
    door.note_shown(workspace, answer.hits)
    workspace.note_recall(text, answer.found)
    return 1 if answer.error else 0


def _reply_line(text: str) -> str:
    return f"memwiki ask {shell_word(text)} --reply FILE takes the answer."
