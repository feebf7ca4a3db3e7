"""Tags in a front matter: added, taken out and renamed in the style they are written in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.edit.properties import (
    changed_property_tags,
    is_by_property,
    property_tags,
    with_property_tags,
)
from memwiki.markdown.edit.yaml.head import YamlField, YamlHead
from memwiki.markdown.edit.yaml.lists import added, dropped, flow_list, item_text
from memwiki.markdown.edit.yaml.nodes import YamlKind, YamlNode
from memwiki.markdown.edit.yaml.scalars import written
from memwiki.markdown.fields import (
    WIKILINK,
    canonical,
    is_link,
    split_tags,
    tag_items,
    tags_and_links,
)
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.names import fold
from memwiki.nouns import FieldValue

_SEPARATORS = re.compile(r"([,，、\n])")
_MARK = re.compile("\0")  # where a link stood
_BLANKS = re.compile(r"(\s+)")
_BEFORE = re.compile(r"[\s\0\[\]\"'#/]*+")
_AFTER = "\0[]\"'/"


def field_tags(page: Outline) -> tuple[str, ...]:
    """The tags in the front matter and the properties, as spelled."""
    head = YamlHead(page)
    return tuple(dict.fromkeys((*property_tags(page), *_tags_of(head))))


def _tags_of(head: YamlHead) -> Iterator[str]:
    for field in _tag_fields(head):
        yield from split_tags(field.value.plain())


def added_tags(page: Outline, tags: Sequence[str]) -> Outline:
    """The page with more tags in its front matter, or its properties."""
    if page.is_logseq and is_by_property(page, "tags"):
        return with_property_tags(page, tags)
    head = YamlHead(page)
    field = head.field("tags")
    node = field.value if field else None
    if field is None or node is None or node.kind is not YamlKind.LIST:
        there = tags_and_links(node.plain()) if node else []
        return set_field(page, "tags", [*dict.fromkeys((*there, *field_tags(page))), *tags])
    items = tag_items(node.plain())
    if node.is_flow and len(items) == 1 and items != node.plain():
        # An unquoted `[[x]]` that more stands beside is a wikilink no longer.
        whole = [*tags_and_links(items), *tags]
        patch = head.node_patch(node.start, node.end, flow_list(whole))
        return head.with_value(field, [patch], [*whole])
    patches = added(head, node, [item_text(tag, node) for tag in tags])
    existing = [value for item in node.items if (value := item.plain())]
    return head.with_value(field, patches, [*existing, *tags])


def _tag_fields(head: YamlHead) -> list[YamlField]:
    return [field for field in head.fields if canonical(field.name) == "tags"]


def changed_tags(page: Outline, change: Callable[[str], str]) -> Outline:
    """The page with each tag of its front matter as `change` gives it; "" takes it out.

    A tag that already exists does not come in twice.
    """
    page = changed_property_tags(page, change)
    head = YamlHead(page)
    fields = _tag_fields(head)
    existing = {fold(tag) for tag in _tags_of(head) if change(tag) == tag}
    patches, expected = [], dict(head.values)
    for field in fields:
        more, value = _changed(head, field, change, existing)
        patches += more
        expected[field.name] = value
    if not patches:
        return page
    return head.rewritten(patches, expected, fields[0].first)


def _changed(
    head: YamlHead, field: YamlField, change: Callable[[str], str], existing: set[str]
) -> tuple[list[Patch], FieldValue]:
    node = field.value
    if node.kind is YamlKind.LIST:
        return _changed_list(head, node, change, existing)
    before = node.plain()
    if node.kind is not YamlKind.SCALAR or not isinstance(before, str):
        return [], before
    after = _changed_text(before, change, existing)
    if after == before:
        return [], before
    if node.is_block_text or node.is_marked:
        head.refuse(f"{field.name} is written over several lines", field.first)
    return [head.node_patch(node.start, node.end, written(after, quote=node.quote))], after


def _changed_list(
    head: YamlHead, node: YamlNode, change: Callable[[str], str], existing: set[str]
) -> tuple[list[Patch], FieldValue]:
    patches, gone, values = [], list[int](), list[FieldValue]()
    for number, item in enumerate(node.items):
        before = item.plain()
        if item.kind is not YamlKind.SCALAR or not isinstance(before, str):
            values.append(before)
            continue
        after = _changed_text(before, change, existing, is_item=True)
        if before and not after:
            gone.append(number)
            continue
        values.append(after)
        if after != before:
            new = written(after, quote=item.quote, is_flow=node.is_flow)
            patches.append(head.node_patch(item.start, item.end, new))
    return patches + dropped(head, node, gone), values


def _changed_text(
    text: str, change: Callable[[str], str], existing: set[str], *, is_item: bool = False
) -> str:
    """A text of tags, parted by commas or blanks, with each as `change` gives it."""
    if is_link(text):
        return text
    links = (match[0] for match in WIKILINK.finditer(text))
    text = WIKILINK.sub("\0", text)  # a mark for each
    separators = _SEPARATORS if is_item or _SEPARATORS.search(text) else _BLANKS
    parts = separators.split(text)
    kept: list[str] = []
    for part, separator in zip(parts[::2], ["", *parts[1::2]], strict=True):
        core = _core(part)
        new = change(core) if core else core
        if new == core:
            kept += [separator, part]
        elif new and fold(new) not in existing:
            kept += [separator, part.replace(core, new, 1)]
        else:  # a bracket around it stays
            kept.append(part.replace(core, "", 1).strip(" \t#\"'"))
    joined = "".join(kept)
    if "".join(parts) != joined:
        joined = _trimmed(joined, separators)
    return _MARK.sub(lambda _: next(links), joined)


def _core(part: str) -> str:
    """A part without quotes, brackets, blanks and slashes around it."""
    before = _BEFORE.match(part)
    start, end = before.end() if before else 0, len(part)
    while end > start and (part[end - 1] in _AFTER or part[end - 1].isspace()):
        end -= 1
    return part[start:end]


def _trimmed(text: str, separators: re.Pattern[str]) -> str:
    """Without what parted a tag that is gone from its neighbours."""
    if separators is _BLANKS or not text.startswith(("[", ",", "，", "、")):
        return text.strip()
    return re.sub(r"\A(\[?)\s*[,，、]?\s*", r"\1", text)
