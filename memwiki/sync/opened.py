"""A folder that is open: its index under its settings, as these are now, and views of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from copy import copy
from functools import partial
from pathlib import Path
from typing import Protocol, Self
from weakref import ref

from memwiki.clock import Clock, now_ns
from memwiki.config import (
    Config,
    SettingsSeen,
    cache_root,
    environment,
    key_folders,
    passed_over,
    settings_seen,
)
from memwiki.errors import MemwikiError, UsageError
from memwiki.files.read import SharedRoot
from memwiki.index.projection import Progress
from memwiki.nouns import Environ
from memwiki.sync.context import Context, read_settings
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import rebuilding


class Threads(Protocol):
    """Threads that ask a workspace and keep open what they opened."""

    def end(self, leave: Callable[[], None]) -> object:
        """Let each thread leave when it has done what was asked, and end; waits for none."""


class OpenFolder:
    """What reads the settings again when a file that they are in has changed."""

    _refused: object = None  # the settings that could not be used, as they were seen
    _refusal: MemwikiError | None = None  # and why
    _base: Self | None = None  # what this is a view of
    _is_lasting = True

    def __init__(
        self,
        root: Path,
        *,
        sync: bool = True,
        namespace: str | None = None,
        environ: Environ | None = None,
        clock: Clock = now_ns,
    ) -> None:
        if not isinstance(root, Path):
            raise UsageError(f"Workspace({root!r}): not a Path", "Workspace.open takes any folder")
        self.root = root
        self._asked = namespace
        self.environ = environment() if environ is None else environ
        cache = cache_root(self.environ, root)
        self.config, self._settings_seen = self._read_settings(cache)
        self._notes = list(self.config.notes)
        self.beside: list[Threads] = []  # those of asynchronous calls, of all views
        self._begin()
        live = self._new_live(clock, cache)
        live.warnings += filter(None, [passed_over(self.environ, cache, root)])
        self.live = live  # last: from here on settings that change are read again
        self.is_synced = sync

    def _begin(self) -> None:
        """Make what is kept between questions, for all views."""

    @property
    def is_synced(self) -> bool:
        """Whether each question first brings the index up to date."""
        return self.live.is_synced

    @is_synced.setter
    def is_synced(self, value: bool) -> None:
        self.live.is_synced = value

    @property
    def namespace(self) -> str:
        """The namespace that was asked for, else the one that is set; "" for none, * for all."""
        return self.config.memory.namespace if self._asked is None else self._asked

    def _read_settings(
        self, cache: Path | None, *, is_anew: bool = False
    ) -> tuple[Config, SettingsSeen]:
        return read_settings(self.root, self.environ, cache, is_anew=is_anew)

    def _new_live(self, clock: Clock, cache: Path | None) -> LiveIndex:
        """An index under the settings of now."""
        context = Context(self.root, self._config, clock, self.namespace)
        live = LiveIndex(context, cache)
        live.key_folders = partial(key_folders, self.environ, self.root)
        live.renewed = partial(_live_of, ref(self))
        live.set_models(self.environ, is_lasting=self._is_lasting)
        return live

    def ends_soon(self) -> None:
        """Load no model that embeds for a question that words answer: this process ends with it."""
        self._is_lasting = False
        self._live.set_models(self.environ, is_lasting=False)

    def _end_threads(self, old: LiveIndex) -> None:
        """Let those that asked under other settings close what they opened; next time new ones
        begin. Left to be forgotten, it could be taken apart in any order."""

        def leave() -> None:
            old.leave()
            self._live.leave()

        for each in self.beside:
            each.end(leave)

    def _view(self, live: LiveIndex) -> Self:
        """The same over another live index."""
        view = copy(self)
        view._base, view.live = self._base or self, live
        return view

    @rebuilding
    def private_pages(self) -> Mapping[str, str]:
        """The pages with anything private in them, with their digests, as last synced."""
        return self.live.private_pages()

    def one_sweep(
        self, progress: Progress | None = None
    ) -> AbstractContextManager[Callable[[], bool]]:
        """Within it all questions of this thread rest on one look at the files, until something is
        changed through it; yields what tells whether the index is still as that look left it.

        For a call that asks several things and is to answer from one state. `progress` is told how
        many files of how many that look has read; what it raises ends it.
        """
        return self.live.one_sweep(progress)

    @property
    def actor(self) -> str:
        """Who makes the changes, "" for nobody in particular."""
        return self.live.context.actor

    def take_warnings(self) -> list[str]:
        """Settings that are gone, and what went wrong with the index and was repaired, or could not
        be; reported once."""
        said = self._notes + self.live.warnings
        self._notes.clear()
        self.live.warnings.clear()
        return said

    def reload(self) -> Config:
        """Read the settings again."""
        if self._base:
            self.config = self._base.reload()
            self._settings_seen = self._base._settings_seen
            live = self._base.live.by(self._live.context.actor)
            self.live = live.public() if self._live.context.is_public else live
            return self.config
        old = self._live
        cache = cache_root(self.environ, self.root)
        self.config, self._settings_seen = self._read_settings(cache, is_anew=True)
        old.close()
        self._notes[:] = self.config.notes
        self.live = self._new_live(old.context.clock, cache)
        self.live.is_synced, self.live.sweep_seconds = old.is_synced, old.sweep_seconds
        self.live.asks_watcher = old.asks_watcher
        self.live.warnings += old.warnings
        self._end_threads(old)
        return self.config

    def close(self) -> None:
        """Let go of what this thread holds open, and end the threads of asynchronous calls; a model
        that is loaded embeds first what is new."""
        for each in self.beside:
            each.end(self.leave)
        if self._is_lasting and not self._base and self._live.known_vectors:
            from memwiki.sync.embedder import embed_at_the_end

            embed_at_the_end(self._live)
        self.live.close()

    def leave(self) -> None:
        """Let go of what this thread opened, before it ends; other threads go on."""
        self._live.leave()  # without a look at the settings, under which nothing is opened here

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def live(self) -> LiveIndex:
        """The index, under the settings as they are now."""
        self._notice_settings()
        return self._live

    @live.setter
    def live(self, value: LiveIndex) -> None:
        self._live = value

    @property
    def config(self) -> Config:
        """The settings, read again when a file that they are in has changed."""
        self._notice_settings()
        return self._config

    @config.setter
    def config(self, value: Config) -> None:
        self._config = value

    def has_current_settings(self) -> bool:
        """Whether no file that the settings are in has changed since those in use were read."""
        return self._settings_seen == settings_seen(self.root, self._config.folders)

    @property
    def lacks_texts(self) -> bool:
        """Whether it is read from a server that was given no texts of its pages."""
        root = self._live.context.root
        return isinstance(root, SharedRoot) and not root.has_texts

    @property
    def settings_error(self) -> MemwikiError | None:
        """Why the settings cannot be used, so that the last valid ones hold; None where they can.

        They may have forbidden what a door is asked to change.
        """
        is_refused = self._refused is not None and self._refused == self._settings_now(self._live)
        return self._refusal if is_refused else None

    def _settings_now(self, live: LiveIndex) -> object:
        is_of_them = live.context.config is self._config  # and not about to be replaced
        unread = live.unread_folders() if is_of_them else ()
        return (*settings_seen(self.root, self._config.folders), *unread)

    def _notice_settings(self) -> None:
        """Take settings that were changed since they were read, but not amid a call; where they
        cannot be used, the last valid ones hold, which is said once."""
        live = getattr(self, "_live", None)
        if live is None or live.is_in_call:
            return
        seen = self._settings_now(live)
        if seen in (self._settings_seen, self._refused):
            return
        try:
            self.reload()
        except MemwikiError as error:
            self._refused, self._refusal = seen, error
            self._notes.append(f"{error.message}; the last valid settings stay in use")


def _live_of(workspace: ref[OpenFolder]) -> LiveIndex | None:
    """The index of a workspace that is still there, under the settings as they are now."""
    found = workspace()
    return found.live if found else None
