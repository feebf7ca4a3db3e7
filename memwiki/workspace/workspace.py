"""`Workspace`: everything that can be asked of one folder of markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memwiki import clock as clocks
from memwiki.answers.caches import CacheList
from memwiki.answers.catalog import CatalogReport
from memwiki.answers.check import CheckReport
from memwiki.answers.completion import CompletionList
from memwiki.answers.edits import Edited
from memwiki.answers.graph import GraphAnswer, LinkList, TagList
from memwiki.answers.history import History, PageAt
from memwiki.answers.index import Changes, Health, Overview, PathStatus, Status
from memwiki.answers.journal import LogEntry, LogList
from memwiki.answers.pages import PageList, PageView
from memwiki.answers.search import SearchAnswer
from memwiki.answers.settings import Setting, SettingList
from memwiki.config import cache_root, environment, load, passed_over, settings
from memwiki.index.fill import Progress
from memwiki.numbers import count_of, limit_of
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.rebuild import rebuilding
from memwiki.workspace.after_sync import after_sync
from memwiki.workspace.locating import located

if TYPE_CHECKING:
    from memwiki.answers.setup import InitReport
    from memwiki.answers.watch import WatchEvent
    from memwiki.workspace.pages import Pages
    from memwiki.workspace.watching import Watching


class Workspace:
    """One folder of markdown and the index derived from it; may be shared by threads.

    What answers a question is imported when the question is asked: starting costs more than answering.
    Every question first brings the index in step with the files, unless the workspace was opened
    with `sync=False`; every answer says whether it is `fresh`.
    """

    def __init__(
        self,
        root: Path,
        *,
        sync: bool = True,
        environ: Mapping[str, str] | None = None,
        clock: clocks.Clock = clocks.now_ns,
    ) -> None:
        self.root = root
        self.environ = environment() if environ is None else environ
        self.config = load(root, self.environ)
        cache = cache_root(self.environ)
        self.live = LiveIndex(Context(root, self.config, clock), cache)
        self.live.warnings += filter(None, [passed_over(self.environ, cache)])
        self.is_synced = sync

    @property
    def is_synced(self) -> bool:
        """Whether each question first brings the index in step."""
        return self.live.is_synced

    @is_synced.setter
    def is_synced(self, value: bool) -> None:
        self.live.is_synced = value

    # --- opening ---

    @classmethod
    def open(
        cls,
        directory: str | Path | None = None,
        *,
        find: bool = True,
        sync: bool = True,
        environ: Mapping[str, str] | None = None,
        clock: clocks.Clock = clocks.now_ns,
    ) -> Workspace:
        """Open the workspace around a folder, or exactly that folder with `find=False`.

        Raises NoWorkspaceError when there is none.
        """
        environ = environment() if environ is None else environ
        root = located(directory, environ, is_found=find)
        return cls(root, sync=sync, environ=environ, clock=clock)

    @classmethod
    def init(cls, directory: str | Path, *, git: bool = False) -> InitReport:
        """Make a workspace from the template; AlreadyExistsError when a file would be overwritten."""
        from memwiki.workspace import setup

        return setup.init(Path(directory).absolute(), environment(), git=git)

    @classmethod
    def adopt(cls, directory: str | Path) -> InitReport:
        """Make an existing folder a workspace; writes nothing outside `.memwiki/`."""
        from memwiki.workspace import setup

        return setup.adopt(Path(directory).absolute(), environment())

    def take_warnings(self) -> list[str]:
        """What went wrong with the index and was mended, or could not be; said once."""
        said, self.live.warnings = self.live.warnings, []
        return said

    def reload(self) -> None:
        """Read the settings again."""
        old = self.live
        old.close()
        self.config = load(self.root, self.environ)
        context = Context(self.root, self.config, old.context.clock)
        self.live = LiveIndex(context, cache_root(self.environ))
        self.live.is_synced = old.is_synced

    def close(self) -> None:
        """Let go of the index files that this thread holds open."""
        self.live.close()

    # --- in step ---

    def sync(
        self,
        paths: Sequence[str] = (),
        *,
        full: bool = False,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Changes:
        """Bring the index in step with the files, or with these files and folders only.

        `full` compares the bytes of every file, `force` takes mass removals as meant.
        """
        from memwiki.files.paths import files_given

        only = files_given(self.root, paths, self.live.holds) if paths else ()
        changes = self.live.sync(only=only, full=full, force=force, progress=progress)
        return after_sync(self.live, changes)

    @rebuilding
    def catalog(self, *, check: bool = False, adopt: bool = False) -> CatalogReport:
        """Bring index.md and its like in step, or with `check` only say which are stale.

        `adopt` puts the block of entries into index files that people wrote themselves.
        """
        from memwiki.workspace import catalog

        return catalog.catalog(self.live, check=check, adopt=adopt)

    def reindex(self, *, progress: Progress | None = None) -> Changes:
        """Build a new index beside the old one and swap it in when it is whole."""
        return self.live.reindex(progress)

    def watch(
        self, *, tell: Callable[[WatchEvent], None] | None = None, poll: bool = False
    ) -> Watching:
        """A watcher that tells of what happens: `with` runs it in the background, `run()` here.

        Both raise LockedError when another process watches already; `poll` walks every second.
        """
        from memwiki.workspace import watching

        # A live index of its own: whoever asks questions meanwhile never waits for it.
        anew = partial(type(self), self.root, environ=self.environ, clock=self.live.context.clock)
        return watching.Watching(lambda: anew().live, tell=tell, is_polling=poll)

    # --- asking ---

    @rebuilding
    def search(
        self, query: str, *, limit: int | None = None, explain: bool = False,
        progress: Progress | None = None,
    ) -> SearchAnswer:  # fmt: skip
        """The best hits for a query; `explain` adds to each hit why it was found."""
        from memwiki.recall.search import search

        return search(self.live, query, limit=limit_of(limit), explain=explain, progress=progress)

    @rebuilding
    def get(
        self, name: str, *, section: str = "", lines: tuple[int, int] | None = None
    ) -> PageView:
        """A page by any of its names, or one section or some lines of it.

        Raises NotFoundError, or AmbiguousError with the candidates.
        """
        from memwiki.browse import pages

        return pages.get(self.live, name, section=section, lines=lines)

    def bytes_of(self, path: str) -> bytes:
        """The bytes of a file in the workspace, as they are.

        Raises UnsafePathError, NotFoundError or UnreadableError.
        """
        from memwiki.files.paths import contain
        from memwiki.files.read import read

        return read(self.root, contain(self.root, path))[0]

    @rebuilding
    def history(self, name: str, *, limit: int | None = None) -> History:
        """The commits that touched a page, newest first and through renames.

        Raises GitError where git or a repository is missing.
        """
        from memwiki.history import past

        return past.history(self.live, self.environ, name, limit_of(limit))

    @rebuilding
    def show(
        self, name: str, *, at: str, section: str = "", lines: tuple[int, int] | None = None
    ) -> PageAt:
        """A page as it was at a revision, or after the last commit up to a date or time."""
        from memwiki.history import past

        return past.show(self.live, self.environ, name, at, section, lines)

    @rebuilding
    def bytes_at(self, name: str, at: str) -> bytes:
        """The bytes of a page as it was at a revision or date."""
        from memwiki.history import past

        return past.bytes_at(self.live, self.environ, name, at)

    @rebuilding
    def list(
        self, *, type: str = "", tag: str = "", path: str = "", sort: str = "title",  # noqa: A002
        limit: int | None = None, orphans: bool = False,
    ) -> PageList:  # fmt: skip
        """Pages by type, tag and path (`orphans`: that none links to), by title, updated or links."""
        from memwiki.browse import pages

        return pages.list_pages(self.live, type, tag, path, sort, limit_of(limit), orphans=orphans)

    @rebuilding
    def links(self, name: str, *, direction: str = "both") -> LinkList:
        """The links of a page: `in`, `out` or `both`."""
        from memwiki.browse import graph

        return graph.links(self.live, name, direction)

    @rebuilding
    def backlinks(self, name: str) -> LinkList:
        """The links of other pages to this one."""
        from memwiki.browse import graph

        return graph.links(self.live, name, "in")

    @rebuilding
    def unresolved(self, name: str = "") -> LinkList:
        """Links that are wanted, broken or ambiguous, of one page or of all."""
        from memwiki.browse import graph

        return graph.unresolved(self.live, name)

    @rebuilding
    def tags(self, prefix: str = "") -> TagList:
        """Tags with the number of pages that carry each or one below it."""
        from memwiki.browse import graph

        return graph.tags(self.live, prefix)

    @rebuilding
    def graph(
        self, name: str = "", *, depth: int = 1, to: str = "", relation: str = ""
    ) -> GraphAnswer:
        """The neighbourhood of a page, the shortest path to another, or the whole graph."""
        from memwiki.browse import graph

        depth = count_of("depth", depth, least=0)
        return graph.graph(self.live, name, depth=depth, to=to, relation=relation)

    # --- changing ---

    @property
    def pages(self) -> Pages:
        """The verbs that change pages."""
        from memwiki.workspace.pages import Pages

        return Pages(self.live)

    def complete(self, kind: str, typed: str = "") -> CompletionList:
        """Names of a kind (`page`, `tag`, `type`) that begin so; from the index as it is."""
        from memwiki.browse.complete import complete

        return complete(self.live, kind, typed)

    # --- health ---

    @rebuilding
    def status(self) -> Status:
        """What the index holds compared with what is on disk; looks, and changes nothing."""
        from memwiki.workspace import health

        return health.status(self.live)

    @rebuilding
    def overview(self) -> Overview:
        """Whether all is well, and what to do next; looks, and changes nothing."""
        from memwiki.workspace import overview

        return overview.overview(self.live)

    @rebuilding
    def why(self, path: str) -> PathStatus:
        """Why one file is or is not found."""
        from memwiki.workspace import health

        return health.why(self.live, path)

    @rebuilding
    def verify(self, *, progress: Progress | None = None) -> Health:
        """Compare the live index with one built anew in a scratch place."""
        from memwiki.workspace import health

        return health.doctor(self.live, verify=True, progress=progress)

    @rebuilding
    def doctor(self, *, verify: bool = False, progress: Progress | None = None) -> Health:
        """What is wrong with the index or its place."""
        from memwiki.workspace import health

        return health.doctor(self.live, verify=verify, progress=progress)

    @rebuilding
    def check(
        self, paths: Sequence[str] = (), only: Sequence[str] = (), *, baseline: str = "",
        progress: Progress | None = None,
    ) -> CheckReport:  # fmt: skip
        """What is wrong with the content, below these paths and of these codes; a `baseline` file
        names what is known."""
        from memwiki.workspace import check

        return check.check(self.live, paths, only, baseline=baseline, progress=progress)

    def fix(
        self, report: CheckReport, *, dry_run: bool = False,
        announce: Callable[[Edited], None] | None = None,
    ) -> Edited:  # fmt: skip
        """Mend what a check found and can be mended safely; `announce` is given the diff before."""
        from memwiki.workspace import check

        return check.fix(self.live, report, dry_run=dry_run, announce=announce)

    def accept(self, report: CheckReport, baseline: str) -> Edited:
        """Record the problems of a check in a baseline file, in place of what it held."""
        from memwiki.workspace import check

        return check.accept(self.live, report, baseline)

    # --- what was done ---

    @rebuilding
    def undo(self, count: int = 1, *, dry_run: bool = False, yes: bool = False) -> Edited:
        """Take back the last changes made through memwiki on this machine.

        Raises NotFoundError when there are not so many, ConflictError when a file is not as the
        change left it, and without `yes` UnconfirmedError for one that was made elsewhere.
        """
        from memwiki.workspace import changing

        return changing.undo(self.live, count_of("undo", count), dry_run=dry_run, yes=yes)

    def log(self, *, since: str = "", op: str = "", limit: int | None = None) -> LogList:
        """Entries of the journal, newest first; `since` is a day or an age such as `2w`."""
        from memwiki.workspace import journal

        return journal.show(self.live.context, since, op, limit_of(limit))

    def log_add(self, op: str, title: str, *notes: str) -> LogEntry:
        """Note in the journal what was done by other means."""
        from memwiki.workspace import journal

        return journal.add(self.live.context, op, title, notes)

    # --- settings ---

    def settings(self) -> SettingList:
        """All settings with their values and where these come from."""
        return SettingList(tuple(settings(self.config)))

    def configure(self, key: str, value: str) -> Setting:
        """Set one line of memwiki.toml; every other byte stays."""
        from memwiki.workspace.settings import change

        change(self.root, key, value)
        self.reload()
        return next(s for s in settings(self.config) if s.key == key)

    @classmethod
    def caches(cls, *, prune: bool = False) -> CacheList:
        """Every derived index in the cache; `prune` removes those whose workspace is gone."""
        from memwiki.workspace import caches

        return caches.caches(cache_root(environment()), prune=prune)
