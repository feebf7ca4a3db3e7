"""A projection is any store derived from the files; this says what sync asks of one, and gives
one what it lacks."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

from memwiki.digest import text_hash
from memwiki.index.units import NOTHING, ExistingUnits, KeyedUnits, keyed
from memwiki.nouns import Page, Signature, Unit, empty_page
from memwiki.records import NamedTuple

Digests: TypeAlias = Mapping[str, str]  # of pages, by their paths
Row: TypeAlias = "tuple[object, ...]"


class Terms(NamedTuple):
    """The terms of a unit, one a line in UTF-8, and a byte of weight for each."""

    names: bytes
    weights: bytes


class Put:
    """A page to take in, with what the file system said of the file when it was read.

    `terms` of its units and `rows` of its card are made by `index/prepare.py`, before any store is
    touched. Of units that are `existing` in the stores there are neither.
    """

    def __init__(
        self,
        page: Page,
        signature: Signature,
        is_settled: bool = False,
        existing: ExistingUnits = NOTHING,
        has_private: bool = False,
    ) -> None:
        self.page = page
        self.has_private = has_private  # in all or a part of it
        self.signature = signature
        self.is_settled = is_settled  # the same signature proves the same bytes from now on
        self.existing = existing
        # By the key of each unit; of one that is held, nothing.
        self.terms: Mapping[bytes, Terms | None] = {}
        self.rows: dict[str, Sequence[Row]] = {}  # by table, for a page of number 0
        # Of the units that are held, those that are missing here, and the terms are of what is more
        # alone; None where the terms are of all.
        self.gone: AbstractSet[bytes] | None = None
        self._keyed: KeyedUnits | None = None

    @property
    def path(self) -> str:
        """Of its file."""
        return self.page.path

    @property
    def digest(self) -> str:
        """Of the bytes of its file."""
        return self.page.digest

    def release(self) -> Put:
        """Let go of all that is in terms and rows by now: 2,000 pages wait for one commit, some of
        them come from another process."""
        self.page = empty_page(self.page.path, self.page.digest)
        self._keyed = None
        return self

    @property
    def keyed(self) -> KeyedUnits:
        """The page's units by their keys, with their places."""
        if self._keyed is None:
            self._keyed = keyed(self.page, self.existing)
        return self._keyed

    def new_units(self) -> Iterator[tuple[bytes, Unit]]:
        """Those that no store holds."""
        read, new = self.keyed.read, self.keyed.new
        if new is None:
            new = read.keys() - self.existing.keys
        return (pair for pair in read.items() if pair[0] in new)


P_contra = TypeVar("P_contra", contravariant=True)


class ProjectionOf(Protocol[P_contra]):
    """A store derived from the files. After `apply`, `digests` says what it was given."""

    name: str

    def digests(self) -> Digests:
        """`{path: digest}` of what it holds now."""

    def tree(self) -> str:
        """The tree digest of what it holds, known without reading the rows."""

    def apply(self, puts: Sequence[P_contra], removes: Sequence[str]) -> None:
        """Take these pages in and drop those, in one commit."""


Projection: TypeAlias = ProjectionOf[Put]  # fed by sync; the others by whoever reads them


# --- tree digest: one number over all path and digest pairs, kept up to date by addition
# -----------

_MODULUS = 1 << 128
EMPTY_TREE = "0" * 32


def changed_tree(
    tree: str, before: Iterable[tuple[str, str]], after: Iterable[tuple[str, str]]
) -> str:
    """The tree digest once the pairs `before` are replaced by the pairs `after`."""
    number = int(tree, 16) - sum(map(_leaf, before)) + sum(map(_leaf, after))
    return format(number % _MODULUS, "032x")


def _leaf(pair: tuple[str, str]) -> int:
    return int.from_bytes(text_hash("\0".join(pair), 16), "big")


@contextmanager
def uncollected() -> Iterator[Callable[[], object]]:
    """Nobody looks for cycles of objects but who calls what this gives.

    Pages that wait for a commit hold none: to walk them again and again took a thirtieth of a first
    index (2026-11-28).
    """
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield partial(gc.collect, 0)
    finally:
        if is_collecting:
            gc.enable()


P = TypeVar("P")
Progress = Callable[[int, int], None]


def lacking(wanted: Digests, existing: Digests) -> tuple[set[str], list[str]]:
    """The pages that a store which holds these digests has to take in so that it holds those that
    are wanted, and the pages to drop."""
    found = {path for path, digest in wanted.items() if existing.get(path) != digest}
    return found, [path for path in existing if path not in wanted]


def fill(
    store: ProjectionOf[P],
    cards: Projection,
    made: Callable[[str, str], P | None],
    *,
    batch: int = 0,
    progress: Progress | None = None,
) -> None:
    """Give a store what it lacks compared with the cards, so many pages a commit, or all in one.

    `made` is given the path and digest of a page; a page of which it makes nothing, or another
    version, is asked for again the next time.
    """
    if store.tree() != cards.tree():
        give(store, made, cards.digests(), store.digests(), batch=batch, progress=progress)


def give(
    store: ProjectionOf[P],
    made: Callable[[str, str], P | None],
    wanted: Digests,
    existing: Digests,
    *,
    batch: int = 0,
    progress: Progress | None = None,
) -> None:
    """The same of pages with the digests that are wanted and held of them."""
    lacks, gone = lacking(wanted, existing)
    paths = sorted(lacks)
    size = batch or len(paths) or 1
    for start in range(0, len(paths) or 1, size):
        puts = []
        for done, path in enumerate(paths[start : start + size], start):
            put = made(path, wanted[path])
            if put is not None:
                puts.append(put)
            if progress and not done % 32:
                progress(done, len(paths))
        store.apply(puts, gone)
        gone = []
