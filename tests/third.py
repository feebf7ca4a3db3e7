"""A third projection, in memory: what sync has to do for a store that it does not know yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from memwiki.index import stores
from memwiki.index.integrity import StoreKind
from memwiki.index.projection import EMPTY_TREE, Put, changed_tree
from memwiki.sync import builds, live
from memwiki.sync import open_index as opened


def tree_digest(digests: Mapping[str, str]) -> str:
    """One hash over all path and digest pairs, in any order."""
    return changed_tree(EMPTY_TREE, (), digests.items())


class Third:
    """Holds the digests of pages, and how often it was fed."""

    name = "third"

    def __init__(self) -> None:
        self.held: dict[str, str] = {}
        self.fed = 0

    def digests(self) -> Mapping[str, str]:
        return dict(self.held)

    def tree(self) -> str:
        return tree_digest(self.held)

    def apply(self, puts: Sequence[Put], removes: Sequence[str]) -> None:
        self.fed += 1
        for path in removes:
            self.held.pop(path, None)
        self.held.update((put.page.path, put.page.digest) for put in puts)

    def kind(self, number: str = "1") -> StoreKind:
        """Itself as one of the stores of a build; rows of another format are none."""

        def opened(build: Path | None, *, may_make: bool = True) -> Third:
            if build is None:
                return Third()  # of an index in memory
            if self.number != number:
                self.held.clear()
            self.number = number
            return self

        return StoreKind("third", number, "third", lambda _: (), lambda _: None, opened)

    number = "1"


def enable(patch: pytest.MonkeyPatch, *kinds: StoreKind) -> None:
    """Let these be the stores that there are, besides the two."""
    two = tuple(kind for kind in stores.KINDS if kind.name != "third")
    for module in (stores, live, builds, opened):
        patch.setattr(module, "KINDS", (*kinds, *two))
