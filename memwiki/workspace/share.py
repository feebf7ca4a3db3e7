"""Feeding a workspace to the shared index, and looking after what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, TypedDict, Unpack

from memwiki.answers.workspaces import (
    Dropped,
    FeedReport,
    SharedWorkspaceRow,
    ShareScript,
    ShareStatus,
)
from memwiki.config import environment
from memwiki.config.user import shared_address
from memwiki.digest import text_hash
from memwiki.errors import MemwikiError, SharedIndexError, WriteError
from memwiki.share.reader import note_folder

if TYPE_CHECKING:
    from memwiki.index.projection import Progress
    from memwiki.index.shared.stores import SharedStores
    from memwiki.share.feed import Feeder
    from memwiki.sync.live import LiveIndex
    from memwiki.workspace.workspace import Workspace


class FeedOptions(TypedDict, total=False):
    """How a workspace is fed: `reader` is the role that may read it, `private_reader` one that may
    read what is private, too, which is else not fed, and does not stay there; with `texts` the
    texts of the pages are shared."""

    reader: str
    private_reader: str
    texts: bool


class ShareFacet:
    """The shared index: feeding this workspace, and what is there."""

    def __init__(self, live: LiveIndex, environ: Mapping[str, str]) -> None:
        self._live, self._environ = live, environ

    def feed(
        self, name: str = "", *, progress: Progress | None = None, **options: Unpack[FeedOptions]
    ) -> FeedReport:
        """Bring the shared index up to date with the pages of this workspace, once: all of it, or
        nothing; under its folder and branch, or another name.

        `reader` is the role of the database that may read it, `private_reader` one that may read
        what is private, too, which is else not there; `texts` shares the texts of the pages.
        """
        with feeding(self._live, self._environ, name, **options) as feeder:
            return feeder.feed(self._live, progress)

    def status(self) -> ShareStatus:
        """The workspaces of the shared index that may be read, how fresh each is and who feeds
        it."""
        return status(self._environ)

    def drop(self, name: str) -> Dropped:
        """Leave nothing of a workspace in the shared index; no file is touched."""
        return drop(name, self._environ)


# --- feeding ---


class Feeding:
    """What feeds one workspace: what is not private in it, and, where that was asked for, all of
    it beside that."""

    def __init__(
        self, public: Feeder, whole: Feeder | None, withdraw: Callable[[], object]
    ) -> None:
        """`withdraw` leaves nothing of what is private, once the lease is held."""
        self._public, self._whole, self._withdraw = public, whole, withdraw

    def feed(self, live: LiveIndex, progress: Progress | None = None) -> FeedReport:
        """Give the stores what they lack; tells of what is not private."""
        report = self._public.feed(live, progress)
        if self._whole:
            self._whole.feed(live)
        else:
            self._withdraw()
        return report

    def end(self) -> None:
        """Let others feed."""
        for each in filter(None, (self._public, self._whole)):
            with suppress(SharedIndexError):  # the lease ends by itself
                each.end()


@contextmanager
def feeding(
    live: LiveIndex, environ: Mapping[str, str], name: str = "", **options: Unpack[FeedOptions]
) -> Iterator[Feeding]:
    """Within it this process feeds a workspace to the shared index, under its folder and branch or
    another name."""
    from memwiki.index.shared.stores import private_name, require_public
    from memwiki.share.feed import TABLES, Feeder, usual_name

    if live.fed():
        raise SharedIndexError.only_read()
    folder = usual_name(Path(live.context.root))
    called, texts = require_public(name or folder), options.get("texts", False)
    with suppress(MemwikiError):  # it is only a help where the server is lost
        note_folder(place_of(environ, called), folder)
    with _stores(environ) as stores, _stores(environ) as others:
        public, whole = Feeder(stores, called, options.get("reader", ""), has_texts=texts), None
        if role := options.get("private_reader"):
            whole = Feeder(others, private_name(called), role, has_texts=texts, is_whole=True)
        found = Feeding(public, whole, partial(others.drop_private, called, TABLES))
        try:
            yield found
        finally:
            found.end()


def keep_fed(
    workspace: Workspace,
    tell: Callable[[FeedReport], None],
    name: str = "",
    *,
    stop: Event | None = None,
    **options: Unpack[FeedOptions],
) -> None:
    """Feed a workspace again whenever a page changes, and hold the lease, until told to stop."""
    from memwiki.share.feed import RENEW_S

    stop, changed = stop or Event(), Event()
    with feeding(workspace.live, workspace.environ, name, **options) as feeder:
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
    with _stores(environ) as stores:
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

    with _stores(environ) as stores:
        stores.drop_private(name, TABLES)
        stores.drop(name, TABLES)
    return Dropped(name)


def script() -> ShareScript:
    """What an owner of a database runs once: tables, policies, roles and grants."""
    from memwiki.index.shared.stores import grants_sql, setup_sql
    from memwiki.share.feed import TABLES

    statements = (f"{each};" for each in (*setup_sql(TABLES), *grants_sql()))
    return ShareScript("\n".join(["begin;", *statements, "commit;"]))


@contextmanager
def _stores(environ: Mapping[str, str] | None) -> Iterator[SharedStores]:
    from memwiki.index.shared.stores import SharedStores

    stores = SharedStores.at(shared_address(environment() if environ is None else environ))
    try:
        yield stores
    finally:
        stores.close()


# --- where a reader keeps what it has of a workspace ---


def place_of(environ: Mapping[str, str], name: str) -> Path:
    """Where the stand-in of a workspace is; beside it lies what else is kept of it."""
    safe = "".join(each if each.isalnum() or each in "-_.@" else "-" for each in name)
    return _cache(environ) / "shared" / text_hash(name, 8).hex() / safe


def _cache(environ: Mapping[str, str]) -> Path:
    from memwiki.config import cache_root

    found = cache_root(environ)
    if found is None:
        raise WriteError("no cache folder can be written", "set MEMWIKI_CACHE_DIR")
    return found
