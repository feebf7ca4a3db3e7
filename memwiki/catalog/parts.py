"""What catalogs are made of, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from typing import NamedTuple

from memwiki.catalog.folders import Folder
from memwiki.catalog.listing import Listing, fingerprint_of
from memwiki.catalog.shards import ShardItem
from memwiki.names import fold


class Row(NamedTuple):
    """What cutting needs of a page, of a folder whose pages are listed with it, or of what has a
    catalog of its own and brings its line along."""

    item: ShardItem
    key: str
    title: str  # escaped
    line: str = ""
    folder: Folder | None = None

    @property
    def pages(self) -> int:
        """How many pages it stands for."""
        return self.folder.pages if self.folder else 1


class LinkCount(NamedTuple):
    """How many pages link to something: a page, or a name that none answers to."""

    text: str
    path: str  # "" for a wanted name
    pages: int


class Highlights(NamedTuple):
    """What a router shows besides its sections."""

    start: Sequence[Listing] = ()
    recent: Sequence[Listing] = ()
    hubs: Sequence[LinkCount] = ()
    wanted: Sequence[LinkCount] = ()

    @property
    def fingerprint(self) -> int:
        """A number that changes with what is shown."""
        counts = (f"{each.text} {each.path} {each.pages}" for each in (*self.hubs, *self.wanted))
        fingerprints = (f"{each.path} {each.fingerprint}" for each in (*self.start, *self.recent))
        return fingerprint_of(*fingerprints, "", *counts)


class ShardLink(NamedTuple):
    """A shard as catalogs name it."""

    title: str  # escaped
    path: str
    pages: int


class FolderSplit(NamedTuple):
    """How a folder is cut: the catalogs beside its index, the shards among them, and those that are
    named in the index."""

    fingerprint: int
    files: Sequence[Sequence[str | int]]  # (path, mark, title)
    shards: Sequence[ShardLink]
    shown: Sequence[ShardLink]


class ListingSource(NamedTuple):
    """Where the listings come from."""

    rows: Callable[[str], Sequence[Row]]  # of a folder, sorted
    listings: Callable[[str], Sequence[Listing]]  # of a folder, sorted
    chosen: Callable[[str, Sequence[str]], Sequence[Listing]]  # those with these keys
    highlights: Callable[[], Highlights]
    splits: MutableMapping[
        str, FolderSplit
    ]  # folder -> how it was cut when its pages had this mark


class Catalog(NamedTuple):
    """A catalog to be: equal marks mean equal text."""

    path: str
    fingerprint: int
    title: str  # escaped
    lines: Callable[[], list[str]]

    def block(self, *, is_titled: bool) -> list[str]:
        """What stands in the file, with a title unless people gave it one.

        No blank line follows it: git would take it for one of theirs, and conflicts would begin
        outside of the block.
        """
        return [f"# {self.title}", *self.lines()] if is_titled else self.lines()


class CurrentCatalog(NamedTuple):
    """A catalog that says what it should."""

    path: str
    fingerprint: int
    digest: str  # of the file
    said: str  # a digest of what stands in its block


def is_catalog_name(path: str) -> bool:
    """Whether a file is called as our catalogs are: index.md, index.a-c.md."""
    name = fold(path.rpartition("/")[2])
    return name.startswith("index.") and name.endswith(".md")


def in_folder(folder: str, name: str) -> str:
    """The path of a file in a folder."""
    return f"{folder}/{name}" if folder else name
