"""What an open index and the walks of its files tell within one call, and of what is private."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from memwiki.answers.index import Changes
from memwiki.files.scan import Scan
from memwiki.index.cards.lookup import Lookup
from memwiki.index.projection import Progress
from memwiki.sync.context import Context
from memwiki.sync.open_index import OpenIndex
from memwiki.sync.shared_sweep import HeldSweep


class OtherSettingsError(Exception):
    """Other settings hold than those that the index was opened with."""


class SweptIndex(OpenIndex):
    """An index whose questions may share one look at the files."""

    def __init__(self, context: Context, cache: Path | None) -> None:
        super().__init__(context, cache)
        self._whole: SweptIndex | None = None  # of an index of what is not private

    # --- what is private ---

    def has_private(self) -> bool:
        """Whether anything that is indexed is private."""
        with self.opened() as stores:
            return Lookup(stores.cards.db).has_private()

    def private_pages(self) -> dict[str, str]:
        """The pages with anything private in them, with their digests, as the whole index has
        them."""
        with (self._whole or self).opened() as stores:
            return Lookup(stores.cards.db).private_pages()

    # --- settings within the workspace ---

    @contextmanager
    def refusing_old_settings(self) -> Iterator[None]:
        """Within it the first look at the files is an OtherSettingsError where another program
        keeps a folder since the settings were read; a call rests on one version of them."""
        self._local.is_refusing = not self.is_in_call
        try:
            yield
        finally:
            self._local.is_refusing = False

    def _require_settings(self) -> None:
        is_refusing = self._local.is_refusing
        self._local.is_refusing = False  # what comes later in it may have changed something
        if is_refusing and self.unread_folders():
            raise OtherSettingsError

    # --- one look at the files ---

    def _walk(self) -> Scan:
        """The files as they are, or as the whole index has just seen them in this call."""
        seen = self._whole.walked() if self._whole else self.source.walk()
        self._shared.marked = seen.marked
        return seen

    def walked(self) -> Scan:
        """The files as they are, or within `one_sweep` as its sweep saw them."""
        call = self._local.call_sweep
        for _, seen in call.held() if call else ():
            return seen or self._walk()
        return self._walk()

    @contextmanager
    def one_sweep(self, progress: Progress | None = None) -> Iterator[Callable[[], bool]]:
        """Within it the questions of this thread share one sweep, until one syncs a change of its
        own; yields what tells whether the index is still the one that the sweep left."""
        outer = self._local.call_sweep
        call = self._local.call_sweep = outer or HeldSweep[tuple[Changes, Scan | None]](progress)
        try:
            yield lambda: call.is_of(self.version())
        finally:
            self._local.call_sweep = outer

    def _noted(self, seen: Scan) -> Scan:
        """What a walk saw, kept for the other questions of a call."""
        self._local.seen = seen if self.is_in_call else None
        return seen

    def drop_sweep(self) -> None:
        """Files were changed: the next question looks at them."""
        self._drop_own_sweep()
        if self._whole:
            self._whole.drop_sweep()

    def _drop_own_sweep(self) -> None:
        if call := self._local.call_sweep:
            call.drop()

    @property
    def is_in_call(self) -> bool:
        """Whether this thread is amid a call whose questions share a sweep."""
        return self._local.call_sweep is not None
