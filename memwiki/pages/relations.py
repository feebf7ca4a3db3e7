"""Linking one page to another in its front matter, plainly or by a typed relation, and
unlinking."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from memwiki.errors import ArgumentError, NotEditableError, NotFoundError, UsageError
from memwiki.markdown.dialects import names_of_file
from memwiki.markdown.edit.fields import property_of, without_property_links
from memwiki.markdown.edit.relations import RelationSpan, relation_spans, with_item, without_spans
from memwiki.markdown.fields import links_of
from memwiki.markdown.links import wikilink
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.names import fold
from memwiki.nouns import Layers, Link, LinkKind
from memwiki.numbers import share_of
from memwiki.pages.page import Planned, page_plan
from memwiki.text import pattern

_TYPE = pattern(r"[^\W\d][\w-]*(?: [\w-]+)*\Z")
_WHOLE_LINE = pattern(
    r"[ \t]*(?:[-*+][ \t]+[^\[\]\n]*\[\[[^\[\]\n]+\]\][ \t]*(?:\([^\n]*\)[ \t]*)?(?:\^[\w-]+)?"
    r"|(?:[-*+][ \t]+)?[^\[\]:\n]+::[ \t]*\[\[[^\[\]\n]+\]\])[ \t]*\Z"
)
_IN_WIKILINK = pattern(r"[\[\]|#^]")


class WantedRelation(NamedTuple):
    """How one page is to belong to another: no type is a plain link, no weight is 1."""

    type: str = ""
    weight: float | None = None


class LinkEnds(NamedTuple):
    """The page that links, the page it links to, and how a link on the first is resolved."""

    page: Outline
    target: str
    resolve: Callable[[Link], str]

    @property
    def path(self) -> str:
        """The path of the page that links."""
        return self.page.path

    def means(self, link: Link) -> bool:
        """Whether a link leads to the target."""
        return self.resolve(link) == self.target


def link(ends: LinkEnds, relation: WantedRelation) -> Planned:
    """A plan that adds a link to the front matter of a page; none when it already exists."""
    _require_relation(ends, relation)
    existing = [
        location
        for location in relation_spans(ends.page, ends.means)
        if _is_of(location, relation.type)
    ]
    weight = 1.0 if relation.weight is None else relation.weight
    if existing and relation.weight is not None and all(p.weight != weight for p in existing):
        after = _with_link(ends._replace(page=without_spans(ends.page, existing)), relation)
    elif existing:
        return _unchanged(ends, relation, existing[0].field.first + 1)
    elif line := _line_in_text(ends, relation.type) or _line_of_property(ends, relation.type):
        return _unchanged(ends, relation, line)
    else:
        after = _with_link(ends, relation)
    return Planned(page_plan(ends.page, after, f"linked {ends.target}{_as(relation)}"))


def _require_relation(ends: LinkEnds, relation: WantedRelation) -> None:
    if relation.type and not _TYPE.match(relation.type):
        raise ArgumentError(
            "relation", relation.type, "not a word", "for example {relation:works_on}"
        )
    if relation.weight is not None and not relation.type:
        raise UsageError(
            "{weight}: needs a {relation}",
            "give both, for example {relation:works_on} and {weight:0.8}",
            arguments={"weight": None, "relation": None},
        )
    if relation.weight is not None:
        share_of("weight", relation.weight)
    if ends.path == ends.target:
        raise UsageError(f"{ends.path}: a page cannot link to itself", "name two pages")


def _is_of(location: RelationSpan, type_: str) -> bool:
    return fold(location.relation) == fold(type_)


def _as(relation: WantedRelation) -> str:
    return f" as {relation.type}" if relation.type else ""


def _unchanged(ends: LinkEnds, relation: WantedRelation, line: int) -> Planned:
    note = f"{ends.path}:{line} links {ends.target}{_as(relation)} already"
    return Planned(page_plan(ends.page, ends.page, ""), (note,))


def _line_in_text(ends: LinkEnds, type_: str) -> int:
    """Where the text of the page holds such a typed relation; 0 where it does not."""
    if not type_:
        return 0
    return next((each.line for each in _text_links(ends) if fold(each.relation) == fold(type_)), 0)


def _line_of_property(ends: LinkEnds, type_: str) -> int:
    """Where a property of the page links the target in this way; 0 where none does."""
    key = type_ or "related"
    existing = property_of(ends.page, key)
    links = _text_links(ends) if existing else []
    return next((each.line for each in links if existing and each.line == existing.line + 1), 0)


def _text_links(ends: LinkEnds) -> list[Link]:
    page = ends.page
    below = () if page.is_catalog else page.found.links
    of_page = (each for each in below if each.kind is not LinkKind.ENTRY)
    return [each for each in of_page if ends.means(each)]


def _with_link(ends: LinkEnds, relation: WantedRelation) -> Outline:
    """Written by the shortest name that leads to the target from this page."""
    beside = {"type": relation.type} if relation.type else {}
    if relation.weight is not None:
        beside["weight"] = f"{relation.weight:g}"
    key = "relations" if relation.type else "related"
    for name in _names(ends.target, ends.page.layers):
        if _IN_WIKILINK.search(name) or not any(map(ends.means, links_of(key, [f"[[{name}]]"]))):
            continue
        after = with_item(ends.page, key, name, beside)
        if _line_of_property(ends._replace(page=after), relation.type) or any(
            _is_of(location, relation.type) for location in relation_spans(after, ends.means)
        ):
            return after
    raise NotEditableError.at(
        ends.target,
        "no name of it can be written as a link",
        "rename the file: without [ ] | # ^ $ = ~",
    )


def _names(path: str, layers: Layers) -> Iterator[str]:
    """The file name, then longer and longer ends of the path, without and with its suffix; before
    them what the program calls the page that keeps it too."""
    if title := names_of_file(path, layers).title:
        yield title
    bare = re.sub(r"\.(?:md|markdown)\Z", "", path, flags=re.IGNORECASE)
    parts = bare.split("/")
    yield from ("/".join(parts[start:]) for start in range(len(parts) - 1, -1, -1))
    yield path


# --- unlinking ---


def unlink(ends: LinkEnds, type_: str) -> Planned:
    """A plan that removes the links of one kind that lead from a page to another."""
    after = without_property_links(ends.page, type_ or "related", partial(_is_named, ends))
    if after is not ends.page:
        what = f"unlinked {ends.target}{_as(WantedRelation(type_))}"
        return Planned(page_plan(ends.page, after, what))
    every = relation_spans(ends.page, ends.means)
    existing = [location for location in every if _is_of(location, type_)]
    in_text = _text_links(ends)
    typed = [each for each in in_text if type_ and fold(each.relation) == fold(type_)]
    lines = _whole_lines(ends, typed)
    gone = [location for location in existing if location.is_alone]
    left = {each.line for each in in_text if not each.relation or each in typed} - set(lines)
    left |= {location.field.first + 1 for location in existing if not location.is_alone}
    if not (gone or lines):
        types = {each.relation for each in in_text if each.relation}
        _refuse_nothing(ends, type_, left, {p.relation for p in every} | types)
    after = _without_lines(ends.page, lines)
    if gone:
        after = without_spans(after, gone)
    notes = tuple(f"{ends.path}:{line} still links {ends.target}" for line in sorted(left))
    what = f"unlinked {ends.target}{_as(WantedRelation(type_))}"
    return Planned(page_plan(ends.page, after, what), notes)


def _is_named(ends: LinkEnds, name: str) -> bool:
    link = wikilink(name, 0, LinkKind.WIKILINK)
    return link is not None and ends.means(link)


def _whole_lines(ends: LinkEnds, links: list[Link]) -> list[int]:
    """The lines, from 1, that hold such a relation and nothing else, and nothing indented below."""
    lines = [*ends.page.lines, ""]
    numbers = []
    for each in links:
        text, below = lines[each.line - 1], lines[each.line]
        indent = len(text) - len(text.lstrip())
        is_alone = not below.strip() or len(below) - len(below.lstrip()) <= indent
        if _WHOLE_LINE.match(text) and is_alone:
            numbers.append(each.line)
    return numbers


def _without_lines(page: Outline, lines: list[int]) -> Outline:
    starts = page.starts
    return page.edited(Patch(starts[line - 1], starts[line], "") for line in set(lines))


def _refuse_nothing(ends: LinkEnds, type_: str, left: set[int], types: set[str]) -> None:
    others = sorted(other for other in types if other != type_)
    if others and others != [""]:
        raise UsageError(
            f"{ends.path}: links {ends.target} as {', '.join(others)}",
            "memwiki unlink {} {} --relation {}",
            ends.path,
            ends.target,
            others[-1],
        )
    if left or "" in types:
        where = " and ".join(f"line {line}" for line in sorted(left)) or "its front matter"
        raise NotEditableError(
            f"{ends.path}: links {ends.target} in {where}, which memwiki does not change",
            "edit it by hand",
            path=ends.path,
            line=min(left, default=0),
        )
    raise NotFoundError(
        f"{ends.path}: has no such link to {ends.target}", "memwiki links {} --out", ends.path
    )
