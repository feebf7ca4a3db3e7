"""The index of a workspace and its settings, as these are now."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Protocol
from weakref import ref

from memwiki.clock import Clock, now_ns
from memwiki.config import Config, SettingsSeen, key_folders, load, settings_seen
from memwiki.digest import text_hash
from memwiki.errors import MemwikiError
from memwiki.index.cache_folder import CacheFolder
from memwiki.nouns import Environ
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex


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
        marked = _marked_folders(Context(root, config, now_ns))
        if folder:
            folder.note_marked_folders(name, marked)
    if marked:
        seen = settings_seen(root, marked)
        config = load(root, environ, marked)
    return config, seen


def _marked_folders(context: Context) -> tuple[str, ...]:
    from memwiki.files.scan import marked_folders

    with suppress(MemwikiError):  # the sync says that what is left out cannot be read
        return marked_folders(context.root, context.ignore())
    return ()


class Threads(Protocol):
    """Threads that ask a workspace and keep open what they opened."""

    def end(self, leave: Callable[[], None]) -> object:
        """Let each thread leave when it has done what was asked, and end; waits for none."""


class CurrentSettings(ABC):
    """What reads the settings again when a file that they are in has changed."""

    root: Path
    environ: Environ
    _settings_seen: object  # of the settings in use
    _refused: object = None  # of those that could not be used
    _notes: list[str]
    beside: list[Threads]
    _is_lasting = True

    @property
    @abstractmethod
    def namespace(self) -> str:
        """The namespace that is asked for."""

    @abstractmethod
    def reload(self) -> Config:
        """Read the settings again."""

    def _read_settings(
        self, cache: Path | None, *, is_anew: bool = False
    ) -> tuple[Config, SettingsSeen]:
        return read_settings(self.root, self.environ, cache, is_anew=is_anew)

    def _new_live(self, clock: Clock, cache: Path | None) -> LiveIndex:
        """An index under the settings of now."""
        context = Context(self.root, self._config, clock, self.namespace)
        live = LiveIndex(context, cache)
        live.key_folders = partial(key_folders, self.environ)
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

    def _notice_settings(self) -> None:
        """Take settings that were changed since they were read, but not amid a call; where they
        cannot be used, the last valid ones hold, which is said once."""
        live = getattr(self, "_live", None)
        if live is None or live.is_in_call:
            return
        is_of_them = live.context.config is self._config  # and not about to be replaced
        unread = live.unread_folders() if is_of_them else ()
        seen = (*settings_seen(self.root, self._config.folders), *unread)
        if seen in (self._settings_seen, self._refused):
            return
        try:
            self.reload()
        except MemwikiError as error:
            self._refused = seen
            self._notes.append(f"{error.message}; the last valid settings stay in use")


def _live_of(workspace: ref[CurrentSettings]) -> LiveIndex | None:
    """The index of a workspace that is still there, under the settings as they are now."""
    found = workspace()
    return found.live if found else None
