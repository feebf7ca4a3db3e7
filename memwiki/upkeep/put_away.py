"""Entries on their way to other pages, which are split when they are full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import NamedTuple

from memwiki.answers.upkeep import UpkeepStep
from memwiki.errors import MemwikiError
from memwiki.markdown.entry_types import type_of_heading
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


class Leaver(NamedTuple):
    """An entry that is to leave its page: what it says elsewhere, in which lines, and why."""

    stored: StoredEntry
    entry: Entry  # as it was, with the id that it has now
    text: str
    reason: str

    @property
    def place(self) -> tuple[str, int]:
        """Where it is."""
        return self.stored.located.place


class Filled(NamedTuple):
    """A page that took entries, with these."""

    page: Outline
    leavers: Sequence[Leaver]


def moved(
    going: Sequence[Leaver],
    fill: Callable[[Sequence[Leaver]], Sequence[Filled]],
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
            made = fill(going)
        except MemwikiError:
            return []
        to = {one.place: each.page.path for each in made for one in each.leavers}
        if len(to) == len(gone):
            for page in [*(each.page for each in without if each.gone), *(m.page for m in made)]:
                pages.put(page, verb)
            return [
                step_of(verb, each.stored, to[each.place], each.reason)._replace(id=each.entry.id)
                for each in going
            ]
        going = [each for each in going if each.place in to]
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


def _without(going: Sequence[Leaver], pages: PageEdits) -> list[PageWithout]:
    """The pages that entries leave, without those that can leave them."""
    by_page: dict[str, list[Entry]] = {}
    for each in going:
        by_page.setdefault(each.place[0], []).append(each.stored.located.entry)
    return [remove_entries(pages.page(path), entries) for path, entries in by_page.items()]


def filled(leavers: Sequence[Leaver], stem: str, most: int, pages: PageEdits) -> list[Filled]:
    """Pages `stem.md`, `stem-2.md` ... with entries below the headings of their types, at most so
    many in each."""
    found, left = list[Filled](), list(leavers)
    for path in _paths(stem) if leavers else ():
        page = pages.page_for(EntryPage(path))
        count = len(entries_of(page).entries)
        if count < most:
            part = left[: most - count]
            taken, made = largest_subset(part, partial(_with, page, max_bytes=pages.max_bytes))
            places = {each.place for each in taken}
            refused = [each for each in part if each.place not in places]
            # What an empty page does not take, no other one takes.
            left = (refused if count else []) + left[len(part) :]
            found += [Filled(made, taken)] if made else []
        if not left:
            break
    return found


def _paths(stem: str) -> Iterator[str]:
    yield f"{stem}.md"
    yield from (f"{stem}-{number}.md" for number in count(2))


def _with(page: Outline, leavers: Sequence[Leaver], max_bytes: int) -> Outline | None:
    """The page with these entries, None when something would be read otherwise."""
    after = page
    by_type: dict[str, list[str]] = {}
    for each in leavers:
        # Only a type that is a heading of its own is one there.
        own = each.entry.type
        type_ = own if type_of_heading(own) == own else page.entry_type
        by_type.setdefault(type_, []).append(each.text)
    try:
        for type_, texts in by_type.items():
            spot = spot_of(after, type_, is_by_day=False)
            after = with_items(after, spot, "\n".join(texts), max_bytes).page
    except MemwikiError:
        return None
    wanted = statements(entries_of(page).entries) + statements(each.entry for each in leavers)
    return after if statements(entries_of(after).entries) == wanted else None


def statements(entries: Iterable[Entry]) -> Counter[tuple[object, ...]]:
    """What entries say, but where they were before they retired, and how often."""
    return Counter(
        (
            each.id,
            each.text,
            each.type,
            each.is_superseded,
            tuple(sorted((key, value) for key, value in each.fields.items() if key != FIELD)),
        )
        for each in entries
    )
