"""`AsyncWorkspace.curation`: jobs of models, or of whoever answers; all end in proposals."""

# Generated from memwiki/workspace/curation.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.aio.workers import Steps
from memwiki.workspace.curation import CurationFacet

if TYPE_CHECKING:
    from memwiki.answers.bench import ExtractBench
    from memwiki.answers.curation import (
        AskAnswer,
        Brief,
        CurateReport,
        JobPreview,
        JobReport,
        KeptSource,
    )
    from memwiki.answers.proposals import ProposalView
    from memwiki.answers.recall import Recall
    from memwiki.index.projection import Progress


class AsyncCurationFacet(Face[CurationFacet]):
    """What models propose of sessions, pages and texts; nothing of it is true before `review`.

    Each job is asked of the model that is set, or with `preview` shown as it would be sent, or
    with `brief` given as one text for any model, whose answer `reply` takes. ModelError where no
    model is set or may be asked; what fails after the first portion is in the report.
    """

    async def extract(
        self,
        source: str = "",
        *,
        text: str = "",
        goal: str = "",
        result: str = "",
        skill: bool = False,
        accept: bool = False,
        progress: Progress | None = None,
    ) -> JobReport:
        """The lasting facts of a session or page, or of a `text`, portion by portion; with `accept`
        all that is supported and not flagged is accepted.

        With `skill` how a task was done, as the name and the steps of a skill, and no facts.

        With the `goal` and `result` of a task it is asked first whether anything of it is worth
        remembering. What was answered before is not asked again.
        """
        return await self._write(
            lambda it: it.extract(
                source,
                text=text,
                goal=goal,
                result=result,
                skill=skill,
                accept=accept,
                progress=progress,
            )
        )

    async def extract_preview(
        self,
        source: str = "",
        *,
        text: str = "",
        goal: str = "",
        result: str = "",
        skill: bool = False,
    ) -> JobPreview:
        """What `extract` would send, to the byte; nothing is sent."""
        return await self._write(
            lambda it: it.extract_preview(source, text=text, goal=goal, result=result, skill=skill)
        )

    async def extract_brief(
        self,
        source: str = "",
        *,
        text: str = "",
        goal: str = "",
        result: str = "",
        skill: bool = False,
    ) -> Brief:
        """The job as one text for any model. Raises NotFoundError where all was answered."""
        return await self._write(
            lambda it: it.extract_brief(source, text=text, goal=goal, result=result, skill=skill)
        )

    async def store_if_worthwhile(
        self, goal: str, result: str, log: str = "", *, accept: bool = False
    ) -> JobReport:
        """What a task that ended has taught, if anything, as proposed entries with the source
        `task_completion`; the report has `should_store` and `reasoning`."""
        return await self._write(
            lambda it: it.store_if_worthwhile(goal, result, log, accept=accept)
        )

    async def session_ended(self, session: str) -> bool:
        """Let another process extract a session that ended, where `extract.on`
        and the user's `[models.triggers]` say so."""
        return await self._write(lambda it: it.session_ended(session))

    async def retry(self) -> bool:
        """Let another process extract what waits and is due, where nobody is at it and not too many
        proposals are open; whether it was begun. Commands do so at their end, and a watcher."""
        return await self._write(lambda it: it.retry())

    async def extract_waiting(self, *, due: bool = False) -> JobReport:
        """Extract the sessions that ended and wait, all of them or those that are `due`; what fails
        stands in `index.status` and is tried again after 1, 5 and 30 minutes, see `retry`."""
        return await self._write(lambda it: it.extract_waiting(due=due))

    async def bench(
        self, talks: str | None = None, *, name: str = "talks", progress: Progress | None = None
    ) -> ExtractBench:
        """How well the model that is set extracts: precision, recall, doubles and junk, over talks
        whose facts are known; nothing is proposed.

        Talks are JSON lines, and `name` is their file in errors; without any, those that come with
        memwiki are asked, English and Chinese. What was answered before is not asked again.
        """
        steps = Steps(progress)
        return await self._read(
            lambda it: it.bench(talks, name=name, progress=steps.note), steps, is_long=True
        )

    async def bench_preview(self, talks: str | None = None, *, name: str = "talks") -> JobPreview:
        """What `bench` would send where no reply is kept, to the byte; nothing is sent."""
        return await self._write(lambda it: it.bench_preview(talks, name=name))

    async def keep(
        self, data: bytes, name: str, *, resource: str = "", title: str = "", dry_run: bool = False
    ) -> KeptSource:
        """Keep a source in raw/ as it came, with its text beside it and a page about it; `name` is
        that of its file, "-" for none, and `resource` the address that it is from.

        What is kept already is not written again; what changed since is kept beside it. Raises
        UsageError, UnreadableError or MissingExtraError for what has no text.
        """
        return await self._write(
            lambda it: it.keep(data, name, resource=resource, title=title, dry_run=dry_run)
        )

    async def ingest(
        self, source: str, *, accept: bool = False, progress: Progress | None = None
    ) -> JobReport:
        """What a source in raw/ says, as proposed claims on the page about it, on pages that are
        there and on at most `ingest.max_pages` new ones, portion by portion.

        Of another version of a source only what changed is asked about. Raises NotFoundError for a
        source that no page is about: `keep` makes one.
        """
        return await self._write(lambda it: it.ingest(source, accept=accept, progress=progress))

    async def ingest_brief(self, source: str) -> Brief:
        """The same as one text for any model. Raises NotFoundError where all was answered."""
        return await self._write(lambda it: it.ingest_brief(source))

    async def ingest_preview(self, source: str) -> JobPreview:
        """What `ingest` would send, to the byte; nothing is sent."""
        return await self._write(lambda it: it.ingest_preview(source))

    async def summarise(self, session: str, *, accept: bool = False) -> JobReport:
        """What a session was about, in at most five sentences with their lines."""
        return await self._write(lambda it: it.summarise(session, accept=accept))

    async def summarise_brief(self, session: str) -> Brief:
        """The same as one text for any model."""
        return await self._write(lambda it: it.summarise_brief(session))

    async def summarise_preview(self, session: str) -> JobPreview:
        """What `summarise` would send, to the byte; nothing is sent."""
        return await self._write(lambda it: it.summarise_preview(session))

    async def instruct(self, entry: str, instruction: str) -> JobReport:
        """An entry in other words, as an instruction says."""
        return await self._write(lambda it: it.instruct(entry, instruction))

    async def instruct_brief(self, entry: str, instruction: str) -> Brief:
        """The same as one text for any model."""
        return await self._write(lambda it: it.instruct_brief(entry, instruction))

    async def instruct_preview(self, entry: str, instruction: str) -> JobPreview:
        """What `instruct` would send, to the byte; nothing is sent."""
        return await self._write(lambda it: it.instruct_preview(entry, instruction))

    async def near(self, entry: str, other: str) -> JobReport:
        """What becomes of an entry and one written after it that is nearly the same: the other one
        replaces it, both are joined, or both stay; `entries.add(on_near="ask")` asks so."""
        return await self._write(lambda it: it.near(entry, other))

    async def near_brief(self, entry: str, other: str) -> Brief:
        """The same as one text for any model."""
        return await self._write(lambda it: it.near_brief(entry, other))

    async def near_preview(self, entry: str, other: str) -> JobPreview:
        """What `near` would send, to the byte; nothing is sent."""
        return await self._write(lambda it: it.near_preview(entry, other))

    async def plan_preview(self, question: str) -> JobPreview:
        """The first request of `recall(question, plan=True)`, to the byte; nothing is sent."""
        return await self._write(lambda it: it.plan_preview(question))

    async def ask_preview(self, found: Recall) -> JobPreview:
        """What `ask` would send about what recall found, to the byte; nothing is sent."""
        return await self._write(lambda it: it.ask_preview(found))

    async def ask_brief(self, found: Recall) -> Brief:
        """The same as one text for any model. Raises NotFoundError where nothing was found."""
        return await self._write(lambda it: it.ask_brief(found))

    async def ask_reply(self, found: Recall, text: str, *, model: str = "") -> AskAnswer:
        """What somebody else's model answered to such a brief, judged by the passages as they are
        now; `found` is recalled as for the brief. Raises ModelReplyError."""
        return await self._write(lambda it: it.ask_reply(found, text, model=model))

    async def curate(
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
        return await self._write(
            lambda it: it.curate(what, short=short, accept=accept, progress=progress)
        )

    async def curate_brief(self, what: str = "", *, short: bool = False) -> Brief:
        """The same as one text for any model. Raises NotFoundError where nothing is to be asked."""
        return await self._write(lambda it: it.curate_brief(what, short=short))

    async def curate_preview(self, what: str = "", *, short: bool = False) -> JobPreview:
        """What `curate` would send, to the byte; nothing is sent."""
        return await self._write(lambda it: it.curate_preview(what, short=short))

    async def seconds_until_run(self) -> float:
        """How long until all is curated by itself; endless where `curation.at` and the user's
        `[models.triggers]` do not say so."""
        return await self._read(lambda it: it.seconds_until_run())

    async def begin_run(self) -> bool:
        """Let another process curate; whether it could be begun."""
        return await self._write(lambda it: it.begin_run())

    async def curate_due(self, *, progress: Progress | None = None) -> CurateReport:
        """Curate all, if that is due by itself: as many proposals as `curation.max_open` leaves
        room for. What it did, or why it failed, stands in `index.status`.

        Raises UsageError where it is not due.
        """
        return await self._write(lambda it: it.curate_due(progress=progress))

    async def reply(self, id: str, text: str, *, model: str = "") -> ProposalView:
        """Take what somebody else's model answered to a brief, judged as any other reply.

        Raises UsageError for a brief that was answered, ModelReplyError for what is no such reply.
        """
        return await self._write(lambda it: it.reply(id, text, model=model))
