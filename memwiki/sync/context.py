"""The workspace that is asked: where it lies, its settings, the time, and what of these an index
depends on."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memwiki.clock import Clock, local_day, now_ns
from memwiki.config import Config, SettingsSeen, load, settings_seen
from memwiki.config.tables import WHOOSH
from memwiki.digest import blake2b, text_hash
from memwiki.errors import ConfigError, MemwikiError, SharedIndexError
from memwiki.files.read import PublicRoot, SharedRoot
from memwiki.index.cache_folder import CacheFolder
from memwiki.nouns import Environ, Layers
from memwiki.records import NamedTuple
from memwiki.scope import Scope, layers_below, scope_of

if TYPE_CHECKING:
    from memwiki.files.ignore import Ignore
    from memwiki.files.scan import Scan
    from memwiki.models.opening import ModelRun

_FORMAT = "48"  # of the index; another number builds it anew


class IndexSettings(NamedTuple):
    """What the index depends on besides the files."""

    layers: Layers
    max_bytes: int
    is_public: bool = False  # without what is private
    backend: str = WHOOSH  # what keeps the postings

    def digest(self) -> str:
        """A short name for what rows depend on and for the format of the index."""
        parts = (_FORMAT, tuple(self.layers), self.max_bytes, self.is_public)
        return blake2b(repr(parts).encode(), digest_size=8).hexdigest()

    def stamp(self) -> str:
        """What a build is made under: these, and its backend where that is not the usual one."""
        return self.digest() if self.backend == WHOOSH else f"{self.digest()} {self.backend}"


class Context(NamedTuple):
    """One workspace without its index, and what follows from its settings and files alone."""

    root: Path
    config: Config
    clock: Clock
    namespace: str = ""  # as it was asked for
    actor: str = ""  # who changes something, "" for nobody in particular

    @property
    def layers(self) -> Layers:
        """What the folders mean."""
        return self.config.layers

    def public(self) -> Context:
        """The same workspace, read without what is private."""
        return self._replace(root=public_root(Path(self.root), self.layers))

    @property
    def is_public(self) -> bool:
        """Whether it is read without what is private."""
        return isinstance(self.root, PublicRoot) and self.root.is_masked

    def require_files(self) -> None:
        """Refuse what is done with files where there are none: SharedIndexError."""
        if isinstance(self.root, SharedRoot):
            raise SharedIndexError.only_read()

    def scope(self) -> Scope:
        """Which pages are seen; ConfigError or UsageError where it names no namespace."""
        if not self.namespace:
            return scope_of(self.layers)
        if not self.layers.namespaces:
            raise ConfigError(
                f"namespace {self.namespace}: this workspace has no folder of namespaces",
                "memwiki config set layers.namespaces namespaces",
            )
        from memwiki.files.paths import namespace_called

        known = self.namespaces()
        return scope_of(self.layers, namespace_called(self.namespace, known), known)

    def namespaces(self) -> list[str]:
        """The names of the namespaces that there are."""
        from memwiki.files.paths import namespaces_in  # most workspaces are one

        return namespaces_in(self.root, self.layers.namespaces)

    def own_layers(self) -> Layers:
        """Where verbs write: in the namespace, if there is one."""
        return layers_below(self.layers, self.scope().base)

    @property
    def max_bytes(self) -> int:
        """How much of a file is read as a page."""
        return self.config.files.max_bytes

    @property
    def today(self) -> str:
        """The day that it is here, ISO."""
        return local_day(self.clock()).isoformat()

    def why_left_alone(self, path: str, *, is_new: bool = False) -> str:
        """Why no agent changes a file; "" when it may."""
        from memwiki.protected import why_left_alone  # only where something is changed

        has_catalogs = self.config.catalog.enabled
        return why_left_alone(path, self.layers, has_catalogs=has_catalogs, is_new=is_new)

    def ignore(self) -> Ignore:
        """What is left out."""
        from memwiki.files.ignore import IgnoreRule, load_ignore  # not where no file is looked for

        files = self.config.files
        rules = [
            IgnoreRule("files.ignore", number, pattern)
            for number, pattern in enumerate(files.ignore, 1)
        ]
        return load_ignore(self.root, rules, gitignore=files.gitignore)

    def model_run(self, environ: Environ) -> ModelRun:
        """What the user set for this workspace, with a budget of its own."""
        from memwiki.config.models import load_user_models
        from memwiki.models.opening import model_run

        models, narrowed = load_user_models(environ), self.config.models
        return model_run(self.root, models, narrowed, environ, self.clock)

    def walk(self) -> Scan:
        """What the workspace holds now."""
        from memwiki.files.scan import scan

        return scan(self.root, ignore=self.ignore())


def read_settings(
    root: Path, environ: Environ, cache: Path | None, *, is_anew: bool = False
) -> tuple[Config, SettingsSeen]:
    """The settings of a workspace and of the folders in it that other programs keep, and what
    tells whether they are still those.

    Which folders these are the last walk has left in the cache; what changed since is seen by the
    next sweep, which has them read anew.
    """
    seen = settings_seen(root)  # first: what changes meanwhile is seen
    config = load(root, environ)
    folder = CacheFolder(cache, root) if cache else None
    name = text_hash(repr((seen, config)), 16).hex()
    marked = folder.marked_folders(name) if folder and not is_anew else None
    if marked is None:
        from memwiki.files.scan import marked_folders

        context, marked = Context(root, config, now_ns), ()
        with suppress(MemwikiError):  # the sync says that what is left out cannot be read
            marked = marked_folders(root, context.ignore())
        if folder:
            folder.note_marked_folders(name, marked)
    if marked:
        seen = settings_seen(root, marked)
        config = load(root, environ, marked)
    return config, seen


def public_root(root: Path, layers: Layers) -> PublicRoot:
    """A root from which pages are read without what is private."""

    def mask(path: str, data: bytes) -> bytes | None:
        from memwiki.markdown.private import public_bytes  # few commands read a page

        return public_bytes(path, data, layers)

    def places(path: str, data: bytes) -> list[tuple[str, ...]]:
        from memwiki.markdown.private import private_places

        return private_places(path, data, layers)

    return PublicRoot.of(root, mask, places)
