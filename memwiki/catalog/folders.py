"""The tree of folders with what each holds in sum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from posixpath import basename, dirname
from typing import NamedTuple

from memwiki.catalog.budget import NOTHING, Size, size_of, total
from memwiki.catalog.listing import fingerprint_of
from memwiki.names import fold


class FolderTotals(NamedTuple):
    """The listings of the pages that lie directly in a folder, added up."""

    folder: str
    size: Size
    fingerprint: int
    about: str = ""  # what its README or index says of it
    own_index: str = ""  # the name of an index.md that people wrote themselves


@dataclass(slots=True, eq=False)
class Folder:
    """A folder, the folders in it, and what all of them hold."""

    path: str
    children: list[Folder] = field(default_factory=list)
    own: Size = NOTHING
    own_fingerprint: int = 0
    about: str = ""
    own_index: str = ""
    total: Size = NOTHING
    fingerprint: int = 0
    folders: int = 0

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
        """Work out its sums, when those of the folders in it are known."""
        self.children.sort(key=lambda each: (fold(each.name), each.path))
        sums = [self.own, *(child.total for child in self.children)]
        if self.own.entries:  # listed in a catalog above, its pages stand below a heading
            sums.append(size_of(f"\n## {self.path}\n", entries=0))
        self.total = total(sums)
        self.folders = sum(1 + child.folders for child in self.children)
        own = (self.own_fingerprint, self.own.entries)
        self.fingerprint = fingerprint_of(*map(str, (*own, *self.children)))

    def __str__(self) -> str:
        """What changes with what it holds."""
        return f"{self.path}:{self.fingerprint}"


def tree(sums: Iterable[FolderTotals], base: str) -> Folder:
    """The folders at and below a base folder that hold pages."""
    root = Folder(base)
    known = {base: root}
    for each in sums:
        folder = _at(each.folder, known)
        _, folder.own, folder.own_fingerprint, folder.about, folder.own_index = each
    for folder in reversed(list(root.walk())):  # those below first
        folder.add_up()
    return root


def _at(path: str, known: dict[str, Folder]) -> Folder:
    missing = []
    while path not in known:
        missing.append(path)
        path = dirname(path)
    for each in reversed(missing):
        known[each] = Folder(each)
        known[path].children.append(known[each])
        path = each
    return known[path]
