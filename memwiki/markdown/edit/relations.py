"""Links in a front matter: items of `related` and `relations`, added and taken out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from memwiki.entry_fields import canonical
from memwiki.errors import UsageError
from memwiki.markdown.edit.fields import is_by_property, with_property_link
from memwiki.markdown.edit.yaml import (
    YamlField,
    YamlHead,
    YamlKind,
    YamlNode,
    append_items,
    drop_items,
    item_text,
    scalar_text,
)
from memwiki.markdown.fields import links_of, split_tags
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.names import fold
from memwiki.nouns import FieldValue, Link

RelationFields: TypeAlias = Mapping[str, str]
Means = Callable[[Link], bool]  # whether a link leads to the page in question


class RelationSpan(NamedTuple):
    """Where a front matter links to a page; `number` is the item, -1 for a value that is no
    list."""

    field: YamlField
    number: int
    relation: str
    weight: float
    is_alone: bool  # no other link stands in the same item


def relation_spans(page: Outline, means: Means) -> list[RelationSpan]:
    """Every item of the front matter that links to the page."""
    if page.front.is_toml and not any(map(means, page.front_links)):
        return []
    head = YamlHead(page)
    return [location for field in head.fields for location in _places_in(field, means)]


def _places_in(field: YamlField, means: Means) -> list[RelationSpan]:
    if canonical(field.name) == "sources":
        return []
    found = []
    for number, value in _items(field.value):
        links = list(links_of(field.name, value))
        tags = canonical(field.name) == "tags" and split_tags(value)
        found += [
            RelationSpan(field, number, link.relation, link.weight, len(links) == 1 and not tags)
            for link in links
            if means(link)
        ]
    return found


def _items(node: YamlNode) -> list[tuple[int, FieldValue]]:
    """The items of a list, each as a list of its own; any other value as it is."""
    if node.kind is not YamlKind.LIST or _is_wikilink(node):
        return [(-1, node.plain())]
    return [(number, [item.plain()]) for number, item in enumerate(node.items)]


def without_spans(page: Outline, gone: Sequence[RelationSpan]) -> Outline:
    """The page without some items; a field goes when nothing is left in it."""
    head = YamlHead(page)
    patches, expected = list[Patch](), dict(head.values)
    for field in head.fields:
        numbers = {location.number for location in gone if location.field.name == field.name}
        if not numbers:
            continue
        if -1 in numbers or len(numbers) == len(field.value.items):
            patches.append(head.without_lines(field.first, field.last))
            del expected[field.name]
            continue
        patches += drop_items(head, field.value, numbers)
        kept = (item for n, item in enumerate(field.value.items) if n not in numbers)
        expected[field.name] = [item.plain() for item in kept]
    return head.rewritten(patches, expected, gone[0].field.first)


def _is_wikilink(node: YamlNode) -> bool:
    """Whether it is an unquoted `[[name]]`, which YAML reads as a list in a list."""
    is_nested = len(node.items) == 1 and node.items[0].kind is YamlKind.LIST
    return node.is_flow and is_nested and not any(i.items for i in node.items[0].items)


# --- adding ---


def with_item(page: Outline, key: str, name: str, relation: RelationFields) -> Outline:
    """The page with one more link: the name in the list `key`, or a relation to it.

    `relation` holds what stands beside the target (type, weight); empty for a plain link.
    """
    if page.is_logseq and is_by_property(page, relation.get("type", key)):
        if "weight" in relation:
            raise UsageError("{weight}: a property of Logseq has none", "leave it out")
        return with_property_link(page, relation.get("type", key), name)
    head = YamlHead(page)
    alike = [field for field in head.fields if fold(field.name) == fold(key)]
    alike += [field for field in head.fields if canonical(field.name) == key]
    field = next(iter(alike), None)
    if field is None or field.value.is_missing:
        return _with_list(head, key, field, name, relation)
    node, after = field.value, head.values[field.name]
    if node.kind is YamlKind.MAP or node.is_marked or node.is_block_text:
        head.refuse(f"{field.name} is written in another way than a list", field.first)
    if _is_wikilink(node) and not relation:
        text = scalar_text(f"[[{name}]]", is_flow=True)
        patches = [
            head.node_patch(node.start, node.start, "["),
            head.node_patch(node.end, node.end, f", {text}]"),
        ]
        expected: FieldValue = [node.plain(), f"[[{name}]]"]
        return head.with_value(field, patches, expected)
    if node.kind is YamlKind.LIST:
        value, text = _as_item(head, node, name, relation)
        expected = [*(item.plain() for item in node.items), value]
        return head.with_value(field, append_items(head, node, [text]), expected)
    return _beside(head, field, str(after), name, relation)


def _as_item(
    head: YamlHead, node: YamlNode, name: str, relation: RelationFields
) -> tuple[FieldValue, str]:
    """A link as an item of a list, like the last one there."""
    last = node.items[-1] if node.items else None
    if not relation:
        is_wikilink = last is None or last.kind is YamlKind.LIST or "[[" in last.value
        text = f"[[{name}]]" if is_wikilink else name
        return text, item_text(text, node)
    target = f"[[{name}]]" if last and "[[" in str(last.plain()) else name
    is_block = last is not None and last.kind is YamlKind.MAP and not last.is_flow
    if not is_block or last is None or node.is_flow:
        return _flow_map(target, relation)
    value = {"type": relation["type"], "target": target, **relation}
    indent = "\n" + " " * head.column_of(last.start)
    return dict(value), indent.join(f"{key}: {_weighed(key, v)}" for key, v in value.items())


def _flow_map(target: str, relation: RelationFields) -> tuple[FieldValue, str]:
    """A relation to a target as a map in braces: what it reads as, and how it is written."""
    value = {"type": relation["type"], "target": target, **relation}
    pairs = (f"{key}: {_weighed(key, v, is_flow=True)}" for key, v in value.items())
    return dict(value), f"{{{', '.join(pairs)}}}"


def _weighed(key: str, value: str, *, is_flow: bool = False) -> str:
    return scalar_text(value, is_flow=is_flow, is_text=key != "weight")


def _beside(
    head: YamlHead, field: YamlField, existing: str, name: str, relation: RelationFields
) -> Outline:
    """A link beside the single one that stands there: in its text, or as a list of both."""
    node = field.value
    if "[[" in existing and not relation:
        value: FieldValue = f"{existing}, [[{name}]]"
        text = scalar_text(str(value), quote=node.quote)
    else:
        more: FieldValue = name
        item = scalar_text(name, quote=node.quote, is_flow=True)
        if relation:
            more, item = _flow_map(name, relation)
        value = [existing, more]
        text = f"[{scalar_text(existing, quote=node.quote, is_flow=True)}, {item}]"
    return head.with_value(field, [head.value_patch(node, text)], value)


def _with_list(
    head: YamlHead, key: str, field: YamlField | None, name: str, relation: RelationFields
) -> Outline:
    """A new list with one link, in the style of the other lists of the page."""
    value: FieldValue = f"[[{name}]]"
    item = scalar_text(f"[[{name}]]", is_flow=True)
    if relation:
        value, item = _flow_map(name, relation)
    if field:
        return head.with_value(field, [head.value_patch(field.value, f"[{item}]")], [value])
    lists = [each for each in head.fields if each.value.kind is YamlKind.LIST]
    is_flow = bool(lists) and all(each.value.is_flow for each in lists)
    return head.with_new_lines(
        f"{key}: [{item}]" if is_flow else f"{key}:\n  - {item}", key, [value]
    )
