"""The long-term memory of LangGraph (`BaseStore`), each item a page in a folder of a workspace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import chain
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from memwiki.adapter_api import MissingExtraError
from memwiki.adapters.frameworks.bridge import read_beside, write_beside
from memwiki.adapters.frameworks.store_files import StoreFiles

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

    from memwiki import Workspace


_SAME = {"$eq": eq, "$ne": ne}
_ORDER = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}
_LOOKED_AT = 1000  # passages of the whole workspace, of which those of the store are taken


def is_match(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether every field that is asked for is as it should be."""
    return all(_fits(_at(value, key), each) for key, each in wanted.items())


def _at(value: Mapping[str, Any], key: str) -> Any:  # noqa: ANN401 - any JSON
    """The value of a field, or of one within others whose names stand before it with dots."""
    if key in value:
        return value[key]
    first, dot, rest = key.partition(".")
    inner = value.get(first) if dot else None
    return _at(inner, rest) if isinstance(inner, dict) else None


def is_namespace(namespace: tuple[str, ...], conditions: Iterable[Any]) -> bool:
    """Whether a namespace begins and ends as is asked; `*` is any label."""
    return all(_is_part(namespace, each.match_type, each.path) for each in conditions)


def _is_part(namespace: tuple[str, ...], kind: str, path: tuple[str, ...]) -> bool:
    if kind not in ("prefix", "suffix"):
        raise ValueError(f"Unsupported match type: {kind}")
    part = namespace[: len(path)] if kind == "prefix" else namespace[-len(path) or None :]
    is_long = len(namespace) >= len(path)
    return is_long and all(p in ("*", n) for n, p in zip(part, path, strict=False))


def _fits(value: Any, wanted: Any) -> bool:  # noqa: ANN401 - any JSON
    if isinstance(wanted, dict):
        if any(key.startswith("$") for key in wanted):
            return all(_compared(value, sign, other) for sign, other in wanted.items())
        return isinstance(value, dict) and is_match(value, wanted)
    if isinstance(wanted, list | tuple):
        is_list = isinstance(value, list) and len(value) == len(wanted)
        return is_list and all(map(_fits, value, wanted))
    return bool(value == wanted)


def _compared(value: Any, sign: str, other: Any) -> bool:  # noqa: ANN401
    if sign in _SAME:
        return bool(_SAME[sign](value, other))
    if sign not in _ORDER:
        raise ValueError(f"Unsupported operator: {sign}")
    try:
        return bool(_ORDER[sign](float(value), float(other)))
    except (TypeError, ValueError):
        return False  # a value without this field, or with a word in it, is not larger


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
        """The same, while the loop goes on."""
        from langgraph.store.base import PutOp

        asked = list(ops)
        is_writing = any(isinstance(op, PutOp) for op in asked)
        beside = write_beside if is_writing else read_beside
        return await beside(self._workspace, partial(self.batch, asked))

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
