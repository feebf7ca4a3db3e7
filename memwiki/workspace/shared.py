"""A workspace that is read from the shared index, and what is done with that index."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import TYPE_CHECKING, NoReturn
from weakref import ref

from memwiki.clock import Clock, now_ns
from memwiki.config import Config, SettingsSeen, environment, located, settings_seen
from memwiki.config.user import shared_address
from memwiki.errors import MemwikiError, SharedIndexError
from memwiki.share.reader import (
    SharedIndex,
    SharedSource,
    make_stand_in,
    note_folder,
    noted_folder,
    place_of,
)
from memwiki.workspace.workspace import Workspace

if TYPE_CHECKING:
    from memwiki.answers.index import Followed
    from memwiki.sync.live import LiveIndex
    from memwiki.watch.watching import Following

_AGAIN_S = 30.0  # before a server that could not be used is asked again


class SharedWorkspace(Workspace):
    """One workspace of the shared index, which is only read; while the server cannot be used, that
    of the files beside it, where there are some."""

    def __init__(
        self,
        name: str,
        files: Callable[[], Path],
        *,
        sync: bool = True,
        namespace: str | None = None,
        environ: Mapping[str, str],
        clock: Clock = now_ns,
    ) -> None:
        """`files` gives the root of the files beside it; a MemwikiError where there are none."""
        self._name, self._files, self._guard = name, files, RLock()
        self._source: SharedSource | None = None
        self._here: tuple[Workspace | None] | None = None  # the files beside it, once looked for
        self._stands_in, self._again_at = "", monotonic() + _AGAIN_S
        self.environ = environ  # by which the root is chosen
        super().__init__(
            self._chosen_root(), sync=sync, namespace=namespace, environ=environ, clock=clock
        )

    def _chosen_root(self) -> Path:
        """The stand-in for the folder, or the folder of the files where the server cannot be
        used."""
        try:
            source = SharedSource.found(shared_address(self.environ), self._name)
        except SharedIndexError as error:
            root = self._root_here()
            if root is None:
                raise
            self._source = None
            self._stands_in = f"{error.message}; the answer comes from the index of {root.name}"
            return root
        self._source, self._stands_in = source, ""
        place = place_of(self.environ, self._name)
        note_folder(place, source.folder)
        return make_stand_in(place, source.fed)

    def _read_settings(
        self, cache: Path | None, *, is_anew: bool = False
    ) -> tuple[Config, SettingsSeen]:
        config, seen = super()._read_settings(cache, is_anew=is_anew)
        if self._source is None:
            return config, seen
        return self._source.fed.config(config), settings_seen(self.root)

    def _new_live(self, clock: Clock, cache: Path | None) -> LiveIndex:
        if self._source is None:
            live = super()._new_live(clock, cache)
            live.stands_in = self._stands_in
            live.warnings.append(self._stands_in)
            return live
        opened = partial(SharedIndex, self.root, self._config, clock, self.namespace)
        shared = opened(self._source)
        shared.set_models(self.environ, is_lasting=self._is_lasting)
        shared.instead = partial(_stand_in_of, ref(self), shared)
        shared.tree_here = partial(_tree_here_of, ref(self), is_public=shared.context.is_public)
        if self._source.public:
            public = opened(self._source.public)
            public.instead = shared.instead
            public.tree_here = partial(_tree_here_of, ref(self), is_public=True)
            shared.show(public)
        if not self._source.has_texts:
            shared.warnings.append(
                "the shared index keeps no page texts: excerpts are descriptions, and of a phrase"
                " all words are looked for"
            )
        return shared

    def public(self) -> Workspace:
        """What is fed is; a view all the same, so that it shows no more where it is answered from
        files."""
        return self._view(self.live.public()) if self._source else super().public()

    def watch(self, **_: object) -> NoReturn:
        """Who watches the files feeds: `memwiki share feed --watch`."""
        raise SharedIndexError.only_read()

    def follow(self, tell: Callable[[Followed], None], *, only_looking: bool = False) -> Following:
        """The same of what is fed."""
        from memwiki.workspace.watching import following_of

        quiet = SharedWorkspace(
            self._name,
            self._files,
            sync=False,
            namespace=self._asked,
            environ=self.environ,
            clock=self.live.context.clock,
        )
        return following_of(self, tell, is_only_looking=only_looking, kind=Workspace, quiet=quiet)

    def _notice_settings(self) -> None:
        """Ask the server again, now and then, where it could not be used."""
        live = getattr(self, "_live", None)
        is_due = self._stands_in and monotonic() >= self._again_at
        if live is not None and is_due and not (self._base or live.is_in_call):
            with suppress(MemwikiError):
                self._choose_again()
        super()._notice_settings()

    def _choose_again(self) -> None:
        with self._guard:
            before, self._again_at = self._source, monotonic() + _AGAIN_S
            self.root = self._chosen_root()
            if self._source is not before:
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
            self._here = (self._files_here(),)
        with suppress(MemwikiError):
            live = self._here[0].live if self._here[0] else None
            if live and _is_indexed(live) and live.reader_sync().fresh:
                shown = live.public(is_current=True) if is_public else live
                with shown.opened() as stores:
                    return stores.cards.tree()
        return ""

    def _files_here(self) -> Workspace | None:
        root = self._root_here()
        return Workspace(root, environ=self.environ) if root else None

    def _root_here(self) -> Path | None:
        """The folder of the files beside it; another one than was fed shows nothing in its
        place."""
        from memwiki.share.feed import usual_name

        with suppress(MemwikiError):
            root, folder = self._files(), noted_folder(place_of(self.environ, self._name))
            if usual_name(root) == (folder or self._name):
                return root
        return None

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


def _is_indexed(live: LiveIndex) -> bool:
    """Whether what is not private has an index, which is not made for this."""
    return live.has_answers() and (live.own_public().has_answers() or not live.has_private())


def _tree_here_of(workspace: ref[SharedWorkspace], *, is_public: bool) -> str:
    found = workspace()
    return found.tree_here(is_public=is_public) if found else ""


def _stand_in_of(workspace: ref[SharedWorkspace], lost: LiveIndex) -> LiveIndex | None:
    found = workspace()
    return found.stand_in(lost) if found else None


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
    files = partial(located, directory, environ, is_found=find)
    return SharedWorkspace(
        name, files, sync=sync, namespace=namespace, environ=environ, clock=clock
    )
