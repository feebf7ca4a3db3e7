"""Watching and following a workspace: each over a live index of its own, so that whoever asks
questions meanwhile never waits for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from memwiki.answers.index import Followed, WatchEvent
from memwiki.scope import EVERY
from memwiki.sync.live import LiveIndex
from memwiki.watch.watching import Following, Watching
from memwiki.workspace.curation import CurationFacet
from memwiki.workspace.upkeep import UpkeepFacet

if TYPE_CHECKING:
    from memwiki.workspace.workspace import Workspace


def watching_of(
    workspace: Workspace,
    tell: Callable[[WatchEvent], None] | None,
    *,
    kind: type[Workspace] | None = None,
    is_polling: bool = False,
    is_keeping: bool = False,
    is_only_looking: bool = False,
) -> Watching:
    """A watcher of the folder of a workspace, which it opens as this kind, by default as it is."""
    return Watching(
        _opening(workspace, kind or type(workspace)),
        UpkeepFacet,
        partial(CurationFacet, environ=workspace.environ),
        tell=tell,
        is_polling=is_polling,
        is_keeping=is_keeping,
        is_only_looking=is_only_looking,
    )


def following_of(
    workspace: Workspace,
    tell: Callable[[Followed], None],
    *,
    is_only_looking: bool,
    kind: type[Workspace] | None = None,
    quiet: Workspace | None = None,
) -> Following:
    """What tells of the changes of a workspace, as far as it shows them. `quiet` is the same,
    opened for this; whoever watches opens its folder as this kind."""
    shown = quiet or type(workspace)(
        workspace.root,
        sync=False,
        environ=workspace.environ,
        clock=workspace.live.context.clock,
        namespace=workspace.namespace,
    )
    is_public = workspace.live.context.is_public

    def view() -> LiveIndex:
        return shown.live.public() if is_public else shown.live

    watching = partial(watching_of, workspace, kind=kind, is_only_looking=is_only_looking)
    return Following(view, watching, tell)


def _opening(workspace: Workspace, kind: type[Workspace]) -> Callable[[], LiveIndex]:
    """What opens the live index of a watcher, as often as the settings change.

    Upkeep is for all namespaces; the rest of what a watcher does knows none.
    """
    clock, environ = workspace.live.context.clock, workspace.environ
    name = EVERY if workspace.config.layers.namespaces else ""
    anew = partial(kind, workspace.root, environ=environ, clock=clock, namespace=name)
    return lambda: anew().live
