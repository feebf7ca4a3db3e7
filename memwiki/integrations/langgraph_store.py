"""The long-term memory of LangGraph (`BaseStore`), each item a page in a folder of a workspace."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from memwiki.errors import MissingExtraError
from memwiki.integrations.store_files import StoreFiles
from memwiki.integrations.store_filter import is_match, is_namespace
from memwiki.integrations.threads import in_thread

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

    from memwiki.workspace import Workspace

_LOOKED_AT = 1000  # passages of the whole workspace, of which those of the store are taken


def store(workspace: Workspace, folder: str = "store") -> BaseStore:
    """A store for `graph.compile(store=...)`; its items are pages that people read and edit.

    Raises MissingExtraError where langgraph-checkpoint is not installed.
    """
    try:
        from langgraph.store.base import BaseStore
    except ImportError as error:
        raise MissingExtraError("langgraph", "langgraph-checkpoint") from error
    made: Any = type("WorkspaceStore", (_Operations, BaseStore), {"supports_ttl": True})
    return made(workspace, folder)


class _Operations:
    """What the framework asks of a store, in batches."""

    def __init__(self, workspace: Workspace, folder: str) -> None:
        self._workspace = workspace
        self._files = StoreFiles(workspace, folder)

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

        found = self._files.get(op.namespace, op.key)
        return Item(**found._asdict()) if found else None

    def _put(self, op: Any) -> None:  # noqa: ANN401
        if op.value is None:
            self._files.delete(op.namespace, op.key)
        else:
            self._files.put(op.namespace, op.key, op.value)

    def _search(self, op: Any) -> list[Any]:  # noqa: ANN401
        from langgraph.store.base import SearchItem

        prefix, scores = op.namespace_prefix, self._scores(op.query) if op.query else {}
        rest = (path for path in self._files.paths(prefix) if path not in scores)
        found, stop = list[Any](), op.offset + op.limit
        for path in chain(scores, rest):
            if len(found) >= stop:
                break
            item = self._files.at(path)
            is_below = item and item.namespace[: len(prefix)] == prefix
            if item and is_below and is_match(item.value, op.filter or {}):
                found.append(SearchItem(**item._asdict(), score=scores.get(path)))
        return found[op.offset : stop]

    def _scores(self, query: str) -> dict[str, float]:
        """The pages of the store that answer a question, best first."""
        scores = dict[str, float]()
        for hit in self._workspace.recall(query, limit=_LOOKED_AT, private=True):
            if path := self._files.below(hit.path):
                scores.setdefault(path, hit.score)
        return scores

    def _namespaces(self, op: Any) -> list[tuple[str, ...]]:  # noqa: ANN401
        found = {item.namespace for item in map(self._files.at, self._files.paths(())) if item}
        wanted = {each for each in found if is_namespace(each, op.match_conditions or ())}
        return sorted({each[: op.max_depth] for each in wanted})[op.offset :][: op.limit]
