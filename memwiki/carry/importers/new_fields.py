"""Fields for a page that comes from elsewhere, written so that memwiki reads back just these."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memwiki.markdown.edit.yaml.scalars import written
from memwiki.markdown.fields import canonical
from memwiki.markdown.frontmatter import find_block, load
from memwiki.markdown.source import Source
from memwiki.model import FieldValue, FrontMatterStatus

_MAX_BYTES = 40_000  # a longer block is no longer read as YAML
_MAX_KEY = 200
_SEPARATE = frozenset({"id", "sources", "related", "relations"})  # lists of several spellings
_WHOLE = (FrontMatterStatus.OK, FrontMatterStatus.REPAIRED, FrontMatterStatus.NONE)


class Field(NamedTuple):
    """A field, its key as it is written elsewhere."""

    key: str
    value: FieldValue


class WithFields(NamedTuple):
    """A page with more fields, and those that its front matter cannot say."""

    text: str
    left: tuple[Field, ...] = ()


def with_fields(text: str, fields: Sequence[Field]) -> WithFields:
    """The page with these fields at the end of its front matter; what it says already stays."""
    source = Source("", text)
    block, _ = find_block(source.lines)
    front = load("", source.lines).front_matter
    if not fields or front.status not in _WHOLE:
        return WithFields(text, tuple(fields))
    room = _MAX_BYTES - sum(len(line.encode()) for line in block.lines) if block else _MAX_BYTES
    new, left = _fitting(fields, front.fields, room)
    lines = [f"{written(key)}: {_value(value)}\n" for key, value in new]
    end = source.line_end_at(len(text.partition("\n")[0]) + 1)
    if block is None:
        lines = ["---\n", *lines, "---\n"]
    at = source.starts[block.line_end - 1] if block else 0
    added = "".join(lines).replace("\n", end)
    after = text[:at] + added + text[at:]
    is_read = _are_read(new, after, front.fields)
    return WithFields(after, left) if new and is_read else WithFields(text, tuple(fields))


def _fitting(
    fields: Iterable[Field], held: Iterable[str], room: int
) -> tuple[list[Field], tuple[Field, ...]]:
    """The fields that a block has room for, each key once."""
    seen = {_same(key) for key in held}
    new, left = list[Field](), list[Field]()
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
        return written(value, is_flow=is_flow, is_text=is_flow)
    if isinstance(value, list):
        return f"[{', '.join(_value(item, is_flow=True) for item in value)}]"
    pairs = (f"{written(key)}: {_value(item, is_flow=True)}" for key, item in value.items())
    return f"{{{', '.join(pairs)}}}"


def _are_read(new: Sequence[Field], text: str, before: Iterable[str]) -> bool:
    """Whether the reader finds just what was there and what is new."""
    loaded = load("", Source("", text).lines).front_matter
    is_whole = loaded.status in _WHOLE and set(loaded.fields) == {*before, *dict(new)}
    return is_whole and all(loaded.fields.get(key) == value for key, value in new)
