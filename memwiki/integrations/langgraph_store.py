"""The long-term memory of LangGraph (`BaseStore`), each item a page in a folder of a workspace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from memwiki.errors import (
    AlreadyExistsError,
    ConflictError,
    MemwikiError,
    MissingExtraError,
    NotFoundError,
)
from memwiki.integrations.store_filter import is_match, is_namespace
from memwiki.integrations.store_names import folder_name, is_shortened, item_of, path_of
from memwiki.integrations.store_page import StoredPage, page_text, read_page
from memwiki.integrations.threads import in_thread

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

    from memwiki.workspace import Workspace

_ATTEMPTS = 20
_LOOKED_AT = 1000  # passages of the whole workspace, of which those of the store are taken


def store(workspace: Workspace, folder: str = "store") -> BaseStore:
    """A store for `graph.compile(store=...)`; its items are pages that people read and edit.

    Raises MissingExtraError where langgraph-checkpoint is not installed.
    """
    try:
        from langgraph.store.base import BaseStore
    except ImportError as error:
        raise MissingExtraError("langgraph", "langgraph-checkpoint") from error
    workspace.folder(folder).kind("")  # a folder that leads out is refused at once
    made: Any = type("WorkspaceStore", (_Operations, BaseStore), {"supports_ttl": True})
    return made(workspace, folder)


class _Operations:
    """What the framework asks of a store, in batches."""

    def __init__(self, workspace: Workspace, folder: str) -> None:
        self._workspace = workspace
        self._path = folder
        self._folder = workspace.folder(folder)

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """Do several operations: what is asked is answered first, then the last put of each key."""
        from langgraph.store.base import GetOp, ListNamespacesOp, PutOp, SearchOp

        does = {GetOp: self._get, SearchOp: self._search, ListNamespacesOp: self._namespaces}
        results, puts = list[Any](), dict[tuple[tuple[str, ...], str], Any]()
        for op in ops:
            if isinstance(op, PutOp):
                puts[op.namespace, op.key] = op
            elif type(op) not in does:
                raise ValueError(f"Unknown operation type: {type(op)}")
            results.append(None if isinstance(op, PutOp) else does[type(op)](op))
        for op in puts.values():
            self._put(op)
        return results

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """The same in a thread."""
        return await in_thread(self._workspace, partial(self.batch, list(ops)))

    def _get(self, op: Any) -> Any:  # noqa: ANN401 - types of what need not be installed
        from langgraph.store.base import Item

        path = path_of(op.namespace, op.key)
        with suppress(NotFoundError):
            page = read_page(self._folder.read(path).text)
            return Item(**self._item(path, page), namespace=op.namespace, key=op.key)
        return None

    def _put(self, op: Any) -> None:  # noqa: ANN401
        path = path_of(op.namespace, op.key)
        if op.value is None:
            with suppress(NotFoundError):
                self._folder.delete(path)
            return
        item = (*op.namespace, op.key) if is_shortened(path) else ()
        for _ in range(_ATTEMPTS):
            with suppress(AlreadyExistsError, ConflictError, NotFoundError):
                self._written(path, dict(op.value), item)
                return
        self._written(path, dict(op.value), item)

    def _written(self, path: str, value: dict[str, Any], item: tuple[str, ...]) -> None:
        """Make or replace a page; whole, so that no value is made of two."""
        now = datetime.fromtimestamp(self._workspace.live.context.clock() / 1e9, UTC).isoformat()
        if not self._folder.kind(path):
            self._folder.create(path, page_text(StoredPage(value, now, now, item)))
            return
        file = self._folder.read(path)
        created = read_page(file.text).created or self._time(path, "").isoformat()
        text = page_text(StoredPage(value, created, now, item))
        self._folder.write(path, text, base=file, expect=file.digest)

    def _search(self, op: Any) -> list[Any]:  # noqa: ANN401
        from langgraph.store.base import SearchItem

        scores = self._scores(op.query) if op.query else {}
        found, stop = list[Any](), op.offset + op.limit
        rest = (path for path in self._paths(op.namespace_prefix) if path not in scores)
        for path in chain(scores, rest):
            named = self._named(path)
            if named is None or named[0][: len(op.namespace_prefix)] != op.namespace_prefix:
                continue
            if len(found) >= stop:
                break
            namespace, key, page = named
            if is_match(page.value, op.filter or {}):
                known = {**self._item(path, page), "score": scores.get(path)}
                found.append(SearchItem(namespace=namespace, key=key, **known))
        return found[op.offset : stop]

    def _scores(self, query: str) -> dict[str, float]:
        """The pages of the store that answer a question, best first."""
        answer = self._workspace.recall(query, limit=_LOOKED_AT, private=True)
        start, scores = f"{self._path.strip('/')}/", dict[str, float]()
        for hit in answer.hits:
            if hit.path.startswith(start):
                scores.setdefault(hit.path[len(start) :], hit.score)
        return scores

    def _namespaces(self, op: Any) -> list[tuple[str, ...]]:  # noqa: ANN401
        named = filter(None, map(self._named, self._paths(())))
        wanted = {each[0] for each in named if is_namespace(each[0], op.match_conditions or ())}
        return sorted({each[: op.max_depth] for each in wanted})[op.offset :][: op.limit]

    def _paths(self, namespace: tuple[str, ...]) -> Iterator[str]:
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

    def _named(self, path: str) -> tuple[tuple[str, ...], str, StoredPage] | None:
        """Namespace, key and page of a file; None where it is no item, or went meanwhile."""
        named = item_of(path)
        with suppress(MemwikiError):
            page = read_page(self._folder.read(path).text)
            if page.item and is_shortened(path):
                named = page.item[:-1], page.item[-1]
            return (*named, page) if named and path_of(*named) == path else None
        return None

    def _item(self, path: str, page: StoredPage) -> dict[str, Any]:
        created = self._time(path, page.created)
        updated = self._time(path, page.updated) if page.updated else created
        return {"value": page.value, "created_at": created, "updated_at": updated}

    def _time(self, path: str, written: str) -> datetime:
        """A time as a page has it, else that of its file."""
        with suppress(ValueError):
            moment = datetime.fromisoformat(written)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        file = self._workspace.root / self._path / path
        return datetime.fromtimestamp(file.stat().st_mtime, UTC)
