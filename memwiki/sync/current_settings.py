"""The index of a workspace and its settings, as these are now."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol
from weakref import ref

from memwiki.clock import Clock
from memwiki.config import Config, SettingsSeen, key_folders, settings_seen
from memwiki.errors import MemwikiError
from memwiki.nouns import Environ
from memwiki.sync.context import Context, read_settings
from memwiki.sync.live import LiveIndex


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
