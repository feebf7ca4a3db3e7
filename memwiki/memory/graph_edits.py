"""What changes a knowledge graph: which pages change, what is written on them, and what is taken
out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Generic, NamedTuple, TypeVar

from memwiki.answers.entries import Entity, Graph, Observed, Relation
from memwiki.errors import NotEditableError, NotFoundError, UsageError
from memwiki.markdown.edit.relations import relation_spans, without_spans
from memwiki.markdown.edit.sections import splice_at_end
from memwiki.markdown.edit.yaml import scalar_text
from memwiki.markdown.outline import Outline, PageKind, outline_of
from memwiki.markdown.stretches import below_headings
from memwiki.memory.entity_graph import (
    MAX_NAME,
    TypedLink,
    as_exact,
    id_of,
    is_linkable,
    loose_item,
    loose_path,
    merge_named,
    observation_item,
    relation_item,
    shown_name,
    shown_type,
)
from memwiki.memory.entity_pages import (
    OBSERVATIONS,
    RELATIONS,
    EntityFile,
    EntityPage,
    EntityPages,
    PageItem,
    content_of_page,
    items_on,
    loose_entries,
    name_of,
    own_heading,
    relations_on,
)
from memwiki.memory.patches import cuts, remove_entries
from memwiki.memory.placement import own_lines
from memwiki.names import fold
from memwiki.nouns import Link, LinkKind, Span
from memwiki.pages.edit import splice_page
from memwiki.pages.new import NewPage, skeleton
from memwiki.records import grouped
from memwiki.text import pattern

_MAX_BYTES = 1 << 40  # how large a page may be is for whoever writes it
_ID = pattern(r"\^(m-[A-Za-z0-9]+)")
_TICK = timedelta(microseconds=1)


class WrittenPage(NamedTuple):
    """A page as it is to be; what it was made from is None for a new one."""

    path: str
    before: bytes | None
    data: bytes


class _MissingContent(NamedTuple):
    """What is missing on the page of one entity."""

    file: EntityFile
    observations: list[str]
    relations: list[Relation]


def why_no_entity(name: str, type_: str) -> str:
    """Why nothing can be called so; "" when it can."""
    longest = max(len(name), len(type_))
    return (
        f"a name or type of {longest} characters; at most {MAX_NAME}" if longest > MAX_NAME else ""
    )


def with_graph(pages: EntityPages, graph: Graph, now: datetime) -> tuple[WrittenPage, ...]:
    """The pages that change when a graph is added: what is known already is left out.

    An entity that has a page keeps its type. Relations from what has no page go to a page of
    their own.
    """
    found: dict[str, _MissingContent] = {}
    for entity in merge_named(graph.entities).values():
        if reason := why_no_entity(entity.name, entity.type):
            raise UsageError(f"{shown_name(entity.name)}: {reason}", "shorten it")
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
    return (*_written_pages(pages, found.values(), last), *_with_loose(pages, loose, now))


def with_observations(
    pages: EntityPages, texts: Mapping[str, Sequence[str]], now: datetime
) -> Iterable[WrittenPage]:
    """The pages of known entities with further observations, whatever is said on them."""
    found: dict[str, _MissingContent] = {}
    for name, each in texts.items():
        if file := pages.find(name):
            _of(found, file).observations.extend(each)
    return _written_pages(pages, found.values(), now)


def _of(found: dict[str, _MissingContent], file: EntityFile) -> _MissingContent:
    return found.setdefault(file.path, _MissingContent(file, [], []))


def _missing(file: EntityFile, entity: Entity) -> Iterable[str]:
    if file.content is None:
        return entity.observations
    known = {*file.content.observations, *file.content.gone}
    return (each for each in entity.observations if each not in known)


def _written_pages(
    pages: EntityPages, found: Iterable[_MissingContent], last: datetime
) -> Iterable[WrittenPage]:
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
        _require_content(pages, page, one)
        yield WrittenPage(file.path, file.before, page.data)


# --- a new page ---


def _new_page(pages: EntityPages, one: _MissingContent, created: datetime) -> Outline:
    """A page with the name and type of its entity, and what a reader could not tell of them."""
    file, entity = one.file, one.file.entity
    title, type_ = shown_name(entity.name), shown_type(entity.type)
    exact = {"name": entity.name} if title != entity.name else {}
    if type_ != entity.type:
        exact["entityType"] = entity.type
    lines = [
        f"title: {scalar_text(title)}",
        f"type: {scalar_text(type_)}",
        f"created: {created.isoformat(timespec='microseconds')}",
        "origin: agent",
        *([f"exact: {scalar_text(as_exact({**exact}))}"] if exact else []),
    ]
    head = "\n".join(["---", *lines, "---", ""])
    body = skeleton(NewPage(file.path, title, ""))
    return outline_of(file.path, f"{head}\n{body}".encode(), pages.layers)


# --- items on a page ---


def _with_items(pages: EntityPages, page: Outline, one: _MissingContent) -> Outline:
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
    splice = splice_at_end(page, text if section else f"## {title}\n\n{text}", section)
    return splice_page(page, splice, _MAX_BYTES)


def _observations(page: Outline, texts: Sequence[str]) -> list[str]:
    """The items of observations; with ids, which make the page one of entries, where every item
    of it may be one."""
    runs = below_headings(page.structure.items, page.sections)
    is_ours = page.kind is PageKind.PLAIN and all(own_heading(section) for section, _ in runs)
    is_bare = not (is_ours or page.kind is PageKind.COLLECTING)
    taken = set(_ID.findall(page.text))
    items = []
    for text in texts:
        id_ = "" if is_bare else _free_id(page.path, text, taken)
        items.append(observation_item(text, id_))
    return items


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


def _require_content(pages: EntityPages, page: Outline, one: _MissingContent) -> None:
    """Refuse a page that would not say what was there and what is new, and nothing else."""
    file = one.file
    now = content_of_page(page.path, page.data, pages.layers, private=pages.has_private)
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
    return UsageError.at(
        page.path,
        "what is added there would be read otherwise than it is given",
        "look for code or HTML on that page that is not closed",
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


_ALONE = pattern(r"[ \t]*(?:[^\[\]:\n]+::[ \t]*)?\[\[[^\[\]\n]+\]\][ \t]*\Z")


def without_observations(
    pages: EntityPages, file: EntityFile, gone: Collection[str]
) -> Iterator[WrittenPage]:
    """The page of an entity without observations of exactly these words."""
    if file.before is None or file.content is None or not {*file.content.observations} & {*gone}:
        return
    page = outline_of(file.path, file.before, pages.layers)
    found = [
        each
        for each in items_on(page)
        if each.is_observed and each.item.observation in gone and _is_in_force(pages, each)
    ]
    after = page.edited(cuts(page, [(each.first, each.end) for each in found]))
    links = {link for each in found for link in each.item.links}
    kept = Counter(each for each in file.content.observations if each not in gone)
    now = _content(pages, after)
    if Counter(now.observations) != kept or {*file.content.links} - {*now.links} - links:
        raise _refusal(page, found[0].first if found else 0)
    yield WrittenPage(file.path, file.before, after.data)


def without_relations(
    pages: EntityPages, file: EntityFile, gone: Collection[Relation]
) -> Iterator[WrittenPage]:
    """The page of an entity without these relations, wherever on it they are said."""
    if file.before is None or file.content is None or not pages.relations_of(file) & {*gone}:
        return
    page = outline_of(file.path, file.before, pages.layers)
    source = file.content.name
    doomed = _RelationSpans(pages, source, gone)
    lines = [*doomed.items(page), *doomed.lines(page)]
    after = page.edited(cuts(page, sorted(lines))) if lines else page
    spans = [each for each in relation_spans(after, doomed.means) if each.is_alone]
    if spans:
        after = without_spans(after, spans)
    now = set(relations_on(pages, _content(pages, after)))
    if now != pages.relations_of(file) - {*gone}:
        raise _refusal(page, min((first for first, _ in lines), default=0))
    yield WrittenPage(file.path, file.before, after.data)


class _RelationSpans:
    """Where the relations of one page stand that are to go."""

    def __init__(self, pages: EntityPages, source: str, gone: Collection[Relation]) -> None:
        self._pages, self._source, self._gone = pages, source, gone

    def means(self, link: Link) -> bool:
        """Whether a link says one of them."""
        return self._is_gone(TypedLink(link.relation, link.written, link.text))

    def items(self, page: Outline) -> Iterator[Span]:
        """The lines of list items that say nothing but these."""
        for each in items_on(page):
            links = each.item.links
            is_whole = each.item.observation is None and links and all(map(self._is_gone, links))
            if is_whole and _is_in_force(self._pages, each):
                yield each.first, each.end

    def lines(self, page: Outline) -> Iterator[Span]:
        """The lines between the items that say one of these and nothing else."""
        inside = {n for first, end in page.structure.items for n in range(first + 1, end + 1)}
        for link in page.links:
            is_text = link.kind is not LinkKind.ENTRY and link.line > page.start
            is_beside = is_text and link.line not in inside
            is_alone = is_beside and _ALONE.match(page.lines[link.line - 1])
            if is_alone and link.relation and self.means(link):
                yield link.line - 1, link.line

    def _is_gone(self, link: TypedLink) -> bool:
        return Relation(self._source, name_of(self._pages, link), link.type) in self._gone


def _is_in_force(pages: EntityPages, each: PageItem) -> bool:
    """Whether an item holds, and may be known."""
    return not each.item.is_superseded and (pages.has_private or not each.item.is_private)


def _content(pages: EntityPages, page: Outline) -> EntityPage:
    content = content_of_page(page.path, page.data, pages.layers, private=pages.has_private)
    if content is None:
        raise _refusal(page, 0)
    return content


def _refusal(page: Outline, line: int) -> NotEditableError:
    return NotEditableError(
        f"{page.path}: what is to go stands in one line with what stays",
        "edit the page by hand",
        path=page.path,
        line=line + 1,
    )


def without_loose(pages: EntityPages, gone: Iterable[Relation]) -> Iterator[WrittenPage]:
    """The page of relations whose source has no page, without these."""
    doomed = {each for each in gone if each in pages.loose}
    if not doomed or pages.loose_before is None:
        return
    page = outline_of(loose_path(pages.layers), pages.loose_before, pages.layers)
    found = [each for relation, each in loose_entries(page) if relation in doomed]
    after, removed = remove_entries(page, found)
    if len(removed) < len(found):
        raise _refusal(page, found[0].line_start - 1)
    yield WrittenPage(page.path, pages.loose_before, after.data)


T = TypeVar("T")


class GraphChange(NamedTuple, Generic[T]):
    """The pages as they are to be, and what of the request was new."""

    pages: tuple[WrittenPage, ...]
    new: tuple[T, ...] = ()
    gone: tuple[EntityFile, ...] = ()  # whose pages are deleted


def create_entities(
    pages: EntityPages, entities: Iterable[Entity], now: datetime
) -> GraphChange[Entity]:
    """Entities of names that are not known; of a name that comes twice the first one."""
    first: dict[str, Entity] = {}
    for entity in entities:
        first.setdefault(entity.name, entity)
    new = tuple(each for each in first.values() if pages.find(each.name) is None)
    return GraphChange(with_graph(pages, Graph(new), now), new)


def create_relations(
    pages: EntityPages, relations: Iterable[Relation], now: datetime
) -> GraphChange[Relation]:
    """Relations that are not known; neither end has to be."""
    new = tuple(each for each in dict.fromkeys(relations) if not _is_known(pages, each))
    return GraphChange(with_graph(pages, Graph((), new), now), new)


def _is_known(pages: EntityPages, relation: Relation) -> bool:
    of_source = pages.all_named(relation.source)
    return relation in pages.loose or any(relation in pages.relations_of(h) for h in of_source)


def add_observations(
    pages: EntityPages, observations: Iterable[Observed], now: datetime
) -> GraphChange[Observed]:
    """What was not observed of entities; NotFoundError where one of them is not known."""
    new: list[Observed] = []
    texts: dict[str, list[str]] = {}
    for name, given in observations:
        file = pages.find(name)
        if file is None:
            raise NotFoundError(f"Entity with name {name} not found", "create it first")
        known = {*file.entity.observations, *texts.get(name, ())}
        fresh = tuple(each for each in given if each not in known)
        texts.setdefault(name, []).extend(fresh)
        new.append(Observed(name, fresh))
    return GraphChange(tuple(with_observations(pages, texts, now)), tuple(new))


def delete_entities(
    pages: EntityPages, names: Iterable[str], linking: Iterable[str]
) -> GraphChange[Entity]:
    """No entities of these names, and no relations from or to them; `linking` are the pages that
    may say some."""
    gone = {*names}
    doomed = {file.path: file for name in gone for file in pages.all_named(name)}
    written = list[WrittenPage]()
    for file in pages.load(linking):
        if file.path not in doomed:
            unwanted = {each for each in pages.relations_of(file) if each.target in gone}
            written += without_relations(pages, file, unwanted)
    loose = [each for each in pages.loose if each.source in gone or each.target in gone]
    return GraphChange((*written, *without_loose(pages, loose)), gone=tuple(doomed.values()))


def delete_observations(pages: EntityPages, deletions: Iterable[Observed]) -> GraphChange[Observed]:
    """Without these observations, where they are known."""
    gone: dict[str, set[str]] = {}
    for name, texts in deletions:
        gone.setdefault(name, set()).update(texts)
    file = ((pages.find(name), texts) for name, texts in gone.items())
    return GraphChange(
        tuple(page for h, texts in file if h for page in without_observations(pages, h, texts))
    )


def delete_relations(pages: EntityPages, relations: Iterable[Relation]) -> GraphChange[Relation]:
    """Without these relations, where they are known."""
    by_source = grouped((each.source, each) for each in dict.fromkeys(relations))
    written = [
        page
        for source, gone in by_source.items()
        for file in pages.all_named(source)
        for page in without_relations(pages, file, gone)
    ]
    loose = [each for gone in by_source.values() for each in gone]
    return GraphChange((*written, *without_loose(pages, loose)))
