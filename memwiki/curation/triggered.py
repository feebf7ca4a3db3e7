"""Sessions that ended and wait, extracted without anybody asking: within the budget, and not while
many proposals are open."""

from __future__ import annotations

from memwiki.answers.curation import JobReport, ProposalRow
from memwiki.config.models import AUTO_STORE
from memwiki.curation.jobs import EXTRACT
from memwiki.curation.running import answered, user_run
from memwiki.curation.work import JobWork
from memwiki.errors import MemwikiError, ModelError, NotFoundError
from memwiki.models.opening import ModelRun
from memwiki.nouns import Environ
from memwiki.numbers import counted
from memwiki.proposals.numbering import session_source
from memwiki.proposals.operations import Do
from memwiki.proposals.review import decide, is_safe, row_of, waiting_count
from memwiki.proposals.store import ProposalStore
from memwiki.proposals.triggers import (
    TriggeredSession,
    due,
    is_on,
    note_done,
    note_failure,
    run_lock,
)
from memwiki.sync.live import LiveIndex

ACTOR = "extract.auto_store"


def run_waiting(live: LiveIndex, environ: Environ, *, is_forced: bool) -> JobReport:
    """Extract what is due, one session after another; what fails is noted and tried later.

    Raises LockedError where another process is at it.
    """
    with run_lock(live.context):
        return _run(live, environ, is_forced=is_forced)


def _run(live: LiveIndex, environ: Environ, *, is_forced: bool) -> JobReport:
    context = live.context
    tried, rows, notes = due(context, is_forced=is_forced), list[ProposalRow](), list[str]()
    run, failed = user_run(live, environ), list[MemwikiError]()
    is_storing = is_on(context, environ, AUTO_STORE)
    for each in tried:
        most = context.config.curation.max_open
        if (count := waiting_count(live)) >= most:
            notes.append(f"{counted(count, 'proposal')} wait for review; sessions wait until then")
            break
        try:
            done = _extracted(live, each, run)
        except MemwikiError as error:
            note_failure(context, each, error)
            failed.append(error)
            continue
        note_done(context, each)
        notes += [note for row in done if is_storing for note in _stored(live, row.id)]
        rows += [row_of(ProposalStore(live).get(row.id)) for row in done]
    calls, tokens_in, tokens_out = run.budget.spent
    return JobReport(
        tuple(rows),
        "",
        len(tried),
        calls,
        tokens_in,
        tokens_out,
        failed[-1].message if failed else "",
        failed[-1].hint if failed else "",
        tuple(notes),
    )


def _extracted(live: LiveIndex, each: TriggeredSession, run: ModelRun) -> tuple[ProposalRow, ...]:
    """What a session told; nothing where it is gone, or all of it was answered. Raises ModelError,
    also where a portion is left."""
    public = live.public()
    try:
        source = session_source(public, each.session)
        work = JobWork(public, EXTRACT, source, run.models.chat.context_tokens)
        report = answered(live, work, run, is_accepting=False, progress=None)
    except NotFoundError:
        return ()
    if report.error:
        raise ModelError(report.error, report.hint)
    return report.proposals


def _stored(live: LiveIndex, id_: str) -> tuple[str, ...]:
    """Accept new entries that are supported and not flagged, and nothing else."""
    operations = ProposalStore(live).get(id_).operations
    safe = [each.n for each in operations if each.do is Do.ADD and is_safe(each)]
    if not safe:
        return ()
    return (decide(live.by(ACTOR), id_, safe, (), dry_run=False).edited.title,)
