"""A job asked of the user's model, or shown as it would be; and sessions that ended and wait,
extracted without anybody asking: within the budget, and not while many proposals are open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Protocol

from memwiki.answers.curation import (
    Brief,
    JobPreview,
    JobReport,
    OutgoingRequest,
    ProposalRow,
)
from memwiki.config.models import AUTO_STORE
from memwiki.curation.jobs import EXTRACT, Portion, prompt_of
from memwiki.curation.verifying import VerifyWork
from memwiki.curation.work import BY_HAND_TOKENS, JobWork, nothing_left
from memwiki.errors import MemwikiError, ModelError, NotFoundError
from memwiki.index.projection import Progress
from memwiki.models.faults import ModelCutError, ModelTooLongError
from memwiki.models.opening import ModelRun
from memwiki.models.port import Ask, Chat
from memwiki.models.replies import Replies
from memwiki.nouns import Environ
from memwiki.numbers import counted
from memwiki.proposals.numbering import NumberedSource, session_source
from memwiki.proposals.operations import Do, Proposal
from memwiki.proposals.proposing import KnownEntry
from memwiki.proposals.review import ALL, decide, is_safe, row_of, waiting_count
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

_ASKED = 2  # times, for claims of which nothing was said the first time


class PortionWork(Protocol):
    """What is asked portion by portion."""

    source: NumberedSource
    waiting: list[Portion]

    @property
    def undecided(self) -> Sequence[str]:
        """The proposals that were made before, of which something can be accepted."""

    @property
    def is_of_task(self) -> bool:
        """Whether it is asked first if anything is worth storing."""

    def ask(self, portion: Portion) -> tuple[Ask, Sequence[KnownEntry]]:
        """What is asked about a portion, and the entries that it shows."""

    def brief(self) -> tuple[Proposal, str]:
        """The first portion as a proposal that nobody answered yet, and the text of the job."""

    def run(self, portion: Portion, chat: Chat, replies: Replies | None = None) -> Proposal:
        """Ask a model about a portion, and keep what it proposes."""

    def halves(self, portion: Portion) -> Sequence[Portion]:
        """A portion in two, where it can be asked so."""


def brief_of(make: Callable[[int], PortionWork], room: int | None = None) -> Brief:
    """A job as one text, of what fits into the context of whoever answers it."""
    work = make(room or BY_HAND_TOKENS)
    asked, text = work.brief()
    said = prompt_of(asked.job).text
    return Brief(asked.id, asked.job, text, len(work.waiting), len(said))


class OfferedJob:
    """A job for whoever is asked: the model that is set, or any other one, with a brief."""

    def __init__(
        self, live: LiveIndex, environ: Environ, make: Callable[[int], PortionWork]
    ) -> None:
        """`make` gives what fits into so many tokens."""
        live.context.require_files()  # where proposals are kept
        self._live, self._environ, self._make = live, environ, make

    def _work(self) -> tuple[PortionWork, ModelRun]:
        run = self._live.context.model_run(self._environ)
        return self._make(run.models.chat.context_tokens), run

    def answered(self, *, accept: bool = False, progress: Progress | None = None) -> JobReport:
        """Ask the model that is set, and accept what is safe if that is asked for."""
        return answer_portions(self._live, *self._work(), is_accepting=accept, progress=progress)

    def preview(self) -> JobPreview:
        """The requests that would be sent."""
        return preview(*self._work())

    def brief(self, room: int | None = None) -> Brief:
        """The job as one text."""
        return brief_of(self._make, room)


def preview(work: PortionWork, run: ModelRun) -> JobPreview:
    """The requests of all portions that wait. Raises ModelError."""
    asks = (work.ask(portion)[0] for portion in work.waiting)
    return JobPreview(outgoing_requests(run, lambda _: asks), work.source.path)


def outgoing_requests(
    run: ModelRun, asks: Callable[[int], Iterable[Ask]]
) -> tuple[OutgoingRequest, ...]:
    """What is asked of a model with so large a context, as it would be sent. Raises ModelError."""
    with closing(run.chat()) as chat:
        return tuple(chat.outgoing(ask) for ask in asks(chat.context_tokens))


def answer_portions(
    live: LiveIndex,
    work: PortionWork,
    run: ModelRun,
    *,
    is_accepting: bool,
    progress: Progress | None,
) -> JobReport:
    """Ask about one portion after another; what was answered stays when a later one fails.

    What was proposed before and waits for review is accepted, too, as when who asked was killed.
    Raises ModelError where nothing can be asked at all, NotFoundError where nothing is left.
    """
    waiting = work.waiting
    before = work.undecided if is_accepting else ()
    if not (waiting or before):
        raise nothing_left(work.source)
    done, error = list[str](), None
    with closing(run.chat()) as chat:  # a file is served until then
        for number, portion in enumerate(waiting):
            if progress:
                progress(number, len(waiting))
            try:
                for each in _as_it_fits(work, portion, chat, run.replies):
                    done.append(each.id)
            except ModelError as failed:
                if not (done or before):
                    raise
                error = failed
                break
        made = ready = [*dict.fromkeys((*before, *done))]  # a second reading makes nothing new
        if live.context.config.models.verify and not isinstance(work, VerifyWork):
            ready, unread = _read_twice(live, made, chat, run)
            error = error or unread
    notes = _accepted(live, ready) if is_accepting else ()
    return JobReport(
        tuple(row_of(ProposalStore(live).get(each)) for each in made),
        work.source.path,
        len(waiting) + len(made) - len(done),
        *run.budget.spent,
        *_error_texts(error),
        notes,
        *(_worth(live, done) if work.is_of_task else ()),
    )


def _error_texts(error: MemwikiError | None) -> tuple[str, str]:
    """What a report says of an error, and of what to do."""
    return (error.message, error.hint) if error else ("", "")


def _as_it_fits(
    work: PortionWork, portion: Portion, chat: Chat, replies: Replies | None
) -> Iterator[Proposal]:
    """Ask about a portion, once more in two halves where it or the reply is too long."""
    try:
        yield work.run(portion, chat, replies)
    except (ModelTooLongError, ModelCutError):
        halves = work.halves(portion)
        if not halves:
            raise
        for half in halves:
            yield work.run(half, chat, replies)


def _read_twice(
    live: LiveIndex, ids: Iterable[str], chat: Chat, run: ModelRun
) -> tuple[list[str], ModelError | None]:
    """Read proposals a second time; those that were, and what kept the others from it."""
    ready, store = list[str](), ProposalStore(live)
    for id_ in ids:
        try:
            _read_unread(live, id_, chat, run)
        except (ModelError, NotFoundError) as error:
            return ready, ModelError(error.message, error.hint)
        if left := len(store.get(id_).unread):
            what = f"{id_}: a second reading left out {counted(left, 'claim')}"
            return ready, ModelError(what, "memwiki review {}", id_)
        ready.append(id_)
    return ready, None


def _read_unread(live: LiveIndex, id_: str, chat: Chat, run: ModelRun) -> None:
    for _ in range(_ASKED):
        if ProposalStore(live).get(id_).unread:
            work = VerifyWork(live.public(), id_, run.models.chat.context_tokens)
            for portion in work.waiting:
                list(_as_it_fits(work, portion, chat, run.replies))


def _worth(live: LiveIndex, ids: Sequence[str]) -> tuple[bool, str]:
    """Whether a task told anything that is worth storing, and why."""
    made = [ProposalStore(live).get(each) for each in ids]
    reasons = filter(None, (each.reasoning for each in made))
    return any(each.operations for each in made), " ".join(dict.fromkeys(reasons))


def _accepted(live: LiveIndex, ids: list[str]) -> tuple[str, ...]:
    """Accept what is supported and not flagged; what each proposal came to, as notes."""
    decided = [decide(live, each, ALL, (), dry_run=False) for each in ids]
    return tuple(each.edited.title for each in decided if each.accepted)


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
    run, failed = context.model_run(environ), list[MemwikiError]()
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
        notes += [note for row in done if is_storing for note in _accept_safe(live, row.id)]
        rows += [row_of(ProposalStore(live).get(row.id)) for row in done]
    last = failed[-1] if failed else None
    return JobReport(
        tuple(rows), "", len(tried), *run.budget.spent, *_error_texts(last), tuple(notes)
    )


def _extracted(live: LiveIndex, each: TriggeredSession, run: ModelRun) -> tuple[ProposalRow, ...]:
    """What a session told; nothing where it is gone, or all of it was answered. Raises ModelError,
    also where a portion is left."""
    public = live.public()
    try:
        source = session_source(public, each.session)
        work = JobWork(public, EXTRACT, source, run.models.chat.context_tokens)
        report = answer_portions(live, work, run, is_accepting=False, progress=None)
    except NotFoundError:
        return ()
    if report.error:
        raise ModelError(report.error, report.hint)
    return report.proposals


def _accept_safe(live: LiveIndex, id_: str) -> tuple[str, ...]:
    """Accept new entries that are supported and not flagged, and nothing else."""
    operations = ProposalStore(live).get(id_).operations
    safe = [each.n for each in operations if each.do is Do.ADD and is_safe(each)]
    if not safe:
        return ()
    return (decide(live.by(ACTOR), id_, safe, (), dry_run=False).edited.title,)
