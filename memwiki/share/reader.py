"""A workspace that is read from a server: its index, and the stand-in for its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

from memwiki.clock import Clock
from memwiki.config import Config
from memwiki.errors import IndexDamagedError, SharedIndexError, UnreachableError
from memwiki.files.read import SharedRoot
from memwiki.index.cards.lookup import Lookup
from memwiki.index.shared.stores import SharedState, SharedStores
from memwiki.index.stores import Stores
from memwiki.share.settings import FedSettings, read
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.open_index import FedState

if TYPE_CHECKING:
    from memwiki.answers.index import Changes
    from memwiki.files.scan import Scan
    from memwiki.sync.embedding import VectorIndex


def fed_settings(state: SharedState) -> FedSettings:
    """The settings that a workspace was fed under; SharedIndexError where they cannot be used."""
    found = read(state.settings)
    if found is None:
        if state.settings:
            raise SharedIndexError.other_version()
        is_begun = state.is_leased or state.is_being_fed
        raise SharedIndexError.not_yet() if is_begun else SharedIndexError.empty()
    return found


class SharedIndex(LiveIndex):
    """The index of one workspace on a server. All that an answer reads is of one moment."""

    def __init__(
        self, root: Path, config: Config, clock: Clock, namespace: str, source: SharedSource
    ) -> None:
        self._shared_source = source
        stand_in = SharedRoot.at(root, self._holds, self._text_of, has_texts=source.has_texts)
        super().__init__(Context(stand_in, config, clock, namespace), None)
        self.tree_here: Callable[[], str] = str  # of the files beside it; "" for none
        self.warnings.clear()

    def _holds(self, path: str) -> bool:
        return Lookup(self.shared_stores().db).holds(path)

    def _text_of(self, path: str) -> bytes | None:
        return self.shared_stores().texts.text_of(path)

    # --- its stores ---

    def shared_stores(self) -> SharedStores:
        """Those of this thread; opened again where the server went away."""
        stores = cast("SharedStores | None", self._local.stores)
        if stores is not None and stores.db.is_open:
            return stores
        self._local.stores = stores = self._shared_source.opened()
        return stores

    def stores(self) -> Stores:
        """The same."""
        return self.shared_stores()

    @contextmanager
    def opened(self) -> Iterator[Stores]:
        """The stores for one answer."""
        stores = self.shared_stores()
        with stores.cards.one_moment():
            yield stores

    def made_vectors(self, environ: Mapping[str, str]) -> VectorIndex | None:
        """Those on the server, copied beside the stand-in."""
        from memwiki.config.models import load_user_models
        from memwiki.share.vectors import SharedVectors
        from memwiki.sync.embedding_model import model_of

        models, root = load_user_models(environ), Path(self.context.root)
        if not models.embed.is_set:
            return None
        model = model_of(models, self.context, environ)
        return SharedVectors(copies(root), model, lambda: self.shared_stores().vectors)

    def version(self) -> object:
        """Another one as soon as anybody has fed it, or the server is lost."""
        with suppress(UnreachableError):
            return self.shared_stores().cards.version()
        return None

    def has_answers(self) -> bool:
        """It was fed, else it could not be opened."""
        return True

    def fed(self) -> FedState:
        """How it is: fresh where it holds what the files here say; where there are none, while its
        feeder is at work."""
        state = self.shared_stores().state(self._shared_source.name)
        if state.settings != self._shared_source.settings:
            raise SharedIndexError.other_version()
        seen = state.scanned_at.isoformat(timespec="seconds") if state.scanned_at else ""
        reason = self._why_old(state)
        about = (seen, state.name, state.fed_by, state.has_texts)
        return FedState(not reason, reason, *about)

    def _why_old(self, state: SharedState) -> str:
        """Why it may not be what the files say; "" where it is."""
        here = self.tree_here() if self.is_synced else ""
        if here and here != state.tree:
            return "the shared index was fed from other pages than those here"
        if here or state.is_leased:
            return ""
        who = "it takes long to feed" if state.is_being_fed else "nobody feeds"
        return f"{who} the shared index now"

    # --- what only an index of files does ---

    def public(self, **_: bool) -> LiveIndex:
        """Itself: nothing in it is private."""
        return self

    def sync(self, **_: object) -> Changes:
        """Nothing is taken in here."""
        from memwiki.answers.index import Changes

        fed = self.fed()
        return Changes(fresh=fed.is_fresh, reason=fed.reason)

    def _walk(self) -> Scan:
        from memwiki.files.scan import scan_of

        cards = self.shared_stores().cards
        return scan_of(self.context.root, cards.signatures())

    def rebuild(self, why: str) -> None:
        """It is built where it is fed."""
        raise IndexDamagedError(why, "memwiki share drop, and feed it again")

    def go_on_in_memory(self, _: str) -> bool:
        """There are no files to make one of."""
        return False

    def _writing(self, _: int | None) -> NoReturn:
        raise SharedIndexError.only_read()

    def _close_stores(self) -> None:
        if self._local.stores:
            self._local.stores.close()
        self._local.stores = None


def copies(root: Path) -> Path:
    """Where a reader keeps copies, beside the stand-in for the root."""
    return root.with_name(f"{root.name}.copies")


class SharedSource:
    """A workspace on a server as it was found there."""

    def __init__(self, address: str, name: str) -> None:
        self._address, self.name = address, name
        stores = SharedStores.at(address)
        try:
            state = stores.open(name)
        finally:
            stores.close()
        self.settings, self.has_texts = state.settings, state.has_texts
        self.folder = state.source  # what the one that was fed is usually called
        self.fed = fed_settings(state)

    def opened(self) -> SharedStores:
        """Its stores, over a connection of their own."""
        stores = SharedStores.at(self._address)
        stores.open(self.name)
        return stores
