"""The tree of folders with what each holds in sum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from posixpath import basename, dirname
from typing import NamedTuple

from memwiki.catalog.budget import Size, size_of
from memwiki.catalog.listing import fingerprint_of
from memwiki.names import fold


class FolderTotals(NamedTuple):
    """The listings of the pages that lie directly in a folder, added up."""

    folder: str
    size: Size
    fingerprint: int
    about: str = ""  # what its README or index says of it
    own_index: str = ""  # the name of an index.md that people wrote themselves


class Folder:
    """A folder, the folders in it, and what all of them hold."""

    __slots__ = (
        "about",
        "children",
        "fingerprint",
        "folders",
        "own",
        "own_fingerprint",
        "own_index",
        "path",
        "total",
    )

    def __init__(self, path: str) -> None:
        self.path = path
        self.children: list[Folder] = []
        self.own, self.own_fingerprint, self.about, self.own_index = Size(), 0, "", ""
        self.total, self.fingerprint, self.folders = Size(), 0, 0

    @property
    def name(self) -> str:
        """Its name, without the way to it."""
        return basename(self.path)

    @property
    def pages(self) -> int:
        """How many pages lie in it and below."""
        return self.total.entries

    def walk(self) -> Iterator[Folder]:
        """Itself and all folders below, in the order in which they are listed."""
        waiting = [self]
        while waiting:  # not by recursion: folders lie deeper than Python calls
            folder = waiting.pop()
            yield folder
            waiting += reversed(folder.children)

    def add_up(self) -> None:
        """Work out the sums, those of the folders below first."""
        for folder in reversed(list(self.walk())):
            folder.add_up_own()

    def add_up_own(self) -> None:
        """The sums of one folder, when those below it are known."""
        self.children.sort(key=lambda each: (fold(each.name), each.path))
        self.total = self.own
        if (
            self.own.entries
        ):  # listed in a catalog of a folder above, its pages stand below a heading
            self.total = self.total.plus(size_of(f"\n## {self.path}\n", entries=0))
        for child in self.children:
            self.total = self.total.plus(child.total)
            self.folders += 1 + child.folders
        fingerprints = [f"{child.path}:{child.fingerprint}" for child in self.children]
        self.fingerprint = fingerprint_of(
            str(self.own_fingerprint), str(self.own.entries), *fingerprints
        )


def tree(sums: Iterable[FolderTotals], base: str) -> Folder:
    """The folders at and below a base folder that hold pages."""
    root = Folder(base)
    known = {base: root}
    for each in sums:
        folder = _at(each.folder, known)
        _, folder.own, folder.own_fingerprint, folder.about, folder.own_index = each
    root.add_up()
    return root


def _at(path: str, known: dict[str, Folder]) -> Folder:
    missing = []
    while path not in known:
        missing.append(path)
        path = dirname(path)
    folder = known[path]
    for each in reversed(missing):
        child = known[each] = Folder(each)
        folder.children.append(child)
        folder = child
    return folder
