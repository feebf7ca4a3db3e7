"""Keeping the stores of a workspace on a server as its files are: by one feeder at a time."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

from memwiki.answers.index import Changes
from memwiki.answers.workspaces import FeedReport
from memwiki.catalog.store import ListingStore
from memwiki.errors import MemwikiError
from memwiki.files.checkout import git_folder
from memwiki.files.read import read
from memwiki.index.projection import EMPTY_TREE, Progress, give
from memwiki.index.shared.stores import SharedState, SharedStores, StoredText
from memwiki.index.storage_postgres import MAX_KEY_BYTES
from memwiki.names import CONFIG_FILE
from memwiki.share.reader import written
from memwiki.share.vectors import MARK, feed_vectors
from memwiki.sync.embedder import embed_when_idle
from memwiki.sync.feed import feed, lack_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading
from memwiki.sync.request import SyncRequest, SyncRun

RENEW_S = 5.0  # a third of the lease
TABLES = ListingStore.tables
_MANY = 500  # pages: planning each statement costs less than a plan for fewer of them
_BRANCH = "ref: refs/heads/"


def usual_name(root: Path) -> str:
    """What a workspace is called on a server: its folder, and the branch that is checked out."""
    folder = git_folder(root)
    head = ""
    with suppress(MemwikiError):
        head = read(folder, "HEAD", 4096)[0].decode("utf-8", "replace").strip() if folder else ""
    branch = head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else ""
    return f"{root.name}@{branch}" if branch else root.name


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
                self._embed(live, live.sync())
                live = live if self._is_whole else live.public(is_current=True)
            self.renew()  # from here on the row is locked
            with reading(live) as view, self._stores.db.transaction():
                step = self._fed(live, view, progress)
        seconds = round((live.context.clock() - started) / 1e9, 3)
        changed = (len(step.added), len(step.modified), len(step.removed))
        vectors = int(self._stores.vectors.state("vectors", "0"))
        return FeedReport(
            self._name, len(step.wanted), *changed, self._has_texts, vectors, seconds=seconds
        )

    def _embed(self, live: LiveIndex, changes: Changes) -> None:
        """Embed what is new for a second, where a model is set."""
        if self._is_lacking or changes.added or changes.modified:
            self._is_lacking = embed_when_idle(live) != 0

    def _fed(self, live: LiveIndex, view: Reading, progress: Progress | None) -> SyncRun:
        stores, context = self._stores, live.context
        settings = written(context, _text_of(context.root))
        before = stores.state(self._name)
        if before.settings != settings:
            stores.start_over(TABLES)
        digests = view.stores.cards.digests()
        step = SyncRun(wanted={path: digests[path] for path in filter(_is_held, digests)})
        tree = view.stores.cards.tree()
        hidden = self._last.hidden
        if behind := [each for each in (stores.keyword, stores.cards) if each.tree() != tree]:
            held = stores.cards.tree()
            is_known = self._last.tree == held
            step.compare(self._last.digests if is_known else stores.cards.digests())
            if len(step.added) > _MANY:
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
            texts.catch_up(self._stores.cards, partial(give, texts, partial(_stored, root)))

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


def _is_held(path: str) -> bool:
    """Whether a server can find a file by its path, as nearly every one."""
    return len(path.encode()) <= MAX_KEY_BYTES


def _stored(root: Path, path: str, digest: str) -> StoredText | None:
    """The text of a page as it was fed; None where its file is another one by now."""
    from memwiki.digest import digest_of

    with suppress(MemwikiError):
        data, _ = read(root, path)
        if digest_of(data) == digest:
            return StoredText(path, digest, data)
    return None


def _text_of(root: Path) -> str:
    with suppress(MemwikiError):
        return read(Path(root), CONFIG_FILE)[0].decode("utf-8", "replace")
    return ""
