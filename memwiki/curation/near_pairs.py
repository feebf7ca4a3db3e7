"""Entries that were added, and what is near them: a model is asked what becomes of each pair. They
are written by then, and stay whatever comes of it."""

from __future__ import annotations

from contextlib import closing
from functools import cached_property

from memwiki.answers.curation import AddReport, Brief, OutgoingRequest, ProposalRow
from memwiki.answers.entries import EntryView, NearEntry
from memwiki.commit.page_edits import found_entry
from memwiki.curation.jobs import NEAR
from memwiki.curation.running import brief_of, preview, user_run
from memwiki.curation.work import JobWork, Task, entry_source
from memwiki.errors import MemwikiError, ModelError, NotFoundError
from memwiki.markdown.fields import is_private
from memwiki.memory.view import entry_name
from memwiki.models.opening import ModelRun
from memwiki.nouns import Environ
from memwiki.proposals.review import row_of
from memwiki.sync.live import LiveIndex


def pair_work(live: LiveIndex, known: str, new: str, context_tokens: int) -> JobWork:
    """The job for an entry and one that was written after it, by their names; `live` is the public
    view. Raises NotFoundError."""
    old, added = found_entry(live, known), found_entry(live, new)
    names = tuple(entry_name(each.path, each.entry) for each in (old, added))
    source = entry_source(live, old, added.entry.text)
    return JobWork(live, NEAR, source, context_tokens, Task(entries=names))


def near_asked(
    live: LiveIndex, environ: Environ, report: AddReport, *, is_brief: bool
) -> AddReport:
    """The report with what a model proposes of each pair, or its brief, or, where nothing was
    written, with what would be sent; what could not be asked is a note."""
    asking = _NearPairs(live, environ, report)
    ask = asking.preview if report.edited.dry_run else asking.brief if is_brief else asking.ask
    for pair in report.near:
        try:
            ask(pair)
        except MemwikiError as error:
            name = pair.added if pair.added and not report.edited.dry_run else "the entry"
            asking.notes.append(f"{name}: no model was asked about what is near: {error.message}")
            if isinstance(error, ModelError):
                break  # the next one would not be answered either
    notes = tuple(dict.fromkeys((*report.edited.notes, *asking.notes)))
    return report._replace(
        edited=report.edited._replace(notes=notes),
        proposals=(*report.proposals, *asking.proposals),
        briefs=tuple(asking.briefs),
        requests=tuple(asking.requests),
    )


class _NearPairs:
    """The pairs of one report, asked about within one budget."""

    def __init__(self, live: LiveIndex, environ: Environ, report: AddReport) -> None:
        self._live, self._environ = live.public(), environ
        self._added = {each.id: each for each in report.added}
        self.proposals: list[ProposalRow] = []
        self.briefs: list[Brief] = []
        self.requests: list[OutgoingRequest] = []
        self.notes: list[str] = []

    @cached_property
    def _run(self) -> ModelRun:
        return user_run(self._live, self._environ)

    @property
    def _context_tokens(self) -> int:
        return self._run.models.chat.context_tokens

    def ask(self, pair: NearEntry) -> None:
        """Ask the model that is set."""
        work = pair_work(self._live, pair.entry.name, pair.added, self._context_tokens)
        with closing(self._run.chat()) as chat:
            for portion in work.waiting:
                made = work.run(portion, chat, self._run.replies).proposal
                self.proposals.append(row_of(made))

    def brief(self, pair: NearEntry) -> None:
        """Hand it over to any other one."""
        name = pair.entry.name
        self.briefs.append(brief_of(lambda most: pair_work(self._live, name, pair.added, most)))

    def preview(self, pair: NearEntry) -> None:
        """What would be sent, if the entry were there."""
        added = self._added[pair.added]
        _require_public(added)
        old = found_entry(self._live, pair.entry.name)
        task = Task(entries=(entry_name(old.path, old.entry),))
        source = entry_source(self._live, old, added.text)
        work = JobWork(self._live, NEAR, source, self._context_tokens, task)
        self.requests += preview(work, self._run).requests


def _require_public(added: EntryView) -> None:
    if is_private(added.fields):
        raise NotFoundError(f"{added.path}: the entry is private")
