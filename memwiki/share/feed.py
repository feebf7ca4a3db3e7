"""Keeping the stores of a workspace on a server as its files are: by one feeder at a time; and
looking after what is there."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple, TypedDict, Unpack

from memwiki.answers.index import Followed
from memwiki.answers.workspaces import (
    Dropped,
    FeedReport,
    SharedWorkspaceRow,
    ShareScript,
    ShareStatus,
)
from memwiki.catalog.store import ListingStore
from memwiki.config.user import shared_address
from memwiki.digest import digest_of
from memwiki.errors import MemwikiError, SharedIndexError
from memwiki.files.read import read
from memwiki.index.projection import EMPTY_TREE, Progress, give
from memwiki.index.shared_stores import (
    SharedState,
    SharedStores,
    StoredText,
    grants_sql,
    private_name,
    require_public,
    setup_sql,
)
from memwiki.index.storage_postgres import MAX_KEY_BYTES
from memwiki.names import CONFIG_FILE
from memwiki.share.reader import note_folder, place_of, settings_text, usual_name
from memwiki.share.vectors import MARK, feed_vectors
from memwiki.sync.embedder import embed_when_idle
from memwiki.sync.feed import feed, lack_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading
from memwiki.sync.request import SyncRequest, SyncRun

RENEW_S = 5.0  # a third of the lease
TABLES = ListingStore.tables
_MIN_ANALYZED = 500  # pages: planning each statement costs less than a plan for fewer of them


class _Fed(NamedTuple):
    """What was fed last: nobody asks a server for it that says it has it still."""

    tree: str
    digests: Mapping[str, str]
    hidden: Mapping[str, str]  # the pages with anything private in them


_NEVER = _Fed("", {}, {})


class Feeder:
    """One process that feeds one workspace, as long as it holds the lease."""

    def __init__(
        self,
        stores: SharedStores,
        name: str,
        reader: str,
        *,
        has_texts: bool,
        is_whole: bool = False,
    ) -> None:
        self._is_whole = is_whole  # what is private is fed, too
        self._stores, self._name, self._has_texts = stores, name, has_texts
        self._last = _NEVER
        self._is_lacking = True  # vectors, as far as anybody knows
        self._vectors_fed: object = None  # what they were made of, and their mark there
        self._holder = f"{socket.gethostname()} {os.getpid()} {os.urandom(4).hex()}"
        stores.set_up(TABLES)
        stores.make(name, reader)

    def feed(self, live: LiveIndex, progress: Progress | None = None) -> FeedReport:
        """Give the stores what they lack compared with what the index of the files holds, all of it
        or nothing; LockedError while another feeder holds the lease."""
        started = live.context.clock()
        self.renew()
        with self._stores.being_fed():
            with self._renewing():
                changes = live.sync()
                if self._is_lacking or changes.added or changes.modified:
                    self._is_lacking = embed_when_idle(live) != 0
                live = live if self._is_whole else live.public(is_current=True)
            self.renew()  # from here on the row is locked
            with reading(live) as view, self._stores.db.transaction():
                step = self._feed(live, view, progress)
        seconds = round((live.context.clock() - started) / 1e9, 3)
        changed = (len(step.added), len(step.modified), len(step.removed))
        vectors = int(self._stores.vectors.state("vectors", "0"))
        return FeedReport(
            self._name, len(step.wanted), *changed, self._has_texts, vectors, seconds=seconds
        )

    def _feed(self, live: LiveIndex, view: Reading, progress: Progress | None) -> SyncRun:
        stores, context = self._stores, live.context
        settings = settings_text(context, _text_of(context.root))
        before, tree = stores.state(self._name), view.stores.cards.tree()
        digests = view.stores.cards.digests()
        step = SyncRun(wanted={path: digests[path] for path in filter(_is_held, digests)})
        if self._last is _NEVER and before.tree not in ("", EMPTY_TREE, tree):
            _require_same(self._name, stores.cards.digests(), step.wanted)
        if before.settings != settings:
            stores.start_over(TABLES)
        hidden = self._last.hidden
        if behind := [each for each in (stores.keyword, stores.cards) if each.tree() != tree]:
            held = stores.cards.tree()
            is_known = self._last.tree == held
            step.compare(self._last.digests if is_known else stores.cards.digests())
            if len(step.added) > _MIN_ANALYZED:
                stores.db.expect_growth()
            lacking = [(each, *lack_of(each, held, step)) for each in behind]
            workers = context.config.indexing.workers
            request = SyncRequest(progress=progress, workers=workers)
            feed(context.root, live.settings, lacking, step, request)
            hidden = self._forget_private(live.whole, step, hidden if is_known else {})
        others = (path for _, path in view.lookup.all_attachments())
        stores.cards.attach(filter(_is_held, others))
        ListingStore(stores.cards, context.layers).update()
        self._feed_texts(context.root)
        self._feed_vectors(live, step.wanted)
        self._note(before, settings, usual_name(Path(context.root)))
        self._last = _Fed(tree, step.wanted, hidden)
        return step

    def _forget_private(
        self, whole: LiveIndex, step: SyncRun, before: Mapping[str, str]
    ) -> Mapping[str, str]:
        """Leave no word of what may have been shown and is private now, perhaps elsewhere; gives
        the pages with anything private in them, of which `before` were known."""
        if self._is_whole:
            return {}
        with reading(whole) as view:
            hidden = view.lookup.private_pages()
        if (step.modified or step.removed) and hidden.items() - before.items():
            self._stores.keyword.scrub()
        return hidden

    def _feed_texts(self, root: Path) -> None:
        texts = self._stores.texts
        is_to_go = not self._has_texts and texts.tree() != EMPTY_TREE
        if is_to_go or not texts.is_made("1"):
            texts.make("1")
        if self._has_texts and texts.tree() != self._stores.cards.tree():
            texts.catch_up(self._stores.cards, partial(give, texts, partial(_stored_text, root)))

    def _feed_vectors(self, live: LiveIndex, fed: Mapping[str, str]) -> None:
        """Give the stores the vectors that there are here, unless nothing changed since."""
        store, here = self._stores.vectors, live.vectors
        if self._is_whole:
            return  # nothing private has one
        known = (self._stores.cards.tree(), here and here.version())
        if self._vectors_fed != (*known, store.state(MARK)):
            self._vectors_fed = (*known, feed_vectors(store, here, fed))

    def _note(self, before: SharedState, settings: str, source: str) -> None:
        """Say how the workspace is now; who lost the lease meanwhile takes all of it back."""
        tree = self._stores.cards.tree()
        values: Mapping[str, object] = {
            "settings": settings,
            "source": source,
            "has_texts": self._has_texts,
        }
        if tree != before.tree or before.settings != settings:
            values = {**values, "tree": tree, "generation": before.generation + 1}
        self._stores.note_fed(self._name, self._holder, fed_by=self._holder, **values)

    @contextmanager
    def _renewing(self) -> Iterator[None]:
        """Within it, however long it takes, nobody else takes the lease."""
        is_over = Event()

        def renew() -> None:
            while not is_over.wait(RENEW_S):
                with suppress(MemwikiError):  # whoever feeds meets the same
                    self.renew()

        renewing = Thread(target=renew, name="memwiki-lease", daemon=True)
        renewing.start()
        try:
            yield
        finally:
            is_over.set()
            renewing.join()

    def renew(self) -> None:
        """Hold the lease on."""
        self._stores.take_lease(self._name, self._holder)

    def end(self) -> None:
        """Let others feed."""
        self._stores.give_lease_back(self._name, self._holder)


def _require_same(name: str, held: Collection[str], fed: Collection[str]) -> None:
    """Refuse to put another workspace, whose folder has the same name, in the place of one."""
    if 2 * len(set(held).intersection(fed)) < min(len(held), len(fed)):
        raise SharedIndexError(
            f"shared index: {name} holds another workspace, with other pages",
            "memwiki share feed NAME feeds this one under a name of its own;"
            " memwiki share drop {} forgets the other",
            name,
        )


def _is_held(path: str) -> bool:
    """Whether a server can find a file by its path, as nearly every one."""
    return len(path.encode()) <= MAX_KEY_BYTES


def _stored_text(root: Path, path: str, digest: str) -> StoredText | None:
    """The text of a page as it was fed; None where its file is another one by now."""
    with suppress(MemwikiError):
        data = read(root, path)
        if digest_of(data) == digest:
            return StoredText(path, digest, data)
    return None


def _text_of(root: Path) -> str:
    with suppress(MemwikiError):
        return read(Path(root), CONFIG_FILE).decode("utf-8", "replace")
    return ""


class FeedOptions(TypedDict, total=False):
    """How a workspace is fed: `reader` is the role that may read it, `private_reader` one that may
    read what is private, too, which is else not fed, and does not stay there; with `texts` the
    texts of the pages are shared."""

    reader: str
    private_reader: str
    texts: bool


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
    if live.fed():
        raise SharedIndexError.only_read()
    folder = usual_name(Path(live.context.root))
    called, texts = require_public(name or folder), options.get("texts", False)
    with suppress(MemwikiError):  # it is only a help where the server is lost
        note_folder(place_of(environ, called), folder)
    with shared_stores(environ) as stores, shared_stores(environ) as others:
        public, whole = Feeder(stores, called, options.get("reader", ""), has_texts=texts), None
        if role := options.get("private_reader"):
            whole = Feeder(others, private_name(called), role, has_texts=texts, is_whole=True)
        found = Feeding(public, whole, partial(others.drop_private, called, TABLES))
        try:
            yield found
        finally:
            found.end()


# --- looking after it ---


def keep_feeding(
    feeder: Feeding,
    live: Callable[[], LiveIndex],
    follow: Callable[[Callable[[Followed], None]], AbstractContextManager[object]],
    tell: Callable[[FeedReport], None],
    stop: Event,
) -> None:
    """Feed whenever a page changes, and hold the lease, until told to stop."""
    changed = Event()
    tell(feeder.feed(live()))
    with follow(lambda followed: changed.set() if followed.has_changes else None):
        while not stop.is_set():
            has_changed = changed.wait(RENEW_S)
            changed.clear()
            report = feeder.feed(live())
            if has_changed or report.added or report.modified or report.removed:
                tell(report)


def status(environ: Mapping[str, str]) -> ShareStatus:
    """The workspaces that may be read."""
    with shared_stores(environ) as stores:
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


def drop(name: str, environ: Mapping[str, str]) -> Dropped:
    """Leave nothing of a workspace in the shared index."""
    with shared_stores(environ) as stores:
        stores.drop_private(name, TABLES)
        stores.drop(name, TABLES)
    return Dropped(name)


def script() -> ShareScript:
    """What an owner of a database runs once: tables, policies, roles and grants."""
    statements = (f"{each};" for each in (*setup_sql(TABLES), *grants_sql()))
    return ShareScript("\n".join(["begin;", *statements, "commit;"]))


@contextmanager
def shared_stores(environ: Mapping[str, str]) -> Iterator[SharedStores]:
    """The stores of the server that is set."""
    stores = SharedStores.at(shared_address(environ))
    try:
        yield stores
    finally:
        stores.close()
