"""What a sync did, and what state the index is in, as answers."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.answers.upkeep import UpkeepState
from memwiki.answers.watch import Rename, WatcherInfo
from memwiki.nouns import Difference, Problem


class Changes(NamedTuple):
    """What a sync did."""

    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    unchanged: int = 0
    ignored: int = 0
    problems: int = 0
    seconds: float = 0.0
    fresh: bool = True
    reason: str = ""
    catalogs: tuple[str, ...] = ()  # index.md files that were rewritten or removed afterwards
    notes: tuple[str, ...] = ()
    renamed: tuple[Rename, ...] = ()  # which are among those added and removed


class IndexInfo(NamedTuple):
    backend: str
    generation: int
    bytes: int
    place: str


class Status(NamedTuple):
    """What the index holds compared with what is on disk."""

    workspace: str
    pages: int
    entries: int
    sections: int
    links: int
    tags: int
    ignored: int
    problems: int
    fresh: bool
    pending: int
    on_disk: int
    reason: str
    index: IndexInfo  # type: ignore[assignment]  # as above
    watcher: WatcherInfo = WatcherInfo()
    unparsed: tuple[str, ...] = ()  # pages that are searched as plain text
    put_away: int = 0  # of the pages: those in the archive and in namespaces
    upkeep: UpkeepState = UpkeepState()


class NextStep(NamedTuple):
    command: str
    why: str


class Overview(NamedTuple):
    """What `memwiki` alone says; `workspace` is "" where there is none."""

    workspace: str
    pages: int
    problems: int
    fresh: bool
    pending: int | None
    reason: str
    next: tuple[NextStep, ...]
    watcher: WatcherInfo = WatcherInfo()


class PathStatus(NamedTuple):
    """Why one file is or is not found."""

    path: str
    found: bool
    reason: str
    problems: tuple[Problem, ...] = ()


class Health(NamedTuple):
    """The answer of `doctor`; `equal` is None unless the index was compared with a rebuild."""

    healthy: bool
    notes: tuple[str, ...]
    equal: bool | None = None
    differences: tuple[Difference, ...] = ()
