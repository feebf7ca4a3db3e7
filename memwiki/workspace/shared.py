"""A workspace that is read from the shared index."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, NoReturn

from memwiki.clock import Clock, now_ns
from memwiki.config import Config, SettingsSeen, environment, located, settings_seen
from memwiki.errors import MemwikiError, SharedIndexError
from memwiki.share.reader import SharedIndex, SharedPlace, shared_index, tree_of
from memwiki.sync.live import LiveIndex
from memwiki.workspace.workspace import Workspace

if TYPE_CHECKING:
    from memwiki.answers.index import Followed
    from memwiki.watch.watching import Following


class SharedWorkspace(Workspace):
    """One workspace of the shared index, which is only read; while the server cannot be used, that
    of the files beside it, where there are some."""

    def __init__(
        self,
        place: SharedPlace,
        *,
        sync: bool = True,
        namespace: str | None = None,
        environ: Mapping[str, str],
    ) -> None:
        self._place, self._guard = place, RLock()
        self._here: tuple[Workspace | None] | None = None  # the files beside it, once looked for
        root = place.root()
        super().__init__(root, sync=sync, namespace=namespace, environ=environ, clock=place.clock)

    def _read_settings(
        self, cache: Path | None, *, is_anew: bool = False
    ) -> tuple[Config, SettingsSeen]:
        config, seen = super()._read_settings(cache, is_anew=is_anew)
        source = self._place.source
        return (source.fed.config(config), settings_seen(self.root)) if source else (config, seen)

    def _new_live(self, clock: Clock, cache: Path | None) -> LiveIndex:
        if self._place.source:
            opened = partial(SharedIndex, self.root, self._config, clock, self.namespace)
            shared = shared_index(self._place.source, self, opened)
            shared.set_models(self.environ, is_lasting=self._is_lasting)
            return shared
        live = super()._new_live(clock, cache)
        live.stands_in = self._place.stands_in
        live.warnings.append(live.stands_in)
        return live

    def public(self) -> Workspace:
        """What is fed is; a view all the same, so that it shows no more where it is answered from
        files."""
        return self._view(self.live.public()) if self._place.source else super().public()

    def watch(self, **_: object) -> NoReturn:
        """Who watches the files feeds: `memwiki share feed --watch`."""
        raise SharedIndexError.only_read()

    def follow(self, tell: Callable[[Followed], None], *, only_looking: bool = False) -> Following:
        """The same of what is fed."""
        from memwiki.workspace.watching import following_of

        place = self._place.anew()
        quiet = SharedWorkspace(place, sync=False, namespace=self._asked, environ=self.environ)
        return following_of(self, tell, is_only_looking=only_looking, kind=Workspace, quiet=quiet)

    def _notice_settings(self) -> None:
        """Ask the server again, now and then, where it could not be used."""
        live = getattr(self, "_live", None)
        if live is not None and self._place.is_due() and not (self._base or live.is_in_call):
            with suppress(MemwikiError):
                self._choose_again()
        super()._notice_settings()

    def _choose_again(self) -> None:
        with self._guard:
            before = self._place.source
            self.root = self._place.root()
            if self._place.source is not before:
                self.reload()

    def stand_in(self, lost: LiveIndex) -> LiveIndex | None:
        """The index of the files beside it, now that the server is lost; None where there are
        none."""
        with self._guard, suppress(SharedIndexError):
            if self._live is lost:
                self._choose_again()
        return None if self._live is lost else self._live

    def tree_here(self, *, is_public: bool) -> str:
        """The tree digest of the files beside it, if they are those that are fed and are indexed
        here; "" otherwise."""
        if self._here is None:
            root = self._place.root_here()
            self._here = (Workspace(root, environ=self.environ) if root else None,)
        return tree_of(self._here[0].live, is_public=is_public) if self._here[0] else ""

    def leave(self) -> None:
        """Let go of what this thread opened, of the files beside it, too."""
        super().leave()
        for each in filter(None, self._here or ()):
            each.leave()

    def close(self) -> None:
        """Let go of all of it."""
        super().close()
        for each in filter(None, self._here or ()):
            each.close()


def open_shared(
    name: str,
    directory: str | Path | None = None,
    *,
    find: bool = True,
    sync: bool = True,
    namespace: str | None = None,
    environ: Mapping[str, str] | None = None,
    clock: Clock = now_ns,
) -> Workspace:
    """The workspace of this name in the shared index; while that cannot be used, the one around a
    folder, as `Workspace.open` opens it, with the reason in each answer."""
    environ = environment() if environ is None else environ
    place = SharedPlace(name, partial(located, directory, environ, is_found=find), environ, clock)
    return SharedWorkspace(place, sync=sync, namespace=namespace, environ=environ)
