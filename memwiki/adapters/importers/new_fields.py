"""Fields, and all that a page says, put into a page that comes from elsewhere or is there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memwiki.adapter_api import (
    FieldValue,
    FrontMatterStatus,
    NotEditableError,
    SourceText,
    canonical,
    find_block,
    load_front_matter,
    read_source,
    strings,
    yaml_scalar,
)

_MAX_BYTES = 40_000  # a longer block is no longer read as YAML
_MAX_KEY = 200
_SEPARATE = frozenset({"id", "sources", "related", "relations"})  # lists of several spellings
_WHOLE = (FrontMatterStatus.OK, FrontMatterStatus.REPAIRED, FrontMatterStatus.NONE)
_CODE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_TOP = re.compile(r"^(?=[^\s])", re.MULTILINE)


class NewField(NamedTuple):
    """A field, its key as it is written elsewhere."""

    key: str
    value: FieldValue


class WithFields(NamedTuple):
    """A page with more fields, and those that its front matter cannot say."""

    text: str
    left: tuple[NewField, ...] = ()


def with_fields(text: str, fields: Sequence[NewField]) -> WithFields:
    """The page with these fields at the end of its front matter; what it says already stays."""
    source = SourceText("", text)
    block, _ = find_block(source.lines)
    front = load_front_matter("", source.lines).front_matter
    if not fields or front.status not in _WHOLE:
        return WithFields(text, tuple(fields))
    room = _MAX_BYTES - sum(len(line.encode()) for line in block.lines) if block else _MAX_BYTES
    new, left = _fitting(fields, front.fields, room)
    lines = [f"{yaml_scalar(key)}: {_value(value)}\n" for key, value in new]
    end = source.line_end_at(len(text.partition("\n")[0]) + 1)
    if block is None:
        lines = ["---\n", *lines, "---\n"]
    at = source.starts[block.line_end - 1] if block else 0
    added = "".join(lines).replace("\n", end)
    after = text[:at] + added + text[at:]
    is_read = _are_read(new, after, front.fields)
    return WithFields(after, left) if new and is_read else WithFields(text, tuple(fields))


def _fitting(
    fields: Iterable[NewField], existing: Iterable[str], room: int
) -> tuple[list[NewField], tuple[NewField, ...]]:
    """The fields that a block has room for, each key once."""
    seen = {_same(key) for key in existing}
    new, left = list[NewField](), list[NewField]()
    for field in fields:
        size = len(field.key.encode()) + len(_value(field.value).encode()) + 8
        is_odd = not field.key.strip() or len(field.key) > _MAX_KEY
        if is_odd or _same(field.key) in seen or size > room:
            left.append(field)
            continue
        seen.add(_same(field.key))
        room -= size
        new.append(field)
    return new, tuple(left)


def _same(key: str) -> str:
    name = canonical(key)
    return key if name in _SEPARATE else name


def _value(value: FieldValue, *, is_flow: bool = False) -> str:
    """A value in one line of YAML."""
    if isinstance(value, str):
        return yaml_scalar(value, is_flow=is_flow, is_text=is_flow)
    if isinstance(value, list):
        return f"[{', '.join(_value(item, is_flow=True) for item in value)}]"
    pairs = (f"{yaml_scalar(key)}: {_value(item, is_flow=True)}" for key, item in value.items())
    return f"{{{', '.join(pairs)}}}"


def _are_read(new: Sequence[NewField], text: str, before: Iterable[str]) -> bool:
    """Whether the reader finds just what was there and what is new."""
    loaded = load_front_matter("", SourceText("", text).lines).front_matter
    is_whole = loaded.status in _WHOLE and set(loaded.fields) == {*before, *dict(new)}
    return is_whole and all(loaded.fields.get(key) == value for key, value in new)


def united(path: str, existing: bytes, data: bytes) -> bytes | None:
    """The bytes of a page with what those of another one say besides; None when it is not text."""
    try:
        page, other = read_source(path, existing), read_source(path, data)
    except NotEditableError:
        return None
    front = load_front_matter(path, other.lines).front_matter
    fields = [NewField(key, value) for key, value in front.fields.items()]
    text, left = with_fields(page.text, fields)
    has = load_front_matter(path, SourceText(path, text).lines).front_matter.fields
    said = {key: set(strings(value)) for key, value in has.items()}
    pieces = (
        f"{key}:: {', '.join(strings(value))}"
        for key, value in left
        if not said.get(key, set()).issuperset(strings(value))
    )
    new = [piece for piece in pieces if piece not in page.lines]
    new += _missing(_body(page), _body(other))
    if new:
        end = page.line_end_at(len(page.text))
        added = "".join(f"{piece}\n" for piece in new).replace("\r\n", "\n")
        joint = "" if text.endswith("\n") else end
        text = f"{text}{joint}" + added.replace("\n", end)
    return (page.mark + text).encode()


def _body(page: SourceText) -> str:
    start = load_front_matter(page.path, page.lines).front_matter.line_end
    return page.text[page.starts[start] :] if start < len(page.starts) else ""


def _missing(existing: str, body: str) -> Iterator[str]:
    """The items and paragraphs of a text that another one does not have."""
    if body.strip() in ("", "-") or body.strip() in existing:
        return
    if _CODE.search(body):
        yield body.strip("\n").rstrip()
        return
    known = {piece.rstrip() for piece in _TOP.split(existing)}
    for piece in _TOP.split(body):
        if piece.strip() not in ("", "-") and piece.rstrip() not in known:
            yield piece.rstrip()
