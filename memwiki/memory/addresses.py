"""The entry that an id, a key, a line or a text means: in the index, and in the bytes of its
page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import compress, count, repeat
from operator import contains
from typing import TYPE_CHECKING

from memwiki.dates import iso_date
from memwiki.errors import ConflictError, ManyMatchesError, NotFoundError
from memwiki.facts.identity import identity
from memwiki.facts.value import is_current
from memwiki.files.read import read
from memwiki.index.cards.entries import EntryCard, EntryCards
from memwiki.markdown.describe import inner_path, is_in
from memwiki.markdown.outline import Outline, Outlines, look_over, text_of
from memwiki.markdown.units import entries_of, entry_at, lines_of_entry
from memwiki.memory.view import LocatedEntry
from memwiki.names import bare_line, require_str
from memwiki.nouns import Entry, Layers
from memwiki.records import grouped
from memwiki.scope import Scope
from memwiki.sync.context import Context
from memwiki.sync.reading import Reading
from memwiki.text import holds, pattern

if TYPE_CHECKING:
    from memwiki.memory.draft import EntryDraft

_ID = pattern(r"(?:.*#)?\^?(m-[A-Za-z0-9]+)\Z")
_AT = pattern(r"(.+):([1-9][0-9]{0,8})\Z")
_PROBE = pattern(r"[a-z0-9]+|[^\W_]")
_COUNTED = 16  # longest of them, of which the rarest are looked for
_STEP = 64  # one line in so many tells how rare they are
_PROBES = 8  # rarest words and signs of a text that an item must hold before it is read
_MANY = 8  # texts from which on all entries of a page are read once


def find_entry(name: str, view: Reading) -> LocatedEntry:
    """The entry that an id, then a key, then `PATH:LINE` means; NotFoundError or
    AmbiguousError otherwise."""
    require_str("entry", name)
    cards, scope = EntryCards(view.stores.cards.db), view.scope
    pages = PageOutlines(view.context)
    if by_id := _ID.match(name.strip()):
        found = _nearest(cards.with_id(by_id[1]), scope)
    else:
        found = _current(_nearest(cards.with_key(name.strip()), scope), view.context.layers)
    if not found and (place := _AT.match(name.strip())):
        with suppress(NotFoundError):
            if located := pages.at(view.find(place[1]), int(place[2])):
                return located
    located_all = [each for card in found if (each := pages.of(card))]
    if len(located_all) > 1:
        raise of_one_name(name, located_all)
    if not located_all:
        raise NotFoundError(
            f"{name}: no entry has this id or key", "memwiki entry list, or memwiki search {}", name
        )
    view.note_outside(name, located_all[0].path)
    return located_all[0]


def of_one_name(name: str, found: Iterable[LocatedEntry], hint: str = "") -> ManyMatchesError:
    """What is said where several entries bear a name."""
    return ManyMatchesError(
        name,
        "entries bear this name",
        [f"{each.path}:{each.entry.line_start}" for each in found],
        hint or "give path and line of one of them, as in memory.md:12",
    )


def find_own_entry(name: str, view: Reading) -> LocatedEntry:
    """The same of an entry that is to be changed: NotEditableError outside of the namespace
    and in a source."""
    from memwiki.pages.page import require_editable  # nothing is changed by who only looks

    count = len(view.tell)
    located = find_entry(name, view)
    del view.tell[count:]
    view.scope.require_own(located.path)
    require_editable(located.path, view.context.layers)
    return located


def _nearest(cards: Sequence[EntryCard], scope: Scope) -> list[EntryCard]:
    """Of entries with one name those of the namespace, else those outside of all."""
    own = [card for card in cards if scope.owns(card.path)]
    return own or [card for card in cards if scope.reaches(card.path)]


def _current(cards: Sequence[EntryCard], layers: Layers) -> list[EntryCard]:
    """Of the entries with one key those that hold: what was superseded or retired may keep its
    key, and so does what a source says."""
    passed = (layers.archive, layers.raw)
    here = [c for c in cards if not any(is_in(inner_path(c.path, layers), p) for p in passed)]
    current = [c for c in here if is_current(c.fields, is_struck=False)]
    return current or here or list(cards)


class PageOutlines:
    """Pages as their files are now, each read once."""

    def __init__(self, context: Context, outlines: Outlines | None = None) -> None:
        """`outlines` are those of a plan, which looks each text over once."""
        self._root, self._max_bytes = context.root, context.max_bytes
        self._layers = context.layers
        self._look = outlines or partial(look_over, context.layers)
        self._known: dict[str, Outline] = {}

    def __getitem__(self, path: str) -> Outline:
        page = self._known.get(path)
        if page is None:
            data = read(self._root, path, self._max_bytes)
            found = text_of(self._layers, path, data)
            page = self._known[path] = self._look(path, found.text, found.mark)
        return page

    def of(self, card: EntryCard) -> LocatedEntry | None:
        """The entry of a card as it is now; None when it is no longer there."""
        found = self.at(card.path, card.line_start)
        if found and found.entry.id == card.id:
            return found
        page = self[card.path]
        entry = with_id(page, card.id) if card.id else None
        return LocatedEntry(card.path, page.type, entry) if entry else None

    def at(self, path: str, line: int) -> LocatedEntry | None:
        """The entry on a line of a page."""
        page = self[path]
        entry = entry_at(page, line)
        return LocatedEntry(path, page.type, entry) if entry else None


def free_id(ids: Iterable[str], page: Outline) -> str:
    """The first id that no entry of a page bears."""
    return next(each for each in ids if not holds(page.text, f"^{each}"))


def with_id(page: Outline, id_: str) -> Entry | None:
    """The first entry of a page that bears an id."""
    return next(_all_with_id(page, id_), None)


def new_entry(page: Outline, id_: str) -> Entry | None:
    """The entry that was put into a page with an id that no other bears; most are near its end."""
    at = page.text.rfind(f"^{id_}")
    found = entry_at(page, page.line_at(at) + 1) if at >= 0 else None
    return found if found and found.id == id_ else with_id(page, id_)


def _all_with_id(page: Outline, id_: str) -> Iterator[Entry]:
    done, at = 0, page.text.find(f"^{id_}")
    while at >= 0:
        line = page.line_at(at) + 1
        entry = entry_at(page, line) if line > done else None
        if entry and entry.id == id_:
            done = entry.line_end
            yield entry
        at = page.text.find(f"^{id_}", at + 1)


def current_entry(page: Outline, entry: Entry) -> Entry:
    """An entry that was read before, in its page as it is now; ConflictError when it changed.

    One that alone bears its id is known by it, whatever it says by now.
    """
    same = entry_at(page, entry.line_start)
    if same and _is_same(same, entry):
        return same
    found = list(_all_with_id(page, entry.id) if entry.id else entries_of(page).entries)
    if not entry.id or len(found) > 1:
        found = [each for each in found if _is_same(each, entry)]
    if len(found) != 1:
        raise ConflictError(
            f"{page.path}:{entry.line_start}: the entry was changed or removed meanwhile",
            "look at it again and repeat the change",
            path=page.path,
        )
    return found[0]


def as_it_is(page_at: Callable[[str], Outline], known: LocatedEntry) -> tuple[Outline, Entry]:
    """The page of an entry that was read before, and that entry as `current_entry` finds it."""
    page = page_at(known.path)
    return page, current_entry(page, known.entry)


def _is_same(one: Entry, other: Entry) -> bool:
    return (one.text, one.fields, one.id) == (other.text, other.fields, other.id)


# --- on a page, by its words or key ---


class PageEntries:
    """The entries of one page, asked for by what they say or by key; of a long page only the lines
    that may be meant are read, unless many are asked for."""

    def __init__(self, page: Outline, wanted: int) -> None:
        self._page = page
        self._all: dict[str, list[Entry]] | None = None
        if wanted > _MANY:
            entries = entries_of(page).entries
            self._all = grouped((identity(entry.text), entry) for entry in entries)

    def same(self, text: str, day: str = "", *, happened: str = "") -> Entry | None:
        """The entry that says the same and holds still, or of a day one that is superseded; of an
        event that `happened` on a day none of another day."""
        wanted = identity(text)
        if self._all is not None:
            found: Iterable[Entry] = self._all.get(wanted, ())
        else:
            found = (entry for entry in self._holding(wanted) if identity(entry.text) == wanted)
        for entry in found:
            is_meant = not happened or day_if_event(entry) in ("", happened)
            if is_meant and _day_if_ended(entry) == day:
                return entry
        return None

    def with_key(self, key: str) -> Iterator[Entry]:
        """The entries that have a key and still hold: one, unless a merge brought another."""
        done = 0  # the line up to which entries were looked at
        for match in re.finditer(r"\bkey::", self._page.text):
            line = self._page.line_at(match.start()) + 1
            entry = entry_at(self._page, line) if line > done else None
            if entry:
                done = entry.line_end
            if entry and entry.fields.get("key") == key and _holds_still(entry):
                yield entry

    def _holding(self, wanted: str) -> Iterator[Entry]:
        """The entries whose lines hold what a text is made of."""
        probes = sorted(set(_PROBE.findall(bare_line(wanted))), key=len, reverse=True)
        if not probes:
            yield from entries_of(self._page).entries
            return
        lines, done = self._page.bare_lines, 0  # the line up to which entries were looked at
        probes = sorted(probes[:_COUNTED], key=partial(_count_in, lines[::_STEP]))[:_PROBES]
        for line in compress(count(1), map(contains, lines, repeat(probes[0]))):
            if line <= done:
                continue
            first, done = lines_of_entry(self._page, line) or (line - 1, line)
            text = "\n".join(lines[first:done])
            is_meant = all(probe in text for probe in probes)
            if is_meant and (entry := entry_at(self._page, line)):
                yield entry


def _count_in(lines: Iterable[str], part: str) -> int:
    return sum(part in line for line in lines)


def _holds_still(entry: Entry) -> bool:
    return is_current(entry.fields, is_struck=entry.is_superseded)


def day_if_event(entry: Entry | EntryDraft) -> str:
    """The day of an event, as far as it is known; "" of all else, and where its words say a day:
    it is the same whenever it is told."""
    if entry.type != "event":
        return ""
    from memwiki.times.days import says_year_and_month  # few entries are events

    if says_year_and_month(entry.text):
        return ""
    return iso_date(entry.fields.get("created", ""))[:10]


def _day_if_ended(entry: Entry) -> str:
    """The day of an entry that holds no more, as far as it is known; "" of one that does."""
    return "" if _holds_still(entry) else iso_date(entry.fields.get("created", ""))[:10] or "?"
