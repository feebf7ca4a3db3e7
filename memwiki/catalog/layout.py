"""Which catalogs there are, and what each of them says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from functools import partial
from typing import NamedTuple

from memwiki.catalog.budget import HIGHLIGHT_LIMIT, LIMIT, ROUTER_LIMIT, Size, size_of, total
from memwiki.catalog.folders import Folder
from memwiki.catalog.listing import Listing, fingerprint_of, inside
from memwiki.catalog.shards import ShardItem, shards_of, split_key
from memwiki.catalog.wording import escaped, link, one_line, shortened
from memwiki.names import fold
from memwiki.numbers import plural

INDEX = "index.md"
_ABOUT_COLUMNS = 120
_NAMED_FOLDERS = 5


class Row(NamedTuple):
    """What cutting needs of a listing; folders and shards bring their line along."""

    item: ShardItem
    key: str
    title: str
    line: str = ""


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


class FolderSplit(NamedTuple):
    """How a folder is cut: its files, and the lines that stand for them in its index."""

    fingerprint: int
    files: Sequence[Sequence[str | int]]  # (path, mark)
    lines: Sequence[str]


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
    lines: Callable[[], list[str]]


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


def catalogs(root: Folder, pages: ListingSource) -> Iterator[Catalog]:
    """All catalogs of a workspace, or of one of its namespaces."""
    todo = [root]
    while todo:
        folder = todo.pop()
        if folder.total.fits(LIMIT):
            yield _whole(folder, root, pages)
        else:
            yield from _Router(folder, root, pages).catalogs()
            todo += folder.children


# --- all in one file -----------------------------------------------------------------------------


def _whole(folder: Folder, root: Folder, pages: ListingSource) -> Catalog:
    fingerprint = fingerprint_of("whole", str(folder.fingerprint), str(folder is root))
    return Catalog(
        _join(folder.path, INDEX), fingerprint, partial(_whole_lines, folder, root, pages)
    )


def _whole_lines(folder: Folder, root: Folder, pages: ListingSource) -> list[str]:
    lines = [_head(folder, root)]
    for each in folder.walk():
        if each.own.entries:
            name = inside(each.path, folder.path) if each is not folder else "Pages"
            listed = (listing.line(folder.path) for listing in pages.listings(each.path))
            lines += _section(escaped(one_line(name)), listed)
    return lines


def _head(folder: Folder, root: Folder) -> str:
    where = f" in {_counted(folder.folders, 'folder')}" if folder.folders else ""
    up = "" if folder is root else f" Up: {link('the folder above', '../' + INDEX)}."
    return f"{_counted(folder.pages, 'page')}{where}.{up}"


def _section(heading: str, lines: Iterable[str]) -> list[str]:
    entries = list(lines)
    return ["", f"## {heading}", "", *entries] if entries else []


# --- router and shards ---------------------------------------------------------------------------


class _Router:
    """The catalogs of a folder that is too large for one."""

    def __init__(self, folder: Folder, root: Folder, pages: ListingSource) -> None:
        self.folder, self.root, self.pages = folder, root, pages
        self.limit = ROUTER_LIMIT if folder is root else LIMIT
        self.sections = [self.section(child) for child in folder.children]
        section_size = total(map(size_of, self.sections))
        own = folder.own.plus(section_size)
        self.is_split = not own.fits(self.limit)
        # Where the folders alone would crowd the page out, they are cut with the pages.
        self.is_all_split = self.is_split and not section_size.fits(self.limit.part(1, 2))

    def catalogs(self) -> Iterator[Catalog]:
        if not self.is_split:
            self.pages.splits.pop(self.folder.path, None)
            yield self.index([])
            return
        split_at = self.pages.splits.get(self.folder.path)
        fingerprint = self.split_fingerprint()
        if split_at is None or split_at.fingerprint != fingerprint:
            files, lines = self.split_at()
            split_at = FolderSplit(
                fingerprint, [[each.path, each.fingerprint] for each in files], lines
            )
            self.pages.splits[self.folder.path] = split_at
            yield from files
        else:
            yield from (
                Catalog(str(path), int(known), partial(self.lines_again, str(path)))
                for path, known in split_at.files
            )
        yield self.index(split_at.lines)

    def split_fingerprint(self) -> int:
        """Changes with whatever decides how the folder is cut, and with the shards' contents."""
        sections = self.sections if self.is_all_split else ()
        return fingerprint_of(
            str(self.folder.own_fingerprint), str(self.folder.own.entries), *sections
        )

    def split_at(self) -> tuple[list[Catalog], list[str]]:
        """The catalogs that hold the folder's pages, and the lines that lead to them."""
        rows = sorted([*self.pages.rows(self.folder.path), *self.section_rows()], key=_key)
        section_shards = self.shards(rows, "")
        files = [catalog for _, catalog in section_shards]
        level = 1
        while not total(row.item.size for row, _ in section_shards).fits(self.limit.part(1, 2)):
            section_shards = self.section_shards(section_shards, f"shelf{level}.")
            files += [catalog for _, catalog in section_shards]
            level += 1
        return files, [row.line for row, _ in section_shards]

    def lines_again(self, path: str) -> list[str]:
        """What a catalog says that was thought to be right, and is not."""
        files, _ = self.split_at()
        return next(each for each in files if each.path == path).lines()

    def section_rows(self) -> Iterator[Row]:
        if self.is_all_split:
            for child, line in zip(self.folder.children, self.sections, strict=True):
                item = ShardItem(
                    split_key(child.name, child.path), size_of(line), fingerprint_of(line)
                )
                yield Row(item, f"{fold(child.name)}\0{child.path}", child.name, line)

    def section(self, child: Folder) -> str:
        return "- " + folder_line(child, self.folder.path)

    def shards(self, rows: Sequence[Row], prefix: str) -> list[tuple[Row, Catalog]]:
        """A catalog for each shard, and the row that stands for it one level up."""
        return [
            self.shard(f"{prefix}{shard.label}", [rows[position] for position in shard.positions])
            for shard in shards_of([row.item for row in rows], LIMIT)
        ]

    def shard(self, label: str, rows: Sequence[Row]) -> tuple[Row, Catalog]:
        path = _join(self.folder.path, f"index.{label}.md")
        fingerprint = fingerprint_of("shard", path, *(str(row.item.fingerprint) for row in rows))
        catalog = Catalog(path, fingerprint, partial(self.shard_lines, rows))
        return self.row(label, rows, len(rows)), catalog

    def row(self, label: str, rows: Sequence[Row], count: int) -> Row:
        name = inside(_join(self.folder.path, f"index.{label}.md"), self.folder.path)
        first, last = (shortened(row.title, 60) for row in (rows[0], rows[-1]))
        title = _label_title(label, rows) or (first if first == last else f"{first} … {last}")
        line = f"- {link(title, name)} — {_counted(count, 'page')}"
        item = ShardItem(
            min(row.item.split_at for row in rows), size_of(line), fingerprint_of(line)
        )
        return Row(item, item.split_at, title, line)

    def section_shards(
        self, below: Sequence[tuple[Row, Catalog]], prefix: str
    ) -> list[tuple[Row, Catalog]]:
        """Catalogs that list shards, where there are too many for one."""
        rows = sorted((row for row, _ in below), key=_key)
        found = []
        for shard in shards_of([row.item for row in rows], self.limit.part(1, 2)):
            mine = [rows[position] for position in shard.positions]
            label = f"{prefix}{shard.label}"
            path = _join(self.folder.path, f"index.{label}.md")
            fingerprint = fingerprint_of("shelf", path, *(row.line for row in mine))
            lines = partial(self.section_shard_lines, mine)
            found.append((self.section_shard_row(label, mine), Catalog(path, fingerprint, lines)))
        return found

    def section_shard_row(self, label: str, rows: Sequence[Row]) -> Row:
        line = (
            f"- {link(escaped(label.partition('.')[2]), f'index.{label}.md')} — "
            f"{_counted(len(rows), 'list')}"
        )
        item = ShardItem(
            min(row.item.split_at for row in rows), size_of(line), fingerprint_of(line)
        )
        return Row(item, item.split_at, label, line)

    def shard_lines(self, rows: Sequence[Row]) -> list[str]:
        here = self.folder.path
        listings = iter(self.pages.chosen(here, [r.key for r in rows if not r.line]))
        listed = [row.line or next(listings).line(here) for row in rows]
        return [self.back(_counted(len(rows), "entry", "entries")), *_section("Pages", listed)]

    def section_shard_lines(self, rows: Sequence[Row]) -> list[str]:
        return [self.back(_counted(len(rows), "list")), *_section("Pages", [r.line for r in rows])]

    def back(self, count: str) -> str:
        return f"{count}. Up: {link('the whole folder', INDEX)}."

    def index(self, section_shards: Sequence[str]) -> Catalog:
        folder, opened = self.folder, self.opened(section_shards)
        highlights = self.pages.highlights() if folder is self.root else Highlights()
        parts = [
            str(folder.pages),
            str(folder.folders),
            str(folder.own_fingerprint),
            *self.sections,
        ]
        fingerprint = fingerprint_of(
            "router", str(highlights.fingerprint), *parts, *opened, *section_shards
        )
        lines = partial(self.index_lines, section_shards, opened, highlights)
        return Catalog(_join(folder.path, INDEX), fingerprint, lines)

    def opened(self, section_shards: Sequence[str]) -> list[str]:
        """What lies in the one section that holds most of everything: the root alone would not
        say."""
        if self.folder is not self.root or self.is_all_split:
            return []
        most = next((each for each in self.folder.children if self.is_most(each)), None)
        if most is None:
            return []
        lines = ["  - " + folder_line(each, self.folder.path) for each in most.children]
        size = total(map(size_of, [*self.sections, *section_shards, *lines]))
        if not self.is_split:
            size = size.plus(self.folder.own)
        return lines if size.fits(self.limit) else []

    def is_most(self, child: Folder) -> bool:
        """Whether a section holds more than all others, and is a router itself."""
        return child.pages * 2 > self.folder.pages and not child.total.fits(LIMIT)

    def index_lines(
        self, section_shards: Sequence[str], opened: Sequence[str], shown: Highlights
    ) -> list[str]:
        here = self.folder.path
        lines = [_head(self.folder, self.root)]
        lines += _section("Start here", _bounded(each.line(here) for each in shown.start))
        if not self.is_all_split:
            lines += _section("Sections", self.section_lines(opened))
        if section_shards:
            lines += _section("Pages", section_shards)
        elif self.folder.own.entries:
            lines += _section("Pages", (each.line(here) for each in self.pages.listings(here)))
        lines += _section("Recent", _bounded(each.line(here) for each in shown.recent))
        lines += _section("Most linked", _bounded(count_line(each, here) for each in shown.hubs))
        wanted = _bounded(count_line(each, here) for each in shown.wanted)
        return lines + _section("Most wanted", wanted)

    def section_lines(self, opened: Sequence[str]) -> Iterator[str]:
        for child, line in zip(self.folder.children, self.sections, strict=True):
            yield line
            if opened and self.is_most(child):
                yield from opened


def _bounded(lines: Iterable[str]) -> Iterator[str]:
    """As many of these lines as a list of highlights has room for."""
    size = Size()
    for line in lines:
        size = size.plus(size_of(line))
        if not size.fits(HIGHLIGHT_LIMIT):
            return
        yield line


def _key(row: Row) -> str:
    return row.key


def _label_title(label: str, rows: Sequence[Row]) -> str:
    """A shard of dated names is called by its time."""
    day = rows[0].item.day
    return label if day and day.startswith(label) else ""


def folder_line(folder: Folder, here: str, way: str = "") -> str:
    """A folder with what is in it, with the way to its index or another one."""
    inner = [shortened(one_line(child.name), 30) for child in folder.children]
    names = ", ".join(inner[:_NAMED_FOLDERS]) + (", …" if len(inner) > _NAMED_FOLDERS else "")
    about = shortened(one_line(folder.about), _ABOUT_COLUMNS) or names
    counts = _counted(folder.pages, "page")
    if folder.folders:
        counts += f" in {_counted(folder.folders, 'folder')}"
    title = escaped(shortened(one_line(folder.name), 80) or "?")
    way = way or inside(_join(folder.path, folder.own_index or INDEX), here)
    return f"{link(title, way)} — {counts}" + (f": {escaped(about)}" if about else "")


def count_line(count: LinkCount, here: str) -> str:
    """A page that is linked, or a name that is wanted, by many."""
    if count.path:
        return (
            f"- {link(count.text, inside(count.path, here))} — linked from "
            f"{_counted(count.pages, 'page')}"
        )
    return f"- {count.text} — wanted by {_counted(count.pages, 'page')}"


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {plural(number, one, many)}"


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
