"""The items of a store as files below a folder: put, read and walked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from memwiki.errors import (
    AlreadyExistsError,
    ConflictError,
    MemwikiError,
    NotFoundError,
)
from memwiki.integrations.store_names import folder_name, is_shortened, item_of, path_of
from memwiki.integrations.store_page import StoredPage, page_text, read_page

if TYPE_CHECKING:
    from memwiki.workspace import Workspace

_ATTEMPTS = 20


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
