"""Which catalogs there are, and what each of them says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush

from memwiki.catalog import budget
from memwiki.catalog.budget import HIGHLIGHT_LIMIT, Size, size_of, total
from memwiki.catalog.large_folder import LargeFolder, is_small
from memwiki.catalog.listing import INDEX, fingerprint_of
from memwiki.catalog.parts import (
    Catalog,
    Folder,
    Highlights,
    ListingSource,
    ShardLink,
    folder_line,
    head_line,
    highlight_lines,
    in_folder,
    pages_below,
    section,
    shard_line,
    title_of,
)

_INDENT = "  "


def index_of(folder: LargeFolder, large: Mapping[str, LargeFolder], shown: Highlights) -> Catalog:
    """The index of a folder, by all that is large below it.

    Its own pages are cut into shards where they would crowd out what lies deeper.
    """
    here = folder.folder.path
    front, after = _highlights(shown, here)
    taken = total(map(size_of, (*front, *after)))
    opened = _Opened(folder, large, taken)
    if not (opened.is_whole or folder.is_split or is_small(folder.own)):
        folder.is_split = True
        opened = _Opened(folder, large, taken)
    sections = list(opened.lines())
    marks = (folder.folder.pages, folder.folder.folders, shown.fingerprint)
    return Catalog(
        in_folder(here, INDEX),
        fingerprint_of("router", *map(str, marks), folder.own_mark(), "", *sections),
        title_of(folder.folder),
        partial(_lines, folder, sections, front, after),
    )


def _lines(
    folder: LargeFolder, sections: Sequence[str], front: Sequence[str], after: Sequence[str]
) -> list[str]:
    head = head_line(folder.folder, folder.root)
    return [head, *front, *section("Sections", sections), *folder.own_lines(), *after]


def _highlights(shown: Highlights, here: str) -> tuple[list[str], list[str]]:
    """What stands before and after the pages."""
    lists = (section(title, _bounded(lines)) for title, lines in highlight_lines(shown, here))
    front, *after = lists
    return front, [line for lines in after for line in lines]


def _bounded(lines: Iterable[str]) -> Iterator[str]:
    """As many of these lines as a list of highlights has room for."""
    size = Size()
    for line in lines:
        size = size.plus(size_of(line))
        if not size.fits(HIGHLIGHT_LIMIT):
            return
        yield line


class _Opened:
    """The large folders below one of which it lists the parts: those with most pages a line first,
    as many as there is room for beside what is taken."""

    def __init__(self, top: LargeFolder, large: Mapping[str, LargeFolder], taken: Size) -> None:
        self._top, self._large, self._here = top, large, top.folder.path
        self._shards = dict[str, Sequence[ShardLink]]()  # folder -> those that are listed of it
        self._waiting: list[tuple[float, str, int]] = []
        self.is_whole = True  # nothing lies deeper that is not listed
        own = total(map(size_of, top.split_lines())) if top.is_split else top.own
        self._size = total([taken, own, *map(size_of, self.lines())])
        self._push(top, 1)
        while self._waiting:
            _, path, depth = heappop(self._waiting)
            self._open(large[path], depth)

    def _push(self, folder: LargeFolder, depth: int) -> None:
        for child in folder.own_sections():
            if each := self._large.get(child.path):
                lines = len(each.own_sections()) + len(each.split().shards)
                heappush(self._waiting, (-child.pages / lines, child.path, depth))

    def _open(self, folder: LargeFolder, depth: int) -> None:
        split = folder.split()
        for shards in (split.shards, split.shown):
            lines = self._parts(folder, shards, depth)
            size = self._size.plus(total(map(size_of, lines)))
            if size.fits(budget.LIMIT):
                self._size, self._shards[folder.folder.path] = size, shards
                self._push(folder, depth + 1)
                break
        self.is_whole &= self._shards.get(folder.folder.path) is split.shards

    def lines(self) -> Iterator[str]:
        """The sections, each with what is opened of it."""
        return self._parts(self._top, (), 0)

    def _parts(self, folder: LargeFolder, shards: Iterable[ShardLink], depth: int) -> Iterator[str]:
        """The lines of the sections of a folder, with what is opened of them, and of its shards."""
        indent = _INDENT * depth
        for child in folder.own_sections():
            opened = self._shards.get(child.path)
            yield indent + folder_line(child, self._here, is_open=opened is not None)
            if opened is not None:
                yield from self._parts(self._large[child.path], opened, depth + 1)
        for shard in shards:
            yield indent + shard_line(shard, self._here)


def catalogs(root: Folder, pages: ListingSource) -> Iterator[Catalog]:
    """All catalogs of a workspace, or of one of its namespaces."""
    large, todo = dict[str, LargeFolder](), [root]
    while todo:
        folder = todo.pop()
        if folder.total.fits(budget.LIMIT):
            yield _whole(folder, root, pages)
        else:
            each = large[folder.path] = LargeFolder(folder, root, pages)
            todo += each.sections
    for each in reversed(large.values()):  # an index lists what is below it
        shown = pages.highlights() if each.folder is root else Highlights()
        index = index_of(each, large, shown)
        yield from each.shards()
        yield index


def _whole(folder: Folder, root: Folder, pages: ListingSource) -> Catalog:
    fingerprint = fingerprint_of("whole", str(folder.fingerprint), str(folder is root))
    lines = partial(_whole_lines, folder, root, pages)
    return Catalog(in_folder(folder.path, INDEX), fingerprint, title_of(folder), lines)


def _whole_lines(folder: Folder, root: Folder, pages: ListingSource) -> list[str]:
    return [head_line(folder, root), *pages_below(folder, folder.path, pages)]
