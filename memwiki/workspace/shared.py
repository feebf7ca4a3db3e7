"""A workspace that is read from the shared index, and what is done with that index."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event, RLock
from time import monotonic
from typing import TYPE_CHECKING, NoReturn
from weakref import ref

from memwiki.answers.share import Dropped, FeedReport, SharedWorkspaceRow, ShareScript, ShareStatus
from memwiki.clock import Clock, now_ns
from memwiki.config import Config, SettingsSeen, environment, located, settings_seen
from memwiki.config.named import shared_address
from memwiki.digest import text_hash
from memwiki.errors import MemwikiError, SharedIndexError, WriteError
from memwiki.files.stand_in import make_stand_in, note_folder, noted_folder
from memwiki.share.reader import SharedIndex, SharedSource
from memwiki.workspace.workspace import Workspace

if TYPE_CHECKING:
    from memwiki.answers.index import Followed
    from memwiki.index.projection import Progress
    from memwiki.index.shared.stores import SharedStores
    from memwiki.share.feed import Feeder
    from memwiki.share.settings import FedSettings
    from memwiki.sync.live import LiveIndex
    from memwiki.watch.following import Following

_FOLDER = "shared"  # in the cache
_AGAIN_S = 30.0  # before a server that could not be used is asked again


class SharedWorkspace(Workspace):
    """One workspace of the shared index, which is only read; while the server cannot be used, that
    of the files beside it, where there are some."""

    def __init__(
        self,
        name: str,
        files: Callable[[], Path],
        *,
        sync: bool = True,
        namespace: str | None = None,
        environ: Mapping[str, str],
        clock: Clock = now_ns,
    ) -> None:
        """`files` gives the root of the files beside it; a MemwikiError where there are none."""
        self._name, self._files, self._guard = name, files, RLock()
        self._source: SharedSource | None = None
        self._here: tuple[Workspace | None] | None = None  # the files beside it, once looked for
        self._stands_in, self._again_at = "", monotonic() + _AGAIN_S
        self.environ = environ  # by which the root is chosen
        super().__init__(
            self._chosen_root(), sync=sync, namespace=namespace, environ=environ, clock=clock
        )

    def _chosen_root(self) -> Path:
        """The stand-in for the folder, or the folder of the files where the server cannot be
        used."""
        try:
            source = SharedSource(shared_address(self.environ), self._name)
        except SharedIndexError as error:
            root = self._root_here()
            if root is None:
                raise
            self._source = None
            self._stands_in = f"{error.message}; the answer comes from the index of {root.name}"
            return root
        self._source, self._stands_in = source, ""
        _note_folder(self.environ, self._name, source.folder)
        return _stand_in(_place(self.environ, self._name), source.fed)

    def _read_settings(
        self, cache: Path | None, *, is_anew: bool = False
    ) -> tuple[Config, SettingsSeen]:
        config, seen = super()._read_settings(cache, is_anew=is_anew)
        if self._source is None:
            return config, seen
        return self._source.fed.config(config), settings_seen(self.root)

    def _new_live(self, clock: Clock, cache: Path | None) -> LiveIndex:
        if self._source is None:
            live = super()._new_live(clock, cache)
            live.stands_in = self._stands_in
            live.warnings.append(self._stands_in)
            return live
        shared = SharedIndex(self.root, self._config, clock, self.namespace, self._source)
        shared.set_models(self.environ, is_lasting=self._is_lasting)
        shared.instead = partial(_stand_in_of, ref(self), shared)
        shared.tree_here = partial(_tree_here_of, ref(self))
        if not self._source.has_texts:
            shared.warnings.append(
                "the shared index keeps no page texts: excerpts are descriptions, and of a phrase"
                " all words are looked for"
            )
        return shared

    def public(self) -> Workspace:
        """What is fed is; a view all the same, so that it shows no more where it is answered from
        files."""
        return self._view(self.live) if self._source else super().public()

    def watch(self, **_: object) -> NoReturn:
        """Who watches the files feeds: `memwiki share feed --watch`."""
        raise SharedIndexError.only_read()

    def follow(self, tell: Callable[[Followed], None], *, only_looking: bool = False) -> Following:
        """The same of what is fed."""
        from memwiki.workspace.watching import following_of

        quiet = SharedWorkspace(
            self._name,
            self._files,
            sync=False,
            namespace=self._asked,
            environ=self.environ,
            clock=self.live.context.clock,
        )
        return following_of(self, tell, is_only_looking=only_looking, kind=Workspace, quiet=quiet)

    def _notice_settings(self) -> None:
        """Ask the server again, now and then, where it could not be used."""
        live = getattr(self, "_live", None)
        is_due = self._stands_in and monotonic() >= self._again_at
        if live is not None and is_due and not (self._base or live.is_in_call):
            with suppress(MemwikiError):
                self._choose_again()
        super()._notice_settings()

    def _choose_again(self) -> None:
        with self._guard:
            before, self._again_at = self._source, monotonic() + _AGAIN_S
            self.root = self._chosen_root()
            if self._source is not before:
                self.reload()

    def stand_in(self, lost: LiveIndex) -> LiveIndex | None:
        """The index of the files beside it, now that the server is lost; None where there are
        none."""
        with self._guard, suppress(SharedIndexError):
            if self._live is lost:
                self._choose_again()
        return None if self._live is lost else self._live

    def tree_here(self) -> str:
        """The tree digest of the files beside it, if they are of this name and are indexed here; ""
        otherwise."""
        if self._here is None:
            self._here = (self._files_here(),)
        with suppress(MemwikiError):
            live = self._here[0].live if self._here[0] else None
            if live and _is_indexed(live) and live.reader_sync().fresh:
                with live.public(is_current=True).opened() as stores:
                    return stores.cards.tree()
        return ""

    def _files_here(self) -> Workspace | None:
        root = self._root_here()
        return Workspace(root, environ=self.environ) if root else None

    def _root_here(self) -> Path | None:
        """The folder of the files beside it; another one than was fed shows nothing in its
        place."""
        from memwiki.share.feed import usual_name

        with suppress(MemwikiError):
            root, folder = self._files(), noted_folder(_place(self.environ, self._name))
            if usual_name(root) == (folder or self._name):
                return root
        return None

    def leave(self) -> None:
        """Let go of what this thread opened, of the files beside it, too."""
        super().leave()
        for each in filter(None, self._here or ()):
            each.leave()

    def close(self) -> None:
        """Let go of all of it."""
        super().close()
        for each in filter(None, self._here or ()):
            each.close()


def _is_indexed(live: LiveIndex) -> bool:
    """Whether what is not private has an index, which is not made for this."""
    return live.has_answers() and (live.own_public().has_answers() or not live.has_private())


def _tree_here_of(workspace: ref[SharedWorkspace]) -> str:
    found = workspace()
    return found.tree_here() if found else ""


def _stand_in_of(workspace: ref[SharedWorkspace], lost: LiveIndex) -> LiveIndex | None:
    found = workspace()
    return found.stand_in(lost) if found else None


def _stand_in(folder: Path, fed: FedSettings) -> Path:
    return make_stand_in(folder, fed.toml, [f"{fed.layers.namespaces}/{n}" for n in fed.namespaces])


def _place(environ: Mapping[str, str], name: str) -> Path:
    """Where the stand-in of a workspace is; beside it lies what else is kept of it."""
    safe = "".join(each if each.isalnum() or each in "-_.@" else "-" for each in name)
    return _cache(environ) / _FOLDER / text_hash(name, 8).hex() / safe


def _note_folder(environ: Mapping[str, str], name: str, folder: str) -> None:
    """Remember which folder is fed under a name, for when the server cannot say it."""
    with suppress(MemwikiError):
        note_folder(_place(environ, name), folder)


def _cache(environ: Mapping[str, str]) -> Path:
    from memwiki.config import cache_root

    found = cache_root(environ)
    if found is None:
        raise WriteError("no cache folder can be written", "set MEMWIKI_CACHE_DIR")
    return found


def open_shared(
    name: str,
    directory: str | Path | None = None,
    *,
    find: bool = True,
    sync: bool = True,
    namespace: str | None = None,
    environ: Mapping[str, str] | None = None,
    clock: Clock = now_ns,
) -> Workspace:
    """The workspace of this name in the shared index; while that cannot be used, the one around a
    folder, as `Workspace.open` opens it, with the reason in each answer."""
    environ = environment() if environ is None else environ
    files = partial(located, directory, environ, is_found=find)
    return SharedWorkspace(
        name, files, sync=sync, namespace=namespace, environ=environ, clock=clock
    )


# --- feeding ---


@contextmanager
def feeding(
    workspace: Workspace, name: str = "", *, reader: str = "", texts: bool = False
) -> Iterator[Feeder]:
    """Within it this process feeds a workspace to the shared index, under its folder and branch or
    another name; `reader` is the role that may read it."""
    from memwiki.share.feed import Feeder, usual_name

    with _stores(workspace.environ) as stores:
        called = name or usual_name(workspace.root)
        _note_folder(workspace.environ, called, usual_name(workspace.root))
        feeder = Feeder(stores, called, reader, has_texts=texts)
        try:
            yield feeder
        finally:
            with suppress(SharedIndexError):  # the lease ends by itself
                feeder.end()


def feed(
    workspace: Workspace,
    name: str = "",
    *,
    reader: str = "",
    texts: bool = False,
    progress: Progress | None = None,
) -> FeedReport:
    """Feed a workspace once."""
    with feeding(workspace, name, reader=reader, texts=texts) as feeder:
        return feeder.feed(workspace.live, progress)


def keep_fed(
    workspace: Workspace,
    tell: Callable[[FeedReport], None],
    name: str = "",
    *,
    reader: str = "",
    texts: bool = False,
    stop: Event | None = None,
) -> None:
    """Feed a workspace again whenever a page changes, and hold the lease, until told to stop."""
    from memwiki.share.feed import RENEW_S

    stop, changed = stop or Event(), Event()
    with feeding(workspace, name, reader=reader, texts=texts) as feeder:
        tell(feeder.feed(workspace.live))
        with workspace.follow(lambda followed: changed.set() if followed.has_changes else None):
            while not stop.is_set():
                has_changed = changed.wait(RENEW_S)
                changed.clear()
                report = feeder.feed(workspace.live)
                if has_changed or report.added or report.modified or report.removed:
                    tell(report)


# --- looking after it ---


def status(environ: Mapping[str, str] | None = None) -> ShareStatus:
    """The workspaces that may be read."""
    with _stores(environment() if environ is None else environ) as stores:
        return ShareStatus(
            tuple(
                SharedWorkspaceRow(
                    each.name,
                    each.is_leased,
                    each.is_being_fed,
                    _iso(each.fed_at),
                    _iso(each.scanned_at),
                    each.fed_by,
                    each.generation,
                    each.has_texts,
                    each.reader,
                )
                for each in stores.states()
            )
        )


def _iso(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds") if at else ""


def drop(name: str, environ: Mapping[str, str] | None = None) -> Dropped:
    """Leave nothing of a workspace in the shared index."""
    from memwiki.share.feed import TABLES

    with _stores(environment() if environ is None else environ) as stores:
        stores.drop(name, TABLES)
    return Dropped(name)


def script() -> ShareScript:
    """What an owner of a database runs once: tables, policies, roles and grants."""
    from memwiki.index.shared.stores import grants_sql, setup_sql
    from memwiki.share.feed import TABLES

    statements = (f"{each};" for each in (*setup_sql(TABLES), *grants_sql()))
    return ShareScript("\n".join(["begin;", *statements, "commit;"]))


@contextmanager
def _stores(environ: Mapping[str, str]) -> Iterator[SharedStores]:
    from memwiki.index.shared.stores import SharedStores

    stores = SharedStores.at(shared_address(environ))
    try:
        yield stores
    finally:
        stores.close()
