"""One build of the index: its projections, opened together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from memwiki.errors import IndexDamagedError
from memwiki.index.cards.store import CARDS, Cards
from memwiki.index.integrity import StoreKind, close_record
from memwiki.index.keyword.backend import SearchBackend, Snapshot
from memwiki.index.keyword.store_kind import KEYWORD
from memwiki.index.projection import Projection

_SYNCED_TREE = "agreed"


# The stores of a build, the one that others lean on last. There is no other list of them.
KINDS: tuple[StoreKind, ...] = (KEYWORD, CARDS)


def projection_set() -> str:
    """The names and formats of the stores there are: what is said of one set holds for no other."""
    return " ".join(sorted(f"{kind.name}:{kind.format}" for kind in KINDS))


class Stores:
    """The projections of a workspace, each opened when first used; in memory when `build` is
    None."""

    def __init__(self, build: Path | None) -> None:
        self.build = build
        self._open: dict[str, Projection] = {}
        self._snapshot: Snapshot | None = None
        _ = self.cards
        self._opened = self._inodes()

    @property
    def cards(self) -> Cards:
        """What is known about each page."""
        return cast(Cards, self._projection("cards"))

    @property
    def keyword(self) -> SearchBackend:
        """The keyword index: Whoosh takes 40 ms to import."""
        return cast(SearchBackend, self._projection("keyword"))

    def _projection(self, name: str) -> Projection:
        if name not in self._open:
            make = next(kind.open for kind in KINDS if kind.name == name)
            if make is None:
                raise AssertionError(f"{name}: is not fed by sync")
            self._open[name] = make(self.build)
            self._opened = self._inodes()
        return self._open[name]

    def is_live(self) -> bool:
        """Whether the stores on disk are still those that were opened here."""
        return self._inodes() == self._opened

    def _inodes(self) -> list[int]:
        if self.build is None:
            return []
        return [inode_of(self.build / kind.location) for kind in KINDS if kind.name in self._open]

    def projections(self) -> Sequence[Projection]:
        """All of them, the one that others lean on last."""
        return [self._projection(kind.name) for kind in KINDS]

    def are_synced(self) -> bool:
        """Whether all stores that there are held the same pages when they were last fed."""
        return self.cards.state(_SYNCED_TREE) == f"{self.cards.tree()} {projection_set()}"

    def clear_synced_tree(self) -> None:
        """Note that they may differ from now on."""
        self.cards.note(_SYNCED_TREE, "")

    def note_synced_tree(self) -> None:
        """Note that they are the same, if they are."""
        if len({each.tree() for each in self.projections()}) == 1:
            self.cards.note(_SYNCED_TREE, f"{self.cards.tree()} {projection_set()}")

    def note_intact(self) -> None:
        """Note on disk that everything in the build is as we left it."""
        if self.build:
            for each in self._open.values():
                getattr(each, "checkpoint", _nothing)()
            close_record(self.build, KINDS, {n: each.tree() for n, each in self._open.items()})

    def require_same_units(self) -> None:
        """Raise IndexDamagedError unless cards and postings hold the same number of units."""
        posted, counted = self.keyword.unit_count(), self.cards.unit_count()
        if posted != counted:
            raise IndexDamagedError(
                f"index: {posted} units in the keyword index, {counted} in the cards"
            )

    def newest_snapshot(self) -> Snapshot | None:
        """The snapshot that is open, if there is no newer generation; any other is closed."""
        if self._snapshot and self._snapshot.generation == self.keyword.generation():
            return self._snapshot
        self._close_snapshot()
        return None

    def open_snapshot(self) -> Snapshot:
        """The last committed generation of the postings, kept open until there is a newer one."""
        self._snapshot = self.keyword.snapshot()
        return self._snapshot

    def _close_snapshot(self) -> None:
        snapshot, self._snapshot = self._snapshot, None
        if snapshot:
            snapshot.close()

    def close(self) -> None:
        """Let go of all files."""
        self._close_snapshot()
        for each in self._open.values():
            getattr(each, "close", _nothing)()


def _nothing() -> None:
    """A projection in memory has nothing to let go of."""


def inode_of(path: Path) -> int:
    """The inode of a file, 0 when there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0
