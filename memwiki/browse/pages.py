"""Pages and namespaces of a workspace, as answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest

from memwiki.answers.pages import (
    PageList,
    PageOutline,
    PageRow,
    PageView,
    SectionSize,
)
from memwiki.answers.workspaces import NamespaceList, NamespaceRow
from memwiki.change.plan import ETAG_DIGITS
from memwiki.errors import ArgumentError, NotFoundError
from memwiki.files.paths import namespaces_in
from memwiki.files.scan import Scan
from memwiki.index.cards.lookup import Card, Lookup
from memwiki.markdown.structure import lines_around, part_of
from memwiki.names import fold, is_in_folder, require_str, require_text
from memwiki.nouns import Section
from memwiki.pages.page import page_now
from memwiki.recall.filters import path_matcher
from memwiki.scope import base_of
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, linked_reading, reading, whole_reading
from memwiki.text import tokens

_SORTS = ("title", "updated", "links")


def get(
    live: LiveIndex,
    name: str,
    *,
    section: str,
    lines: tuple[int, int] | None,
    around: int = 0,
) -> PageView:
    """A page, one section or some lines of it, as the file is now."""
    require_str("page", name)
    with reading(live) as view:
        path, section = _path_and_section(view, name, section)
    page = page_now(live.context, path)
    if around:
        lines = lines_around(page, around)
    text, start, stop = part_of(page, section, lines)
    return PageView(
        path,
        page.title,
        page.type,
        page.fields,
        page.tags,
        page.aliases,
        text,
        page.digest,
        start,
        stop,
        page.digest[:ETAG_DIGITS],
    )


def _path_and_section(view: Reading, name: str, section: str) -> tuple[str, str]:
    """Where a page is, and which section of it is meant: `Tea#Water` may name one."""
    try:
        return view.find(name), section
    except NotFoundError as missing:
        from memwiki.index.find import behind_stamp  # is loaded by now

        page_name, _, anchor = name.partition("#")
        if anchor and page_name:
            return view.find(page_name), section or anchor
        path = behind_stamp(name, missing, view.lookup, view.scope)
        if not path:
            raise
        view.note_outside(name, path)
        return path, section


def outline(live: LiveIndex, name: str) -> PageOutline:
    """The headings of a page as the file is now, with the size of what is below each."""
    with reading(live) as view:
        path = view.find(name)
    page = page_now(live.context, path)
    lines = page.text.split("\n")
    sizes = tuple(_size(section, lines) for section in page.sections)
    total = (page.line_count, len(page.text), tokens(page.text))
    return PageOutline(path, page.title, *total, sizes)


def _size(section: Section, lines: Sequence[str]) -> SectionSize:
    # As many times as headings are nested, at most six, each line is looked at.
    text = "\n".join(lines[section.line_start - 1 : section.line_end])
    return SectionSize(*section, len(text), tokens(text))


def list_pages(
    live: LiveIndex, type_: str, tag: str, path: str, sort: str, limit: int | None, *, orphans: bool
) -> PageList:
    """Pages by type, tag and path, or those of them that no other page links to."""
    if sort not in _SORTS:
        raise ArgumentError("sort", sort, "not a way to sort", f"use {', '.join(_SORTS)}")
    require_text("list", type_, tag, path)
    with linked_reading(live) as view:
        cards = [
            card for card in view.lookup.cards() if not type_ or fold(card.type) == fold(type_)
        ]
        if tag:
            tagged = view.lookup.tagged_below(tag)
            cards = [card for card in cards if card.number in tagged]
        if orphans:
            alone = view.graph.orphans()
            cards = [card for card in cards if card.path in alone]
        scope = view.scope
        is_seen = scope.sees if scope.base or scope.sees(path.strip("/")) else scope.is_asked_for
        cards = [card for card in cards if is_seen(card.path)]
        if path:
            is_at = path_matcher(path, scope.base)
            cards = [card for card in cards if is_at(card.path)]
        counts = _link_counts(view, cards) if sort == "links" else {}
        shown = nsmallest(limit or len(cards), cards, key=lambda card: _order(card, sort, counts))
        counts = counts or _link_counts(view, shown)
        rows = tuple(_row(card, view.lookup, counts) for card in shown)
    notes = _undated_note(cards) if sort == "updated" else ()
    return PageList(rows, len(cards), view.freshness.fresh, notes)


def _undated_note(cards: Sequence[Card]) -> tuple[str, ...]:
    undated = sum(not card.written for card in cards)
    if not undated:
        return ()
    note = f"{undated} of {len(cards)} pages have no date"
    return (f"{note}: they come last, ordered by file time",)


def _order(card: Card, sort: str, counts: Mapping[str, int]) -> tuple[object, ...]:
    name = (fold(card.title), card.path)
    if sort == "links":
        return (-counts.get(card.path, 0), *name)
    if sort == "updated":
        newest_first = tuple(-ord(c) for c in card.written)
        return (not card.written, newest_first, 0 if card.written else -card.mtime_ns, *name)
    return name


def _row(card: Card, lookup: Lookup, counts: Mapping[str, int]) -> PageRow:
    tags = lookup.tags_of(card)
    links = counts.get(card.path, 0)
    return PageRow(card.path, card.title, card.type, card.description, tags, card.changed, links)


def _link_counts(view: Reading, cards: Iterable[Card]) -> Mapping[str, int]:
    """How many links of other pages mean each page."""
    return view.graph.reference_counts([card.path for card in cards])


def list_namespaces(live: LiveIndex) -> NamespaceList:
    """All of them by name, those without a page, too."""
    with whole_reading(live) as view:
        rows = rows_of(view, live.context)
        return NamespaceList(rows, len(rows), view.freshness.fresh)


def rows_of(view: Reading, context: Context) -> tuple[NamespaceRow, ...]:
    """Each with its pages and entries as the index knows them, and its files as they are."""
    layers = context.layers
    names = namespaces_in(context.root, layers.namespaces)
    cards: dict[str, list[Card]] = {f"{layers.namespaces}/{name}": [] for name in names}
    for card in view.lookup.cards():
        if (base := base_of(card.path, layers)) in cards:
            cards[base].append(card)
    entries, seen = dict(view.lookup.entry_counts()), context.walk()
    return tuple(
        NamespaceRow(
            base.rpartition("/")[2],
            len(cards_in),
            sum(entries.get(card.path, 0) for card in cards_in),
            _bytes(seen, base, context),
            max((card.changed[:10] for card in cards_in), default=""),
        )
        for base, cards_in in cards.items()
    )


def _bytes(seen: Scan, base: str, context: Context) -> int:
    pages = (size for path, (size, *_) in seen.files.items() if is_in_folder(path, base))
    others = (path for path in seen.attachments if is_in_folder(path, base))
    return sum(pages) + sum((context.root / path).stat().st_size for path in others)
