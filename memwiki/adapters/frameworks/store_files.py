"""The items of a store as files below a folder, named after namespace and key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

from memwiki import MemwikiError
from memwiki.adapter_api import (
    AlreadyExistsError,
    ConflictError,
    NotFoundError,
    digest_of,
)
from memwiki.adapters.frameworks.store_page import StoredPage, page_text, read_page

if TYPE_CHECKING:
    from memwiki import Workspace


_KEPT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
# Names that systems, memwiki or agents take for something else, whatever stands behind a dot.
_TAKEN = frozenset(
    "con prn aux nul index log agents claude gemini node_modules 4913".split()
    + [f"{port}{n}" for port in ("com", "lpt") for n in range(10)]
)
_ENCODED = "./\\%\0"  # which percent-encoding would hide from who looks at paths
_MAX_BYTES = 120  # bytes of a name; systems take 255
_SUFFIX = ".md"
_ATTEMPTS = 20


def path_of(namespace: tuple[str, ...], key: str) -> str:
    """The file of an item, below the folder of the store."""
    return "/".join((*map(folder_name, namespace), f"{_name(key, kept='.')}{_SUFFIX}"))


def folder_name(label: str) -> str:
    """The folder of a label of a namespace."""
    return _name(label)


def item_of(path: str) -> tuple[tuple[str, ...], str] | None:
    """Namespace and key of a file; None for one that no item is written to."""
    parts = ["" if part == "%" else part for part in path.removesuffix(_SUFFIX).split("/")]
    *labels, name = (unquote(part.replace("=", "%"), errors="surrogatepass") for part in parts)
    namespace = tuple(labels)
    is_so = path.endswith(_SUFFIX) and path_of(namespace, name) == path
    return (namespace, name) if is_so or is_shortened(path) else None


def is_shortened(path: str) -> bool:
    """Whether a path does not say all of a namespace and key."""
    return "~" in path


def _name(text: str, kept: str = "") -> str:
    """A name that is no other one on any system: without regard to case and composition."""
    if not text:
        return "%"
    if "onflict" in text:  # copies that sync services set aside
        kept = ""
    parts = [c if _is_kept(c) or c in kept else _escaped(c) for c in text]
    if text[0] == "." or text.split(".", 1)[0] in _TAKEN:
        parts[0] = _escaped(text[0])
    name = "".join(parts)
    if len(name.encode()) <= _MAX_BYTES:
        return name
    return f"{_cut(parts)}~{digest_of(text.encode('utf-8', 'surrogatepass'))[:16]}"


def _cut(parts: list[str]) -> str:
    """As many of the first characters as leave room."""
    room, count = _MAX_BYTES - 20, 0
    for part in parts:
        room -= len(part.encode())
        if room < 0:
            break
        count += 1
    return "".join(parts[:count])


def _is_kept(c: str) -> bool:
    if c in _KEPT:
        return True
    is_plain = c > "\x7f" and c.isalpha() and c.casefold() == c and normalize("NFKC", c) == c
    return is_plain and not "\u1100" <= c <= "\u11ff"  # parts of Hangul, which compose


def _escaped(c: str) -> str:
    if c in _ENCODED:
        return f"={ord(c):02x}"
    return "".join(f"%{byte:02x}" for byte in c.encode("utf-8", "surrogatepass"))


class StoredItem(NamedTuple):
    """An item as the framework knows it."""

    namespace: tuple[str, ...]
    key: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime


class StoreFiles:
    """A folder of a workspace in which each page is an item."""

    def __init__(self, workspace: Workspace, path: str) -> None:
        self._workspace = workspace
        self._path = path
        self._folder = workspace.folder(path)
        self._folder.kind("")  # a folder that leads out is refused at once

    def below(self, path: str) -> str:
        """A path of the workspace as it is called in the folder; "" for one that is not in it."""
        start = f"{self._path.strip('/')}/"
        return path[len(start) :] if path.startswith(start) else ""

    def get(self, namespace: tuple[str, ...], key: str) -> StoredItem | None:
        """An item; None where there is none."""
        path = path_of(namespace, key)
        with suppress(NotFoundError):
            return self._item(path, namespace, key, read_page(self._folder.read(path).text))
        return None

    def at(self, path: str) -> StoredItem | None:
        """The item of a file; None where it is none, or cannot be read."""
        named = item_of(path)
        with suppress(MemwikiError):
            page = read_page(self._folder.read(path).text)
            if page.item and is_shortened(path):
                named = page.item[:-1], page.item[-1]
            if named and path_of(*named) == path:
                return self._item(path, *named, page)
        return None

    def delete(self, namespace: tuple[str, ...], key: str) -> None:
        """Delete an item, if it is there."""
        with suppress(NotFoundError):
            self._folder.delete(path_of(namespace, key))

    def put(self, namespace: tuple[str, ...], key: str, value: Mapping[str, Any]) -> None:
        """Make or replace an item; whole, so that no value is made of two."""
        path = path_of(namespace, key)
        page = StoredPage(dict(value), item=(*namespace, key) if is_shortened(path) else ())
        for _ in range(_ATTEMPTS):
            with suppress(AlreadyExistsError, ConflictError, NotFoundError):
                self._write(path, page)
                return
        self._write(path, page)

    def paths(self, namespace: tuple[str, ...]) -> Iterator[str]:
        """Every file below the folder of a namespace, in order of paths."""
        waiting = ["/".join(map(folder_name, namespace))]
        while waiting:
            above = waiting.pop()
            if self._folder.kind(above) != "folder":
                continue
            items = [item for item in self._folder.list(above).items if "/" not in item.path]
            paths = {f"{above}/{item.path}".lstrip("/"): item.is_folder for item in items}
            waiting += sorted((path for path in paths if paths[path]), reverse=True)
            yield from (path for path in paths if not paths[path] and item_of(path))

    def _write(self, path: str, page: StoredPage) -> None:
        now = datetime.fromtimestamp(self._workspace.live.context.clock() / 1e9, UTC).isoformat()
        if not self._folder.kind(path):
            self._folder.create(path, page_text(page._replace(created=now, updated=now)))
            return
        file = self._folder.read(path)
        created = read_page(file.text).created or self._time(path, "").isoformat()
        text = page_text(page._replace(created=created, updated=now))
        self._folder.write(path, text, base=file, expect=file.digest)

    def _item(
        self, path: str, namespace: tuple[str, ...], key: str, page: StoredPage
    ) -> StoredItem:
        created = self._time(path, page.created)
        updated = self._time(path, page.updated) if page.updated else created
        return StoredItem(namespace, key, page.value, created, updated)

    def _time(self, path: str, written: str) -> datetime:
        """A time as a page has it, else that of its file."""
        with suppress(ValueError):
            moment = datetime.fromisoformat(written)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        file = self._workspace.root / self._path / path
        return datetime.fromtimestamp(file.stat().st_mtime, UTC)
