"""Setting and removing single fields of a front matter; every other byte stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from memwiki.errors import NotFoundError, UsageError
from memwiki.markdown.edit.properties import (
    is_by_property,
    property_of,
    set_property,
    unset_property,
)
from memwiki.markdown.edit.yaml.head import YamlField, YamlHead, flow_list, replaced
from memwiki.markdown.edit.yaml.nodes import YamlKind, YamlNode, written
from memwiki.markdown.fields import WIKILINK, canonical, is_link, tags_and_links
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.names import is_encodable
from memwiki.nouns import FieldValue
from memwiki.patterns import pattern

Wanted: TypeAlias = "str | Sequence[str]"

_KEY = pattern(r"[^\W\d][\w.-]*(?: [\w.-]+)*\Z")
_LISTS = frozenset({"tags", "aliases"})
# What other readers, too, have to take for text: a title 1917 is no number.
_TEXTS = _LISTS | {"title", "description", "type", "status", "id"}
_BLOCK_HEADER = pattern(r"[|>][-+\d]*([ \t]+#[^\n]*)?")


def set_field(page: Outline, name: str, value: Wanted) -> Outline:
    """The page with one field set, on the line where it stands or on a new one."""
    for text in [name, *([value] if isinstance(value, str) else value)]:
        if not is_encodable(text):
            raise UsageError(f"{text!r}: is not text", "give it as UTF-8")
    if page.is_logseq and is_by_property(page, name):
        return set_property(page, name, value)
    head = YamlHead(page)
    field = head.field(name)
    if field:
        return _changed(head, field, _wanted(value, field))
    _require_new(head, name)
    return _added(head, name, _wanted(value, None, name))


def unset_field(page: Outline, name: str) -> Outline:
    """The page without one field."""
    if existing := property_of(page, name):
        return unset_property(page, existing)
    head = YamlHead(page)
    field = head.field(name)
    if field is None:
        names = (*(each.key for each in page.properties), *(each.name for each in head.fields))
        known = ", ".join(names) or "none"
        raise NotFoundError.at(page.path, f"has no field {name}", f"it has {known}")
    expected = {key: value for key, value in head.values.items() if key != field.name}
    return head.rewritten([head.without_lines(field.first, field.last)], expected, field.first)


def _require_new(head: YamlHead, name: str) -> None:
    """Refuse a key that YAML would not take as it is, or that says again what another one says."""
    if not _KEY.match(name):
        raise UsageError(
            f"{name or 'the key'}: cannot be written as a key",
            "a key is a word: letters, digits, - _ . and single blanks",
        )
    other = head.other_spelling(name)
    if other:
        raise UsageError.at(
            head.page.path,
            f"{other.name} means the same as {name}",
            f"set {other.name} instead",
            line=other.first + 1,
        )


def _wanted(value: Wanted, field: YamlField | None, name: str = "") -> FieldValue:
    """What the field is to hold: a list where one is written, or where the key means one."""
    known = canonical(field.name if field else name)
    is_list = known in _LISTS or (field is not None and field.value.kind is YamlKind.LIST)
    if isinstance(value, str) and not is_list:
        return value
    items = value.split(",") if isinstance(value, str) else list(value)
    if known == "tags":
        return list(tags_and_links(list(items)))
    return [item.strip() for item in items if item.strip()]


# --- a field that stands there ---


def _changed(head: YamlHead, field: YamlField, wanted: FieldValue) -> Outline:
    node = field.value
    if _is_held(node, wanted):
        return head.page
    if node.kind is YamlKind.MAP or node.is_marked:
        head.refuse(f"{field.name} holds nested values or an anchor", field.first)
    if node.kind is YamlKind.LIST:
        patches, after = _list_patches(head, field, wanted), wanted
    else:
        patches, after = _scalar_patches(head, field, wanted)
    return head.with_value(field, patches, after)


def _is_held(node: YamlNode, wanted: FieldValue) -> bool:
    if node.kind is YamlKind.ALIAS:
        return False
    value = node.plain()
    return value == wanted or (wanted == [] and value == "")


def _list_patches(head: YamlHead, field: YamlField, wanted: FieldValue) -> list[Patch]:
    if any(item.kind is not YamlKind.SCALAR or item.is_block_text for item in field.value.items):
        head.refuse(f"{field.name} holds nested values", field.first)
    return replaced(head, field.value, [str(item) for item in wanted])


def _scalar_patches(
    head: YamlHead, field: YamlField, wanted: FieldValue
) -> tuple[list[Patch], FieldValue]:
    """The patch of a value that is one text, and what it reads as."""
    node = field.value
    after = wanted
    if isinstance(wanted, list) and node.plain():
        after = _joined(str(node.plain()), [str(item) for item in wanted])
    text = _as_value(field.name, after, node)
    if node.is_block_text:
        return [_block_patch(head, field, text)], after
    return [head.value_patch(node, text)], after


def _joined(existing: str, items: Sequence[str]) -> FieldValue:
    """Items in the style of the text that held such a list; as a list where that cannot say it."""
    if any("," in item or is_link(item) for item in items):
        return list(items)
    bare = WIKILINK.sub("", existing)
    if bare.startswith("[") and bare.endswith("]"):
        return f"[{', '.join(items)}]"
    is_blank = " " in existing and "," not in existing and not any(" " in item for item in items)
    return (" " if is_blank else ", ").join(items)


def _as_value(name: str, wanted: FieldValue, node: YamlNode) -> str:
    if not isinstance(wanted, str):
        return flow_list([str(item) for item in wanted])
    return written(wanted, quote=node.quote, is_text=canonical(name) in _TEXTS)


def _block_patch(head: YamlHead, field: YamlField, text: str) -> Patch:
    """One line instead of a text of several; a comment on its first line stays."""
    start, end = head.at(field.value.start), head.page.end_of(field.last)
    header = _BLOCK_HEADER.match(head.page.lines[field.first], head.column_of(field.value.start))
    comment = (header[1] or "") if header else ""
    return Patch(start, end, text + comment)


# --- a new field ---


def _added(head: YamlHead, name: str, wanted: FieldValue) -> Outline:
    node = YamlNode(YamlKind.SCALAR, 0, 0)
    return head.with_new_lines(f"{name}: {_as_value(name, wanted, node)}", name, wanted)
