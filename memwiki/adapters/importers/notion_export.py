"""What an export of Notion holds: files with ids, properties, and the rows of databases."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta, timezone
from itertools import islice
from posixpath import basename, dirname, splitext
from typing import NamedTuple
from urllib.parse import unquote

from memwiki.adapter_api import (
    FieldValue,
    ReadBudget,
    UnreadableError,
    ZipSource,
    fold,
    refusal_of,
    require_few,
)
from memwiki.adapters.importers.new_pages import (
    NewField,
    distinct,
    is_hidden,
    safe_folder,
    safe_name,
)
from memwiki.importing import ImportSource

_NAMED = re.compile(r"(.*?)[ _-]?([0-9a-f]{32})((?:_all)?(?:\.[^.]*)?)\Z", re.DOTALL)
_WRAPPER = re.compile(r"Export-[0-9a-f-]{8,}(?:-Part-\d+)?\Z|Private & Shared\Z")
_SHORT_ID = 6
_MAX_ARCHIVES = 100


class NotionName(NamedTuple):
    """One part of a path: what it is called, the id in it, and what follows that."""

    name: str
    id: str = ""
    suffix: str = ""  # `.md`, `.csv`, `_all.csv`; of a name without an id, its suffix


def read_name(part: str) -> NotionName:
    """What a part of a path says."""
    match = _NAMED.match(part)
    if match:
        return NotionName(match[1].strip() or "Untitled", match[2], match[3])
    stem, suffix = splitext(part)
    return NotionName(stem, "", suffix)


def wrapper_of(names: Sequence[str]) -> str:
    """The folders around everything that only name the export, with a final `/`."""
    prefix = ""
    while True:
        firsts = {name[len(prefix) :].partition("/")[::2] for name in names}
        folders = {first if rest else "" for first, rest in firsts}
        folder = folders.pop() if len(folders) == 1 else ""
        if not _WRAPPER.match(folder):
            return prefix
        prefix += f"{folder}/"


class NotionTree:
    """The folders of an export, each name in them once: a page, its folder and its table share
    one."""

    def __init__(self, names: Iterable[str], owner: Callable[[str], str]) -> None:
        """`owner` says which id the page at a path of the export has already, "" for none."""
        self._owner = owner
        self._ids: dict[str, dict[str, NotionName]] = defaultdict(dict)  # by folder
        self._stems: dict[str, Mapping[str, str]] = {}
        self._folders: dict[str, str] = {"": ""}
        for name in names:
            folder = ""
            for part in name.split("/"):
                parts = read_name(part)
                if parts.id:
                    self._ids[folder].setdefault(parts.id, parts)
                folder = f"{folder}/{part}" if folder else part

    def folder(self, source: str) -> str:
        """The path of a folder."""
        if source not in self._folders:
            above, part = dirname(source), basename(source)
            stem = self._stem(above, read_name(part)) or part
            self._folders[source] = f"{self.folder(above)}/{safe_folder(stem)}".lstrip("/")
        return self._folders[source]

    def file(self, source: str) -> str:
        """The path of a file."""
        above, part = dirname(source), basename(source)
        parts = read_name(part)
        stem = self._stem(above, parts)
        name = f"{stem}{parts.suffix}" if stem else safe_name(part)
        return f"{self.folder(above)}/{name}".lstrip("/")

    def _stem(self, folder: str, parts: NotionName) -> str:
        """The name of everything that has an id, or of a folder called as a page beside it."""
        if folder not in self._stems:
            self._stems[folder] = self._named_in(folder)
        return self._stems[folder].get(parts.id, "") if parts.id else ""

    def _named_in(self, folder: str) -> Mapping[str, str]:
        groups: dict[str, dict[str, str]] = defaultdict(dict)
        for id_, parts in self._ids[folder].items():
            name = safe_name(parts.name)
            groups[fold(name)][id_] = name
        stems = {}
        for names in groups.values():
            plain = next(iter(names.values()))
            owner = (
                self._owner(f"{self.folder(folder)}/{plain}".lstrip("/")) if len(names) > 1 else ""
            )
            first = owner if owner in names else min(names)
            for id_, name in names.items():
                stems[id_] = name if id_ == first else f"{name} {id_[-_SHORT_ID:]}"
        return stems


def paths_of(names: Sequence[str], layer: str, owner: Callable[[str], str]) -> Mapping[str, str]:
    """The path in the workspace of every file, by its name in the source."""
    prefix = wrapper_of(names)
    inner = {name: name.removeprefix(prefix) for name in names}
    base = f"{layer}/" if layer else ""
    tree = NotionTree(inner.values(), lambda path: owner(f"{base}{path}.md"))
    wanted = ((name, base + tree.file(each)) for name, each in inner.items())
    return dict(distinct(wanted))


def unpack_source(source: ImportSource) -> ImportSource:
    """What is in the archives of a source of nothing but these; any other source as it is."""
    names = [name for name in source.names() if not is_hidden(name)]
    is_packed = names and all(name.lower().endswith((".zip", "index.html")) for name in names)
    if not is_packed or source.names() == (source.name,):
        return source
    return _Parts(source, [name for name in names if name.lower().endswith(".zip")])


class _Parts:
    """The files of several archives; of two with one name that of the first is read."""

    def __init__(self, source: ImportSource, archives: Sequence[str]) -> None:
        self.name = source.name
        if len(archives) > _MAX_ARCHIVES:
            raise refusal_of(self.name, f"holds more than {_MAX_ARCHIVES} archives")
        self._parts: dict[str, ZipSource] = {}
        for archive in archives:
            part = _open(archive, source.read(archive))
            self._parts = {**dict.fromkeys(part.names(), part), **self._parts}
        require_few(self.name, self._parts)
        self._budget = ReadBudget(self.name)

    def names(self) -> Sequence[str]:
        """The files in them."""
        return sorted(self._parts)

    def read(self, name: str) -> bytes:
        """All of one file."""
        return self._budget.spend(self._parts[name].read(name))

    def head(self, name: str) -> bytes:
        """Its first 4 KB."""
        return self._parts[name].head(name)


def _open(name: str, data: bytes) -> ZipSource:
    from zipfile import BadZipFile, ZipFile

    try:
        return ZipSource(name, ZipFile(io.BytesIO(data)), len(data))
    except BadZipFile as error:
        raise UnreadableError(
            f"{name}: {error}; nothing was imported", "unpack it and import the folder"
        ) from error


_BLANK = r"[ \t]*\r?\n"
_TITLE = re.compile(rf"(?:{_BLANK})*# ([^\n]*)\n?")
_PARAGRAPH = re.compile(rf"((?:{_BLANK})+)((?:[^\n]*\S[^\n]*(?:\n|\Z))+)(?:{_BLANK})*")
_PAIR = re.compile(r"([^\W\d_][^:\n]{0,60}):(?: (.*))?\Z", re.DOTALL)
_USUAL = frozenset(
    "created,created time,created by,last edited,last edited time,last edited by,updated,date,due,"
    "due date,tags,status,type,url,author,assignee,priority,category".split(",")
)
_ZONE = r"(?: \((?:UTC|GMT)([+-]\d{1,2})?(?::(\d\d))?\))?"
_CLOCK = rf"(?:,? (\d{{1,2}}):(\d\d)(?: ?([AP]M))?{_ZONE})?"
_LONG = re.compile(rf"@?([A-Z][a-z]{{2,8}}) (\d{{1,2}}), (\d{{4}}){_CLOCK}")
_NUMBERS = re.compile(rf"(\d{{4}})/(\d\d)/(\d\d){_CLOCK}")
_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_RELATED = re.compile(r" \(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)(?:, |\Z)")
_ARROW = " → "
_MIDDAY = 12
_MAX_COMPARED = 50  # pages of one title that are compared with a row


class Columns(NamedTuple):
    """The columns of a table; those of a view may be a part of them."""

    names: frozenset[str] = frozenset()
    are_all: bool = False


class Properties(NamedTuple):
    """What a page says of itself, and its text without that."""

    title: str
    fields: tuple[tuple[str, str], ...]
    text: str


def read_properties(text: str, columns: Columns) -> Properties:
    """The `Key: value` lines below the title; `columns` are those of the table it is a row of."""
    heading = _TITLE.match(text)
    if heading is None:
        return Properties("", (), text)
    paragraph = _PARAGRAPH.match(text, heading.end())
    fields = _fields(paragraph[2], columns) if paragraph else []
    if paragraph and fields:
        text = text[: paragraph.end(1)] + text[paragraph.end() :]
    return Properties(heading[1].strip(), tuple(fields), text)


def _fields(paragraph: str, columns: Columns) -> list[tuple[str, str]]:
    lines = paragraph.replace("\r\n", "\n").rstrip("\n").split("\n")
    pairs = [_PAIR.match(line) for line in lines]
    if pairs[0] and pairs[0][1] in columns.names:
        return list(_rows(lines, columns))
    keys = [pair[1] for pair in pairs if pair]
    if len(keys) < len(pairs) or not any(key.lower() in _USUAL for key in keys):
        return []
    return [(pair[1], pair[2] or "") for pair in pairs if pair]


def _rows(lines: list[str], columns: Columns) -> Iterator[tuple[str, str]]:
    """Lines that begin with a column are a property; others go on with the value above.

    Where not all columns are known, any word before a colon is one.
    """
    key, lines_of_value = "", list[str]()
    for line in lines:
        pair = _PAIR.match(line)
        if pair and (pair[1] in columns.names or not columns.are_all):
            if key:
                yield key, "\n".join(lines_of_value)
            key, lines_of_value = pair[1], [pair[2] or ""]
        else:
            lines_of_value.append(line)
    yield key, "\n".join(lines_of_value)


def field_of(key: str, text: str, link: Callable[[str, str], str]) -> NewField:
    """A property as a field: dates in ISO form, relations and files as links.

    `link` writes a link to a path of the export, with a label; "" when the path is none.
    """
    return NewField(key, _links(text, link) or iso(text) or text)


def _links(text: str, link: Callable[[str, str], str]) -> FieldValue:
    found, done = list[FieldValue](), 0
    for match in _RELATED.finditer(text):
        found.append(link(unquote(match[1]), text[done : match.start()].strip()))
        done = match.end()
    if not found and ("%" in text or "/" in text):
        found, done = [link(unquote(each), "") for each in text.split(", ")], len(text)
    return found if done == len(text) and all(found) else []


def iso(text: str) -> str:
    """The ISO form of a day, a time or a range of them; "" for what could mean another one."""
    days = [_iso(part.strip()) for part in text.split(_ARROW)] if len(text) < 120 else [""]
    return _ARROW.join(days) if all(days) and len(days) <= 2 else ""


def _iso(text: str) -> str:
    if match := _LONG.fullmatch(text):
        year, month, day = match[3], _month(match[1]), match[2]
    elif match := _NUMBERS.fullmatch(text):
        year, month, day = match[1], int(match[2]), match[3]
    else:
        return ""
    try:
        return _moment(date(int(year), month, int(day)), *match.groups()[3:])
    except ValueError:
        return ""


def _month(name: str) -> int:
    """The number of a month by its name, whole or of three letters; 0 for none."""
    name = name.lower()
    found = (n for n, month in enumerate(_MONTHS, 1) if name in (month, month[:3]))
    return next(found, 0)


def _moment(day: date, *clock: str | None) -> str:
    """A day and what a pattern found of its clock: hour, minute, AM or PM, zone and its minutes."""
    hour, minute, half, zone, zone_minute = clock
    if hour is None or minute is None:
        return day.isoformat()
    hours = int(hour)
    if half:
        if not 1 <= hours <= _MIDDAY:
            return ""
        hours = hours % _MIDDAY + _MIDDAY * (half == "PM")
    moment = datetime(day.year, day.month, day.day, hours, int(minute))  # noqa: DTZ001
    if zone:
        sign = -1 if zone[0] == "-" else 1
        offset = timedelta(hours=int(zone), minutes=sign * int(zone_minute or 0))
        moment = moment.replace(tzinfo=timezone(offset))
    return moment.isoformat()


class NotionTable(NamedTuple):
    """The rows of a database, each as long as its columns."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class RowPage(NamedTuple):
    """A page in the folder of a database: how it is called, and its properties."""

    path: str
    names: tuple[str, str]  # its title, and that of its file
    fields: Mapping[str, str]


class TableRow(NamedTuple):
    """A row with its page; "" where it has none."""

    name: str
    path: str
    values: Mapping[str, str]  # of all other columns than that of the name


def read_table(data: bytes) -> NotionTable | None:
    """The table of a CSV file; None when it is no such table."""
    try:
        text = data.decode("utf-8-sig")
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error):
        return None
    if not lines or not lines[0]:
        return None
    columns = tuple(name.strip() for name in lines[0])
    width = len(columns)
    rows = (tuple([*line, *[""] * width][:width]) for line in lines[1:] if any(line))
    return NotionTable(columns, tuple(rows))


def match_rows(table: NotionTable, pages: Sequence[RowPage]) -> Iterator[TableRow]:
    """The rows with their pages, then the pages that no row is."""
    at, taken = _title_column(table, pages), set[str]()
    waiting: dict[str, deque[RowPage]] = defaultdict(deque)
    for i in range(2):  # titles go before names of files
        for page in pages:
            waiting[_plain(page.names[i])].append(page)
    for cells in table.rows:
        pairs = zip(table.columns, cells, strict=True)
        values = {key: value for i, (key, value) in enumerate(pairs) if i != at}
        own = _page_of(cells[at], values, waiting, taken)
        path = own.path if own else ""
        taken.add(path)
        yield TableRow(cells[at], path, values)
    for page in pages:
        if page.path not in taken:
            yield TableRow(page.names[0], page.path, {})


def _title_column(table: NotionTable, pages: Sequence[RowPage]) -> int:
    """The column that names the pages: that with most of their titles, else the first."""
    titles = {_plain(name) for page in pages for name in page.names}
    columns = range(len(table.columns))
    return max(columns, key=lambda i: sum(_plain(cells[i]) in titles for cells in table.rows))


def _page_of(
    name: str, values: Mapping[str, str], waiting: dict[str, deque[RowPage]], taken: set[str]
) -> RowPage | None:
    """The page of this title that says most of what the row says."""
    pages = waiting[_plain(name)]
    while pages and pages[0].path in taken:
        pages.popleft()
    free = [each for each in islice(pages, _MAX_COMPARED) if each.path not in taken]
    return max(free, key=lambda page: len(page.fields.items() & values.items()), default=None)


def _plain(name: str) -> str:
    return " ".join(name.split())
