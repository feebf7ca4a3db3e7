"""The curator: its jobs one after the other, and what the workspace would be after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, starmap
from math import inf
from typing import Any, NamedTuple

from memwiki.answers.curation import CurateReport, JobReport
from memwiki.check.run import checked
from memwiki.curation import groups
from memwiki.curation.groups import EntryGroup, NameInUse, NamePair, day_of
from memwiki.curation.jobs import Job, Portion, portions
from memwiki.curation.running import answer_portions
from memwiki.curation.tidying import (
    COMPRESS,
    CONFLICTS,
    DESCRIBE,
    DOUBLES,
    ENTITIES,
    RELATIONS,
    SHORT_DOUBLES,
    WEAK,
    entry_line,
    words_shown,
)
from memwiki.curation.work import JobWork, outgoing_files, undecided_ids
from memwiki.digest import text_hash
from memwiki.errors import MemwikiError, NotFoundError, UsageError
from memwiki.index.projection import Progress
from memwiki.models.opening import ModelRun
from memwiki.models.port import Ask, Chat
from memwiki.models.replies import Replies
from memwiki.nouns import Environ
from memwiki.numbers import counted
from memwiki.proposals.numbering import NumberedSource, SourceLine, source_at
from memwiki.proposals.operations import MAX_OPERATIONS, Do, Operation, Proposal, State
from memwiki.proposals.proposing import KnownEntry
from memwiki.proposals.review import waiting_count
from memwiki.proposals.store import ProposalStore
from memwiki.proposals.triggers import run_lock
from memwiki.proposals.wording import plain_sentence
from memwiki.sync.live import LiveIndex
from memwiki.text import tokens
from memwiki.upkeep.runs import note_curation, seconds_until_curation

_KEY_BYTES = 8
_NUMBER_TOKENS = 3  # of a line
_MAX_TOLD = 160  # characters of an entry that names something


class ShownGroup(NamedTuple):
    """Entries that are shown together, a line each."""

    known: tuple[KnownEntry, ...]
    lines: tuple[SourceLine, ...]

    @property
    def key(self) -> str:
        """What tells whether the same entries were shown before, in the same words."""
        said = (f"{each.id} {each.text}" for each in self.known)
        return text_hash("\n".join(said), _KEY_BYTES).hex()

    @property
    def tokens(self) -> int:
        """What it takes of the context of a model."""
        return sum(tokens(each.text) + _NUMBER_TOKENS for each in self.lines)


class EntrySheet(NamedTuple):
    """Groups that are shown at once."""

    groups: Sequence[ShownGroup]
    first: int  # number of the first line, from 1

    @property
    def portion(self) -> Portion:
        """Their lines."""
        return Portion(self.first, [line for each in self.groups for line in each.lines])

    @property
    def known(self) -> list[KnownEntry]:
        """Their entries, in the order of the lines."""
        return [entry for each in self.groups for entry in each.known]

    @property
    def told(self) -> str:
        """Which lines may have to do with each other."""
        if all(len(each.lines) == 1 for each in self.groups):
            return ""
        at, ranges = self.first, list[str]()
        for each in self.groups:
            ranges.append(f"{at}-{at + len(each.lines) - 1}")
            at += len(each.lines)
        return f"Lines that may have to do with each other: {', '.join(ranges)}"


class EntryWork(JobWork):
    """What a job has to do with some groups; those that were answered are asked no more."""

    def __init__(
        self,
        live: LiveIndex,
        job: Job[Any],
        groups: Iterable[ShownGroup | None],
        context_tokens: int,
    ) -> None:
        super().__init__(live, job, NumberedSource(()), context_tokens)
        seen = {key for each in self._kept if each.is_answered for key in each.groups}
        shown = (each for each in groups if each and each.key not in seen)
        sheets = _sheets(shown, 1 if job.is_whole else 0, job.room(context_tokens))
        self._sheets = {each.portion.key: each for each in sheets}
        self.waiting = [each.portion for each in self._sheets.values()]

    @property
    def undecided(self) -> list[str]:
        """The proposals that were made before of any groups, of which something can be accepted."""
        return undecided_ids(self._kept)

    def ask(self, portion: Portion) -> tuple[Ask, Sequence[KnownEntry]]:
        """What is asked about a sheet, and its entries."""
        sheet = self._sheets[portion.key]
        return self.job.ask((sheet.told,), portion.text), sheet.known

    def _proposal(self, portion: Portion, known: Sequence[KnownEntry]) -> Proposal:
        groups = self._sheets[portion.key].groups
        keys = tuple(each.key for each in groups)
        return super()._proposal(portion, known)._replace(groups=keys)


def shown_entries(group: EntryGroup) -> ShownGroup | None:
    """A group as it is shown, each with its day; None where one of it cannot be."""
    views = [each.view for each in group]
    known = [KnownEntry(view.name, view.text, view.origin) for view in views]
    return _group_shown(known, [day_of(view) or "no date" for view in views])


def shown_names(pair: NamePair) -> ShownGroup | None:
    """Two names as they are shown, each with what is known of it; None as above."""
    return _group_shown(
        [KnownEntry(each.name, each.name, "") for each in pair], map(_told_of, pair)
    )


def _told_of(named: NameInUse) -> str:
    """The type of its page, and what an entry says of it, without what a line ends with."""
    page = named.type or ("page" if named.has_page else "no page")
    return f"{page}; {plain_sentence(words_shown(named.text))[:_MAX_TOLD]}"


def _group_shown(known: Sequence[KnownEntry], told: Iterable[str]) -> ShownGroup | None:
    said = [words_shown(each.text) for each in known]
    rows = enumerate(zip(said, told, strict=True), 1)
    lines = tuple(SourceLine(entry_line(*row), line=number) for number, row in rows)
    return ShownGroup(tuple(known), lines) if all(said) else None


def _sheets(groups: Iterable[ShownGroup], max_groups: int, max_tokens: int) -> Iterator[EntrySheet]:
    """Groups that fit together, numbered on from sheet to sheet; 0 for any number of groups."""
    part, first = list[ShownGroup](), 1
    for each in groups:
        count = sum(len(one.lines) for one in part)
        size = sum(one.tokens for one in part) + each.tokens
        is_full = count + len(each.lines) > MAX_OPERATIONS or size > max_tokens
        if part and (is_full or len(part) == max_groups):
            yield EntrySheet(part, first)
            part, first = [], first + count
        part.append(each)
    if part:
        yield EntrySheet(part, first)


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

    def run(self, portion: Portion, chat: Chat, replies: Replies | None = None) -> Proposal:
        """Ask a model about a portion. Raises ModelError."""
        return self._work(portion).run(portion, chat, replies)

    def halves(self, _portion: Portion) -> Sequence[Portion]:
        """None: what is compared stands together."""
        return ()


class Curator:
    """What is to be asked about one workspace; `live` is its public view."""

    def __init__(self, live: LiveIndex, what: str, *, is_short: bool = False) -> None:
        live.context.require_files()  # where proposals are kept
        self._live, self._is_short = live, is_short
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
        yield self._on(
            CONFLICTS, groups.opposed_pairs(self._entries, self._live.context.config), most
        )

    def _entities(self, most: int) -> Iterator[JobWork]:
        found = groups.namesakes(self._live, self._entries, self._files)
        yield EntryWork(self._live, ENTITIES, map(shown_names, found), most)

    def _weak(self, most: int) -> Iterator[JobWork]:
        yield self._on(WEAK, groups.weak(self._entries, self._live.context.clock()), most)

    def _relations(self, most: int) -> Iterator[JobWork]:
        yield self._on(RELATIONS, groups.related_pairs(self._entries), most)

    def _compress(self, most: int) -> Iterator[JobWork]:
        if self._live.context.layers.archive:
            yield self._on(
                COMPRESS, groups.unused_groups(self._entries, self._live.context.clock()), most
            )

    def _on(self, job: Job[Any], found: Iterable[groups.EntryGroup], most: int) -> JobWork:
        return EntryWork(self._live, job, map(shown_entries, found), most)

    def _summaries(self, most: int) -> Iterator[JobWork]:
        """A job a page, of its beginning; as many as are asked at once."""
        report = checked(self._live, (), ["description-missing"], "", None)
        works = (self._description(each.path, most) for each in report.problems)
        yield from islice((each for each in works if each and each.waiting), _MAX_PAGES)

    def _description(self, path: str, most: int) -> JobWork | None:
        """None for a page that nobody may be shown, or that a model does not change."""
        with suppress(MemwikiError):
            read = source_at(self._live, path)
            first = next(portions(read, DESCRIBE.room(most)), None)
            context = self._live.context
            is_own = context.scope().owns(path)
            if first and is_own and not context.why_left_alone(path):
                shown = read._replace(lines=first.lines)
                return JobWork(self._live, DESCRIBE, shown, most)
        return None

    def report(self, done: JobReport) -> CurateReport:
        """What was proposed, with what would be there if all that is supported were accepted."""
        store = ProposalStore(self._live)
        made = [store.get(each.id) for each in done.proposals]
        counted_ones = [(each, e) for each in made for e in each.operations if _counts(e)]
        merged = sum(starmap(_merged_count, counted_ones))
        deleted = sum(starmap(_deleted, counted_ones))
        given = {name: getattr(done, name) for name in done.__match_args__}
        before = len(self._entries)
        return CurateReport(
            **given,
            deleted=deleted,
            merged=merged,
            total_before=before,
            total_after=before - deleted - merged,
        )


def _counts(operation: Operation) -> bool:
    return operation.state in (State.OPEN, State.ACCEPTED)


def _merged_count(proposal: Proposal, operation: Operation) -> int:
    """How many entries become part of another one."""
    if operation.do is Do.JOIN:
        return len(operation.texts_of("entries")) - 1
    return int(operation.do is Do.SUPERSEDE and proposal.job in _JOINING)


def _deleted(proposal: Proposal, operation: Operation) -> int:
    """How many hold no more."""
    ends = operation.do is Do.SUPERSEDE and proposal.job not in _JOINING
    return int(ends or operation.do is Do.RETIRE)


def curate_portions(
    live: LiveIndex,
    curator: Curator,
    run: ModelRun,
    *,
    is_accepting: bool = False,
    max_portions: int | None = None,
    progress: Progress | None = None,
) -> CurateReport:
    """What a curator finds to be tidied, as proposals, of so many portions at most."""
    work = curator.work(run.models.chat.context_tokens)
    count = len(work.waiting)
    work.waiting = work.waiting[:max_portions]
    if not work.waiting:
        held = "proposals wait for review; nothing is asked until then"
        why = held if count else "there is nothing to ask"
        return curator.report(JobReport((), "", 0, 0, 0, 0, notes=(why,)))
    done = answer_portions(live, work, run, is_accepting=is_accepting, progress=progress)
    return curator.report(done)


def curate_due(live: LiveIndex, environ: Environ, progress: Progress | None) -> CurateReport:
    """Curate all, if that is due by itself; UsageError where it is not."""
    context = live.context
    if (left := seconds_until_curation(context, environ)) > 0:
        why = "not due by itself" if left < inf else "nothing is curated by itself"
        hint = "set curation.at, and name the workspace in [models.triggers]; or memwiki curate"
        raise UsageError(f"curate: {why}", hint)
    with run_lock(context):
        try:
            room = max(context.config.curation.max_open - waiting_count(live), 0)
            run = context.model_run(environ)
            report = curate_portions(
                live, Curator(live.public(), ""), run, max_portions=room, progress=progress
            )
        except MemwikiError as error:
            note_curation(context, "", error.message)
            raise
        note_curation(context, counted(len(report.proposals), "proposal"), report.error)
    return report
