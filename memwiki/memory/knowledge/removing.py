"""Observations and relations taken from the pages that say them; all else stays as it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from memwiki.answers.knowledge import Relation
from memwiki.errors import NotEditableError
from memwiki.markdown.edit.relations import relation_spans, without_spans
from memwiki.markdown.outline import Outline, outline_of
from memwiki.memory.changing import cuts, without_all
from memwiki.memory.knowledge.graph import loose_path
from memwiki.memory.knowledge.items import TypedLink
from memwiki.memory.knowledge.pages import (
    EntityPages,
    Held,
    loose_entries,
    name_of,
    relations_on,
    said_by,
)
from memwiki.memory.knowledge.reading import EntityPage, PageItem, items_on
from memwiki.memory.knowledge.writing import WrittenPage
from memwiki.model import Link, LinkKind

_ALONE = re.compile(r"[ \t]*(?:[^\[\]:\n]+::[ \t]*)?\[\[[^\[\]\n]+\]\][ \t]*\Z")


def without_observations(
    pages: EntityPages, file: Held, gone: Collection[str]
) -> Iterator[WrittenPage]:
    """The page of an entity without observations of exactly these words."""
    if file.before is None or file.content is None or not {*file.content.observations} & {*gone}:
        return
    page = outline_of(file.path, file.before, pages.layers)
    found = [
        each
        for each in items_on(page)
        if each.is_observed and each.item.observation in gone and _is_said(pages, each)
    ]
    after = page.edited(cuts(page, [(each.first, each.end) for each in found]))
    links = {link for each in found for link in each.item.links}
    kept = Counter(each for each in file.content.observations if each not in gone)
    now = _said(pages, after)
    if Counter(now.observations) != kept or {*file.content.links} - {*now.links} - links:
        raise _refusal(page, found[0].first if found else 0)
    yield WrittenPage(file.path, file.before, after.data)


def without_relations(
    pages: EntityPages, file: Held, gone: Collection[Relation]
) -> Iterator[WrittenPage]:
    """The page of an entity without these relations, wherever on it they are said."""
    if file.before is None or file.content is None or not pages.relations_of(file) & {*gone}:
        return
    page = outline_of(file.path, file.before, pages.layers)
    source = file.content.name
    doomed = _Doomed(pages, source, gone)
    lines = [*doomed.items(page), *doomed.lines(page)]
    after = page.edited(cuts(page, sorted(lines))) if lines else page
    spans = [each for each in relation_spans(after, doomed.means) if each.is_alone]
    after = without_spans(after, spans) if spans else after
    now = set(relations_on(pages, _said(pages, after)))
    if now != pages.relations_of(file) - {*gone}:
        raise _refusal(page, min((first for first, _ in lines), default=0))
    yield WrittenPage(file.path, file.before, after.data)


class _Doomed:
    """Where the relations of one page stand that are to go."""

    def __init__(self, pages: EntityPages, source: str, gone: Collection[Relation]) -> None:
        self._pages, self._source, self._gone = pages, source, gone

    def means(self, link: Link) -> bool:
        """Whether a link says one of them."""
        return self._is_gone(TypedLink(link.relation, link.written, link.text))

    def items(self, page: Outline) -> Iterator[tuple[int, int]]:
        """The lines of list items that say nothing but these."""
        for each in items_on(page):
            links = each.item.links
            is_whole = each.item.observation is None and links and all(map(self._is_gone, links))
            if is_whole and _is_said(self._pages, each):
                yield each.first, each.end

    def lines(self, page: Outline) -> Iterator[tuple[int, int]]:
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


def _is_said(pages: EntityPages, each: PageItem) -> bool:
    """Whether an item holds, and may be known."""
    return not each.item.is_superseded and (pages.has_private or not each.item.is_private)


def _said(pages: EntityPages, page: Outline) -> EntityPage:
    content = said_by(page.path, page.data, pages.layers, private=pages.has_private)
    if content is None:
        raise _refusal(page, 0)
    return content


def _refusal(page: Outline, line: int) -> NotEditableError:
    return NotEditableError(
        f"{page.path}: what is to go stands in one line with what stays",
        hint="edit the page by hand",
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
    made = without_all(page, found)
    if len(made.gone) < len(found):
        raise _refusal(page, found[0].line_start - 1)
    yield WrittenPage(page.path, pages.loose_before, made.page.data)
