"""A value of a store as a page that people read and edit, and back, exactly; pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from memwiki.adapters.frameworks.bridge import encodable, parted, with_block

_OURS = frozenset({"created", "updated", "created_at", "updated_at", "body", "item"})
_WORDS = frozenset("true false null yes no on off y n".split())  # in YAML no text
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_KEY = re.compile(r"[^\W\d][\w-]*")
_FIELD = re.compile(r"([^\W\d][\w-]*):(?:[ \t]+(.*))?")
_PART = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,]*)\s*(?:,|$)')
_MARKER = "<!-- memwiki:"  # what would make generated text of a page
_MAX_CHARS = 500  # characters of a field


class StoredPage(NamedTuple):
    """A value with its times as the page has them; `item` where its path does not say it."""

    value: dict[str, Any]
    created: str = ""
    updated: str = ""
    item: tuple[str, ...] = ()


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
    content, rest = parted(below.removeprefix("\n").removesuffix("\n"))
    if not isinstance(rest, dict):
        content, rest = below.removeprefix("\n").removesuffix("\n"), {}
    created, updated = (str(fields.pop(name, None) or "") for name in ("created", "updated"))
    body, item = fields.pop("body", "content"), fields.pop("item", ())
    texts = {str(body): content} if content else {}
    named = tuple(map(str, item)) if isinstance(item, list) else ()
    return StoredPage({**fields, **texts, **rest}, created, updated, named)


def _page_text(
    page: StoredPage, value: Mapping[str, Any], fields: dict[str, Any], body: str | None
) -> str:
    lines = [f"{key}: {_field_text(each)}" for key, each in fields.items()]
    lines += [f"body: {body}"] if body not in (None, "content") else []
    lines += [f"item: {json.dumps(page.item)}"] if page.item else []
    times = {"created": page.created, "updated": page.updated}
    lines += [f"{name}: {time}" for name, time in times.items() if time]
    rest = {key: value[key] for key in value if key not in fields and key != body}
    below = with_block(encodable(value[body]) if body is not None else "", rest)
    front = "\n".join(["---", *lines, "---", ""])
    return f"{front}\n{below}\n" if below else front


def _body_key(value: Mapping[str, Any]) -> str | None:
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
