"""A workspace that is read from a server: its index, and the stand-in for its folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

from memwiki.clock import Clock
from memwiki.config import Config, cache_root
from memwiki.digest import text_hash
from memwiki.errors import (
    IndexDamagedError,
    NotFoundError,
    SharedIndexError,
    UnreachableError,
    WriteError,
)
from memwiki.files.read import SharedRoot
from memwiki.files.temporary import write_whole
from memwiki.index.cards.lookup import Lookup
from memwiki.index.shared.stores import (
    SharedState,
    SharedStores,
    private_name,
    require_public,
)
from memwiki.index.stores import Stores
from memwiki.names import CONFIG_FILE
from memwiki.nouns import Dialect, Layers, Nested
from memwiki.records import NamedTuple
from memwiki.sync.context import Context, IndexSettings
from memwiki.sync.live import LiveIndex
from memwiki.sync.open_index import FedState

if TYPE_CHECKING:
    from memwiki.answers.index import Changes
    from memwiki.files.scan import Scan
    from memwiki.share.vectors import SharedVectors
    from memwiki.sync.embedder import EmbeddingModel
    from memwiki.sync.embedding import VectorIndex


class FedSettings(NamedTuple):
    """Under which settings a workspace was fed."""

    layers: Layers
    max_bytes: int
    toml: str
    namespaces: tuple[str, ...]

    def digest(self) -> str:
        """Of what the rows depend on, and of their format."""
        return IndexSettings(self.layers, self.max_bytes, is_public=True).digest()

    def config(self, config: Config) -> Config:
        """These settings, in the place of what files of other programs would say."""
        return config._replace(
            layers=self.layers, files=config.files._replace(max_bytes=self.max_bytes)
        )


def written(context: Context, toml: str) -> str:
    """The settings of a workspace as they are kept beside its rows."""
    spaces = context.namespaces() if context.layers.namespaces else []
    found = FedSettings(context.layers, context.max_bytes, toml, tuple(spaces))
    return json.dumps([found.digest(), *found])


def read(text: str) -> FedSettings | None:
    """The same, read again; None where the rows are of another format."""
    try:
        digest, layers, max_bytes, toml, namespaces = json.loads(text)
        *plain, dialect, nested = layers
        forms = tuple(Nested(daily, _dialect(form)) for daily, form in nested)
        layers = Layers._make([*plain, _dialect(dialect), forms])
        found = FedSettings(layers, int(max_bytes), str(toml), tuple(namespaces))
    except (ValueError, TypeError):
        return None
    return found if found.digest() == digest else None


def _dialect(row: list[object]) -> Dialect:
    return Dialect(*(tuple(each) if isinstance(each, list) else each for each in row))  # type: ignore[arg-type] # as it was written


def make_stand_in(folder: Path, fed: FedSettings) -> Path:
    """A folder with the settings of a workspace and the folders of its namespaces, and no page."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write(folder / CONFIG_FILE, fed.toml)
    for each in fed.namespaces:
        (folder / fed.layers.namespaces / each).mkdir(parents=True, exist_ok=True)
    return folder


def place_of(environ: Mapping[str, str], name: str) -> Path:
    """Where the stand-in of a workspace is; beside it lies what else is kept of it."""
    safe = "".join(each if each.isalnum() or each in "-_.@" else "-" for each in name)
    cache = cache_root(environ)
    if cache is None:
        raise WriteError("no cache folder can be written", "set MEMWIKI_CACHE_DIR")
    return cache / "shared" / text_hash(name, 8).hex() / safe


def note_folder(stand_in: Path, folder: str) -> None:
    """Keep beside a stand-in what the folder is usually called that it stands in for."""
    if folder:
        with suppress(OSError):  # it is only a help where the server is lost
            stand_in.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(_note(stand_in), folder)


def noted_folder(stand_in: Path) -> str:
    """The same again; "" where nobody here has fed or read it."""
    return _text_of(_note(stand_in)) or ""


def _write(location: Path, text: str) -> None:
    """Write a file unless it says so already: others, who read it, would read their settings anew,
    and half of it."""
    if _text_of(location) != text:
        write_whole(location, text.encode())


def _text_of(location: Path) -> str | None:
    try:
        return location.read_bytes().decode()
    except (OSError, ValueError):
        return None


def _note(stand_in: Path) -> Path:
    return stand_in.with_name(f"{stand_in.name}.folder")


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
        stand_in = SharedRoot.at(
            root,
            self._holds,
            self._text_of,
            has_texts=source.has_texts,
            is_masked=source.public is None,
        )
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
        """Those on the server."""
        from memwiki.config.models import load_user_models
        from memwiki.sync.embedder import model_of

        models = load_user_models(environ)
        if not models.embed.is_set:
            return None
        return self.vectors_of(model_of(models, self.context, environ))

    def vectors_of(self, model: EmbeddingModel) -> SharedVectors:
        """Those on the server of this model, copied beside the stand-in: nothing private has one,
        so that one store is for both."""
        from memwiki.share.vectors import SharedVectors

        public = cast("SharedIndex", self.public())
        root = Path(self.context.root)
        copies = root.with_name(f"{root.name}.copies")
        return SharedVectors(copies, model, lambda: public.shared_stores().vectors)

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
        source = self._shared_source
        try:
            state = self.shared_stores().state(source.name)
        except NotFoundError as error:
            raise UnreachableError.other_version() from error
        if (state.id, state.settings) != (source.id, source.settings):
            raise UnreachableError.other_version()  # who can, goes on with what is fed now
        seen = state.scanned_at.isoformat(timespec="seconds") if state.scanned_at else ""
        reason = self._why_old(state)
        about = (seen, source.called, state.fed_by, state.has_texts)
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

    def show(self, public: SharedIndex) -> None:
        """Have what is not private answered by this one, which is fed for itself."""
        self._shared.public, public._whole = public, self

    def public(self, **_: bool) -> LiveIndex:
        """What is not private: itself, where nothing else was fed."""
        public = self._shared.public
        if not isinstance(public, LiveIndex):
            return self
        public.is_synced, public.sweep_seconds = self.is_synced, self.sweep_seconds
        public.stands_in = self.stands_in
        return public.by(self.context.actor)

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


class SharedSource:
    """A workspace on a server as it was found there."""

    public: SharedSource | None = None  # what of it is not private, where this is all of it

    def __init__(self, address: str, called: str, state: SharedState) -> None:
        self._address, self.called, self.name = address, called, state.name
        self.id, self.settings, self.has_texts = state.id, state.settings, state.has_texts
        self.folder = state.source  # what the one that was fed is usually called
        self.fed = fed_settings(state)

    @classmethod
    def found(cls, address: str, name: str) -> SharedSource:
        """All of a workspace that may be read."""
        with closing(SharedStores.at(address)) as stores:
            shown = stores.open(require_public(name))
            public = cls(address, name, shown)
            for state in stores.states():
                is_whole = state.name == private_name(name) and state.settings != ""
                if is_whole and state.feeder == shown.feeder:  # else somebody only calls it so
                    whole = cls(address, name, state)
                    whole.public = public
                    return whole
        return public

    def opened(self) -> SharedStores:
        """Its stores, over a connection of their own."""
        stores = SharedStores.at(self._address)
        stores.open(self.name)
        return stores
