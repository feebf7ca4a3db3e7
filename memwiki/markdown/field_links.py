"""Links that stand in front matter: wikilinks, typed relations, sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from memwiki.markdown.fields import WIKILINK, canonical, is_link, items_of, strings, tag_items
from memwiki.markdown.links import markdown_link, wikilink
from memwiki.nouns import FieldValue, FrontMatter, Link, LinkKind

LABELLED = re.compile(r"\[([^\[\]\n]*)\]\(([^()\s]+)\)\Z")
ONE_WORD = re.compile(r"[^\W\d][\w-]*\Z")
_PLAIN_KEYS = frozenset(
    "id title description type tags aliases created updated status"
    " sources related relations".split()
)
_SOURCE_KEYS = {"sources": LinkKind.SOURCE, "related": LinkKind.RELATED}
_WIKILINK_KINDS = {"sources": LinkKind.CITED}
_RELATION_KEYS = frozenset({"supersedes", "superseded_by", "up", "parent"})
_LINKED_KEYS = _SOURCE_KEYS.keys() | _RELATION_KEYS | {"relations", "tags"}
_TARGET_KEYS = ("target", "path", "file", "resource", "url", "page", "note", "id", "title", "name")
MAX_LINKS = 5_000


def field_links(front_matter: FrontMatter, lines: list[str]) -> tuple[Link, ...]:
    """Every link of the front matter with its line; keys name relations where they are words."""
    links: list[Link] = []
    key_lines: dict[str, int] = {}
    for key, value in front_matter.fields.items():
        if not isinstance(value, str) or "[[" in value or canonical(key) in _LINKED_KEYS:
            found = list(links_of(key, value))
            if not found:
                continue
            key_lines = key_lines or _key_lines(front_matter, lines)
            at = key_lines.get(key, front_matter.line_start)
            links += _with_lines(found, lines[: front_matter.line_end], at)
        if len(links) > MAX_LINKS:
            break
    return tuple(links[:MAX_LINKS])


def links_of(key: str, value: FieldValue) -> Iterator[Link]:
    """The links that the value of a field means, without their lines."""
    name = canonical(key)
    if name == "relations":
        yield from _relations(value)
        return
    if name == "tags":
        for text in (text for item in tag_items(value) for text in strings(item)):
            yield from _wikilinks(text, "")
            if is_link(text):
                yield from _target(text, LinkKind.FRONT_MATTER, "")
        return
    relation = name if name not in _PLAIN_KEYS and ONE_WORD.match(name) else ""
    for item in items_of(value):
        found = list(_wikilinks(item, relation, _WIKILINK_KINDS.get(name)))
        yield from found
        if found:
            continue
        if name in _SOURCE_KEYS:
            yield from _target(item, _SOURCE_KEYS[name], "")
        elif name in _RELATION_KEYS:
            yield from _target(item, LinkKind.FRONT_MATTER, name)


def _wikilinks(value: FieldValue, relation: str, kind: LinkKind | None = None) -> Iterator[Link]:
    for text in strings(value):
        for match in WIKILINK.finditer(text):
            link = wikilink(match[1], 0, kind or LinkKind.FRONT_MATTER, relation)
            if link:
                yield link


def _target(value: FieldValue, kind: LinkKind, relation: str) -> Iterator[Link]:
    """A path, name or URL, plain, as a markdown link, or under the usual key of a map."""
    if isinstance(value, dict):
        value = next((value[k] for k in _TARGET_KEYS if value.get(k)), "")
    for text in strings(value):
        label, target = "", text
        if match := LABELLED.match(text):
            label, target = match[1], match[2]
        link = markdown_link(target, label, 0, kind)
        if link:
            yield link._replace(relation=relation)


def _relations(value: FieldValue) -> Iterator[Link]:
    """`[{type, target, weight}]`, `{type: target}`, or plain targets."""
    if isinstance(value, dict) and not ("target" in value or "type" in value):
        for relation, targets in value.items():
            for item in items_of(targets):
                yield from _related(item, relation)
        return
    for item in items_of(value):
        yield from _relation(item) if isinstance(item, dict) else _related(item, "")


def _relation(item: Mapping[str, FieldValue]) -> Iterator[Link]:
    if "type" not in item and "relation" not in item and len(item) == 1:
        relation, target = next(iter(item.items()))
    else:
        relation = next(iter(strings(item.get("type") or item.get("relation") or "")), "")
        target = next((item[k] for k in ("target", "to", *_TARGET_KEYS) if item.get(k)), "")
    yield from _related(target, relation, _weight(item.get("weight", "")))


def _related(target: FieldValue, relation: str, weight: float = 1.0) -> Iterator[Link]:
    links = list(_wikilinks(items_of(target), relation))
    for link in links or _target(target, LinkKind.FRONT_MATTER, relation):
        yield link._replace(weight=weight)


def _weight(value: FieldValue) -> float:
    try:
        weight = float(value) if isinstance(value, str) and value else 1.0
    except ValueError:
        return 1.0
    return min(1.0, max(0.0, weight))


def _key_lines(front_matter: FrontMatter, lines: list[str]) -> dict[str, int]:
    """The first line on which each key stands, at its beginning if there is one."""
    whole, begun = dict[str, int](), dict[str, int]()
    for i in range(front_matter.line_start, front_matter.line_end):
        name, colon, _ = lines[i].partition(":")
        if colon:
            whole.setdefault(name.strip("\"' "), i)
            begun.setdefault(name.lstrip("\"' -").rstrip("\"' "), i)
    return {**begun, **whole}


def _with_lines(links: Iterable[Link], lines: list[str], at: int) -> Iterator[Link]:
    """Targets come in the order they were written, so one walk down the block finds their lines."""
    for link in links:
        needle = link.written or link.heading or link.block
        near = range(at, min(at + 200, len(lines)))
        # `[[ai` before `ai`, which stands in many a word.
        found = (i for form in (f"[[{needle}", needle) for i in near if form in lines[i])
        at = next(found, at)
        yield link._replace(line=at + 1)
