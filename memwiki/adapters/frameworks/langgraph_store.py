"""The long-term memory of LangGraph (`BaseStore`), each item a page in a folder of a workspace."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from unicodedata import normalize
from urllib.parse import unquote

from memwiki import MemwikiError
from memwiki.adapter_api import (
    AlreadyExistsError,
    ConflictError,
    MissingExtraError,
    NotFoundError,
    digest_of,
)
from memwiki.adapters.frameworks.bridge import (
    encodable,
    read_beside,
    split_block,
    with_block,
    write_beside,
)

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

    from memwiki import Workspace

ItemValue: TypeAlias = Mapping[str, Any]
Namespace: TypeAlias = tuple[str, ...]
_KEPT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
# Names that systems, memwiki or agents take for something else, whatever stands behind a dot.
_TAKEN = frozenset(
    "con prn aux nul index log agents claude gemini node_modules 4913".split()
    + [f"{port}{n}" for port in ("com", "lpt") for n in range(10)]
)
_ENCODED = "./\\%\0"  # which percent-encoding would hide from who looks at paths
_MAX_BYTES = 120  # bytes of a name; systems take 255
_SUFFIX = ".md"
_MAX_ATTEMPTS = 20
_OURS = frozenset({"created", "updated", "created_at", "updated_at", "body", "item"})
_WORDS = frozenset("true false null yes no on off y n".split())  # in YAML no text
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_KEY = re.compile(r"[^\W\d][\w-]*")
_FIELD = re.compile(r"([^\W\d][\w-]*):(?:[ \t]+(.*))?")
_PART = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,]*)\s*(?:,|$)')
_MARKER = "<!-- memwiki:"  # what would make generated text of a page
_MAX_CHARS = 500  # characters of a field


def path_of(namespace: Namespace, key: str) -> str:
    """The file of an item, below the folder of the store."""
    return "/".join((*map(_name, namespace), f"{_name(key, kept='.')}{_SUFFIX}"))


def item_of(path: str) -> tuple[Namespace, str] | None:
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
    # Copies that sync services set aside.
    if "onflict" in text or ("onfli" in text and "(" in text):
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

    namespace: Namespace
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

    def get(self, namespace: Namespace, key: str) -> StoredItem | None:
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

    def delete(self, namespace: Namespace, key: str) -> None:
        """Delete an item, if it is there."""
        with suppress(NotFoundError):
            self._folder.delete(path_of(namespace, key))

    def put(self, namespace: Namespace, key: str, value: ItemValue) -> None:
        """Make or replace an item; whole, so that no value is made of two."""
        path = path_of(namespace, key)
        page = StoredPage(dict(value), item=(*namespace, key) if is_shortened(path) else ())
        for _ in range(_MAX_ATTEMPTS):
            with suppress(AlreadyExistsError, ConflictError, NotFoundError):
                self._write(path, page)
                return
        self._write(path, page)

    def paths(self, namespace: Namespace) -> Iterator[str]:
        """Every file below the folder of a namespace, in order of paths."""
        waiting = ["/".join(map(_name, namespace))]
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

    def _item(self, path: str, namespace: Namespace, key: str, page: StoredPage) -> StoredItem:
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


class StoredPage(NamedTuple):
    """A value with its times as the page has them; `item` where its path does not say it."""

    value: dict[str, Any]
    created: str = ""
    updated: str = ""
    item: Namespace = ()


def page_text(page: StoredPage) -> str:
    """The page of a value: what is plain in the front matter, the text below, the rest in JSON.

    What would be read back as something else is in JSON, too. TypeError for what is no JSON.
    """
    value = json.loads(json.dumps(page.value))
    body = _body_key(value)
    fields = {key: value[key] for key in value if key != body and _is_plain(key, value[key])}
    text = _page_text(page, value, fields, body)
    again = json.dumps(read_page(text).value, sort_keys=True)
    is_exact = again == json.dumps(value, sort_keys=True) and _MARKER not in text
    return text if is_exact else _page_text(page, value, {}, None)


def read_page(text: str) -> StoredPage:
    """What a page says, whoever wrote it."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    fields, below = _front(text)
    content, rest = split_block(below.removeprefix("\n").removesuffix("\n"))
    if not isinstance(rest, dict):
        content, rest = below.removeprefix("\n").removesuffix("\n"), {}
    created, updated = (str(fields.pop(name, None) or "") for name in ("created", "updated"))
    body, item = fields.pop("body", "content"), fields.pop("item", ())
    texts = {str(body): content} if content else {}
    named = tuple(map(str, item)) if isinstance(item, list) else ()
    return StoredPage({**fields, **texts, **rest}, created, updated, named)


def _page_text(page: StoredPage, value: ItemValue, fields: dict[str, Any], body: str | None) -> str:
    lines = [f"{key}: {_field_text(each)}" for key, each in fields.items()]
    if body not in (None, "content"):
        lines.append(f"body: {body}")
    if page.item:
        lines.append(f"item: {json.dumps(page.item)}")
    times = {"created": page.created, "updated": page.updated}
    lines += [f"{name}: {time}" for name, time in times.items() if time]
    rest = {key: value[key] for key in value if key not in fields and key != body}
    below = with_block(encodable(value[body]) if body is not None else "", rest)
    front = "\n".join(["---", *lines, "---", ""])
    return f"{front}\n{below}\n" if below else front


def _body_key(value: ItemValue) -> str | None:
    """The key whose text stands below the front matter: content, else the longest sentence."""
    if isinstance(value.get("content"), str) and value["content"]:
        return "content"
    texts = [
        key
        for key, text in value.items()
        if _is_key(key) and isinstance(text, str) and len(text.split(None, 1)) > 1
    ]
    return max(texts, key=lambda key: len(value[key]), default=None)


def _is_key(key: str) -> bool:
    is_word = _KEY.fullmatch(key) and key.isprintable() and len(key) <= _MAX_CHARS
    return bool(is_word) and key not in _OURS and key.lower() not in _WORDS


def _is_plain(key: str, value: object) -> bool:
    if not _is_key(key) or isinstance(value, dict):
        return False
    each = value if isinstance(value, list) else [value]
    is_flat = all(_is_scalar(one) for one in each)
    return is_flat and sum(len(str(one)) for one in each) <= _MAX_CHARS


def _is_scalar(value: object) -> bool:
    if isinstance(value, str):
        return value.isprintable()
    return not isinstance(value, list | dict) and str(value) not in ("nan", "inf", "-inf")


def _field_text(value: object) -> str:
    is_word = isinstance(value, str) and re.fullmatch(r"[^\W\d]\w*(?: \w+)*", value)
    if isinstance(value, str) and is_word and value.lower() not in _WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)


def _front(text: str) -> tuple[dict[str, Any], str]:
    """The fields of a front matter, and the text behind it."""
    if not text.startswith("---\n"):
        return {}, text
    head, ends, below = text[3:].partition("\n---\n")
    if not ends:
        head, ends = text[3:].removesuffix("---"), "---" * text.endswith("\n---")
    return (dict(_fields(head.split("\n"))), below) if ends else ({}, text)


def _fields(lines: list[str]) -> Iterator[tuple[str, Any]]:
    key, items = "", list[Any]()
    for line in lines:
        found = _FIELD.fullmatch(line.rstrip())
        if found:
            key, items = found[1], []
            yield key, _value(found[2] or "")
        elif key and line.strip().startswith("- "):
            items.append(_scalar(line.strip()[2:].strip()))
            yield key, items


def _value(text: str) -> object:
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return _scalar(text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return [_scalar(found[1].strip()) for found in _PART.finditer(text[1:-1]) if found[0]]


def _scalar(text: str) -> object:
    """A scalar as a person means it: numbers, true, false and null as JSON, else text."""
    if text.startswith('"'):
        try:
            return json.loads(text)
        except ValueError:
            return text
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    text = text.partition(" #")[0].rstrip()
    if text in ("true", "false", "null") or _NUMBER.fullmatch(text):
        return json.loads(text)
    return text or None


_SAME = {"$eq": eq, "$ne": ne}
_ORDER = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}
_LOOKED_AT = 1000  # passages of the whole workspace, of which those of the store are taken


def is_match(value: ItemValue, wanted: ItemValue) -> bool:
    """Whether every field that is asked for is as it should be."""
    return all(_fits(_at(value, key), each) for key, each in wanted.items())


def _at(value: ItemValue, key: str) -> Any:  # noqa: ANN401 - any JSON
    """The value of a field, or of one within others whose names stand before it with dots."""
    if key in value:
        return value[key]
    first, dot, rest = key.partition(".")
    inner = value.get(first) if dot else None
    return _at(inner, rest) if isinstance(inner, dict) else None


def _is_part(namespace: Namespace, kind: str, path: Namespace) -> bool:
    """Whether a namespace begins or ends with a path, in which `*` is any label."""
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

    def _namespaces(self, op: Any) -> list[Namespace]:  # noqa: ANN401
        found = {item.namespace for item in map(self._files.at, self._files.paths(())) if item}
        asked = op.match_conditions or ()
        wanted = {n for n in found if all(_is_part(n, a.match_type, a.path) for a in asked)}
        return sorted({each[: op.max_depth] for each in wanted})[op.offset :][: op.limit]
