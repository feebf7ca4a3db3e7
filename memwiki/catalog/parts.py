"""What catalogs are made of: folders with what each holds, parts, and lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from posixpath import basename, dirname

from memwiki.catalog.budget import NOTHING, Size, size_of, total
from memwiki.catalog.listing import (
    INDEX,
    Listing,
    escaped,
    fingerprint_of,
    inside,
    link,
    one_line,
    shortened,
)
from memwiki.catalog.shards import ShardItem
from memwiki.names import fold
from memwiki.numbers import plural
from memwiki.records import NamedTuple

_ABOUT_COLUMNS = 120
_MAX_NAMED_FOLDERS = 5
_TITLE_COLUMNS = 80
_WORKSPACE = "Index"  # by whatever name its folder goes on this machine


class FolderTotals(NamedTuple):
    """The listings of the pages that lie directly in a folder, added up."""

    folder: str
    size: Size
    fingerprint: int
    about: str = ""  # what its README or index says of it
    own_index: str = ""  # the name of an index.md that people wrote themselves


class Folder:
    """A folder, the folders in it, and what all of them hold."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.children: list[Folder] = []
        self.own = self.total = NOTHING
        self.own_fingerprint = self.fingerprint = 0
        self.about = self.own_index = ""
        self.folders = 0

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


def title_of(folder: Folder) -> str:
    """What the catalog of a folder is called."""
    return escaped(shortened(one_line(folder.path), _TITLE_COLUMNS)) or _WORKSPACE


def head_line(folder: Folder, root: Folder) -> str:
    """How much there is, and the way up."""
    where = f" in {counted(folder.folders, 'folder')}" if folder.folders else ""
    up = "" if folder is root else f" Up: {link('the folder above', '../' + INDEX)}."
    return f"{counted(folder.pages, 'page')}{where}.{up}"


def section(heading: str, lines: Iterable[str]) -> list[str]:
    """Lines below a heading; nothing when there are none."""
    entries = list(lines)
    return ["", f"## {heading}", "", *entries] if entries else []


def pages_below(folder: Folder, here: str, pages: ListingSource) -> list[str]:
    """The pages of a folder and of those in it, each below its name as the catalog in the folder
    `here` says it."""
    lines = list[str]()
    for each in folder.walk():
        name = escaped(one_line(inside(each.path, here))) if each.path != here else "Pages"
        if each.own.entries:
            lines += section(name, (one.line(here) for one in pages.listings(each.path)))
    return lines


def folder_title(folder: Folder) -> str:
    """The name of a folder."""
    return escaped(shortened(one_line(folder.name), _TITLE_COLUMNS) or "?")


def folder_line(folder: Folder, here: str, way: str = "", *, is_open: bool = False) -> str:
    """A folder with what is in it, with the way to its index or another one; `is_open` when what
    is in it follows."""
    inner = [] if is_open else [shortened(one_line(child.name), 30) for child in folder.children]
    more = ["…"] if len(inner) > _MAX_NAMED_FOLDERS else []
    names = ", ".join([*inner[:_MAX_NAMED_FOLDERS], *more])
    about = shortened(one_line(folder.about), _ABOUT_COLUMNS) or names
    counts = counted(folder.pages, "page")
    if folder.folders:
        counts += f" in {counted(folder.folders, 'folder')}"
    way = way or inside(in_folder(folder.path, folder.own_index or INDEX), here)
    return f"- {link(folder_title(folder), way)} — {counts}" + (
        f": {escaped(about)}" if about else ""
    )


def shard_line(shard: ShardLink, here: str) -> str:
    """A shard with how much is in it."""
    return f"- {link(shard.title, inside(shard.path, here))} — {counted(shard.pages, 'page')}"


def highlight_lines(shown: Highlights, here: str) -> list[tuple[str, list[str]]]:
    """The lists of what a router shows besides its sections, each with its title."""
    return [
        ("Start here", [each.line(here) for each in shown.start]),
        ("Recent", [each.line(here) for each in shown.recent]),
        ("Most linked", [count_line(each, here) for each in shown.hubs]),
        ("Most wanted", [count_line(each, here) for each in shown.wanted]),
    ]


def count_line(count: LinkCount, here: str) -> str:
    """A page that is linked, or a name that is wanted, by many."""
    pages = counted(count.pages, "page")
    if not count.path:
        return f"- {count.text} — wanted by {pages}"
    return f"- {link(count.text, inside(count.path, here))} — linked from {pages}"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {plural(number, one, many)}"
