"""The index of a workspace and its settings, as these are now."""

from __future__ import annotations

from pathlib import Path

from memwiki.config import Config, settings_seen
from memwiki.errors import MemwikiError
from memwiki.sync.live import LiveIndex
from memwiki.workspace.facets import Facets


class CurrentSettings(Facets):
    """What reads the settings again when a file that they are in has changed."""

    root: Path
    _settings_seen: object
    _notes: list[str]

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

    def _notice_settings(self) -> None:
        """Take settings that were changed since they were read, but not amid a call; where they
        cannot be used, the last valid ones hold, which is said once."""
        live = getattr(self, "_live", None)
        if live is None or live.is_in_call:
            return
        seen = settings_seen(self.root)
        if seen == self._settings_seen:
            return
        self._settings_seen = seen
        try:
            self.reload()
        except MemwikiError as error:
            self._notes.append(f"{error.message}; the last valid settings stay in use")
