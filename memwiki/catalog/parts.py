"""What catalogs are made of: folders with what each holds, parts, and lines."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from itertools import accumulate
from operator import sub
from posixpath import basename, dirname

from memwiki.catalog.listing import (
    INDEX,
    NOTHING,
    Listing,
    Size,
    cut_to_columns,
    escape_markdown,
    fingerprint_of,
    inside,
    link,
    one_line,
    size_of,
    total,
)
from memwiki.digest import text_hash
from memwiki.names import fold, slug
from memwiki.numbers import plural
from memwiki.records import NamedTuple, grouped
from memwiki.sequences import shared_start

# Where an alphabet is cut first; between these, in the middle.
_CUTS = tuple(map(ord, "a\x800:ngtdjqwblprueyckos\u4e00\ua000\u3040"))
_LAST = 0x10FFFF
_MAX_DEPTH = 400  # titles that differ further on are cut by their number
_MAX_LABEL_CHARACTERS = 60
_NAMED_FIRST = {0: "", 0x80: "more"}
_NAMED_LAST = {0x60: "9", 0x7F: "z", _LAST: "z"}
_SHOWN = ((0x3041, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3))


class ShardItem(NamedTuple):
    """Something to list: a page, a folder, or a shard; `split_at` decides in which shard it is."""

    split_at: str
    size: Size
    fingerprint: int
    day: str = ""


def split_key(title: str, path: str) -> str:
    """By what a page is put into a shard: the words of its title, so that `<map>` stands at m."""
    return f"{slug(title)}\0{path}"


class Part(NamedTuple):
    """The items `start` to `stop` of a list, all between `first` and `last`."""

    first: str
    last: str
    start: int
    stop: int


class Shard(NamedTuple):
    """A file's share of a list; `positions` are the numbers of its items."""

    label: str
    positions: Sequence[int]


def shards_of(items: Sequence[ShardItem], limit: Size) -> list[Shard]:
    """The shards of a list: those with dated names by time, the rest by the alphabet."""
    order = sorted(range(len(items)), key=lambda position: items[position].split_at)
    dated = [position for position in order if items[position].day]
    others = [position for position in order if not items[position].day]
    found = _by_time(items, dated, limit, 4) + _by_alphabet(items, others, limit)
    labels = [shard.label for shard in found]
    return [shard if labels.count(shard.label) == 1 else _distinct(shard, items) for shard in found]


def _distinct(shard: Shard, items: Sequence[ShardItem]) -> Shard:
    """A shard whose label would be that of another one, named after its first item."""
    split_at = items[shard.positions[0]].split_at
    return shard._replace(label=f"{shard.label}.{text_hash(split_at, 4).hex()}")


def _by_time(
    items: Sequence[ShardItem], positions: Sequence[int], limit: Size, length: int
) -> list[Shard]:
    """By year; a year that overflows by month, a month by day, a day by the alphabet."""
    groups = grouped((items[position].day[:length], position) for position in positions)
    found = []
    for label, group in sorted(groups.items()):
        if len(group) == 1 or total(items[position].size for position in group).fits(limit):
            found.append(Shard(label, sorted(group)))
        elif length < 10:
            found += _by_time(items, group, limit, length + 3)
        else:
            inner = _by_alphabet(items, group, limit)
            found += [Shard(f"{label}.{each.label}", each.positions) for each in inner]
    return found


def _by_alphabet(items: Sequence[ShardItem], positions: Sequence[int], limit: Size) -> list[Shard]:
    cutter = _Cutter([items[position] for position in positions], limit)
    return [
        Shard(label_of(part.first, part.last), sorted(positions[part.start : part.stop]))
        for part in cutter.split_at(0, len(positions), "", 0, _LAST, 0)
    ]


class _Cutter:
    """Cuts one sorted list of keys."""

    def __init__(self, items: Sequence[ShardItem], limit: Size) -> None:
        self.keys = [item.split_at for item in items]
        self.limit, self.small = limit, limit.part(3, 4)
        self.sums = list(accumulate((item.size for item in items), Size.plus, initial=Size()))

    def size(self, start: int, stop: int) -> Size:
        return Size(*map(sub, self.sums[stop], self.sums[start]))

    def split_at(
        self, start: int, stop: int, prefix: str, low: int, high: int, depth: int
    ) -> list[Part]:
        """The parts of the keys that go on from `prefix` with a character from `low` to `high`."""
        if start == stop:
            return []
        if stop - start == 1 or self.size(start, stop).fits(self.limit):
            return [Part(prefix + chr(low), prefix + chr(high), start, stop)]
        if depth > _MAX_DEPTH:
            return self.in_runs(start, stop)
        if low == high:
            # What all of them have in common splits nothing.
            first = self.keys[start]
            prefix = first[: shared_start(first, self.keys[stop - 1])]
            return self.split_at(start, stop, prefix, 0, _LAST, depth + 1)
        middle = next(
            (split_at for split_at in _CUTS if low < split_at <= high), (low + high + 1) // 2
        )
        at = bisect_left(self.keys, prefix + chr(middle), start, stop)
        left = self.split_at(start, at, prefix, low, middle - 1, depth + 1)
        right = self.split_at(at, stop, prefix, middle, high, depth + 1)
        return self.joined(left, right)

    def joined(self, left: list[Part], right: list[Part]) -> list[Part]:
        """Both lists; the two that meet are one when they are small."""
        if left and right and self.size(left[-1].start, right[0].stop).fits(self.small):
            both = Part(left[-1].first, right[0].last, left[-1].start, right[0].stop)
            return [*left[:-1], both, *right[1:]]
        return left + right

    def in_runs(self, start: int, stop: int) -> list[Part]:
        """Runs of equal length, small enough."""
        step = stop - start
        while not all(
            self.size(at, min(at + step, stop)).fits(self.limit) for at in range(start, stop, step)
        ):
            step = (step + 1) // 2
        runs = ((at, min(at + step, stop)) for at in range(start, stop, step))
        return [Part(self.keys[at], self.keys[end - 1], at, end) for at, end in runs]


def label_of(first: str, last: str) -> str:
    """The name of a shard by its bounds, such as `a-c`, fit for a file's name."""
    start, end = _bound(first, _NAMED_FIRST) or "0", _bound(last, _NAMED_LAST)
    if start == "more" and end == "z":
        return "more"
    # What both begin with is said once: `error_c20-c24`.
    words = start.rpartition("_")[0]
    if words and end.startswith(f"{words}_"):
        end = end[len(words) + 1 :]
    label = start if start.rpartition("_")[2] == end else f"{start}-{end}"
    if len(label) <= _MAX_LABEL_CHARACTERS:
        return label
    return f"{label[: _MAX_LABEL_CHARACTERS - 9]}.{text_hash(first + last, 4).hex()}"


def _bound(text: str, named: Mapping[int, str]) -> str:
    code = ord(text[-1])
    end = named[code] if code in named else _as_name(text[-1])
    return "".join(map(_as_name, text[:-1])) + end


def _as_name(character: str) -> str:
    if character.isascii():
        return character if character.isalnum() else "_" if character == "-" else ""
    code = ord(character)
    return character if any(low <= code <= high for low, high in _SHOWN) else f"u{code:x}"


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
    return escape_markdown(cut_to_columns(one_line(folder.path), _TITLE_COLUMNS)) or _WORKSPACE


def head_line(folder: Folder, root: Folder) -> str:
    """How much there is, and the way up."""
    where = f" in {with_noun(folder.folders, 'folder')}" if folder.folders else ""
    up = "" if folder is root else f" Up: {link('the folder above', '../' + INDEX)}."
    return f"{with_noun(folder.pages, 'page')}{where}.{up}"


def section(heading: str, lines: Iterable[str]) -> list[str]:
    """Lines below a heading; nothing when there are none."""
    entries = list(lines)
    return ["", f"## {heading}", "", *entries] if entries else []


def pages_below(folder: Folder, here: str, pages: ListingSource) -> list[str]:
    """The pages of a folder and of those in it, each below its name as the catalog in the folder
    `here` says it."""
    lines = list[str]()
    for each in folder.walk():
        name = escape_markdown(one_line(inside(each.path, here))) if each.path != here else "Pages"
        if each.own.entries:
            lines += section(name, (one.line(here) for one in pages.listings(each.path)))
    return lines


def folder_title(folder: Folder) -> str:
    """The name of a folder."""
    return escape_markdown(cut_to_columns(one_line(folder.name), _TITLE_COLUMNS) or "?")


def folder_line(folder: Folder, here: str, way: str = "", *, is_open: bool = False) -> str:
    """A folder with what is in it, with the way to its index or another one; `is_open` when what
    is in it follows."""
    inner = (
        [] if is_open else [cut_to_columns(one_line(child.name), 30) for child in folder.children]
    )
    more = ["…"] if len(inner) > _MAX_NAMED_FOLDERS else []
    names = ", ".join([*inner[:_MAX_NAMED_FOLDERS], *more])
    about = cut_to_columns(one_line(folder.about), _ABOUT_COLUMNS) or names
    counts = with_noun(folder.pages, "page")
    if folder.folders:
        counts += f" in {with_noun(folder.folders, 'folder')}"
    way = way or inside(in_folder(folder.path, folder.own_index or INDEX), here)
    return f"- {link(folder_title(folder), way)} — {counts}" + (
        f": {escape_markdown(about)}" if about else ""
    )


def shard_line(shard: ShardLink, here: str) -> str:
    """A shard with how much is in it."""
    return f"- {link(shard.title, inside(shard.path, here))} — {with_noun(shard.pages, 'page')}"


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
    pages = with_noun(count.pages, "page")
    if not count.path:
        return f"- {count.text} — wanted by {pages}"
    return f"- {link(count.text, inside(count.path, here))} — linked from {pages}"


def with_noun(number: int, noun: str) -> str:
    """A number, its thousands apart, with its noun."""
    return f"{number:,} {plural(number, noun)}"
