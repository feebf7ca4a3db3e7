"""Names in an export of Notion, `Name 32digits.md`: the id of each, and its path without it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from posixpath import basename, dirname, splitext
from typing import NamedTuple

from memwiki.carry.importers.safe_names import distinct, safe_folder, safe_name
from memwiki.names import fold

_NAMED = re.compile(r"(.*?)[ _-]?([0-9a-f]{32})((?:_all)?(?:\.[^.]*)?)\Z", re.DOTALL)
_WRAPPER = re.compile(r"Export-[0-9a-f-]{8,}(?:-Part-\d+)?\Z|Private & Shared\Z")
_SHORT_ID = 6


class Named(NamedTuple):
    """One part of a path: what it is called, the id in it, and what follows that."""

    name: str
    id: str = ""
    suffix: str = ""  # `.md`, `.csv`, `_all.csv`; of a name without an id, its suffix


def named(part: str) -> Named:
    """What a part of a path says."""
    match = _NAMED.match(part)
    if match:
        return Named(match[1].strip() or "Untitled", match[2], match[3])
    stem, suffix = splitext(part)
    return Named(stem, "", suffix)


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


class Tree:
    """The folders of an export, each name in them once: a page, its folder and its table share
    one."""

    def __init__(self, names: Iterable[str], owner: Callable[[str], str]) -> None:
        """`owner` says which id the page at a path of the export has already, "" for none."""
        self._owner = owner
        self._ids: dict[str, dict[str, Named]] = defaultdict(dict)  # by folder
        for name in names:
            self._add(name)
        self._stems: dict[str, Mapping[str, str]] = {}
        self._folders: dict[str, str] = {"": ""}

    def _add(self, name: str) -> None:
        folder = ""
        for part in name.split("/"):
            is_file = len(folder) + len(part) + bool(folder) == len(name)
            said = named(part)
            if said.id:
                self._ids[folder].setdefault(said.id, said)
            folder = f"{folder}/{part}" if folder else part
            if is_file:
                return

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
        said = named(part)
        stem = self._stem(above, said)
        name = f"{stem}{said.suffix}" if stem else safe_name(part)
        return f"{self.folder(above)}/{name}".lstrip("/")

    def _stem(self, folder: str, said: Named) -> str:
        """The name of everything that has an id, or of a folder called as a page beside it."""
        if folder not in self._stems:
            self._stems[folder] = self._named_in(folder)
        return self._stems[folder].get(said.id, "") if said.id else ""

    def _named_in(self, folder: str) -> Mapping[str, str]:
        groups: dict[str, list[str]] = defaultdict(list)
        for id_, said in self._ids[folder].items():
            groups[fold(safe_name(said.name))].append(id_)
        stems = {}
        for ids in groups.values():
            plain = safe_name(self._ids[folder][ids[0]].name)
            owner = self._owner(f"{self.folder(folder)}/{plain}".lstrip("/")) if ids[1:] else ""
            first = owner if owner in ids else min(ids)
            for id_ in ids:
                name = safe_name(self._ids[folder][id_].name)
                stems[id_] = name if id_ == first else f"{name} {id_[-_SHORT_ID:]}"
        return stems


def paths_of(names: Sequence[str], layer: str, owner: Callable[[str], str]) -> Mapping[str, str]:
    """The path in the workspace of every file, by its name in the source."""
    prefix = wrapper_of(names)
    inner = {name: name.removeprefix(prefix) for name in names}
    base = f"{layer}/" if layer else ""
    tree = Tree(inner.values(), lambda path: owner(f"{base}{path}.md"))
    wanted = ((name, base + tree.file(each)) for name, each in inner.items())
    return dict(distinct(wanted))
