"""A graph into the pages of its entities: new ones, and what is missing on those that are there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from memwiki.answers.knowledge import Entity, Graph, Relation
from memwiki.errors import UsageError
from memwiki.markdown.edit.sections import appended
from memwiki.markdown.edit.yaml.scalars import written
from memwiki.markdown.outline import Outline, PageKind, outline_of
from memwiki.markdown.stretches import below_headings
from memwiki.memory.knowledge.exact import (
    MAX_NAME,
    as_exact,
    shown_name,
    shown_type,
)
from memwiki.memory.knowledge.graph import loose_path, united
from memwiki.memory.knowledge.items import (
    id_of,
    is_linkable,
    loose_item,
    observation_item,
    relation_item,
)
from memwiki.memory.knowledge.pages import EntityPages, Held, relations_on, said_by
from memwiki.memory.knowledge.reading import OBSERVATIONS, RELATIONS, ours
from memwiki.memory.placing import own_lines
from memwiki.names import fold
from memwiki.pages.text.new import NewPage, skeleton
from memwiki.pages.text.written import changed

_MAX_BYTES = 1 << 40  # how large a page may be is for whoever writes it
_ID = re.compile(r"\^(m-[A-Za-z0-9]+)")
_TICK = timedelta(microseconds=1)


class WrittenPage(NamedTuple):
    """A page as it is to be; what it was made from is None for a new one."""

    path: str
    before: bytes | None
    data: bytes


class _Added(NamedTuple):
    """What is missing on the page of one entity."""

    file: Held
    observations: list[str]
    relations: list[Relation]


def why_no_entity(name: str, type_: str) -> str:
    """Why nothing can be called so; "" when it can."""
    longest = max(len(name), len(type_))
    return (
        f"a name or type of {longest} characters; at most {MAX_NAME}" if longest > MAX_NAME else ""
    )


def added(pages: EntityPages, graph: Graph, now: datetime) -> tuple[WrittenPage, ...]:
    """The pages that change when a graph is added: what is known already is left out.

    An entity that has a page keeps its type. Relations from what has no page go to a page of
    their own.
    """
    found: dict[str, _Added] = {}
    for entity in united(graph.entities).values():
        if reason := why_no_entity(entity.name, entity.type):
            raise UsageError(f"{shown_name(entity.name)}: {reason}", hint="shorten it")
        one = _of(found, pages.find(entity.name) or pages.make(entity))
        one.observations.extend(_missing(one.file, entity))
    loose = list[Relation]()
    for relation in dict.fromkeys(graph.relations):
        source = pages.find(relation.source)
        if source is None:
            loose.append(relation)
        elif relation not in pages.loose and relation not in pages.relations_of(source):
            pages.relations_of(source).add(relation)
            _of(found, source).relations.append(relation)
    last = max([now - _TICK, *pages.moments()])
    return (*_written(pages, found.values(), last), *_with_loose(pages, loose, now))


def with_observations(
    pages: EntityPages, texts: Mapping[str, Sequence[str]], now: datetime
) -> Iterable[WrittenPage]:
    """The pages of known entities with further observations, whatever is said on them."""
    found: dict[str, _Added] = {}
    for name, each in texts.items():
        if file := pages.find(name):
            _of(found, file).observations.extend(each)
    return _written(pages, found.values(), now)


def _of(found: dict[str, _Added], file: Held) -> _Added:
    return found.setdefault(file.path, _Added(file, [], []))


def _missing(file: Held, entity: Entity) -> Iterable[str]:
    if file.content is None:
        return entity.observations
    known = {*file.content.observations, *file.content.gone}
    return (each for each in entity.observations if each not in known)


def _written(pages: EntityPages, found: Iterable[_Added], last: datetime) -> Iterable[WrittenPage]:
    for one in found:
        file = one.file
        if file.before is None:
            last += _TICK
            page = _new_page(pages, one, last)
        elif one.observations or one.relations:
            page = outline_of(file.path, file.before, pages.layers)
        else:
            continue
        page = _with_items(pages, page, one)
        _require_said(pages, page, one)
        yield WrittenPage(file.path, file.before, page.data)


# --- a new page ---


def _new_page(pages: EntityPages, one: _Added, created: datetime) -> Outline:
    """A page with the name and type of its entity, and what a reader could not tell of them."""
    file, entity = one.file, one.file.entity
    title, type_ = shown_name(entity.name), shown_type(entity.type)
    exact = {"name": entity.name} if title != entity.name else {}
    exact |= {"entityType": entity.type} if type_ != entity.type else {}
    lines = [
        f"title: {written(title)}",
        f"type: {written(type_)}",
        f"created: {created.isoformat(timespec='microseconds')}",
        "origin: agent",
        *([f"exact: {written(as_exact({**exact}))}"] if exact else []),
    ]
    head = "\n".join(["---", *lines, "---", ""])
    body = skeleton(NewPage(file.path, title, ""))
    return outline_of(file.path, f"{head}\n{body}".encode(), pages.layers)


# --- items on a page ---


def _with_items(pages: EntityPages, page: Outline, one: _Added) -> Outline:
    if one.observations:
        page = _with(page, OBSERVATIONS, _observations(page, one.observations))
    if one.relations:
        lines = [_relation(pages, each) for each in one.relations]
        page = _with(page, RELATIONS, lines)
    return page


def _with(page: Outline, title: str, items: Sequence[str]) -> Outline:
    """The page with items below a heading, which is made where there is none."""
    whole = page.entry_reading.whole
    named = (s for s in page.sections if fold(s.title) == fold(title) and s.level > 1)
    section = next((own_lines(page, each) for each in named if each not in whole), None)
    text = "\n".join(items)
    splice = appended(page, text if section else f"## {title}\n\n{text}", section)
    return changed(page, splice, _MAX_BYTES)


def _observations(page: Outline, texts: Sequence[str]) -> list[str]:
    """The items of observations; with ids, which make the page one of entries, where every item
    of it may be one."""
    is_bare = not _takes_entries(page)
    taken = set(_ID.findall(page.text))
    items = []
    for text in texts:
        id_ = "" if is_bare else _free_id(page.path, text, taken)
        items.append(observation_item(text, id_))
    return items


def _takes_entries(page: Outline) -> bool:
    runs = below_headings(page.structure.items, page.sections)
    is_ours = page.kind is PageKind.PLAIN and all(ours(section) for section, _ in runs)
    return is_ours or page.kind is PageKind.COLLECTING


def _free_id(path: str, text: str, taken: set[str]) -> str:
    """The id of an entry by its words and its page: the same whenever they are imported."""
    id_ = id_of(path, text)
    while id_ in taken:
        id_ = id_of(path, text, id_)
    taken.add(id_)
    return id_


def _relation(pages: EntityPages, relation: Relation) -> str:
    file = pages.find(relation.target)
    if file:
        target = pages.link_to(file.path)
    elif is_linkable(relation.target):
        target = relation.target
    else:
        target = pages.link_to(pages.free_path(relation.target))
    return relation_item(relation.type, target, relation.target, is_known=file is not None)


def _require_said(pages: EntityPages, page: Outline, one: _Added) -> None:
    """Refuse a page that would not say what was there and what is new, and nothing else."""
    file = one.file
    now = said_by(page.path, page.data, pages.layers, private=pages.has_private)
    before = file.content.links if file.content else ()
    if now is None:
        raise _unreadable(page)
    is_complete = (now.name, now.type) == (file.entity.name, file.entity.type)
    is_complete &= Counter(now.observations) == Counter(
        [*file.entity.observations, *one.observations]
    )
    is_complete &= set(before) <= set(now.links)
    is_complete &= len(now.links) <= len(before) + len(one.relations)
    if not (is_complete and set(one.relations) <= set(relations_on(pages, now))):
        raise _unreadable(page)


def _unreadable(page: Outline) -> UsageError:
    return UsageError(
        f"{page.path}: what is added there would be read otherwise than it is given",
        hint="look for code or HTML on that page that is not closed",
        path=page.path,
    )


# --- relations whose source has no page ---


def _with_loose(
    pages: EntityPages, relations: Sequence[Relation], now: datetime
) -> Iterable[WrittenPage]:
    path = loose_path(pages.layers)
    before = pages.loose_before
    new = [each for each in relations if each not in pages.loose]
    if not new:
        return
    head = f"---\ntitle: Loose relations\ntype: memory\ncreated: {now.date().isoformat()}\n---\n"
    page = outline_of(path, head.encode() if before is None else before, pages.layers)
    taken = set(_ID.findall(page.text))
    items = [loose_item(each, _free_id(path, "\0".join(each), taken)) for each in new]
    page = _with(page, RELATIONS, items)
    yield WrittenPage(path, before, page.data)
