"""The curator: its jobs one after the other, and what the workspace would be after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import islice
from typing import Any

from memwiki.answers.curation import CurateReport, JobReport
from memwiki.curation import groups
from memwiki.curation.compress import COMPRESS
from memwiki.curation.conflicts import CONFLICTS
from memwiki.curation.describe import DESCRIBE
from memwiki.curation.doubles import DOUBLES, SHORT_DOUBLES
from memwiki.curation.entities import ENTITIES
from memwiki.curation.entry_work import EntryWork, shown_entries, shown_names
from memwiki.curation.jobs import Job
from memwiki.curation.portions import Portion, portions
from memwiki.curation.relations import RELATIONS
from memwiki.curation.weak import WEAK
from memwiki.curation.work import AnsweredPortion, JobWork, outgoing_files
from memwiki.errors import MemwikiError, NotFoundError, UsageError
from memwiki.models.port import Ask, Chat
from memwiki.models.replies import Replies
from memwiki.proposals.numbering import source_at
from memwiki.proposals.operations import Do, Operation, Proposal, State
from memwiki.proposals.proposing import KnownEntry
from memwiki.proposals.source import NumberedSource
from memwiki.proposals.store import ProposalStore
from memwiki.protected import why_left_alone
from memwiki.sync.live import LiveIndex

_MAX_PAGES = 50  # a run; the next one asks about others
_JOINING = frozenset({DOUBLES.prompt.job, SHORT_DOUBLES.prompt.job})


class CurateWork:
    """Several jobs as one, portion by portion."""

    is_of_task = False
    source = NumberedSource(())

    def __init__(self, works: Iterable[JobWork]) -> None:
        works = list(works)
        self.undecided = [id_ for work in works for id_ in work.undecided]
        self._rows = [(work, portion) for work in works for portion in work.waiting]
        self.waiting = [portion for _, portion in self._rows]

    def _work(self, portion: Portion) -> JobWork:
        return next(work for work, each in self._rows if each is portion)

    def ask(self, portion: Portion) -> tuple[Ask, Sequence[KnownEntry]]:
        """What is asked about a portion."""
        return self._work(portion).ask(portion)

    def brief(self) -> tuple[Proposal, str]:
        """The first portion as a proposal that nobody answered yet; NotFoundError without one."""
        if not self._rows:
            raise NotFoundError("curate: there is nothing to ask", "memwiki review --all")
        return self._rows[0][0].brief()

    def run(self, portion: Portion, chat: Chat, replies: Replies | None = None) -> AnsweredPortion:
        """Ask a model about a portion. Raises ModelError."""
        return self._work(portion).run(portion, chat, replies)

    def halves(self, _portion: Portion) -> Sequence[Portion]:
        """None: what is compared stands together."""
        return ()


class Curator:
    """What is to be asked about one workspace; `live` is its public view, and `undescribed` names
    its pages without a description."""

    def __init__(
        self,
        live: LiveIndex,
        what: str,
        undescribed: Callable[[], Iterable[str]],
        *,
        is_short: bool = False,
    ) -> None:
        self._live, self._is_short, self._undescribed = live, is_short, undescribed
        jobs: Mapping[str, Callable[[int], Iterable[JobWork]]] = {
            "doubles": self._doubles,
            "conflicts": self._conflicts,
            "entities": self._entities,
            "weak": self._weak,
            "relations": self._relations,
            "compress": self._compress,
            "summaries": self._summaries,
        }
        if what and what not in jobs:
            raise UsageError(f"curate: {what}: cannot be curated", f"known: {', '.join(jobs)}")
        self._jobs = [jobs[what]] if what else list(jobs.values())
        self._files = outgoing_files(live)
        self._entries = groups.curated_entries(live, self._files)

    def work(self, context_tokens: int) -> CurateWork:
        """All that is left to ask."""
        return CurateWork(each for make in self._jobs for each in make(context_tokens))

    def _doubles(self, most: int) -> Iterator[JobWork]:
        job = SHORT_DOUBLES if self._is_short else DOUBLES
        live = self._live
        yield self._on(job, groups.alike(self._entries, live.context.config, live.vectors), most)

    def _conflicts(self, most: int) -> Iterator[JobWork]:
        yield self._on(CONFLICTS, groups.opposed(self._entries, self._live.context.config), most)

    def _entities(self, most: int) -> Iterator[JobWork]:
        found = groups.namesakes(self._live, self._entries, self._files)
        yield EntryWork(self._live, ENTITIES, map(shown_names, found), most)

    def _weak(self, most: int) -> Iterator[JobWork]:
        yield self._on(WEAK, groups.weak(self._entries, self._live.context.clock()), most)

    def _relations(self, most: int) -> Iterator[JobWork]:
        yield self._on(RELATIONS, groups.related(self._entries), most)

    def _compress(self, most: int) -> Iterator[JobWork]:
        if self._live.context.layers.archive:
            yield self._on(COMPRESS, groups.unused(self._entries, self._live.context.clock()), most)

    def _on(self, job: Job[Any], found: Iterable[groups.EntryGroup], most: int) -> JobWork:
        return EntryWork(self._live, job, map(shown_entries, found), most)

    def _summaries(self, most: int) -> Iterator[JobWork]:
        """A job a page, of its beginning; as many as are asked at once."""
        works = (self._description(path, most) for path in self._undescribed())
        yield from islice((each for each in works if each and each.waiting), _MAX_PAGES)

    def _description(self, path: str, most: int) -> JobWork | None:
        """None for a page that nobody may be shown, or that a model does not change."""
        with suppress(MemwikiError):
            read = source_at(self._live, path)
            first = next(portions(read, DESCRIBE.room(most)), None)
            is_own = self._live.context.scope().owns(path)
            if first and is_own and not _is_left_alone(self._live, path):
                shown = read._replace(lines=first.lines)
                return JobWork(self._live, DESCRIBE, shown, most)
        return None

    def report(self, done: JobReport) -> CurateReport:
        """What was proposed, with what would be there if all that is supported were accepted."""
        store = ProposalStore(self._live)
        made = [store.get(each.id) for each in done.proposals]
        merged = sum(_merged(each, e) for each in made for e in each.operations if _counts(e))
        deleted = sum(_deleted(each, e) for each in made for e in each.operations if _counts(e))
        given = {each.name: getattr(done, each.name) for each in fields(done)}
        before = len(self._entries)
        return CurateReport(
            **given,
            deleted=deleted,
            merged=merged,
            total_before=before,
            total_after=before - deleted - merged,
        )


def _is_left_alone(live: LiveIndex, path: str) -> bool:
    config = live.context.config
    return bool(why_left_alone(path, config.layers, has_catalogs=config.catalog.enabled))


def _counts(operation: Operation) -> bool:
    return operation.state in (State.OPEN, State.ACCEPTED)


def _merged(proposal: Proposal, operation: Operation) -> int:
    """How many entries become part of another one."""
    if operation.do is Do.JOIN:
        return len(operation.texts_of("entries")) - 1
    return int(operation.do is Do.SUPERSEDE and proposal.job in _JOINING)


def _deleted(proposal: Proposal, operation: Operation) -> int:
    """How many hold no more."""
    ends = operation.do is Do.SUPERSEDE and proposal.job not in _JOINING
    return int(ends or operation.do is Do.RETIRE)
