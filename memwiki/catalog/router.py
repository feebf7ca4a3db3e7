"""What there is, made when it is asked for, with the lines of the catalogs; nothing is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memwiki.answers.entries import EntryView
from memwiki.answers.pages import BrowseSection
from memwiki.catalog.listing import (
    base_of,
    cut_to_columns,
    escape_markdown,
    link,
    listing_of_card,
    one_line,
)
from memwiki.catalog.parts import Folder, folder_line, highlight_lines, tree
from memwiki.catalog.state import require_listed
from memwiki.catalog.store import ListingStore
from memwiki.errors import NotFoundError
from memwiki.index.cards.lookup import Card
from memwiki.names import fold, is_in_folder
from memwiki.numbers import counted
from memwiki.records import NamedTuple
from memwiki.sync.reading import Reading

_TEXT_COLUMNS = 160


class PageFilter(NamedTuple):
    """Which pages are meant; what is empty is not asked for."""

    path: str = ""  # a folder
    type: str = ""
    tag: str = ""
    since: str = ""  # a day


def router(
    view: Reading, tags: Sequence[tuple[str, int]], limit: int
) -> tuple[list[BrowseSection], int]:
    """The sections of a workspace or namespace, and how many pages it has."""
    listed, base = _store(view), view.scope.base
    root = tree(listed.sums(base), base)
    shown = listed.highlights(base)
    start, *others = highlight_lines(shown, "")
    known = {each.path for each in shown.start}
    beside = listed.listings(base, limit + len(known))
    sections = [
        ("Folders", [*_folder_lines(root)][:limit]),
        start,
        ("Pages", [each.line("") for each in beside if each.path not in known][:limit]),
        *others,
        ("Tags", [*tag_lines(tags[:limit])]),
    ]
    return [BrowseSection(title, tuple(lines)) for title, lines in sections if lines], root.pages


def folder_sections(view: Reading, path: str) -> tuple[list[str], list[str]]:
    """The lines of the folders and of the pages that lie in a folder."""
    listed = _store(view)
    base = base_of(f"{path}/x.md", view.context.layers) or ""
    folders = tree(listed.sums(base), base).walk() if view.scope.owns(f"{path}/x.md") else ()
    found = next((each for each in folders if each.path == path), None)
    if found is None:
        raise NotFoundError(f"{path}: no pages are in a folder of this name", "memwiki browse")
    return [*_folder_lines(found)], [each.line("") for each in listed.listings(path)]


def page_lines(
    view: Reading, wanted: PageFilter, *, is_by_date: bool, offset: int, limit: int
) -> tuple[list[str], int]:
    """The lines of the pages that a filter lets through, by title or the newest first, and how
    many there are."""
    lookup = view.lookup
    cards = [card for card in lookup.cards() if _passes(view, card, wanted)]
    if wanted.tag:
        tagged = lookup.tagged_below(wanted.tag)
        cards = [card for card in cards if card.number in tagged]
    found = [(card, listing_of_card(card, ())) for card in cards]
    if wanted.since or is_by_date:
        found = [each for each in found if each[1].date and each[1].date >= wanted.since]
    found.sort(key=lambda each: each[1].key)
    if is_by_date:
        found.sort(key=lambda each: each[1].date, reverse=True)
    shown = found[offset : offset + limit]
    lines = [listing_of_card(card, lookup.own_tags(card)).line("") for card, _ in shown]
    return lines, len(found)


def _passes(view: Reading, card: Card, wanted: PageFilter) -> bool:
    is_seen = view.scope.sees(card.path) or (
        bool(wanted.path) and not view.scope.sees(wanted.path) and view.scope.owns(card.path)
    )
    is_there = not wanted.path or is_in_folder(card.path, wanted.path)
    return is_seen and is_there and (not wanted.type or fold(card.type) == fold(wanted.type))


def tag_lines(tags: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Tags with how often they are used."""
    for tag, count in tags:
        yield f"- {escape_markdown(one_line(tag))} — used {counted(count, 'time')}"


def entry_lines(entries: Iterable[EntryView]) -> Iterator[str]:
    """Entries with where they stand."""
    for entry in entries:
        text = escape_markdown(cut_to_columns(one_line(entry.text), _TEXT_COLUMNS))
        day = (entry.updated or entry.created)[:10]
        more = " · ".join(filter(None, [entry.type, day, entry.id]))
        yield f"- {link(text or '?', entry.path)} — {more} · line {entry.line_start}"


def _folder_lines(folder: Folder) -> Iterator[str]:
    return (folder_line(each, "", f"{each.path}/") for each in folder.children)


def _store(view: Reading) -> ListingStore:
    require_listed(view.stores.cards)
    return ListingStore(view.stores.cards, view.context.layers)
