"""Which catalogs there are, and what each of them says; of a large folder an index and shards.

Folders in it that are small are listed with its own pages; those that are not have catalogs of
their own, to which a line of its index leads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from operator import attrgetter
from typing import NamedTuple

from memwiki.catalog import listing
from memwiki.catalog.listing import (
    HIGHLIGHT_LIMIT,
    INDEX,
    Listing,
    Size,
    cut_to_columns,
    fingerprint_of,
    link,
    size_of,
    total,
)
from memwiki.catalog.parts import (
    Catalog,
    Folder,
    FolderSplit,
    Highlights,
    ListingSource,
    Row,
    Shard,
    ShardItem,
    ShardLink,
    folder_line,
    folder_title,
    head_line,
    highlight_lines,
    in_folder,
    pages_below,
    section,
    shard_line,
    shards_of,
    split_key,
    title_of,
    with_noun,
)
from memwiki.names import fold

_PARTS = 4  # in which the room of a catalog is shared out
_TITLE_COLUMNS = 40  # of the first and of the last page of a shard


def is_small(size: Size) -> bool:
    """Whether it is too little for a catalog of its own, where there has to be more than one."""
    return size.fits(listing.LIMIT.part(1, _PARTS))


class _Beside(NamedTuple):
    """A catalog beside the index of a folder: a shard, or a list of shards."""

    item: ShardItem  # of the line
    ends: tuple[str, str]  # the titles of the first and of the last page
    line: str  # that leads to it
    link: ShardLink
    catalog: Catalog


class LargeFolder:
    """The catalogs of a folder that is too large for one."""

    def __init__(self, folder: Folder, root: Folder, pages: ListingSource) -> None:
        self.folder, self.root, self._pages = folder, root, pages
        self.limit = listing.ROUTER_LIMIT if folder is root else listing.LIMIT
        self.sections = [child for child in folder.children if not is_small(child.total)]
        self._groups = [child for child in folder.children if is_small(child.total)]
        self._section_lines = [folder_line(child, folder.path) for child in self.sections]
        self.own = total([folder.own, *(child.total for child in self._groups)])
        size = total(map(size_of, self._section_lines))
        taken = next((n for n in range(_PARTS) if size.fits(self.limit.part(n, _PARTS))), _PARTS)
        self.is_split = not self.own.plus(size).fits(self.limit)
        # Where the folders alone would crowd the page out, they are cut with the pages.
        self.is_all_split = self.is_split and taken == _PARTS
        self._room = self.limit.part(_PARTS - taken % _PARTS, _PARTS)  # for the lines of shards
        self._split: FolderSplit | None = None
        self._files: dict[str, Catalog] = {}

    # --- what its index says ---

    def own_sections(self) -> Sequence[Folder]:
        """The folders to which a line of its index leads."""
        return () if self.is_all_split else self.sections

    def own_mark(self) -> str:
        """Changes with what is listed here besides the sections."""
        return str(self._fingerprint((), self.split_lines()))

    def _fingerprint(self, more: Iterable[int], lines: Iterable[str]) -> int:
        """Changes with the pages of the folder and of the small ones in it, and with some lines."""
        own = (self.folder.own_fingerprint, self.folder.own.entries, *more)
        return fingerprint_of(*map(str, (*own, *self._groups)), "", *lines)

    def split_lines(self) -> list[str]:
        """The lines that lead to the catalogs beside the index."""
        return [shard_line(each, self.folder.path) for each in self.split().shown]

    def own_lines(self) -> list[str]:
        """The pages that have no catalog of their own, or the shards that list them."""
        if self.is_split:
            return section("Pages", self.split_lines())
        here = self.folder.path
        return self._listing_lines(self._pages.listings(here), self._groups)

    def _listing_lines(self, listings: Iterable[Listing], groups: Iterable[Folder]) -> list[str]:
        here, lines = self.folder.path, []
        lines += section("Pages", (each.line(here) for each in listings))
        for group in groups:
            lines += pages_below(group, here, self._pages)
        return lines

    # --- what lies beside it ---

    def shards(self) -> Iterator[Catalog]:
        """The catalogs beside the index."""
        for path, fingerprint, title in self.split().files:
            yield Catalog(str(path), int(fingerprint), str(title), partial(self._lines, str(path)))

    def _lines(self, path: str) -> list[str]:
        if path not in self._files:
            self._find_shards()  # it was thought to be right, and is not
        return self._files[path].lines()

    def split(self) -> FolderSplit:
        """How the folder is cut; what was known of it holds while its pages are the same."""
        if self._split is None:
            self._split = self._known_split()
        return self._split

    def _known_split(self) -> FolderSplit:
        splits, path = self._pages.splits, self.folder.path
        if not self.is_split:
            splits.pop(path, None)
            return FolderSplit(0, (), (), ())
        # Whatever decides how the folder is cut, and the shards' contents.
        sections = self._section_lines if self.is_all_split else ()
        fingerprint = self._fingerprint((self._room.entries,), sections)
        known = splits.get(path)
        if known is None or known.fingerprint != fingerprint:
            shards, shown = self._find_shards()
            known = splits[path] = FolderSplit(
                fingerprint,
                [[each.path, each.fingerprint, each.title] for each in self._files.values()],
                shards,
                shown,
            )
        return known

    def _find_shards(self) -> tuple[list[ShardLink], list[ShardLink]]:
        """The shards, and the catalogs beside the index that are named in it."""
        rows = [*self._pages.rows(self.folder.path), *self._folder_rows()]
        rows.sort(key=attrgetter("key"))
        shards = shards_of([row.item for row in rows], listing.LIMIT)
        made = [self._shard(each, [rows[at] for at in each.positions]) for each in shards]
        found, level = [each.link for each in made], 1
        self._files = {each.link.path: each.catalog for each in made}
        while not total(each.item.size for each in made).fits(self._room):
            cut = shards_of([each.item for each in made], self.limit.part(1, 2))
            made = [
                self._shelf(f"shelf{level}.{each.label}", [made[at] for at in each.positions])
                for each in cut
            ]
            self._files |= {each.link.path: each.catalog for each in made}
            level += 1
        return found, [each.link for each in made]

    def _folder_rows(self) -> Iterator[Row]:
        """The folders that are cut with the pages."""
        for child in self._groups:
            mark = fingerprint_of(child.path, str(child.fingerprint))
            yield _folder_row(child, child.total, mark)
        if self.is_all_split:
            for child, line in zip(self.sections, self._section_lines, strict=True):
                yield _folder_row(child, size_of(line), fingerprint_of(line), line)

    def _shard(self, shard: Shard, rows: Sequence[Row]) -> _Beside:
        in_order = sorted(rows, key=attrgetter("item.split_at"))
        day = rows[0].item.day
        ends = tuple(
            cut_to_columns(row.title, _TITLE_COLUMNS) for row in (in_order[0], in_order[-1])
        )
        if day and day.startswith(shard.label):  # called by its time
            ends = (shard.label, shard.label)
        item = ShardItem(in_order[0].item.split_at, Size(), 0, day and shard.label[:10])
        marks = [str(row.item.fingerprint) for row in rows]
        pages = sum(row.pages for row in rows)
        lines = partial(self._shard_lines, rows)
        return self._beside(shard.label, (ends[0], ends[1]), item, pages, marks, lines)

    def _shelf(self, label: str, below: Sequence[_Beside]) -> _Beside:
        """A catalog that lists shards, where there are too many for one."""
        texts = [each.line for each in below]
        pages = sum(each.link.pages for each in below)
        ends, lines = (below[0].ends[0], below[-1].ends[1]), partial(self._shelf_lines, texts)
        return self._beside(label, ends, below[0].item, pages, texts, lines)

    def _beside(
        self,
        label: str,
        ends: tuple[str, str],
        item: ShardItem,
        pages: int,
        marks: Iterable[str],
        lines: Callable[[], list[str]],
    ) -> _Beside:
        path = in_folder(self.folder.path, f"index.{label}.md")
        title = ends[0] if ends[0] == ends[1] else f"{ends[0]} … {ends[1]}"
        shard = ShardLink(title, path, pages)
        line = shard_line(shard, self.folder.path)
        heading = f"{title_of(self.folder)}: {title}"
        catalog = Catalog(path, fingerprint_of("beside", path, heading, *marks), heading, lines)
        measured = item._replace(size=size_of(line), fingerprint=fingerprint_of(line))
        return _Beside(measured, ends, line, shard, catalog)

    def _shard_lines(self, rows: Sequence[Row]) -> list[str]:
        lines = _back(sum(row.pages for row in rows), "page")
        lines += section("Sections", (row.line for row in rows if row.line))
        keys = [row.key for row in rows if not row.folder]
        groups = (row.folder for row in rows if row.folder and not row.line)
        return lines + self._listing_lines(self._pages.chosen(self.folder.path, keys), groups)

    def _shelf_lines(self, lines: Sequence[str]) -> list[str]:
        return [*_back(len(lines), "list"), *section("Pages", lines)]


def _back(count: int, noun: str) -> list[str]:
    return [f"{with_noun(count, noun)}. Up: {link('the whole folder', INDEX)}."]


def _folder_row(folder: Folder, size: Size, mark: int, line: str = "") -> Row:
    item = ShardItem(split_key(folder.name, folder.path), size, mark)
    return Row(item, f"{fold(folder.name)}\0{folder.path}", folder_title(folder), line, folder)


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
            if size.fits(listing.LIMIT):
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
        if folder.total.fits(listing.LIMIT):
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
