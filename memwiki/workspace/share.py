"""Feeding a workspace to the shared index, and looking after what is there."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING, Unpack

from memwiki.config import environment
from memwiki.index.projection import Progress
from memwiki.sync.reading import Facing
from memwiki.workspace.workspace import Workspace

if TYPE_CHECKING:
    from memwiki.answers.workspaces import Dropped, FeedReport, ShareScript, ShareStatus
    from memwiki.share.feed import FeedOptions


class ShareFacet(Facing):
    """The shared index: feeding this workspace, and what is there."""

    def feed(
        self, name: str = "", *, progress: Progress | None = None, **options: Unpack[FeedOptions]
    ) -> FeedReport:
        """Bring the shared index up to date with the pages of this workspace, once: all of it, or
        nothing; under its folder and branch, or another name.

        `reader` is the role of the database that may read it, `private_reader` one that may read
        what is private, too, which is else not there; `texts` shares the texts of the pages.
        """
        from memwiki.share.feed import feeding

        with feeding(self.live, self._environ, name, **options) as feeder:
            return feeder.feed(self.live, progress)

    def status(self) -> ShareStatus:
        """The workspaces of the shared index that may be read, how fresh each is and who feeds
        it."""
        from memwiki.share.feed import status

        return status(self._environ)

    def drop(self, name: str) -> Dropped:
        """Leave nothing of a workspace in the shared index; no file is touched."""
        from memwiki.share.feed import drop

        return drop(name, self._environ)


def keep_fed(
    workspace: Workspace,
    tell: Callable[[FeedReport], None],
    name: str = "",
    *,
    stop: Event | None = None,
    **options: Unpack[FeedOptions],
) -> None:
    """Feed a workspace again whenever a page changes, and hold the lease, until told to stop."""
    from memwiki.share.feed import feeding, keep_feeding

    with feeding(workspace.live, workspace.environ, name, **options) as feeder:
        keep_feeding(feeder, lambda: workspace.live, workspace.follow, tell, stop or Event())


def status() -> ShareStatus:
    """The workspaces that may be read."""
    from memwiki.share import feed

    return feed.status(environment())


def drop(name: str) -> Dropped:
    """Leave nothing of a workspace in the shared index."""
    from memwiki.share import feed

    return feed.drop(name, environment())


def script() -> ShareScript:
    """What an owner of a database runs once: tables, policies, roles and grants."""
    from memwiki.share import feed

    return feed.script()
