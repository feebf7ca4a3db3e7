"""Entries on their way to other pages, which are split when they are full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import NamedTuple

from memwiki.answers.upkeep import UpkeepStep
from memwiki.errors import MemwikiError
from memwiki.markdown.entry_marks import type_of_heading
from memwiki.markdown.outline import Outline
from memwiki.markdown.page_entries import entries_of
from memwiki.memory.patches import PageWithout, largest_subset, remove_entries
from memwiki.memory.placement import EntryPage, spot_of, with_items
from memwiki.memory.plans import renamed_links
from memwiki.nouns import Entry
from memwiki.upkeep.origin import FIELD
from memwiki.upkeep.page_edits import PageEdits
from memwiki.upkeep.work import StoredEntry, step_of

_ROUNDS = 4


class LeavingItem(NamedTuple):
    """An entry on its way: what it says, and its lines as they are to be written."""

    entry: Entry  # as it was, with the id that it has now
    text: str


class Going(NamedTuple):
    """An entry that is to leave its page, as it is to be written elsewhere, and why."""

    held: StoredEntry
    item: LeavingItem
    reason: str

    @property
    def place(self) -> tuple[str, int]:
        """Where it is."""
        return self.held.located.path, self.held.located.entry.line_start


class Filled(NamedTuple):
    """Pages that took items, with those that each of them took."""

    page: Outline
    items: Sequence[LeavingItem]


def moved(
    going: Sequence[Going],
    fill: Callable[[Sequence[LeavingItem]], Sequence[Filled]],
    verb: str,
    pages: PageEdits,
) -> list[UpkeepStep]:
    """Take entries out of their pages and put them where `fill` has them: those for which both
    can be done."""
    for _ in range(_ROUNDS):
        without = _without(going, pages)
        gone = {(each.page.path, entry.line_start) for each in without for entry in each.gone}
        going = [each for each in going if each.place in gone]
        try:
            made = fill([each.item for each in going])
        except MemwikiError:
            return []
        to = {id(item): each.page.path for each in made for item in each.items}
        if len(to) == len(gone):
            for page in [*(each.page for each in without if each.gone), *(m.page for m in made)]:
                pages.put(page, verb)
            return [_step(each, verb, to[id(each.item)]) for each in going]
        going = [each for each in going if id(each.item) in to]
    return []


def follow_links(
    steps: Sequence[UpkeepStep], links: Mapping[str, Sequence[str]], pages: PageEdits
) -> tuple[str, ...]:
    """Let links that name moved entries by their pages name the new ones; notes on pages that
    cannot be changed."""
    moved_by_source: dict[str, dict[str, str]] = {}
    for step in steps:
        for source in links.get(step.id, ()) if step.id else ():
            moved_by_source.setdefault(source, {})[step.id] = step.to
    notes = []
    for source, to in moved_by_source.items():
        try:
            pages.require_changeable(source)
            page = pages.page(source)
            pages.put(page.edited(renamed_links(page, to)), "entry moved")
        except MemwikiError as error:
            notes.append(f"links of it stay as they are: {error}")
    return tuple(notes)


def _without(going: Sequence[Going], pages: PageEdits) -> list[PageWithout]:
    """The pages that entries leave, without those that can leave them."""
    by_page: dict[str, list[Entry]] = {}
    for each in going:
        by_page.setdefault(each.held.located.path, []).append(each.held.located.entry)
    return [remove_entries(pages.page(path), entries) for path, entries in by_page.items()]


def _step(each: Going, verb: str, to: str) -> UpkeepStep:
    return step_of(verb, each.held, to, each.reason)._replace(id=each.item.entry.id)


def filled(items: Sequence[LeavingItem], stem: str, most: int, pages: PageEdits) -> list[Filled]:
    """Pages `stem.md`, `stem-2.md` ... with the items below the headings of their types."""
    found, left = list[Filled](), list(items)
    for path in _paths(stem) if items else ():
        page = pages.page_for(EntryPage(path))
        count = len(entries_of(page).entries)
        if count < most:
            part = left[: most - count]
            taken, made = largest_subset(part, partial(_with, page, max_bytes=pages.max_bytes))
            places = set(map(id, taken))
            refused = [each for each in part if id(each) not in places]
            # What an empty page does not take, no other one takes.
            left = (refused if count else []) + left[len(part) :]
            found += [Filled(made, taken)] if made else []
        if not left:
            break
    return found


def _paths(stem: str) -> Iterator[str]:
    yield f"{stem}.md"
    yield from (f"{stem}-{number}.md" for number in count(2))


def _with(page: Outline, items: Sequence[LeavingItem], max_bytes: int) -> Outline | None:
    """The page with these items, None when something would be read otherwise."""
    after = page
    by_type: dict[str, list[str]] = {}
    for each in items:
        by_type.setdefault(_heading_type(each.entry, page), []).append(each.text)
    try:
        for type_, texts in by_type.items():
            spot = spot_of(after, type_, is_by_day=False)
            after = with_items(after, spot, "\n".join(texts), max_bytes).page
    except MemwikiError:
        return None
    return after if _holds(page, after, items) else None


def _heading_type(entry: Entry, page: Outline) -> str:
    """The type below whose heading an entry stands: one of its own says so itself."""
    return entry.type if type_of_heading(entry.type) == entry.type else page.entry_type


def _holds(page: Outline, after: Outline, items: Iterable[LeavingItem]) -> bool:
    """Whether a page says what it said and what the items say, and nothing else."""
    before = Counter(map(said_of, entries_of(page).entries))
    before.update(said_of(each.entry) for each in items)
    return before == Counter(map(said_of, entries_of(after).entries))


def said_of(entry: Entry) -> tuple[object, ...]:
    """What an entry says, but where it was before it retired."""
    fields = sorted((key, value) for key, value in entry.fields.items() if key != FIELD)
    return entry.id, entry.text, entry.type, entry.is_superseded, tuple(fields)
