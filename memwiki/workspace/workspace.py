"""`Workspace`: one folder of markdown, opened, with its facets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from memwiki import clock as clocks
from memwiki.config import environment, located
from memwiki.index.projection import Progress
from memwiki.names import texts
from memwiki.nouns import Environ, Hit
from memwiki.numbers import budget_of, count_of, limit_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import rebuilding
from memwiki.workspace.recalling import Recalling, with_options

if TYPE_CHECKING:
    from memwiki.answers.bench import RecallBench, VaultBench
    from memwiki.answers.curation import AskAnswer
    from memwiki.answers.index import Changes, Followed, WatchEvent
    from memwiki.answers.pages import Browse, Edited, SuggestionList
    from memwiki.answers.recall import PromptBlock, Recall, SearchAnswer
    from memwiki.browse.graph import KeptMaps
    from memwiki.browse.suggest import NameLists
    from memwiki.options import RecallMode, RecallOptions, SearchOptions, Strategy
    from memwiki.watch.watching import Following, Watching


def _search_options() -> type[SearchOptions]:
    from memwiki.options import SearchOptions

    return SearchOptions


def _recall_options() -> type[RecallOptions]:
    from memwiki.options import RecallOptions

    return RecallOptions


class Workspace(Recalling):
    """One folder of markdown and the index derived from it; may be shared by threads.

    What answers a question is imported when the question is asked: starting costs more than
    answering. Every question first brings the index up to date with the files, unless the workspace
    was opened with `sync=False`; every answer says whether it is `fresh`.
    """

    def _begin(self) -> None:
        self._answers = self._graph_read = None
        self._names: NameLists = {}
        self._maps: KeptMaps = {}

    # --- opening ---

    @classmethod
    def open(
        cls,
        directory: str | Path | None = None,
        *,
        find: bool = True,
        sync: bool = True,
        namespace: str | None = None,
        environ: Environ | None = None,
        clock: clocks.Clock = clocks.now_ns,
    ) -> Workspace:
        """Open the workspace around a folder, or exactly that folder with `find=False`.

        A `namespace` takes the place of the setting; "" is none, "*" all of them. Raises
        NoWorkspaceError when there is none.
        """
        environ = environment() if environ is None else environ
        root = located(directory, environ, is_found=find)
        return cls(root, sync=sync, namespace=namespace, environ=environ, clock=clock)

    @classmethod
    def init(
        cls,
        directory: str | Path,
        *,
        git: bool = False,
        bare: bool = False,
        preset: str = "",
        force: bool = False,
        language: str = "",
    ) -> Workspace:
        """Make a workspace from the template, with `bare` without its help pages, and open it.

        With the `preset` agent memories are kept by themselves. The `language` is en or zh, by
        default that of the locale. Raises AlreadyExistsError for a folder with files, hidden ones
        aside; with `force` it gets what it lacks, and nothing is overwritten.
        """
        from memwiki.setup import init as setup

        setup.init(
            directory,
            environment(),
            git=git,
            bare=bare,
            preset=preset,
            force=force,
            language=language,
        )
        return cls.open(directory, find=False)

    @classmethod
    def adopt(cls, directory: str | Path) -> Workspace:
        """Make an existing folder a workspace, and open it; writes nothing outside `.memwiki/`."""
        from memwiki.setup import init as setup

        setup.adopt(directory, environment())
        return cls.open(directory, find=False)

    def by(self, actor: str) -> Workspace:
        """The same workspace for what somebody does, such as `claude-code/2.1 via mcp`: a light
        view on the same index, whose changes say who made them; "" is nobody in particular.

        Of the name one line of 100 printable characters is kept.
        """
        from memwiki.change.plan import actor_of

        return self._view(self.live.by(actor_of(actor)))

    @rebuilding
    def public(self) -> Workspace:
        """The same workspace as those see it who may not see what is private: no page, line, name,
        tag, count or error tells of it, and a change that would reach it is a PrivateError.

        What becomes private later is left out of what is asked later, of this view, too.
        """
        return self if self.live.context.is_public else self._view(self.live.public())

    def _view(self, live: LiveIndex) -> Workspace:
        """The same workspace over another live index, with what was recalled lately."""
        self._recalls()
        return super()._view(live)

    # --- verbs ---

    @with_options("query", _search_options)
    @rebuilding
    def search(self, query: str, options: SearchOptions) -> SearchAnswer:
        """The best hits for a query; `explain` adds to each hit why it was found.

        `total` is counted up to 1,000, or `limit` if that is more, and with `count` to its end.
        """
        from memwiki.recall.search import search

        return search(self.live, query, options)

    @rebuilding
    def suggest(self, text: str, limit: int = 10) -> SuggestionList:
        """Names that somebody may be about to type: titles, aliases, file names, entities and tags
        that begin with the text, or hold its words and one that begins with the last of them.

        No file is looked at, but where there is no index yet.
        """
        from memwiki.browse.suggest import suggest

        lists = self._names if self._is_lasting else None
        return suggest(self.live, text, count_of("limit", limit), lists)

    def browse(
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
        asked = (path or "", type or "", tag or "", what, since or "")
        with self.one_sweep():
            return self.public()._browsed(*asked, limit=limit, offset=offset)

    @rebuilding
    def _browsed(self, *asked: str, limit: int, offset: int) -> Browse:
        from memwiki.browse.overview import browse

        with self.one_sweep():
            return browse(self.live, *asked, limit=limit, offset=offset)

    @with_options("question", _recall_options)
    def recall(self, question: str, options: RecallOptions) -> Recall:
        """The passages that answer a question, best first, as many as `budget` tokens hold.

        With `plan` the model that is set says what else to look for; where none does within two
        seconds, nothing else is. `plans` say it without a model. What is given counts as recalled,
        unless `record` says otherwise.
        """
        return self._find(question, options)

    def ask(self, question: str, options: RecallOptions | None = None) -> AskAnswer:
        """A few sentences of the model that is set, each with the lines of passages that say it;
        without one the passages, and a brief, whose answer `curation.ask_reply` takes.
        """
        from memwiki.options import check_options

        given = (options or _recall_options()())._replace(private=False)
        return self._answer_of(question, check_options(given, self.config.recall))

    @rebuilding
    def bench(
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
        from memwiki.health.bench import bench
        from memwiki.options import RecallOptions, check_options

        asked = RecallOptions(limit=limit, mode=mode, strategy=strategy)
        options = check_options(asked, self.config.recall)
        given = None if questions is None else (name, questions)
        return bench(self.live.public(), given, texts(paths), options, progress)

    @rebuilding
    def bench_vault(
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
        from memwiki.health.bench import bench_vault

        count, most = count_of("questions", questions), count_of("limit", limit)
        return bench_vault(self.live.public(), count, most, against, progress)

    @rebuilding
    def prompt(
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
        from memwiki.recall.prompt import prompt_of
        from memwiki.sessions.summaries import always_shown

        settings, limit = self.config.recall, budget_of(budget)
        limit = settings.budget_tokens if limit is None else limit
        if answer is not None and not (settings.core_in_prompt if core is None else core):
            return prompt_of((), answer, None, limit, has_scores=scores)
        with self.one_sweep():
            freshness, lasting = always_shown(self.public().live)
        return prompt_of(lasting, answer, freshness, limit, has_scores=scores)

    def note_recall(self, question: str, answer: Recall | PromptBlock) -> bool:
        """Count the hits of an answer as recalled, now that it is out; False where nothing can be
        written."""
        from memwiki.memory.usage import note_recall

        return note_recall(self.live.context, question, answer)

    def inject(
        self, question: str, session: str | None = None, limit: int | None = None
    ) -> tuple[str, tuple[Hit, ...]]:
        """The block of `prompt` for a question, and the hits in it, half of them of the session."""
        from memwiki.recall.grouping import shared_out

        most = limit_of(limit) or self.config.recall.inject_limit
        found = self.recall(question, limit=4 * most, session=session or "", record=False)
        answer = found._replace(hits=shared_out(found.hits, session or "", most))
        block = self.prompt(answer)
        self.note_recall(question, block)
        return block.text, block.hits

    def sync(
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
        from memwiki.commit.catalogs import after_sync
        from memwiki.files.paths import files_given
        from memwiki.sync.embedder import embed_after_sync

        live = self.live
        live.context.require_files()
        only = files_given(self.root, texts(paths), live.holds) if paths else ()
        changes = live.sync(only=only, full=full, force=force, progress=progress)
        if live.unread_folders():  # another program keeps a folder now
            changes = self.live.sync(only=only, full=full, force=force, progress=progress)
        return embed_after_sync(self.live, after_sync(self.live, changes))

    def list_new(self) -> None:
        """List the pages where questions took in many: nobody who browses next waits for that."""
        if self.live.taken_in:
            from memwiki.commit.catalogs import list_what_was_taken_in

            list_what_was_taken_in(self.live)

    @rebuilding
    def undo(
        self,
        count: int = 1,
        *,
        own: bool | Literal["process"] = False,
        dry_run: bool = False,
        yes: bool = False,
        guard: Callable[[str, bool], None] | None = None,
        announce: Callable[[Edited], None] | None = None,
    ) -> Edited:
        """Take back the last changes made through memwiki on this machine.

        Raises NotFoundError when there are not so many, ConflictError when a file is not as the
        change left it, and without `yes` UnconfirmedError for one that was made elsewhere; with
        `own` NotYoursError where one was made by another actor than that of `by`, with "process"
        also by one of the same name in another process that still runs. `guard` is given each file
        that would change, and whether it goes away, and `announce` the diff before anything is
        written; what they raise refuses the whole.
        """
        from memwiki.commit.carry_out import undo

        number = count_of("undo", count)
        return undo(
            self.live, number, own=own, dry_run=dry_run, yes=yes, guard=guard, announce=announce
        )

    def watch(
        self,
        *,
        tell: Callable[[WatchEvent], None] | None = None,
        poll: bool = False,
        upkeep: bool = False,
    ) -> Watching:
        """A watcher that tells of what happens: `with` runs it in the background, `run()` here.

        Both raise LockedError when another process is watching; `poll` walks every second,
        `upkeep` runs all upkeep every `consolidation.interval_hours`.
        """
        from memwiki.workspace.watching import watching_of

        return watching_of(self, tell, is_polling=poll, is_keeping=upkeep)

    def follow(self, tell: Callable[[Followed], None], *, only_looking: bool = False) -> Following:
        """Within `with` each change of a page that is seen here is told, whoever makes it, and how
        fresh the index is.

        It watches where nobody does; with `only_looking` it writes nothing in the workspace.
        """
        from memwiki.workspace.watching import following_of

        return following_of(self, tell, is_only_looking=only_looking)
