"""One build of the index: its projections, opened together."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from memwiki.errors import IndexDamagedError
from memwiki.index.cards import Cards
from memwiki.index.keyword.backend import SearchBackend
from memwiki.index.projection import Projection

CARDS, KEYWORD = "cards.sqlite", "keyword"


class LastKnown(NamedTuple):
    """What a build held, whatever made it: path -> digest, and the remarks beside them."""

    digests: Mapping[str, str]
    remarks: Mapping[str, str]


def last_known(build: Path | None) -> LastKnown:
    """What the cards of a build of any format say; nothing when they cannot be read."""
    if build is None or not (build / CARDS).exists():
        return LastKnown({}, {})
    try:
        with closing(sqlite3.connect(build / CARDS)) as db:
            digests = dict(db.execute("select path, digest from page"))
            return LastKnown(digests, dict(db.execute("select name, value from state")))
    except sqlite3.Error:
        return LastKnown({}, {})


def is_whole(build: Path) -> bool:
    """Whether no store of a build has been removed."""
    return (build / CARDS).exists() and (build / KEYWORD / "held.sqlite").exists()


class Stores:
    """The projections of a workspace; in memory when `build` is None."""

    def __init__(self, build: Path | None) -> None:
        self.build = build
        self.cards = Cards(":memory:" if build is None else os.fspath(build / CARDS))
        self._keyword: SearchBackend | None = None
        self._opened = self._inodes()

    @property
    def keyword(self) -> SearchBackend:
        """The keyword index, opened when first used: Whoosh takes 40 ms to import."""
        if self._keyword is None:
            self._keyword = _open_keyword(self.build)
            self._opened = self._inodes()
        return self._keyword

    def is_live(self) -> bool:
        """Whether the stores on disk are still those that were opened here."""
        return self._inodes() == self._opened

    def _inodes(self) -> list[int]:
        if self.build is None:
            return []
        names = [CARDS, KEYWORD] if self._keyword else [CARDS]
        return [inode_of(self.build / name) for name in names]

    def projections(self) -> Sequence[Projection]:
        """All of them, the one that others lean on last."""
        return (self.keyword, self.cards)

    def require_agreement(self) -> None:
        """Raise IndexDamagedError unless cards and postings hold the same number of units."""
        posted, counted = self.keyword.unit_count(), self.cards.unit_count()
        if posted != counted:
            raise IndexDamagedError(
                f"index: {posted} units in the keyword index, {counted} in the cards"
            )

    def close(self) -> None:
        """Let go of all files."""
        if self._keyword is not None:
            self._keyword.close()
        self.cards.close()


def inode_of(path: Path) -> int:
    """The inode of a file, 0 when there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def _open_keyword(build: Path | None) -> SearchBackend:
    if build is None:
        from memwiki.index.keyword.memory_backend import MemoryBackend

        return MemoryBackend()
    from memwiki.index.keyword.whoosh_backend import WhooshBackend

    return WhooshBackend(build / KEYWORD)
