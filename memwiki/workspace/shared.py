"""A workspace that is read from the shared index, and what is done with that index."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from memwiki.answers.share import Dropped, FeedReport, SharedWorkspaceRow, ShareScript, ShareStatus
from memwiki.clock import Clock, now_ns
from memwiki.config import Config, SettingsSeen, environment, settings_seen
from memwiki.config.named import shared_address
from memwiki.digest import text_hash
from memwiki.errors import MemwikiError, SharedIndexError, WriteError
from memwiki.files.stand_in import make_stand_in
from memwiki.share.reader import SharedIndex, SharedSource
from memwiki.workspace.workspace import Workspace

if TYPE_CHECKING:
    from memwiki.answers.index import Followed
    from memwiki.index.projection import Progress
    from memwiki.index.shared.stores import SharedStores
    from memwiki.share.feed import Feeder
    from memwiki.share.settings import FedSettings
    from memwiki.sync.live import LiveIndex

_FOLDER = "shared"  # in the cache
_RENEW_S = 5.0  # a third of the lease


class SharedWorkspace(Workspace):
    """One workspace of the shared index, which is only read."""

    def __init__(
        self,
        name: str,
        namespace: str | None,
        environ: Mapping[str, str],
        clock: Clock,
    ) -> None:
        self._source = SharedSource(shared_address(environ), name)
        folder = f"{text_hash(name, 8).hex()}/{_safe(name)}"
        stand_in = _stand_in(_cache(environ) / _FOLDER / folder, self._source.fed)
        super().__init__(stand_in, namespace=namespace, environ=environ, clock=clock)

    def _read_settings(
        self, cache: Path | None, *, is_anew: bool = False
    ) -> tuple[Config, SettingsSeen]:
        config, _ = super()._read_settings(cache, is_anew=is_anew)
        return self._source.fed.config(config), settings_seen(self.root)

    def _new_live(self, clock: Clock, cache: Path | None) -> LiveIndex:  # noqa: ARG002 - its index is elsewhere
        live = SharedIndex(self.root, self._config, clock, self.namespace, self._source)
        live.set_models(self.environ, is_lasting=self._is_lasting)
        if not self._source.has_texts:
            live.warnings.append(
                "the shared index keeps no page texts: excerpts are descriptions, and of a phrase"
                " all words are looked for"
            )
        return live


def _stand_in(folder: Path, fed: FedSettings) -> Path:
    return make_stand_in(folder, fed.toml, [f"{fed.layers.namespaces}/{n}" for n in fed.namespaces])


def _safe(name: str) -> str:
    return "".join(each if each.isalnum() or each in "-_.@" else "-" for each in name)


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
    """The workspace of this name in the shared index; where that cannot be used, the one around a
    folder, as `Workspace.open` opens it, with the reason as a warning."""
    environ = environment() if environ is None else environ
    try:
        return SharedWorkspace(name, namespace, environ, clock)
    except SharedIndexError as error:
        try:
            found = Workspace.open(
                directory, find=find, sync=sync, namespace=namespace, environ=environ, clock=clock
            )
        except MemwikiError:
            raise error from None
        found.live.warnings.append(f"{error.message}; the answer comes from the index here")
        return found


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
    stop, changed = stop or Event(), Event()
    with feeding(workspace, name, reader=reader, texts=texts) as feeder:
        tell(feeder.feed(workspace.live))
        with workspace.follow(lambda followed: changed.set() if _is_change(followed) else None):
            while not stop.is_set():
                has_changed = changed.wait(_RENEW_S)
                changed.clear()
                report = feeder.feed(workspace.live)
                if has_changed or report.added or report.modified or report.removed:
                    tell(report)


def _is_change(followed: Followed) -> bool:
    return bool(followed.changed or followed.removed)


# --- looking after it ---


def status(environ: Mapping[str, str] | None = None) -> ShareStatus:
    """The workspaces that may be read."""
    with _stores(environment() if environ is None else environ) as stores:
        return ShareStatus(
            tuple(
                SharedWorkspaceRow(
                    each.name,
                    each.is_leased,
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
