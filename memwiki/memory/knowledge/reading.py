"""The page of an entity as what it says: name, type, observations and typed links."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from memwiki.markdown.fields import first_text
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.stretches import below_headings
from memwiki.memory.knowledge.exact import exact_of, shown_name, shown_type
from memwiki.memory.knowledge.items import ReadItem, TypedLink, read_item
from memwiki.model import LinkKind, Section
from memwiki.names import fold

OBSERVATIONS, RELATIONS = "Observations", "Relations"
_OURS = frozenset({fold(OBSERVATIONS), fold(RELATIONS)})


class EntityPage(NamedTuple):
    """What one page says of its entity."""

    name: str
    type: str
    created: str
    observations: tuple[str, ...]
    gone: tuple[str, ...]  # that are struck out: known, and said no longer
    links: tuple[TypedLink, ...]
    aliases: tuple[str, ...] = ()


class PageItem(NamedTuple):
    """A list item of a page, on these lines, from 0 and half-open."""

    first: int
    end: int
    item: ReadItem
    is_observed: bool  # it stands where observations do


def entity_page(page: Outline) -> EntityPage:
    """What a page says, written by hand or not: on a page of entries each one is observed."""
    items = list(items_on(page))
    observed = [each.item for each in items if each.is_observed]
    links = [link for each in items if not each.item.is_superseded for link in each.item.links]
    exact = exact_of(first_text(page.fields.values.get("exact", "")))
    name, type_ = page.title, page.type
    if isinstance(exact, dict):
        name = _agreed(exact.get("name"), name, shown_name(str(exact.get("name"))))
        type_ = _agreed(exact.get("entityType"), type_, shown_type(str(exact.get("entityType"))))
    return EntityPage(
        name,
        type_,
        moment_of(first_text(page.front.fields.get("created", ""))),
        tuple(i.observation for i in observed if i.observation is not None and not i.is_superseded),
        tuple(i.observation for i in observed if i.observation is not None and i.is_superseded),
        tuple(dict.fromkeys((*links, *_beside_items(page)))),
        tuple(page.fields.aliases),
    )


def _agreed(exact: object, written: str, shown: str) -> str:
    """What is said exactly, as long as nobody has changed what a person reads."""
    return exact if isinstance(exact, str) and shown == written else written


def items_on(page: Outline) -> Iterator[PageItem]:
    """What each list item of a page says, and where it stands."""
    defined, whole = page.entry_reading.defined, set(page.entry_reading.whole)
    for section, items in below_headings(page.structure.items, page.sections):
        named = ours(section)
        is_entry = not named and page.kind is PageKind.COLLECTING
        is_observed = section not in whole and (named == fold(OBSERVATIONS) or is_entry)
        for first, end in items:
            yield PageItem(first, end, read_item(page.lines[first:end], defined), is_observed)


def ours(section: Section | None) -> str:
    """The nearest heading of ours above some items, folded; "" when there is none."""
    titles = map(fold, reversed(section.trail)) if section else ()
    return next((title for title in titles if title in _OURS), "")


def _beside_items(page: Outline) -> Iterator[TypedLink]:
    """The typed links that are in no list item: of the front matter, and of lines of their own."""
    lines = {line for first, end in page.structure.items for line in range(first + 1, end + 1)}
    for link in page.links:
        if link.relation and link.kind is not LinkKind.ENTRY and link.line not in lines:
            yield TypedLink(link.relation, link.written, link.text)


def moment_of(written: str) -> str:
    """A written time in a form that sorts; "" of what is none."""
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return ""
    if moment.tzinfo:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment.isoformat(timespec="microseconds")
