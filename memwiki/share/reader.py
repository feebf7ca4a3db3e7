"""A workspace that is read from a server: its index, and the stand-in for its folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NoReturn, Protocol, cast
from weakref import ref

from memwiki.clock import Clock
from memwiki.config import Config, cache_root
from memwiki.config.user import shared_address
from memwiki.digest import text_hash
from memwiki.errors import (
    IndexDamagedError,
    MemwikiError,
    NotFoundError,
    SharedIndexError,
    UnreachableError,
    WriteError,
)
from memwiki.files.checkout import git_folder
from memwiki.files.read import SharedRoot, read
from memwiki.files.temporary import write_whole
from memwiki.index.cards.lookup import Lookup
from memwiki.index.shared_stores import (
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

_BRANCH = "ref: refs/heads/"

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


def settings_text(context: Context, toml: str) -> str:
    """The settings of a workspace as they are kept beside its rows."""
    spaces = context.namespaces() if context.layers.namespaces else []
    found = FedSettings(context.layers, context.max_bytes, toml, tuple(spaces))
    return json.dumps([found.digest(), *found])


def unwritten(text: str) -> FedSettings | None:
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
        raise WriteError.no_cache()
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
    found = unwritten(state.settings)
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


def usual_name(root: Path) -> str:
    """What a workspace is called on a server: its folder, and the branch that is checked out."""
    folder = git_folder(root)
    head = ""
    with suppress(MemwikiError):
        head = read(folder, "HEAD", 4096).decode("utf-8", "replace").strip() if folder else ""
    branch = head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else ""
    return f"{root.name}@{branch}" if branch else root.name


_AGAIN_S = 30.0  # before a server that could not be used is asked again


class SharedPlace:
    """Where a workspace of the shared index is read: on the server, or while that cannot be used in
    the files beside it, where there are some."""

    source: SharedSource | None = None  # None while the files answer
    stands_in = ""  # why they do

    def __init__(
        self, name: str, files: Callable[[], Path], environ: Mapping[str, str], clock: Clock
    ) -> None:
        """`files` gives the root of the files; a MemwikiError where there are none."""
        self.name, self.files, self.clock, self._environ = name, files, clock, environ
        self.again_at = monotonic() + _AGAIN_S

    def root(self) -> Path:
        """The stand-in for the folder, or the folder of the files where the server cannot be
        used."""
        self.again_at = monotonic() + _AGAIN_S
        try:
            source = SharedSource.found(shared_address(self._environ), self.name)
        except SharedIndexError as error:
            root = self.root_here()
            if root is None:
                raise
            self.source = None
            self.stands_in = f"{error.message}; the answer comes from the index of {root.name}"
            return root
        self.source, self.stands_in = source, ""
        place = place_of(self._environ, self.name)
        note_folder(place, source.folder)
        return make_stand_in(place, source.fed)

    def root_here(self) -> Path | None:
        """The folder of the files beside it; another one than was fed shows nothing in its
        place."""
        with suppress(MemwikiError):
            root, folder = self.files(), noted_folder(place_of(self._environ, self.name))
            if usual_name(root) == (folder or self.name):
                return root
        return None

    def anew(self) -> SharedPlace:
        """The same, chosen for itself."""
        return SharedPlace(self.name, self.files, self._environ, self.clock)

    def is_due(self) -> bool:
        """Whether to ask the server again, which could not be used."""
        return bool(self.stands_in) and monotonic() >= self.again_at


class Beside(Protocol):
    """What knows the files beside the index on a server."""

    def stand_in(self, lost: LiveIndex) -> LiveIndex | None:
        """Their index, now that the server is lost; None where there are none."""

    def tree_here(self, *, is_public: bool) -> str:
        """Their tree digest, if they are those that are fed and are indexed here; "" otherwise."""


def shared_index(
    source: SharedSource,
    beside: Beside,
    opened: Callable[[SharedSource], SharedIndex],
) -> SharedIndex:
    """The index on a server with what of it is not private; `beside` is held weakly."""
    shared, there = opened(source), ref(beside)
    shared.instead = partial(_stand_in_of, there, shared)
    shared.tree_here = partial(_tree_here_of, there, is_public=shared.context.is_public)
    if source.public:
        public = opened(source.public)
        public.instead = shared.instead
        public.tree_here = partial(_tree_here_of, there, is_public=True)
        shared.show(public)
    if not source.has_texts:
        shared.warnings.append(
            "the shared index keeps no page texts: excerpts are descriptions, and of a phrase"
            " all words are looked for"
        )
    return shared


def tree_of(live: LiveIndex, *, is_public: bool) -> str:
    """The tree digest of files that are indexed and up to date; "" otherwise."""
    with suppress(MemwikiError):
        if _is_indexed(live) and live.reader_sync().fresh:
            shown = live.public(is_current=True) if is_public else live
            with shown.opened() as stores:
                return stores.cards.tree()
    return ""


def _is_indexed(live: LiveIndex) -> bool:
    """Whether what is not private has an index, which is not made for this."""
    return live.has_answers() and (live.own_public().has_answers() or not live.has_private())


def _tree_here_of(beside: ref[Beside], *, is_public: bool) -> str:
    found = beside()
    return found.tree_here(is_public=is_public) if found else ""


def _stand_in_of(beside: ref[Beside], lost: LiveIndex) -> LiveIndex | None:
    found = beside()
    return found.stand_in(lost) if found else None
