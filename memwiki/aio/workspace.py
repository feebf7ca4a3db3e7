"""`AsyncWorkspace`: one folder of markdown, opened, with its facets."""

# Generated from memwiki/workspace/workspace.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki import clock as clocks
from memwiki.aio.face import WorkspaceFace
from memwiki.aio.workers import Steps
from memwiki.options import RecallSource, Strategy
from memwiki.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from memwiki.aio.agents import AsyncAgentsFacet
    from memwiki.aio.carry import AsyncCarryFacet
    from memwiki.aio.catalog import AsyncCatalogFacet
    from memwiki.aio.check import AsyncCheckFacet
    from memwiki.aio.curation import AsyncCurationFacet
    from memwiki.aio.entries import AsyncEntriesFacet
    from memwiki.aio.folder import AsyncFolderFacet
    from memwiki.aio.graph import AsyncGraphFacet
    from memwiki.aio.index import AsyncIndexFacet
    from memwiki.aio.journal import AsyncJournalFacet
    from memwiki.aio.knowledge import AsyncKnowledgeFacet
    from memwiki.aio.models import AsyncModelsFacet
    from memwiki.aio.namespaces import AsyncNamespacesFacet
    from memwiki.aio.pages import AsyncPagesFacet
    from memwiki.aio.proposals import AsyncProposalsFacet
    from memwiki.aio.sessions import AsyncSessionFacet, AsyncSessionsFacet
    from memwiki.aio.settings import AsyncSettingsFacet
    from memwiki.aio.upkeep import AsyncUpkeepFacet
    from memwiki.answers.bench import RecallBench, VaultBench
    from memwiki.answers.curation import AskAnswer
    from memwiki.answers.edits import Edited
    from memwiki.answers.index import Changes
    from memwiki.answers.pages import Browse, SuggestionList
    from memwiki.answers.recall import PromptBlock, Recall, SearchAnswer
    from memwiki.config import Config
    from memwiki.nouns import Hit
    from memwiki.options import FusionMethod, Progress, RecallMode, RecallOptions, VectorsMode


class AsyncWorkspace(WorkspaceFace):
    """A `Workspace` whose calls are awaited; each is done in a thread beside the event loop.

    Names, arguments and answers are those of `Workspace`. Of calls that are cancelled one that has
    not begun never begins, one that reads ends at its next step, and one that writes completes.
    Functions that are handed over are called in the thread of the call.
    """

    @classmethod
    async def open(
        cls,
        directory: str | Path | None = None,
        *,
        find: bool = True,
        sync: bool = True,
        namespace: str | None = None,
        environ: Mapping[str, str] | None = None,
        clock: clocks.Clock = clocks.now_ns,
    ) -> AsyncWorkspace:
        """Open the workspace around a folder, or exactly that folder with `find=False`.

        A `namespace` takes the place of the setting; "" is none, "*" all of them. Raises
        NoWorkspaceError when there is none.
        """
        return await cls._made(
            lambda: Workspace.open(
                directory, find=find, sync=sync, namespace=namespace, environ=environ, clock=clock
            )
        )

    @classmethod
    async def init(
        cls,
        directory: str | Path,
        *,
        git: bool = False,
        bare: bool = False,
        preset: str = "",
        force: bool = False,
        language: str = "",
    ) -> AsyncWorkspace:
        """Make a workspace from the template, with `bare` without its help pages, and open it.

        With the `preset` agent memories are kept by themselves. The `language` is en or zh, by
        default that of the locale. Raises AlreadyExistsError for a folder with files, hidden ones
        aside; with `force` it gets what it lacks, and nothing is overwritten.
        """
        return await cls._made(
            lambda: Workspace.init(
                directory, git=git, bare=bare, preset=preset, force=force, language=language
            )
        )

    @classmethod
    async def adopt(cls, directory: str | Path) -> AsyncWorkspace:
        """Make an existing folder a workspace, and open it; writes nothing outside `.memwiki/`."""
        return await cls._made(lambda: Workspace.adopt(directory))

    def by(self, actor: str) -> AsyncWorkspace:
        """The same workspace for what somebody does, such as `claude-code/2.1 via mcp`: a light
        view on the same index, whose changes say who made them; "" is nobody in particular.

        Of the name one line of 100 printable characters is kept.
        """
        return self._view(lambda it: it.by(actor))

    def public(self) -> AsyncWorkspace:
        """The same workspace as those see it who may not see what is private: no page, line, name,
        tag, count or error tells of it, and a change that would reach it is a PrivateError.

        It is of this moment: what becomes private later is left out of a view that is asked for
        later.
        """
        return self._view(lambda it: it.public())

    async def private_pages(self) -> Mapping[str, str]:
        """The pages with anything private in them, with their digests, as last synced."""
        return await self._read(lambda it: it.private_pages())

    async def take_warnings(self) -> list[str]:
        """Settings that are gone, and what went wrong with the index and was repaired, or could not
        be; reported once."""
        return await self._read(lambda it: it.take_warnings())

    async def reload(self) -> Config:
        """Read the settings again."""
        return await self._write(lambda it: it.reload())

    async def search(
        self,
        query: str,
        *,
        limit: int | None = None,
        explain: bool = False,
        count: bool = False,
        progress: Progress | None = None,
    ) -> SearchAnswer:
        """The best hits for a query; `explain` adds to each hit why it was found.

        `total` is counted up to 1,000, or `limit` if that is more, and with `count` to its end.
        """
        steps = Steps(progress)
        return await self._read(
            lambda it: it.search(
                query, limit=limit, explain=explain, count=count, progress=steps.note
            ),
            steps,
        )

    async def suggest(self, text: str, limit: int = 10) -> SuggestionList:
        """Names that somebody may be about to type: titles, aliases, file names, entities and tags
        that begin with the text, or hold its words and one that begins with the last of them.

        No file is looked at, but where there is no index yet.
        """
        return await self._read(lambda it: it.suggest(text, limit))

    async def browse(
        self,
        path: str | None = None,
        type: str | None = None,
        tag: str | None = None,
        what: str = "pages",
        since: str | None = None,
        limit: int = 30,
        offset: int = 0,
    ) -> Browse:
        """What there is, as the lines of an index.md: without arguments folders with counts, where
        to start, what is recent, linked and wanted, and tags.

        `path` alone shows what is in that folder, with `type`, `tag` or `since` the pages below it
        that fit. `what` is pages, memories, tags or recent. What is private is in none of it, as in
        no catalog.
        """
        return await self._read(lambda it: it.browse(path, type, tag, what, since, limit, offset))

    async def recall(
        self,
        question: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        mode: RecallMode | str = "",
        strategy: Strategy | str = Strategy.HYBRID,
        channel: RecallSource | str = RecallSource.ALL,
        types: Sequence[str] = (),
        tags: Sequence[str] = (),
        since: str = "",
        until: str = "",
        subject: str = "",
        relation: str = "",
        depth: int | None = None,
        min_score: float | None = None,
        session: str = "",
        vectors: VectorsMode | str = "",
        fusion: FusionMethod | str = "",
        early_return: float | None = None,
        search_mode: str = "",
        plan: bool = False,
        private: bool = False,
        explain: bool = False,
        record: bool = True,
        progress: Progress | None = None,
    ) -> Recall:
        """The passages that answer a question, best first, as many as `budget` tokens hold.

        With `plan` the model that is set says what else to look for; where none does within two
        seconds, nothing else is. What is given counts as recalled, unless `record` says otherwise.
        """
        steps = Steps(progress)
        return await self._read(
            lambda it: it.recall(
                question,
                limit=limit,
                budget=budget,
                mode=mode,
                strategy=strategy,
                channel=channel,
                types=types,
                tags=tags,
                since=since,
                until=until,
                subject=subject,
                relation=relation,
                depth=depth,
                min_score=min_score,
                session=session,
                vectors=vectors,
                fusion=fusion,
                early_return=early_return,
                search_mode=search_mode,
                plan=plan,
                private=private,
                explain=explain,
                record=record,
                progress=steps.note,
            ),
            steps,
        )

    async def ask(self, question: str, options: RecallOptions | None = None) -> AskAnswer:
        """A few sentences of the model that is set, each with the lines of passages that say it;
        without one the passages, and a brief, whose answer `curation.ask_reply` takes.
        """
        return await self._read(lambda it: it.ask(question, options), is_long=True)

    async def bench(
        self,
        questions: str | None = None,
        *,
        name: str = "questions",
        paths: Sequence[str] = (),
        limit: int = 10,
        mode: RecallMode | str = "",
        strategy: Strategy | str = "hybrid",
        progress: Progress | None = None,
    ) -> RecallBench:
        """How well recall answers questions whose pages are known; none of it counts as use.

        Questions are JSON lines, and `name` is their file in errors; without any, those in the
        front matter of pages are asked, or of the pages at and below `paths`.
        """
        steps = Steps(progress)
        return await self._read(
            lambda it: it.bench(
                questions,
                name=name,
                paths=paths,
                limit=limit,
                mode=mode,
                strategy=strategy,
                progress=steps.note,
            ),
            steps,
            is_long=True,
        )

    async def bench_vault(
        self,
        questions: int = 100,
        *,
        against: str = "",
        limit: int = 10,
        progress: Progress | None = None,
    ) -> VaultBench:
        """How well recall finds the pages by questions made of their titles, headings, first
        sentences and entries, so many of each kind at most; none of it counts as use.

        `against` is a setting of recall as KEY=VALUE, with which all are asked once more.
        """
        steps = Steps(progress)
        return await self._read(
            lambda it: it.bench_vault(questions, against=against, limit=limit, progress=steps.note),
            steps,
            is_long=True,
        )

    async def prompt(
        self,
        answer: Recall | None = None,
        *,
        budget: int | None = None,
        core: bool | None = None,
        scores: bool = False,
    ) -> PromptBlock:
        """A block for a system prompt: the core memories, what the last conversations were about,
        then an answer of recall, in a budget.

        `core=False` leaves the first two out; by default the settings say.
        """
        return await self._read(
            lambda it: it.prompt(answer, budget=budget, core=core, scores=scores)
        )

    async def note_recall(self, question: str, answer: Recall | PromptBlock) -> bool:
        """Count the hits of an answer as recalled, now that it is out; False where nothing can be
        written."""
        return await self._write(lambda it: it.note_recall(question, answer))

    async def inject(
        self, question: str, session: str | None = None, limit: int | None = None
    ) -> tuple[str, tuple[Hit, ...]]:
        """The block of `prompt` for a question, and the hits in it, half of them of the session."""
        return await self._read(lambda it: it.inject(question, session, limit))

    async def sync(
        self,
        paths: Sequence[str] = (),
        *,
        full: bool = False,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Changes:
        """Bring the index up to date with the files, or with these files and folders only.

        `full` compares the bytes of every file, `force` takes mass removals as meant.
        """
        return await self._write(
            lambda it: it.sync(paths, full=full, force=force, progress=progress)
        )

    async def undo(
        self,
        count: int = 1,
        *,
        own: bool = False,
        dry_run: bool = False,
        yes: bool = False,
        guard: Callable[[str, bool], None] | None = None,
    ) -> Edited:
        """Take back the last changes made through memwiki on this machine.

        Raises NotFoundError when there are not so many, ConflictError when a file is not as the
        change left it, and without `yes` UnconfirmedError for one that was made elsewhere; with
        `own` NotYoursError where one was made by another actor than that of `by`. `guard` is given
        each file that would change, and whether it goes away; what it raises refuses the whole.
        """
        return await self._write(
            lambda it: it.undo(count, own=own, dry_run=dry_run, yes=yes, guard=guard)
        )

    @property
    def pages(self) -> AsyncPagesFacet:
        """Reading, making and changing pages."""
        from memwiki.aio.pages import AsyncPagesFacet

        return AsyncPagesFacet(self._workers, lambda: self._find().pages)

    def folder(self, path: str, *, private: bool = True) -> AsyncFolderFacet:
        """Text files below a folder, which need not be there yet, byte for byte; "." is all.

        Without `private` as those see it who may not see what is private, and without the journal.
        """
        from memwiki.aio.folder import AsyncFolderFacet

        return AsyncFolderFacet(self._workers, lambda: self._find().folder(path, private=private))

    @property
    def entries(self) -> AsyncEntriesFacet:
        """Memories: adding, finding, changing and retiring them."""
        from memwiki.aio.entries import AsyncEntriesFacet

        return AsyncEntriesFacet(self._workers, lambda: self._find().entries)

    @property
    def knowledge(self) -> AsyncKnowledgeFacet:
        """A graph of entities, observations and relations."""
        from memwiki.aio.knowledge import AsyncKnowledgeFacet

        return AsyncKnowledgeFacet(self._workers, lambda: self._find().knowledge)

    @property
    def namespaces(self) -> AsyncNamespacesFacet:
        """Workspaces inside this one: what there are, and putting one away."""
        from memwiki.aio.namespaces import AsyncNamespacesFacet

        return AsyncNamespacesFacet(self._workers, lambda: self._find().namespaces)

    @property
    def graph(self) -> AsyncGraphFacet:
        """Links, tags, and what is around a page."""
        from memwiki.aio.graph import AsyncGraphFacet

        return AsyncGraphFacet(self._workers, lambda: self._find().graph)

    @property
    def check(self) -> AsyncCheckFacet:
        """What is wrong with the pages."""
        from memwiki.aio.check import AsyncCheckFacet

        return AsyncCheckFacet(self._workers, lambda: self._find().check)

    @property
    def carry(self) -> AsyncCarryFacet:
        """Taking everything elsewhere, and taking in what was kept elsewhere."""
        from memwiki.aio.carry import AsyncCarryFacet

        return AsyncCarryFacet(self._workers, lambda: self._find().carry)

    @property
    def catalog(self) -> AsyncCatalogFacet:
        """The index.md files of the folders."""
        from memwiki.aio.catalog import AsyncCatalogFacet

        return AsyncCatalogFacet(self._workers, lambda: self._find().catalog)

    @property
    def sessions(self) -> AsyncSessionsFacet:
        """Conversations: beginning, listing and importing them."""
        from memwiki.aio.sessions import AsyncSessionsFacet

        return AsyncSessionsFacet(self._workers, lambda: self._find().sessions)

    def session(self, id: str) -> AsyncSessionFacet:
        """One conversation by its id, which may not have begun yet."""
        from memwiki.aio.sessions import AsyncSessionFacet

        return AsyncSessionFacet(self._workers, lambda: self._find().session(id))

    @property
    def upkeep(self) -> AsyncUpkeepFacet:
        """Keeping memories: joining what repeats, letting retire what nobody needs."""
        from memwiki.aio.upkeep import AsyncUpkeepFacet

        return AsyncUpkeepFacet(self._workers, lambda: self._find().upkeep)

    @property
    def curation(self) -> AsyncCurationFacet:
        """What a model is asked of sessions, pages and texts."""
        from memwiki.aio.curation import AsyncCurationFacet

        return AsyncCurationFacet(self._workers, lambda: self._find().curation)

    @property
    def proposals(self) -> AsyncProposalsFacet:
        """What a model or an agent proposes, reviewed before it is true."""
        from memwiki.aio.proposals import AsyncProposalsFacet

        return AsyncProposalsFacet(self._workers, lambda: self._find().proposals)

    @property
    def agents(self) -> AsyncAgentsFacet:
        """What programs of coding agents have of this workspace in their own files."""
        from memwiki.aio.agents import AsyncAgentsFacet

        return AsyncAgentsFacet(self._workers, lambda: self._find().agents)

    @property
    def journal(self) -> AsyncJournalFacet:
        """What was done, as the workspace notes it."""
        from memwiki.aio.journal import AsyncJournalFacet

        return AsyncJournalFacet(self._workers, lambda: self._find().journal)

    @property
    def settings(self) -> AsyncSettingsFacet:
        """memwiki.toml and what goes before it."""
        from memwiki.aio.settings import AsyncSettingsFacet

        return AsyncSettingsFacet(self._workers, lambda: self._find().settings)

    @property
    def models(self) -> AsyncModelsFacet:
        """Language models: which are set, may be asked, and what they were asked."""
        from memwiki.aio.models import AsyncModelsFacet

        return AsyncModelsFacet(self._workers, lambda: self._find().models)

    @property
    def index(self) -> AsyncIndexFacet:
        """The state of the index."""
        from memwiki.aio.index import AsyncIndexFacet

        return AsyncIndexFacet(self._workers, lambda: self._find().index)
