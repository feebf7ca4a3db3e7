"""`Workspace.curation`: jobs of models, or of whoever answers; all end in proposals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Unpack

from memwiki.index.projection import Progress
from memwiki.sync.reading import Facing, rebuilding_at_once, rebuilding_verbs

if TYPE_CHECKING:
    from memwiki.answers.bench import ExtractBench
    from memwiki.answers.curation import (
        AskAnswer,
        Brief,
        CurateReport,
        JobPreview,
        JobReport,
        KeptSource,
        ProposalView,
    )
    from memwiki.answers.recall import Recall
    from memwiki.curation.curating import Curator
    from memwiki.curation.running import OfferedJob, PortionWork
    from memwiki.curation.work import ToldText
    from memwiki.models.opening import ModelRun


@rebuilding_verbs
class CurationFacet(Facing):
    """What models propose of sessions, pages and texts; nothing of it is true before `review`.

    Each job is asked of the model that is set, or with `preview` shown as it would be sent, or
    with `brief` given as one text for any model, whose answer `reply` takes; `room`
    is how many tokens whoever answers reads, if not as many as usual. ModelError where no
    model is set or may be asked; what fails after the first portion is in the report.
    """

    # --- facts ---

    def extract(
        self,
        source: str = "",
        *,
        accept: bool = False,
        progress: Progress | None = None,
        **told: Unpack[ToldText],
    ) -> JobReport:
        """The lasting facts of a session or page, or of a `text`, portion by portion; with `accept`
        all that is supported and not flagged is accepted.

        With `skill` how a task was done, as the name and the steps of a skill, and no facts.

        With the `goal` and `result` of a task it is asked first whether anything of it is worth
        remembering. What was answered before is not asked again.
        """
        return self._extraction(source, **told).answered(accept=accept, progress=progress)

    def extract_preview(self, source: str = "", **told: Unpack[ToldText]) -> JobPreview:
        """What `extract` would send, to the byte; nothing is sent."""
        return self._extraction(source, **told).preview()

    def extract_brief(
        self, source: str = "", *, room: int | None = None, **told: Unpack[ToldText]
    ) -> Brief:
        """The job as one text for any model. Raises NotFoundError where all was answered."""
        return self._extraction(source, **told).brief(room)

    def store_if_worthwhile(
        self, goal: str, result: str, log: str = "", *, accept: bool = False
    ) -> JobReport:
        """What a task that ended has taught, if anything, as proposed entries with the source
        `task_completion`; the report has `should_store` and `reasoning`."""
        return self.extract(text=log, goal=goal, result=result, accept=accept)

    def _extraction(self, source: str, **told: Unpack[ToldText]) -> OfferedJob:
        from memwiki.curation.work import extract_work

        return self._job(partial(extract_work, self.live.public(), source, **told))

    def session_ended(self, session: str) -> bool:
        """Let another process extract a session that ended, where `extract.on`
        and the user's `[models.triggers]` say so."""
        from memwiki.proposals.triggers import session_ended

        return session_ended(self.live.context, self._environ, session)

    def retry(self) -> bool:
        """Let another process extract what waits and is due, where nobody is at it and not too many
        proposals are open; whether it was begun. Commands do so at their end, and a watcher."""
        if not self.live.context.config.extract.on:
            return False
        from memwiki.proposals.triggers import begin_overdue

        return begin_overdue(self.live, self._environ)

    def extract_waiting(self, *, due: bool = False) -> JobReport:
        """Extract the sessions that ended and wait, all of them or those that are `due`; what fails
        stands in `index.status` and is tried again after 1, 5 and 30 minutes, see `retry`."""
        from memwiki.proposals.triggers import note_failures

        with note_failures(self.live.context, is_forced=not due):
            from memwiki.curation.running import run_waiting

        return run_waiting(self.live, self._environ, is_forced=not due)

    def bench(
        self, talks: str | None = None, *, name: str = "talks", progress: Progress | None = None
    ) -> ExtractBench:
        """How well the model that is set extracts: precision, recall, doubles and junk, over talks
        whose facts are known; nothing is proposed.

        Talks are JSON lines, and `name` is their file in errors; without any, those that come with
        memwiki are asked, English and Chinese. What was answered before is not asked again.
        """
        from memwiki.curation.bench import bench_extract, talks_given

        given = talks_given(talks, name)
        return bench_extract(self.live.context.config, self._run(), given, progress)

    def bench_preview(self, talks: str | None = None, *, name: str = "talks") -> JobPreview:
        """What `bench` would send where no reply is kept, to the byte; nothing is sent."""
        from memwiki.curation.bench import bench_preview, talks_given

        return bench_preview(self._run(), talks_given(talks, name))

    # --- sources ---

    def keep(
        self, data: bytes, name: str, *, resource: str = "", title: str = "", dry_run: bool = False
    ) -> KeptSource:
        """Keep a source in raw/ as it came, with its text beside it and a page about it; `name` is
        that of its file, "-" for none, and `resource` the address that it is from.

        What is kept already is not written again; what changed since is kept beside it. Raises
        UsageError, UnreadableError or MissingExtraError for what has no text.
        """
        from memwiki.ingest.keeping import keep

        return keep(self.live, data, name, resource=resource, title=title, dry_run=dry_run)

    def ingest(
        self, source: str, *, accept: bool = False, progress: Progress | None = None
    ) -> JobReport:
        """What a source in raw/ says, as proposed claims on the page about it, on pages that are
        there and on at most `ingest.max_pages` new ones, portion by portion.

        Of another version of a source only what changed is asked about. Raises NotFoundError for a
        source that no page is about: `keep` makes one.
        """
        return self._ingestion(source).answered(accept=accept, progress=progress)

    def ingest_brief(self, source: str, *, room: int | None = None) -> Brief:
        """The same as one text for any model. Raises NotFoundError where all was answered."""
        return self._ingestion(source).brief(room)

    def ingest_preview(self, source: str) -> JobPreview:
        """What `ingest` would send, to the byte; nothing is sent."""
        return self._ingestion(source).preview()

    def _ingestion(self, source: str) -> OfferedJob:
        from memwiki.curation.work import ingest_work

        return self._job(partial(ingest_work, self.live.public(), source))

    # --- summaries ---

    def summarise(self, session: str, *, accept: bool = False) -> JobReport:
        """What a session was about, in at most five sentences with their lines."""
        return self._summary(session).answered(accept=accept)

    def summarise_brief(self, session: str) -> Brief:
        """The same as one text for any model."""
        return self._summary(session).brief()

    def summarise_preview(self, session: str) -> JobPreview:
        """What `summarise` would send, to the byte; nothing is sent."""
        return self._summary(session).preview()

    def _summary(self, session: str) -> OfferedJob:
        from memwiki.curation.work import summary_work

        return self._job(partial(summary_work, self.live.public(), session))

    # --- entries ---

    def instruct(self, entry: str, instruction: str) -> JobReport:
        """An entry in other words, as an instruction says."""
        return self._instruction(entry, instruction).answered()

    def instruct_brief(self, entry: str, instruction: str) -> Brief:
        """The same as one text for any model."""
        return self._instruction(entry, instruction).brief()

    def instruct_preview(self, entry: str, instruction: str) -> JobPreview:
        """What `instruct` would send, to the byte; nothing is sent."""
        return self._instruction(entry, instruction).preview()

    def _instruction(self, entry: str, instruction: str) -> OfferedJob:
        from memwiki.curation.work import instruction_work

        return self._job(partial(instruction_work, self.live.public(), entry, instruction))

    def near(self, entry: str, other: str) -> JobReport:
        """What becomes of an entry and one written after it that is nearly the same: the other one
        replaces it, both are joined, or both stay; `entries.add(on_near="ask")` asks so."""
        return self._pair(entry, other).answered()

    def near_brief(self, entry: str, other: str) -> Brief:
        """The same as one text for any model."""
        return self._pair(entry, other).brief()

    def near_preview(self, entry: str, other: str) -> JobPreview:
        """What `near` would send, to the byte; nothing is sent."""
        return self._pair(entry, other).preview()

    def _pair(self, entry: str, other: str) -> OfferedJob:
        from memwiki.curation.groups import pair_work

        return self._job(partial(pair_work, self.live.public(), entry, other))

    # --- questions ---

    def plan_preview(self, question: str) -> JobPreview:
        """The first request of `recall(question, plan=True)`, to the byte; nothing is sent."""
        from memwiki.answers.curation import JobPreview
        from memwiki.curation.ask import plan_request

        return JobPreview((plan_request(self.live.public(), self._run(), question),), "")

    def ask_preview(self, found: Recall) -> JobPreview:
        """What `ask` would send about what recall found, to the byte; nothing is sent."""
        from memwiki.curation.ask import preview

        return preview(self.live.public(), self._run(), found)

    def ask_brief(self, found: Recall, *, room: int | None = None) -> Brief:
        """The same as one text for any model. Raises NotFoundError where nothing was found."""
        from memwiki.curation.ask import brief

        return brief(self.live.public(), found, room)

    def ask_reply(
        self, found: Recall, text: str, *, model: str = "", room: int | None = None
    ) -> AskAnswer:
        """What somebody else's model answered to such a brief, judged by the passages as they are
        now; `found` is recalled as for the brief. Raises ModelReplyError."""
        from memwiki.curation.ask import answer_by_hand

        return answer_by_hand(self.live.public(), found, text, model, room)

    # --- the curator ---

    def curate(
        self,
        what: str = "",
        *,
        short: bool = False,
        accept: bool = False,
        progress: Progress | None = None,
    ) -> CurateReport:
        """What is to be tidied, as proposals: `doubles`, `conflicts`, `entities`, `weak`,
        `relations`, `compress`, `summaries`, or all of them; the report counts the entries that
        there would be if it were accepted.

        `short` asks for at most 50 characters where one sentence takes the place of several. What
        was answered before is not asked again.
        """
        from memwiki.curation.curating import curate_portions

        curator = self._curator(what, is_short=short)
        return curate_portions(
            self.live, curator, self._run(), is_accepting=accept, progress=progress
        )

    def curate_brief(
        self, what: str = "", *, short: bool = False, room: int | None = None
    ) -> Brief:
        """The same as one text for any model. Raises NotFoundError where nothing is to be asked."""
        return self._job(self._curator(what, is_short=short).work).brief(room)

    def curate_preview(self, what: str = "", *, short: bool = False) -> JobPreview:
        """What `curate` would send, to the byte; nothing is sent."""
        return self._job(self._curator(what, is_short=short).work).preview()

    # --- by itself ---

    def seconds_until_run(self) -> float:
        """How long until all is curated by itself; endless where `curation.at` and the user's
        `[models.triggers]` do not say so."""
        from memwiki.upkeep.runs import seconds_until_curation

        return seconds_until_curation(self.live.context, self._environ)

    def begin_run(self) -> bool:
        """Let another process curate; whether it could be begun."""
        from memwiki.proposals.triggers import begin

        return begin(self.live.context, self._environ, ["curate", "--due"])

    def curate_due(self, *, progress: Progress | None = None) -> CurateReport:
        """Curate all, if that is due by itself: as many proposals as `curation.max_open` leaves
        room for. What it did, or why it failed, stands in `index.status`.

        Raises UsageError where it is not due.
        """
        from memwiki.curation.curating import curate_due

        return curate_due(self.live, self._environ, progress)

    def _curator(self, what: str, *, is_short: bool) -> Curator:
        from memwiki.curation.curating import Curator

        return Curator(self.live.public(), what, is_short=is_short)

    # --- whoever answers ---

    @rebuilding_at_once
    def reply(self, id: str, text: str, *, model: str = "") -> ProposalView:
        """Take what somebody else's model answered to a brief, judged as any other reply.

        Raises UsageError for a brief that was answered, ModelReplyError for what is no such reply.
        """
        from memwiki.curation.verifying import take_reply
        from memwiki.proposals.review import found_here, show_proposal

        asked = found_here(self.live, id)
        answered = take_reply(self.live.public(), asked, text, model)
        return show_proposal(self.live, answered.id)

    def verify(self, id: str, *, progress: Progress | None = None) -> JobReport:
        """Read a proposal a second time: what its lines do not say is set aside, with the reason;
        what was read so before is not asked again."""
        return self._verification(id).answered(progress=progress)

    def verify_brief(self, id: str, *, room: int | None = None) -> Brief:
        """The same as one text for any model. Raises NotFoundError where nothing of it waits."""
        return self._verification(id).brief(room)

    def verify_preview(self, id: str) -> JobPreview:
        """What `verify` would send, to the byte; nothing is sent."""
        return self._verification(id).preview()

    def _verification(self, id_: str) -> OfferedJob:
        from memwiki.curation.verifying import VerifyWork

        return self._job(partial(VerifyWork, self.live.public(), id_))

    def _job(self, make: Callable[[int], PortionWork]) -> OfferedJob:
        from memwiki.curation.running import OfferedJob

        return OfferedJob(self.live, self._environ, make)

    def _run(self) -> ModelRun:
        return self.live.context.model_run(self._environ)
