"""The files of an export of Notion, `Name 32digits.md`, maybe in archives: ids and paths."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from posixpath import basename, dirname, splitext
from typing import NamedTuple

from memwiki.adapter_api import (
    ReadBudget,
    UnreadableError,
    ZipSource,
    fold,
    refused,
    require_few,
)
from memwiki.adapters.importers.new_pages import distinct, is_hidden, safe_folder, safe_name
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


def named(part: str) -> NotionName:
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
                parts = named(part)
                if parts.id:
                    self._ids[folder].setdefault(parts.id, parts)
                folder = f"{folder}/{part}" if folder else part

    def folder(self, source: str) -> str:
        """The path of a folder."""
        if source not in self._folders:
            above, part = dirname(source), basename(source)
            stem = self._stem(above, named(part)) or part
            self._folders[source] = f"{self.folder(above)}/{safe_folder(stem)}".lstrip("/")
        return self._folders[source]

    def file(self, source: str) -> str:
        """The path of a file."""
        above, part = dirname(source), basename(source)
        parts = named(part)
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


def unpacked(source: ImportSource) -> ImportSource:
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
            raise refused(self.name, f"holds more than {_MAX_ARCHIVES} archives")
        self._parts: dict[str, ZipSource] = {}
        for archive in archives:
            part = _opened(archive, source.read(archive))
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


def _opened(name: str, data: bytes) -> ZipSource:
    from zipfile import BadZipFile, ZipFile

    try:
        return ZipSource(name, ZipFile(io.BytesIO(data)), len(data))
    except BadZipFile as error:
        raise UnreadableError(
            f"{name}: {error}; nothing was imported", "unpack it and import the folder"
        ) from error
